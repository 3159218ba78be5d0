// What an emitter throws for an operator that it cannot generate code for.
#pragma once

#include <stdexcept>
#include <string>

#include "opgen/model/native_function.h"

namespace opgen::emit {

// what() says why; `function` says for which entry, e.g. to print its line.
class EmitError : public std::runtime_error {
 public:
  EmitError(const std::string& message, const model::NativeFunction& f)
      : std::runtime_error(message), function(&f) {}

  const model::NativeFunction* function;
};

// Runs body() and gives every runtime_error that is no EmitError the function
// that was worked on, as torchgen's context manager of the same name does.
template <class Body>
decltype(auto) native_function_manager(const model::NativeFunction& f,
                                       Body body) {
  try {
    return body();
  } catch (const EmitError&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw EmitError(error.what(), f);
  }
}

}  // namespace opgen::emit
