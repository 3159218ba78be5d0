#include "opgen/api/structured.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "opgen/api/cpp.h"
#include "opgen/api/error.h"
#include "opgen/api/types/binding.h"
#include "opgen/api/types/ctype.h"
#include "opgen/model/function_schema.h"
#include "opgen/model/native_function.h"
#include "opgen/model/native_functions_group.h"
#include "opgen/model/type.h"

namespace opgen::api::structured {
namespace {

using model::BaseTy;

void append(std::vector<Binding>& bindings,
            std::span<const model::Argument> args) {
  for (const model::Argument& a : args) {
    bindings.push_back(argument(a));
  }
}

void refuse_tensor_options(const model::Arguments& args) {
  if (args.tensor_options()) {
    throw ApiError(
        "a structured kernel cannot have dtype, layout, device and pin_memory");
  }
}

}  // namespace

const CType* argumenttype_type(const model::Type* t, bool is_mutable) {
  const CType* value_type = cpp::valuetype_type(t, /*symint=*/false);
  if (value_type != nullptr) {
    return value_type;
  }
  if (t->is(BaseTy::kTensor)) {
    return CType::const_ref(kTensorT);
  }
  if (t->is(BaseTy::kScalar)) {
    return CType::const_ref(kScalarT);
  }
  const model::Type& elem = *t->elem();
  if (t->is_optional()) {
    if (elem.is(BaseTy::kTensor)) {
      return kOptionalTensorRefT;
    }
    if (elem.is(BaseTy::kScalar)) {
      return kOptionalScalarRefT;
    }
    if (elem.is_list() && elem.elem()->is(BaseTy::kInt)) {
      return kOptionalIntArrayRefT;
    }
    return CType::optional(argumenttype_type(&elem, is_mutable));
  }
  if (elem.is(BaseTy::kTensor)) {
    return CType::const_ref(kITensorListRefT);
  }
  if (elem.is_optional() && elem.elem()->is(BaseTy::kTensor)) {
    return kIOptTensorListRefT;
  }
  if (elem.is(BaseTy::kInt)) {
    return kIntArrayRefT;
  }
  if (elem.is(BaseTy::kDimname)) {
    return kDimnameListT;
  }
  return CType::array_ref(argumenttype_type(&elem, is_mutable));
}

NamedCType argument_type(const model::Argument& a, std::string binds) {
  return {std::move(binds), argumenttype_type(a.type, a.is_write())};
}

Binding argument(const model::Argument& a) {
  return {a.name, argument_type(a, a.name), &a};
}

std::vector<Binding> impl_arguments(const model::NativeFunctionsGroup& g) {
  const model::NativeFunction& out = *g.out;
  const model::Arguments& args = out.func.arguments;
  refuse_tensor_options(args);
  std::vector<Binding> bindings;
  bindings.reserve(args.flat_all().size() + 4);
  if (!out.precomputed) {
    append(bindings, args.flat_all());
    return bindings;
  }
  for (const model::Argument& a : args.flat_non_out()) {
    const std::vector<model::Argument>* replacement =
        &a == args.self_arg() ? nullptr : out.precomputed->find(a.name);
    if (replacement != nullptr) {
      append(bindings, *replacement);
    } else {
      bindings.push_back(argument(a));
    }
  }
  append(bindings, out.precomputed->add);
  append(bindings, args.out());
  return bindings;
}

std::vector<Binding> meta_arguments(const model::NativeFunctionsGroup& g) {
  const model::Arguments& args = g.functional->func.arguments;
  refuse_tensor_options(args);
  std::vector<Binding> bindings;
  bindings.reserve(args.flat_non_out().size());
  append(bindings, args.flat_non_out());
  return bindings;
}

std::vector<Binding> out_arguments(const model::NativeFunctionsGroup& g) {
  std::vector<Binding> bindings;
  append(bindings, g.out->func.arguments.out());
  return bindings;
}

}  // namespace opgen::api::structured
