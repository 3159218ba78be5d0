#include "opgen/text/write_file.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "opgen/text/descriptor.h"
#include "opgen/text/posix_path.h"

namespace opgen::text {

namespace {

constexpr mode_t kNewFileMode = 0666;

// What file systems take for a name.
constexpr std::size_t kLongestFileName = 255;

// Nonzero: what went wrong.
int write_all(Descriptor& file, std::string_view contents) {
  while (!contents.empty()) {
    const ssize_t count = ::write(file.get(), contents.data(), contents.size());
    if (count < 0 && errno != EINTR) {
      return errno;
    }
    contents.remove_prefix(count > 0 ? static_cast<std::size_t>(count) : 0);
  }
  return file.close() ? 0 : errno;
}

bool has_contents(const Descriptor& file, std::string_view contents) {
  std::array<char, 65536> buffer;  // NOLINT: read() fills it
  for (;;) {
    const ssize_t count = ::read(file.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count <= 0) {
      return count == 0 && contents.empty();
    }
    const auto size = static_cast<std::size_t>(count);
    if (size > contents.size() ||
        std::memcmp(buffer.data(), contents.data(), size) != 0) {
      return false;
    }
    contents.remove_prefix(size);
  }
}

WriteResult create(const std::string& path, std::string_view contents) {
  Descriptor file(::open(
      path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kNewFileMode));
  if (!file.valid()) {
    return {false, system_message(errno)};
  }
  if (const int error = write_all(file, contents); error != 0) {
    ::unlink(path.c_str());
    return {false, system_message(error)};
  }
  return {true, {}};
}

WriteResult overwrite(const std::string& path, std::string_view contents) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
  const int error = file.valid() ? write_all(file, contents) : errno;
  return {error == 0, error == 0 ? std::string() : system_message(error)};
}

std::string temporary_name(const std::string& path) {
  static std::atomic<unsigned> counter = 0;
  const std::string end = ".opgen-" + std::to_string(::getpid()) + "-" +
                          std::to_string(counter.fetch_add(1));
  std::string name = ".";
  name += path_name(path).substr(0, kLongestFileName - 1 - end.size());
  name += end;
  return join_path(parent_path(path), name);
}

WriteResult replace(const std::string& path,
                    std::string_view contents,
                    mode_t mode) {
  const std::string temporary = temporary_name(path);
  Descriptor file(::open(temporary.c_str(),
                         O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                         kNewFileMode));
  int error = file.valid() ? 0 : errno;
  if (error != 0) {
    return {false, system_message(error)};
  }
  error = ::fchmod(file.get(), mode & 07777U) == 0 ? 0 : errno;
  error = error == 0 ? write_all(file, contents) : error;
  if (error == 0 && std::rename(temporary.c_str(), path.c_str()) != 0) {
    error = errno;
  }
  if (error != 0) {
    ::unlink(temporary.c_str());
    return {false, system_message(error)};
  }
  return {true, {}};
}

// What a link, or a path over links, leads to.
std::string resolved(const std::string& path) {
  std::error_code unresolved;
  const std::filesystem::path target =
      std::filesystem::canonical(path, unresolved);
  return unresolved ? path : target.string();
}

PlannedWrite failed(int error) {
  PlannedWrite planned;
  planned.error = error;
  return planned;
}

// Nothing is there, or a link to nothing.
PlannedWrite plan_new(const std::string& path) {
  struct stat status{};
  if (::lstat(path.c_str(), &status) == 0) {
    return failed(EEXIST);
  }
  PlannedWrite planned;
  planned.kind = PlannedWrite::Kind::kCreate;
  return planned;
}

PlannedWrite plan_replacement(const std::string& path, mode_t mode) {
  PlannedWrite planned;
  planned.kind = PlannedWrite::Kind::kReplace;
  planned.mode = mode;
  struct stat status{};
  if (::lstat(path.c_str(), &status) == 0 && S_ISLNK(status.st_mode)) {
    planned.target = resolved(path);
    planned.error = folder_error(parent_path(planned.target));
  }
  return planned;
}

}  // namespace

std::string system_message(int error) {
  return std::error_code(error, std::generic_category()).message();
}

int folder_error(const std::string& folder) {
  return ::access(folder.c_str(), W_OK | X_OK) == 0 ? 0 : errno;
}

PlannedWrite plan_write(const std::string& path, std::string_view contents) {
  // A pipe without a writer must not stop the run.
  const Descriptor file(
      ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status{};
  if (!file.valid()) {
    if (errno == ENOENT) {
      return plan_new(path);
    }
    if (errno != EACCES || ::stat(path.c_str(), &status) != 0) {
      return failed(errno);
    }
  } else if (::fstat(file.get(), &status) != 0) {
    return failed(errno);
  }
  if (S_ISDIR(status.st_mode)) {
    return failed(EISDIR);
  }
  if (!S_ISREG(status.st_mode)) {
    PlannedWrite planned;
    planned.kind = PlannedWrite::Kind::kOverwrite;
    planned.error = ::access(path.c_str(), W_OK) == 0 ? 0 : errno;
    return planned;
  }
  if (file.valid() &&
      static_cast<std::size_t>(status.st_size) == contents.size() &&
      has_contents(file, contents)) {
    return {};
  }
  return plan_replacement(path, status.st_mode);
}

WriteResult carry_out(const PlannedWrite& planned,
                      const std::string& path,
                      std::string_view contents) {
  switch (planned.kind) {
    case PlannedWrite::Kind::kNone:
      break;
    case PlannedWrite::Kind::kCreate:
      return create(path, contents);
    case PlannedWrite::Kind::kReplace:
      return replace(planned.target.empty() ? path : planned.target,
                     contents,
                     planned.mode);
    case PlannedWrite::Kind::kOverwrite:
      return overwrite(path, contents);
  }
  return {};
}

WriteResult write_file_if_changed(const std::string& path,
                                  std::string_view contents) {
  const PlannedWrite planned = plan_write(path, contents);
  if (planned.error != 0) {
    return {false, system_message(planned.error)};
  }
  return carry_out(planned, path, contents);
}

}  // namespace opgen::text
