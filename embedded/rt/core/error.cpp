#include "embedded/rt/core/error.h"

namespace infini::rt::core {

const char* error_string(Error error) noexcept {
  switch (error) {
    case kSuccess:
      return "no error";
    case kInvalidValue:
      return "invalid argument";
    case kMemoryAllocation:
      return "out of memory";
    case kInvalidHandle:
      return "no such stream or event, or an event without the time that was "
             "asked for";
    case kNotReady:
      return "work has not finished";
    case kNotPermitted:
      return "a host function may not wait for the stream that runs it";
    default:
      return "unknown error";
  }
}

}  // namespace infini::rt::core
