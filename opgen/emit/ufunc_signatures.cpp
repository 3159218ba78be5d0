#include "opgen/emit/ufunc_signatures.h"

#include <span>
#include <string>
#include <vector>

#include "opgen/api/translate.h"
#include "opgen/api/types/binding.h"
#include "opgen/api/types/ctype.h"
#include "opgen/api/ufunc.h"
#include "opgen/emit/str_append.h"
#include "opgen/model/native_functions_group.h"

namespace opgen::emit {
namespace {

std::string decl_of(const api::Binding& binding) {
  return binding.decl();
}

}  // namespace

api::ufunc::UfunctorBindings UfunctorSignature::arguments() const {
  return api::ufunc::ufunctor_arguments(
      *g, scalar_tensor_idx, api::kScalarTParam);
}

std::vector<api::Binding> UfunctorSignature::fields() const {
  std::vector<api::Binding> result;
  for (const api::Binding& b : arguments().ctor) {
    result.push_back(b.with_name(b.name + "_"));
  }
  return result;
}

std::string UfunctorSignature::decl_fields() const {
  std::string text;
  str_append_joined(text, fields(), "\n", [](const api::Binding& b) {
    return b.type() + ' ' + b.name + ';';
  });
  return text;
}

std::string UfunctorSignature::inline_defn_ctor() const {
  const std::vector<api::Binding> ctor = arguments().ctor;
  std::string text = name + '(';
  str_append_joined(text, ctor, ", ", decl_of);
  text += ") : ";
  str_append_joined(text, ctor, ", ", [](const api::Binding& b) {
    return b.name + "_(" + b.name + ')';
  });
  text += " {}";
  return text;
}

std::string UfunctorSignature::decl_apply() const {
  std::string text = api::kScalarTParam->cpp_type() + " operator()(";
  str_append_joined(text, arguments().apply, ", ", decl_of);
  text += ") const";
  return text;
}

std::string UfuncSignature::call(std::span<const api::Expr> context) const {
  std::string text = name + '(';
  api::append_translated(
      text, context, api::ufunc::ufunc_arguments(*g, compute_t));
  text += ')';
  return text;
}

StubSignature::StubSignature(const model::NativeFunctionsGroup& g)
    : base_(g.functional->func.name.name.str()),
      arguments_(api::ufunc::stub_arguments(g)) {}

std::string StubSignature::dispatch_decl() const {
  return "DECLARE_DISPATCH(" + type_name() + ", " + name() + ")";
}

std::string StubSignature::dispatch_defn() const {
  return "DEFINE_DISPATCH(" + name() + ")";
}

std::string StubSignature::kernel_defn() const {
  std::string text = "void " + kernel_name() + "(TensorIteratorBase& iter, ";
  str_append_joined(
      text, arguments_, ", ", [](const api::Binding& b) { return b.defn(); });
  text += ')';
  return text;
}

std::string StubSignature::type_defn() const {
  std::string text =
      "using " + type_name() + " = void(*)(TensorIteratorBase&, ";
  str_append_joined(
      text, arguments_, ", ", [](const api::Binding& b) { return b.type(); });
  text += ')';
  return text;
}

std::string StubSignature::call(std::span<const api::Binding> context) const {
  std::string text = name() + "(device_type(), *this, ";
  api::append_translated(text, context, arguments_);
  text += ')';
  return text;
}

std::string StubSignature::direct_call(
    std::span<const api::Binding> context) const {
  std::string text = kernel_name() + "(*this, ";
  api::append_translated(text, context, arguments_);
  text += ')';
  return text;
}

}  // namespace opgen::emit
