#include "opgen/emit/ufunc.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "opgen/api/types/binding.h"
#include "opgen/api/types/ctype.h"
#include "opgen/api/types/signatures.h"
#include "opgen/api/ufunc.h"
#include "opgen/emit/register_dispatch_key_error.h"
#include "opgen/emit/str_append.h"
#include "opgen/emit/ufunc_loops.h"
#include "opgen/emit/ufunc_signatures.h"
#include "opgen/model/dispatch_key.h"
#include "opgen/model/function_schema.h"
#include "opgen/model/native_function.h"
#include "opgen/model/native_functions_group.h"
#include "opgen/model/type.h"

namespace opgen::emit {
namespace {

using model::NativeFunctionsGroup;
using model::ScalarType;
using model::UfuncKey;

// The loops of one type of elements.
struct DtypeLoops {
  ScalarType dtype;
  std::optional<UfuncSignature> scalar;
  std::optional<UfuncSignature> vector;
};

DtypeLoops& loops_of(std::vector<DtypeLoops>& all, ScalarType dtype) {
  for (DtypeLoops& loops : all) {
    if (loops.dtype == dtype) {
      return loops;
    }
  }
  return all.emplace_back(DtypeLoops{dtype, {}, {}});
}

// Earlier keys win over later ones.
void add_loops(const NativeFunctionsGroup& g,
               std::span<const UfuncKey> keys,
               std::optional<UfuncSignature> DtypeLoops::* member,
               const api::CType* compute_t,
               std::vector<DtypeLoops>& all) {
  for (const UfuncKey key : keys) {
    const model::UfuncInnerLoop* loop = find_loop(g, key);
    if (loop == nullptr) {
      continue;
    }
    for (const ScalarType dtype : loop->supported_dtypes) {
      std::optional<UfuncSignature>& signature = loops_of(all, dtype).*member;
      if (!signature) {
        signature = UfuncSignature{&g, "ufunc::" + loop->name, compute_t};
      }
    }
  }
}

std::vector<DtypeLoops> loops_by_dtype(const NativeFunctionsGroup& g) {
  constexpr UfuncKey kScalarKeys[] = {
      UfuncKey::kCPUScalar, UfuncKey::kScalarOnly, UfuncKey::kGeneric};
  constexpr UfuncKey kVectorKeys[] = {UfuncKey::kCPUVector, UfuncKey::kGeneric};
  std::vector<DtypeLoops> all;
  add_loops(g, kScalarKeys, &DtypeLoops::scalar, api::kScalarTParam, all);
  add_loops(g,
            kVectorKeys,
            &DtypeLoops::vector,
            api::CType::vectorized(api::kScalarTParam),
            all);
  return all;
}

// Scalar arguments and what is no argument of the schema on its own.
bool is_unpacked(const api::Binding& b) {
  const auto* argument = std::get_if<const model::Argument*>(&b.argument);
  return argument == nullptr || (*argument)->type->is(model::BaseTy::kScalar);
}

void unpack_scalars(std::span<const api::Binding> parent_context,
                    bool vectorized,
                    std::vector<api::Expr>& context,
                    std::string& body) {
  const api::CType* const scalar = api::kScalarTParam;
  for (const api::Binding& b : parent_context) {
    if (is_unpacked(b)) {
      str_append(body,
                 body.empty() ? "" : "\n",
                 "auto _s_",
                 b.name,
                 " = ",
                 b.name,
                 ".to<scalar_t>();");
      context.push_back({"_s_" + b.name, {b.nctype.name, scalar}});
    }
  }
  for (const api::Binding& b : parent_context) {
    if (vectorized && is_unpacked(b)) {
      str_append(body,
                 body.empty() ? "" : "\n",
                 "auto _v_",
                 b.name,
                 " = at::vec::Vectorized<scalar_t>(_s_",
                 b.name,
                 ");");
      context.push_back(
          {"_v_" + b.name, {b.nctype.name, api::CType::vectorized(scalar)}});
    }
  }
}

// "[=](scalar_t self) { return ufunc::f(self, _s_alpha); }".
std::string lambda(const NativeFunctionsGroup& g,
                   const UfuncSignature& loop,
                   std::vector<api::Expr> context) {
  std::string text = "[=](";
  std::string_view separator;
  for (const model::Argument& a : g.functional->func.arguments.flat_non_out()) {
    if (!a.type->is_tensor_like()) {
      continue;
    }
    if (!a.type->is(model::BaseTy::kTensor)) {
      throw EmitError("ufunc_inner_loop: argument `" + a.name + "` is a " +
                          a.type->str() + ", not a Tensor",
                      *g.out);
    }
    str_append(text, separator, loop.compute_t->cpp_type(), " ", a.name);
    separator = ", ";
    context.push_back({a.name, {a.name, loop.compute_t}});
  }
  text += ") { return ";
  text += loop.call(context);
  text += "; }";
  return text;
}

std::string compute_ufunc_cpu_dtype_body(
    const NativeFunctionsGroup& g,
    const DtypeLoops& loops,
    std::span<const api::Binding> parent_context) {
  if (!loops.scalar) {
    throw EmitError(
        "ufunc_inner_loop has a vectorized loop but no scalar one "
        "for " +
            std::string{name_of(loops.dtype)},
        *g.out);
  }
  std::vector<api::Expr> context;
  std::string body;
  unpack_scalars(parent_context, loops.vector.has_value(), context, body);
  std::string text = '\n' + body;
  text +=
      loops.vector ? "\ncpu_kernel_vec(iter,\n  " : "\ncpu_kernel(iter,\n  ";
  text += lambda(g, *loops.scalar, context);
  if (loops.vector) {
    text += ",\n  ";
    text += lambda(g, *loops.vector, context);
  }
  text += "\n);\n";
  return text;
}

std::string cpu_kernel(const NativeFunctionsGroup& g) {
  const StubSignature stub_sig{g};
  std::string cases;
  for (const DtypeLoops& loops : loops_by_dtype(g)) {
    append_dispatch_case(
        loops.dtype,
        compute_ufunc_cpu_dtype_body(g, loops, stub_sig.arguments()),
        cases);
  }
  std::string text;
  str_append(text,
             "\nnamespace {\n\n",
             stub_sig.kernel_defn(),
             " {\n  AT_DISPATCH_SWITCH(iter.common_dtype(), \"",
             stub_sig.name(),
             "\",\n    ",
             cases,
             "\n  );\n}\n\n} // anonymous namespace\n\n",
             stub_sig.type_defn(),
             ";\n",
             stub_sig.dispatch_decl(),
             "\nREGISTER_DISPATCH(",
             stub_sig.name(),
             ", &",
             stub_sig.kernel_name(),
             ")\n");
  return text;
}

std::string cpu_stub(const NativeFunctionsGroup& g) {
  const StubSignature stub_sig{g};
  const api::StructuredImplSignature sig{
      &g, api::ufunc::kernel_name(g, model::DispatchKey::kCPU)};
  std::string text;
  str_append(text,
             "\n",
             stub_sig.type_defn(),
             ";\n",
             stub_sig.dispatch_decl(),
             "\n",
             stub_sig.dispatch_defn(),
             ";\n\n",
             sig.defn(),
             " {\n  ",
             stub_sig.call(sig.arguments()),
             ";\n}\n");
  return text;
}

}  // namespace

std::string compute_ufunc_cpu(const NativeFunctionsGroup& g) {
  return native_function_manager(*g.out, [&] { return cpu_stub(g); });
}

std::string compute_ufunc_cpu_kernel(const NativeFunctionsGroup& g) {
  return native_function_manager(*g.out, [&] { return cpu_kernel(g); });
}

}  // namespace opgen::emit
