// torchgen.api.unboxing: code that takes an operator's arguments from the
// interpreter's stack.
//
// Functions throw ApiError for types that C++ has nothing for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "opgen/api/types/binding.h"
#include "opgen/model/native_function.h"
#include "opgen/model/type.h"

namespace opgen::api::unboxing {

// "add_Tensor".
std::string name(const model::NativeFunction& f);

struct ConvertedArguments {
  // The arguments of the operator's faithful signature, named after the
  // variables that hold the converted values.
  std::vector<Binding> bindings;
  std::vector<std::string> code;  // lines
};

ConvertedArguments convert_arguments(const model::NativeFunction& f);

struct IvalueConversion {
  std::string out_name;  // the variable that holds the converted value
  const CType* ctype = nullptr;
  std::vector<std::string> code;  // lines
  std::vector<std::string> decl;  // lines that go before all code
};

IvalueConversion argumenttype_ivalue_convert(const model::Type* t,
                                             std::string_view arg_name,
                                             bool is_mutable,
                                             Locals locals);

}  // namespace opgen::api::unboxing
