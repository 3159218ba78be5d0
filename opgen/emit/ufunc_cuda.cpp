#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "opgen/api/translate.h"
#include "opgen/api/types/binding.h"
#include "opgen/api/types/ctype.h"
#include "opgen/api/types/signatures.h"
#include "opgen/api/ufunc.h"
#include "opgen/emit/register_dispatch_key_error.h"
#include "opgen/emit/str_append.h"
#include "opgen/emit/ufunc.h"
#include "opgen/emit/ufunc_loops.h"
#include "opgen/emit/ufunc_signatures.h"
#include "opgen/model/dispatch_key.h"
#include "opgen/model/function_schema.h"
#include "opgen/model/native_function.h"
#include "opgen/model/native_functions_group.h"

namespace opgen::emit {
namespace {

using model::NativeFunctionsGroup;
using model::ScalarType;
using model::UfuncKey;

// A functor and which tensor it takes as a scalar from the host.
struct Specialization {
  UfuncKey key;
  std::optional<int> scalar_tensor_idx;
};

constexpr std::array kSpecializations = {
    Specialization{UfuncKey::kCUDAFunctorOnSelf, 1},
    Specialization{UfuncKey::kCUDAFunctorOnOther, 0},
    Specialization{UfuncKey::kCUDAFunctor, std::nullopt}};

// The functors of one type of elements.
struct DtypeFunctors {
  ScalarType dtype;
  std::vector<std::pair<UfuncKey, UfunctorSignature>> functors;

  const UfunctorSignature* find(UfuncKey key) const {
    for (const auto& [functor_key, functor] : functors) {
      if (functor_key == key) {
        return &functor;
      }
    }
    return nullptr;
  }
};

struct Functors {
  std::vector<DtypeFunctors> by_dtype;
  std::string definitions;

  void add(ScalarType dtype, UfuncKey key, const UfunctorSignature& functor) {
    for (DtypeFunctors& functors : by_dtype) {
      if (functors.dtype == dtype) {
        functors.functors.emplace_back(key, functor);
        return;
      }
    }
    by_dtype.push_back({dtype, {{key, functor}}});
  }
};

bool eligible_for_binary_scalar_specialization(const NativeFunctionsGroup& g) {
  int tensors = 0;
  for (const model::Argument& a : g.functional->func.arguments.flat_non_out()) {
    tensors += a.type->is_tensor_like() ? 1 : 0;
  }
  return tensors == 2;
}

std::span<const Specialization> specializations_of(
    const NativeFunctionsGroup& g) {
  const std::span<const Specialization> all{kSpecializations};
  if (eligible_for_binary_scalar_specialization(g)) {
    return all;
  }
  for (const Specialization& specialization : all.first(2)) {
    if (find_loop(g, specialization.key) != nullptr) {
      throw EmitError(
          "ufunc_inner_loop: " + std::string{name_of(specialization.key)} +
              " needs an operator of two tensors",
          *g.out);
    }
  }
  return all.last(1);
}

// The function that a functor is made from where none is named for it.
struct SharedLoop {
  std::string_view name;
  std::vector<ScalarType> dtypes;
};

SharedLoop shared_loop_of(const NativeFunctionsGroup& g) {
  const model::UfuncInnerLoop* scalar = find_loop(g, UfuncKey::kScalarOnly);
  const model::UfuncInnerLoop* generic = find_loop(g, UfuncKey::kGeneric);
  if (scalar == nullptr && generic == nullptr) {
    throw EmitError(
        "ufunc_inner_loop needs ScalarOnly or Generic for its CUDA kernel",
        *g.out);
  }
  if (scalar != nullptr && generic != nullptr &&
      scalar->name != generic->name) {
    throw EmitError(
        "ufunc_inner_loop: ScalarOnly and Generic must name the same function, "
        "but name `" +
            scalar->name + "` and `" + generic->name + "`",
        *g.out);
  }
  SharedLoop shared{scalar != nullptr ? scalar->name : generic->name, {}};
  for (const model::UfuncInnerLoop* loop : {scalar, generic}) {
    if (loop != nullptr) {
      for (const ScalarType dtype : loop->supported_dtypes) {
        if (std::ranges::find(shared.dtypes, dtype) == shared.dtypes.end()) {
          shared.dtypes.push_back(dtype);
        }
      }
    }
  }
  return shared;
}

void append_functor(const UfunctorSignature& functor,
                    const UfuncSignature& function,
                    std::string& text) {
  const std::vector<api::Binding> fields = functor.fields();
  std::vector<api::Expr> context = api::exprs_of(fields);
  for (api::Expr& expr : api::exprs_of(functor.arguments().apply)) {
    context.push_back(std::move(expr));
  }
  str_append(text,
             text.empty() ? "" : "\n",
             "\ntemplate <typename scalar_t>\nstruct ",
             functor.name,
             " {\n  using opmath_t = at::opmath_type<scalar_t>;\n  ",
             functor.decl_fields(),
             "\n  ",
             functor.inline_defn_ctor(),
             "\n  __device__ ",
             functor.decl_apply(),
             " {\n    return ",
             function.call(context),
             ";\n  }\n};\n");
}

Functors compute_ufunc_cuda_functors(const NativeFunctionsGroup& g) {
  Functors functors;
  for (const Specialization& specialization : specializations_of(g)) {
    const UfuncKey key = specialization.key;
    if (const model::UfuncInnerLoop* loop = find_loop(g, key)) {
      for (const ScalarType dtype : loop->supported_dtypes) {
        functors.add(
            dtype, key, {&g, specialization.scalar_tensor_idx, loop->name});
      }
      continue;
    }
    const SharedLoop shared = shared_loop_of(g);
    std::string name{name_of(key)};
    str_append(name, "_", shared.name);
    const UfunctorSignature functor{
        &g, specialization.scalar_tensor_idx, std::move(name)};
    for (const ScalarType dtype : shared.dtypes) {
      functors.add(dtype, key, functor);
    }
    append_functor(
        functor,
        {&g, "ufunc::" + std::string{shared.name}, api::kOpmathTParam},
        functors.definitions);
  }
  return functors;
}

void append_scalar_branch(const UfunctorSignature& functor,
                          int scalar_idx,
                          std::string_view ctor_tensor,
                          std::span<const api::Binding> parent_context,
                          std::string& body) {
  const std::string index = std::to_string(scalar_idx + 1);
  std::vector<api::Expr> context = api::exprs_of(parent_context);
  context.push_back({"iter.scalar_value<opmath_t>(" + index + ")",
                     {std::string{ctor_tensor}, api::kOpmathTParam}});
  str_append(body,
             "else if (iter.is_cpu_scalar(",
             index,
             ")) {\n  ",
             functor.name,
             "<scalar_t> ufunctor(");
  api::append_translated(body, context, functor.arguments().ctor);
  str_append(body,
             ");\n  iter.remove_operand(",
             index,
             ");\n  gpu_kernel(iter, ufunctor);\n}");
}

std::string compute_ufunc_cuda_dtype_body(
    const NativeFunctionsGroup& g,
    const DtypeFunctors& functors,
    std::span<const api::Binding> parent_context) {
  std::string body =
      "using opmath_t = at::opmath_type<scalar_t>;if (false) {}\n";
  if (const auto* f = functors.find(UfuncKey::kCUDAFunctorOnOther)) {
    append_scalar_branch(*f, 0, "self", parent_context, body);
  }
  if (const auto* f = functors.find(UfuncKey::kCUDAFunctorOnSelf)) {
    append_scalar_branch(*f, 1, "other", parent_context, body);
  }
  const UfunctorSignature* functor = functors.find(UfuncKey::kCUDAFunctor);
  if (functor == nullptr) {
    throw EmitError("ufunc_inner_loop has no CUDAFunctor for " +
                        std::string{name_of(functors.dtype)},
                    *g.out);
  }
  str_append(
      body, "\nelse {\n  gpu_kernel(iter, ", functor->name, "<scalar_t>(");
  api::append_translated(body, parent_context, functor->arguments().ctor);
  body += "));\n}\n    ";
  return body;
}

std::string cuda_kernel(const NativeFunctionsGroup& g) {
  const Functors functors = compute_ufunc_cuda_functors(g);
  const api::StructuredImplSignature sig{
      &g, api::ufunc::kernel_name(g, model::DispatchKey::kCUDA)};
  const std::vector<api::Binding> arguments = sig.arguments();
  std::string cases;
  for (const DtypeFunctors& by_dtype : functors.by_dtype) {
    append_dispatch_case(by_dtype.dtype,
                         compute_ufunc_cuda_dtype_body(g, by_dtype, arguments),
                         cases);
  }
  const StubSignature stub_sig{g};
  std::string text;
  str_append(text,
             "\n",
             functors.definitions,
             "\n\n",
             stub_sig.type_defn(),
             ";\n",
             stub_sig.dispatch_decl(),
             "\n\n",
             stub_sig.kernel_defn(),
             " {\n  AT_DISPATCH_SWITCH(iter.common_dtype(), \"",
             sig.name,
             "\",\n    ",
             cases,
             "\n  );\n}\nREGISTER_DISPATCH(",
             stub_sig.name(),
             ", &",
             stub_sig.kernel_name(),
             ")\n\n",
             sig.defn(),
             " {\n  ",
             stub_sig.direct_call(arguments),
             ";\n}\n");
  return text;
}

}  // namespace

std::string compute_ufunc_cuda(const NativeFunctionsGroup& g) {
  return native_function_manager(*g.out, [&] { return cuda_kernel(g); });
}

}  // namespace opgen::emit
