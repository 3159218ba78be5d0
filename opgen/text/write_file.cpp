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

std::string message_of(int error) {
  return std::error_code(error, std::generic_category()).message();
}

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
    return {false, message_of(errno)};
  }
  if (const int error = write_all(file, contents); error != 0) {
    ::unlink(path.c_str());
    return {false, message_of(error)};
  }
  return {true, {}};
}

WriteResult overwrite(const std::string& path, std::string_view contents) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
  const int error = file.valid() ? write_all(file, contents) : errno;
  return {error == 0, error == 0 ? std::string() : message_of(error)};
}

std::string temporary_name(const std::string& path) {
  static std::atomic<unsigned> counter = 0;
  std::string name = ".";
  name += path_name(path);
  name += ".opgen-" + std::to_string(::getpid()) + "-" +
          std::to_string(counter.fetch_add(1));
  return join_path(parent_path(path), name);
}

WriteResult replace(const std::string& link,
                    std::string_view contents,
                    mode_t mode) {
  std::error_code unresolved;
  const std::filesystem::path target =
      std::filesystem::canonical(link, unresolved);
  const std::string path = unresolved ? link : target.string();
  const std::string temporary = temporary_name(path);
  Descriptor file(::open(temporary.c_str(),
                         O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                         kNewFileMode));
  int error = file.valid() ? 0 : errno;
  if (error != 0) {
    return {false, message_of(error)};
  }
  error = ::fchmod(file.get(), mode & 07777U) == 0 ? 0 : errno;
  error = error == 0 ? write_all(file, contents) : error;
  if (error == 0 && std::rename(temporary.c_str(), path.c_str()) != 0) {
    error = errno;
  }
  if (error != 0) {
    ::unlink(temporary.c_str());
    return {false, message_of(error)};
  }
  return {true, {}};
}

}  // namespace

WriteResult write_file_if_changed(const std::string& path,
                                  std::string_view contents) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status{};
  if (!file.valid()) {
    if (errno == ENOENT) {
      return create(path, contents);
    }
    if (errno != EACCES || ::stat(path.c_str(), &status) != 0) {
      return {false, message_of(errno)};
    }
  } else if (::fstat(file.get(), &status) != 0) {
    return {false, message_of(errno)};
  }
  if (S_ISDIR(status.st_mode)) {
    return {false, message_of(EISDIR)};
  }
  if (!S_ISREG(status.st_mode)) {
    return overwrite(path, contents);
  }
  if (file.valid() &&
      static_cast<std::size_t>(status.st_size) == contents.size() &&
      has_contents(file, contents)) {
    return {};
  }
  return replace(path, contents, status.st_mode);
}

}  // namespace opgen::text
