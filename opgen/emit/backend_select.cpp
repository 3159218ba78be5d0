#include "opgen/emit/backend_select.h"

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>

#include "opgen/api/context.h"
#include "opgen/api/native.h"
#include "opgen/api/types/binding.h"
#include "opgen/api/types/signatures.h"
#include "opgen/emit/str_append.h"
#include "opgen/emit/target.h"
#include "opgen/model/function_schema.h"
#include "opgen/model/native_function.h"
#include "opgen/model/selective_builder.h"

namespace opgen::emit {

namespace {

constexpr std::string_view kDispatchKey =
    "c10::computeDispatchKey(dtype, layout, device)";

std::string tensor_arguments(const model::NativeFunction& f) {
  std::string text;
  const api::NativeSignature sig{
      &f.func, api::locals_of(f), /*symint=*/true, {}};
  for (const api::Binding& a : sig.arguments()) {
    const auto* argument = std::get_if<const model::Argument*>(&a.argument);
    if (argument != nullptr && (*argument)->type->is_tensor_like()) {
      str_append(text, text.empty() ? "" : ", ", a.name);
    }
  }
  return text;
}

std::string definition(const model::NativeFunction& f) {
  const auto sig =
      api::DispatcherSignature::from_schema(f.func, api::locals_of(f));
  const std::string tensors = tensor_arguments(f);
  std::string text;
  str_append(text,
             "// aten::",
             f.func.str(),
             "\nC10_ALWAYS_INLINE\n",
             sig.defn(api::native::name(f.func)),
             " {\n  ");
  if (tensors.empty()) {
    str_append(
        text, "DispatchKeySet _dk = c10::DispatchKeySet(", kDispatchKey, ");");
  } else {
    str_append(text,
               "DispatchKeySet _dk_set = c10::DispatchKeySet(",
               kDispatchKey,
               ") | c10::detail::multi_dispatch_key_set(",
               tensors,
               ");\n"
               "DispatchKeySet _dk_mask = "
               "c10::DispatchKeySet(DispatchKeySet::FULL_AFTER, "
               "DispatchKey::BackendSelect);\n"
               "DispatchKeySet _dk = "
               "c10::impl::computeDispatchKeySet(_dk_set, _dk_mask);");
  }
  str_append(text,
             "\n  return at::_ops::",
             f.func.name.unambiguous_name(),
             "::redispatch(\n      _dk, ");
  str_append_joined(
      text,
      f.func.arguments.flat_all(),
      ", ",
      [](const model::Argument& a) -> std::string_view { return a.name; });
  text += ");\n}\n";
  return text;
}

std::string registration(const model::NativeFunction& f) {
  std::string text;
  str_append(text,
             "m.impl(\"aten::",
             f.func.name.str(),
             "\", TORCH_FN(",
             api::native::name(f.func),
             "));");
  return text;
}

}  // namespace

bool needs_backend_select(const model::NativeFunction& f,
                          const model::SelectiveBuilder& selector) {
  if (!f.func.arguments.tensor_options()) {
    return false;
  }
  const std::string name = f.func.name.name.str();
  if (name.ends_with("_like") || name.starts_with("new_")) {
    return false;
  }
  return selector.is_native_function_selected(f);
}

std::optional<std::string> ComputeBackendSelect::operator()(
    const model::NativeFunction& f) const {
  if (!needs_backend_select(f, *selector)) {
    return std::nullopt;
  }
  switch (target) {
    case Target::kDefinition:
      return definition(f);
    case Target::kRegistration:
      return registration(f);
    case Target::kDeclaration:
    case Target::kAnonymousDefinition:
    case Target::kNamespacedDefinition:
    case Target::kNamespacedDeclaration:
      break;
  }
  throw std::logic_error("ComputeBackendSelect has no such target");
}

}  // namespace opgen::emit
