// torchgen.api.ufunc: kernels that are generated from an element-wise function,
// `ufunc_inner_loop`.
//
// Functions throw ApiError for arguments that no such kernel can have.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "opgen/api/types/binding.h"
#include "opgen/model/dispatch_key.h"
#include "opgen/model/function_schema.h"
#include "opgen/model/native_functions_group.h"
#include "opgen/model/type.h"

namespace opgen::api::ufunc {

// "ufunc_add_CPU", of an out= schema.
std::string schema_kernel_name(const model::FunctionSchema& func,
                               model::DispatchKey dispatch_key);
std::string kernel_name(const model::NativeFunctionsGroup& g,
                        model::DispatchKey dispatch_key);

// Null for tensors, which travel in the TensorIterator.
const CType* dispatchstub_type(const model::Type* t);
// The type that scalar_t is computed in.
const CType* opmath_type(const CType* scalar_t);
const CType* ufunctor_ctor_type(const model::Type* t, const CType* scalar_t);
const CType* ufunctor_apply_type(const model::Type* t, const CType* scalar_t);
const CType* ufunc_type(const model::Type* t, const CType* compute_t);

Binding ufunctor_ctor_argument(const model::Argument& a, const CType* scalar_t);
Binding ufunctor_apply_argument(const model::Argument& a,
                                const CType* scalar_t);
Binding ufunc_argument(const model::Argument& a, const CType* compute_t);

// The arguments of a functor's constructor and of its operator().
struct UfunctorBindings {
  std::vector<Binding> ctor;
  std::vector<Binding> apply;
};

// `scalar_tensor_idx`: which tensor, counted from 0, the constructor takes as a
// scalar.
UfunctorBindings ufunctor_arguments(const model::NativeFunctionsGroup& g,
                                    std::optional<int> scalar_tensor_idx,
                                    const CType* scalar_t);
std::vector<Binding> ufunc_arguments(const model::NativeFunctionsGroup& g,
                                     const CType* compute_t);
std::vector<Binding> stub_arguments(const model::NativeFunctionsGroup& g);

}  // namespace opgen::api::ufunc
