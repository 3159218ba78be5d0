#include "opgen/api/meta.h"

#include <algorithm>
#include <string>

#include "opgen/model/native_function.h"
#include "opgen/model/native_functions_group.h"

namespace opgen::api::meta {

std::string name(const model::NativeFunctionsGroup& g) {
  std::string name = g.functional->func.name.str();
  std::ranges::replace(name, '.', '_');
  return name;
}

}  // namespace opgen::api::meta
