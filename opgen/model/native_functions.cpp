#include "opgen/model/native_functions.h"

namespace opgen::model {

const NativeFunction* NativeFunctions::find(
    std::string_view operator_name) const {
  const auto found = by_name.find(std::string(operator_name));
  return found == by_name.end() ? nullptr : found->second;
}

}  // namespace opgen::model
