#include "opgen/emit/ufunc_loops.h"

#include <string>
#include <string_view>

#include "opgen/emit/str_append.h"
#include "opgen/model/native_function.h"
#include "opgen/model/native_functions_group.h"

namespace opgen::emit {

const model::UfuncInnerLoop* find_loop(const model::NativeFunctionsGroup& g,
                                       model::UfuncKey key) {
  for (const auto& [loop_key, loop] : g.out->ufunc_inner_loop) {
    if (loop_key == key) {
      return &loop;
    }
  }
  return nullptr;
}

void append_dispatch_case(model::ScalarType dtype,
                          std::string_view body,
                          std::string& cases) {
  str_append(cases,
             cases.empty() ? "" : "\n",
             "\nAT_DISPATCH_CASE(at::ScalarType::",
             name_of(dtype),
             ",\n  [&]() {\n    ",
             body,
             "\n  }\n)\n");
}

}  // namespace opgen::emit
