// What the entry of an operator says, field by field, to compare two of them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "opgen/model/native_functions.h"

namespace opgen::backend {

// By the field's name in native_functions.yaml; fields that say what a missing
// one says are left out. "func" holds the schema, "dispatch" the kernels that
// the operator has in the end.
std::map<std::string, std::string> entry_fields(
    const model::NativeFunctions& program, const model::NativeFunction& f);

// Names of the fields that differ, "func" first.
std::vector<std::string> differing_fields(
    const std::map<std::string, std::string>& a,
    const std::map<std::string, std::string>& b);

}  // namespace opgen::backend
