// torchgen.api.cpp: the public C++ API, `at::add(...)` and the methods of
// at::Tensor.
//
// Functions throw ApiError for types that C++ has nothing for.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "opgen/api/types/binding.h"
#include "opgen/model/function_schema.h"
#include "opgen/model/native_function.h"
#include "opgen/model/type.h"

namespace opgen::api::cpp {

struct NameOptions {
  bool faithful_name_for_out_overloads = false;
  bool symint_overload = false;
};

std::string name(const model::FunctionSchema& func, NameOptions options = {});

// The type of an argument that is passed by value; null where it is not.
const CType* valuetype_type(const model::Type* t, bool symint);

struct ArgumentTypeOptions {
  bool mutable_ = false;
  bool remove_non_owning_ref_types = false;
  bool symint = false;
};

const CType* argumenttype_type(const model::Type* t,
                               ArgumentTypeOptions options,
                               Locals locals);
NamedCType argument_type(const model::Argument& a,
                         std::string binds,
                         bool symint,
                         Locals locals);
const CType* returntype_type(const model::Type* t,
                             bool is_mutable,
                             Locals locals);
const CType* return_type(const model::Return& r, Locals locals);
const CType* returns_type(std::span<const model::Return> rs, Locals locals);
std::vector<std::string> return_names(
    const model::NativeFunction& f, std::string_view fallback_name = "result");

// The C++ spelling of a default value; throws ApiError for a list's default
// that is no list.
std::string default_expr(std::string_view d, const model::Type* t, bool symint);

struct ArgumentsOptions {
  bool faithful = false;
  bool symint = false;
  bool method = false;
};

// One argument, of no particular schema.
struct ArgumentOptions {
  bool faithful = false;
  bool symint = false;
  bool method = false;
  bool has_tensor_options = false;
};

// None where a method's self is implicit, four where options are spread out.
std::vector<Binding> argument(
    const model::AnyArgument& a,
    ArgumentOptions options,
    const std::vector<std::string>& cpp_no_default_args,
    Locals locals);
std::vector<Binding> arguments(
    const model::Arguments& arguments,
    ArgumentsOptions options,
    const std::vector<std::string>& cpp_no_default_args,
    Locals locals);

}  // namespace opgen::api::cpp
