#include "csrc/runtime/error.h"

#include <cstdint>
#include <exception>
#include <source_location>
#include <string>
#include <string_view>

#include <c10/util/Exception.h>

#include "csrc/runtime/backend.h"

namespace torch_infini {
namespace {

std::string_view function_name(std::string_view call) {
  return call.substr(0, call.find('('));
}

}  // namespace

std::string runtime_error_message(int status, const char* call) {
  const Backend& current = backend();
  const std::string text =
      current.extension != nullptr
          ? std::string(current.extension->error_string(status)) + " (status "
          : std::string("status (");
  return c10::str("InfiniRT ",
                  function_name(call),
                  " failed on infini (backend ",
                  current.name,
                  "): ",
                  text,
                  status,
                  ")");
}

void check_status(int status, const char* call, std::source_location location) {
  if (C10_LIKELY(status == static_cast<int>(rt::runtime::kSuccess))) {
    return;
  }
  throw c10::Error({location.function_name(),
                    location.file_name(),
                    static_cast<std::uint32_t>(location.line())},
                   runtime_error_message(status, call));
}

void warn_on_status(int status, const char* call) noexcept {
  if (C10_LIKELY(status == static_cast<int>(rt::runtime::kSuccess))) {
    return;
  }
  try {
    TORCH_WARN(runtime_error_message(status, call));
  } catch (...) {  // NOLINT(bugprone-empty-catch): a handler that throws has
                   // nobody to tell
  }
}

void warn_in_destructor(const std::exception& error) noexcept {
  try {
    const auto* known = dynamic_cast<const c10::Error*>(&error);
    TORCH_WARN(known != nullptr ? known->what_without_backtrace()
                                : error.what());
  } catch (...) {  // NOLINT(bugprone-empty-catch): a handler that throws has
                   // nobody to tell
  }
}

}  // namespace torch_infini
