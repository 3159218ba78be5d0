#include "opgen/api/ufunc.h"

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "opgen/api/cpp.h"
#include "opgen/api/error.h"
#include "opgen/api/structured.h"
#include "opgen/api/types/binding.h"
#include "opgen/api/types/ctype.h"
#include "opgen/model/dispatch_key.h"
#include "opgen/model/function_schema.h"
#include "opgen/model/native_function.h"
#include "opgen/model/native_functions_group.h"
#include "opgen/model/type.h"

namespace opgen::api::ufunc {
namespace {

using model::BaseTy;

[[noreturn]] void refuse(const model::Type* t) {
  throw ApiError("an element-wise kernel cannot take the type '" + t->str() +
                 "'");
}

const CType* value_or(const model::Type* t, const CType* of_scalar_or_tensor) {
  const CType* value_type = cpp::valuetype_type(t, /*symint=*/false);
  if (value_type != nullptr) {
    return value_type;
  }
  if (t->is(BaseTy::kScalar) || t->is(BaseTy::kTensor)) {
    return of_scalar_or_tensor;
  }
  refuse(t);
}

Binding binding_of(const model::Argument& a, const CType* type) {
  return {a.name, {a.name, type}, &a};
}

}  // namespace

std::string schema_kernel_name(const model::FunctionSchema& func,
                               model::DispatchKey dispatch_key) {
  if (!func.is_out_fn()) {
    throw std::logic_error("only out= schemas name element-wise kernels");
  }
  std::string name = "ufunc_";
  name.append(func.name.name.str()).append("_");
  name += model::name_of(dispatch_key);
  return name;
}

std::string kernel_name(const model::NativeFunctionsGroup& g,
                        model::DispatchKey dispatch_key) {
  return schema_kernel_name(g.out->func, dispatch_key);
}

const CType* dispatchstub_type(const model::Type* t) {
  if (t->is(BaseTy::kTensor)) {
    return nullptr;
  }
  return value_or(t, CType::const_ref(kScalarT));
}

const CType* opmath_type(const CType* scalar_t) {
  if (scalar_t != kScalarTParam) {
    throw std::logic_error("opmath_t is known for scalar_t only");
  }
  return kOpmathTParam;
}

const CType* ufunctor_ctor_type(const model::Type* t, const CType* scalar_t) {
  return value_or(t, opmath_type(scalar_t));
}

const CType* ufunctor_apply_type(const model::Type* t, const CType* scalar_t) {
  if (!t->is(BaseTy::kTensor)) {
    refuse(t);
  }
  return scalar_t;
}

const CType* ufunc_type(const model::Type* t, const CType* compute_t) {
  return value_or(t, compute_t);
}

Binding ufunctor_ctor_argument(const model::Argument& a,
                               const CType* scalar_t) {
  return binding_of(a, ufunctor_ctor_type(a.type, scalar_t));
}

Binding ufunctor_apply_argument(const model::Argument& a,
                                const CType* scalar_t) {
  return binding_of(a, ufunctor_apply_type(a.type, scalar_t));
}

Binding ufunc_argument(const model::Argument& a, const CType* compute_t) {
  return binding_of(a, ufunc_type(a.type, compute_t));
}

UfunctorBindings ufunctor_arguments(const model::NativeFunctionsGroup& g,
                                    std::optional<int> scalar_tensor_idx,
                                    const CType* scalar_t) {
  UfunctorBindings bindings;
  constexpr int kNone = -1;
  int tensors_before = scalar_tensor_idx.value_or(kNone);
  for (const model::Argument& a : g.functional->func.arguments.flat_non_out()) {
    if (!a.type->is_tensor_like()) {
      bindings.ctor.push_back(ufunctor_ctor_argument(a, scalar_t));
    } else if (tensors_before == 0) {
      bindings.ctor.push_back(ufunctor_ctor_argument(a, scalar_t));
      tensors_before = kNone;
    } else {
      tensors_before = tensors_before == kNone ? kNone : tensors_before - 1;
      bindings.apply.push_back(ufunctor_apply_argument(a, scalar_t));
    }
  }
  if (tensors_before != kNone) {
    throw ApiError("the operator has too few tensors for this functor");
  }
  return bindings;
}

std::vector<Binding> ufunc_arguments(const model::NativeFunctionsGroup& g,
                                     const CType* compute_t) {
  std::vector<Binding> bindings;
  for (const model::Argument& a : g.functional->func.arguments.flat_non_out()) {
    bindings.push_back(ufunc_argument(a, compute_t));
  }
  return bindings;
}

std::vector<Binding> stub_arguments(const model::NativeFunctionsGroup& g) {
  std::vector<Binding> bindings;
  for (const model::Argument& a : g.out->func.arguments.flat_non_out()) {
    if (!a.type->is_tensor_like()) {
      bindings.push_back(structured::argument(a));
    }
  }
  return bindings;
}

}  // namespace opgen::api::ufunc
