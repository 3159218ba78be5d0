#include "opgen/emit/tensor_method.h"

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "opgen/api/context.h"
#include "opgen/api/error.h"
#include "opgen/api/translate.h"
#include "opgen/api/types/binding.h"
#include "opgen/api/types/signatures.h"
#include "opgen/emit/str_append.h"
#include "opgen/emit/target.h"
#include "opgen/model/native_function.h"

namespace opgen::emit {

namespace {

std::string declarations(const api::CppSignatureGroup& sig_group) {
  std::string result;
  for (const api::CppSignature* sig : sig_group.signatures()) {
    str_append(result, sig->decl(), " const;\n");
  }
  return result;
}

std::string definitions(const api::CppSignatureGroup& sig_group,
                        const model::NativeFunction& f) {
  const std::vector<api::Binding> goals =
      api::DispatcherSignature::from_schema(f.func, api::locals_of(f))
          .arguments();
  const std::string schema = f.func.str();
  const std::string op = f.func.name.unambiguous_name();
  std::string result;
  for (const api::CppSignature* sig : sig_group.signatures()) {
    const std::string exprs = api::join_exprs(
        api::translate(sig->arguments(), goals, {.method = true}));
    str_append(result,
               "\n// aten::",
               schema,
               "\ninline ",
               sig->defn({.prefix = "Tensor::"}),
               " const {\n    return at::_ops::",
               op,
               "::call(",
               exprs,
               ");\n}\n");
  }
  return result;
}

}  // namespace

std::optional<std::string> ComputeTensorMethod::operator()(
    const model::NativeFunction& f) const {
  if (!f.method_variant) {
    return std::nullopt;
  }
  if (f.func.is_out_fn()) {
    throw api::ApiError("a method cannot have outputs");
  }
  if (f.func.arguments.self_arg() == nullptr) {
    throw api::ApiError("a method must have a positional argument 'self'");
  }
  const auto sig_group = api::CppSignatureGroup::from_native_function(
      f, /*method=*/true, f.manual_cpp_binding);
  switch (target) {
    case Target::kDeclaration:
      return declarations(sig_group);
    case Target::kDefinition:
      return definitions(sig_group, f);
    case Target::kRegistration:
    case Target::kAnonymousDefinition:
    case Target::kNamespacedDefinition:
    case Target::kNamespacedDeclaration:
      break;
  }
  throw std::logic_error("ComputeTensorMethod has no such target");
}

}  // namespace opgen::emit
