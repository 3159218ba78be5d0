#include "opgen/text/read_file.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "opgen/text/descriptor.h"

namespace opgen::text {

namespace {

std::string last_error() {
  return std::error_code(errno, std::generic_category()).message();
}

}  // namespace

std::string read_file(const std::string& path, std::string& contents) {
  constexpr std::size_t kLeast = 4096;
  constexpr std::size_t kMost = std::size_t{1} << 30U;
  contents.clear();
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) {
    return last_error();
  }
  struct stat status{};
  if (::fstat(file.get(), &status) != 0) {
    return last_error();
  }
  // One byte more, so that the read that meets the end needs no growth.
  const auto size = static_cast<std::size_t>(status.st_size);
  contents.resize(std::clamp(size + 1, kLeast, kMost + 1));
  std::size_t done = 0;
  for (;;) {
    const ssize_t count =
        ::read(file.get(), contents.data() + done, contents.size() - done);
    if (count < 0 && errno != EINTR) {
      std::string error = last_error();
      contents.clear();
      return error;
    }
    if (count == 0) {
      contents.resize(done);
      return {};
    }
    done += count > 0 ? static_cast<std::size_t>(count) : 0;
    if (done > kMost) {
      contents.clear();
      return std::make_error_code(std::errc::file_too_large).message();
    }
    if (done == contents.size()) {
      contents.resize(2 * done);
    }
  }
}

}  // namespace opgen::text
