// Errors of the runtime. INFINI_CHECK is the only way to call it.
#pragma once

#include <exception>
#include <source_location>
#include <string>

#include <infini/rt.h>

#include "csrc/runtime/backend.h"

namespace torch_infini {

// "InfiniRT EventCreate failed on infini (cpu): out of memory (status 2)".
std::string runtime_error_message(int status, const char* call);

// Raises for a status other than success; the message names the call and the
// caller's location.
void check_status(
    int status,
    const char* call,
    std::source_location location = std::source_location::current());

// The same for paths that must not throw: warns and returns.
void warn_on_status(int status, const char* call) noexcept;
void warn_in_destructor(const std::exception& error) noexcept;

}  // namespace torch_infini

// Evaluates a runtime call with the backend bound to this thread, and raises
// when it fails.
#define INFINI_CHECK(call)                                                     \
  (::torch_infini::check_not_forked(),                                         \
   ::torch_infini::bind_backend(),                                             \
   ::torch_infini::check_status(static_cast<int>(::infini::rt::runtime::call), \
                                #call))

// For destructors, deleters and other paths that cannot throw. Does nothing in
// a forked child.
#define INFINI_WARN_ON_ERROR(call)                               \
  do {                                                           \
    if (!::torch_infini::in_bad_fork()) {                        \
      ::torch_infini::bind_backend();                            \
      ::torch_infini::warn_on_status(                            \
          static_cast<int>(::infini::rt::runtime::call), #call); \
    }                                                            \
  } while (false)
