// What the api functions throw for a schema that they know no C++ for.
#pragma once

#include <stdexcept>

namespace opgen::api {

// The operator is well-formed but cannot be expressed: a type without a C++
// counterpart, a default that does not fit its type, ... what() says which; who
// generates code for an operator adds its name and turns it into a diagnostic.
class ApiError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace opgen::api
