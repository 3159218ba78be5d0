// Keys by which variants of one operator find each other.
#pragma once

#include <string>

#include "opgen/model/function_schema.h"

namespace opgen::schema {

// Two schemas have equal keys exactly when their signature() are equal; much
// cheaper than to build and compare these.
std::string signature_key(const model::FunctionSchema& schema);
// The same for view_signature(), comparable with keys of signature().
std::string view_signature_key(const model::FunctionSchema& schema);

}  // namespace opgen::schema
