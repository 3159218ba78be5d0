#include "opgen/emit/unstructured_register.h"

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "opgen/api/context.h"
#include "opgen/api/translate.h"
#include "opgen/api/types/binding.h"
#include "opgen/api/types/signatures.h"
#include "opgen/emit/register_dispatch_key.h"
#include "opgen/emit/register_dispatch_key_device.h"
#include "opgen/emit/register_dispatch_key_error.h"
#include "opgen/emit/target.h"
#include "opgen/emit/unstructured_register_copy.h"
#include "opgen/model/backend_index.h"
#include "opgen/model/dispatch_key.h"
#include "opgen/model/function_schema.h"
#include "opgen/model/native_function.h"
#include "opgen/model/native_functions_group.h"

namespace opgen::emit {
namespace {

using model::DispatchKey;
using model::NativeFunction;
using model::NativeFunctionsGroup;
using model::SchemaKind;

std::string inplace_meta_definition(const NativeFunction& f,
                                    const api::DispatcherSignature& sig) {
  const model::Argument* self = f.func.arguments.self_arg();
  if (self == nullptr) {
    throw EmitError(
        "the in-place operator has no argument called self, which its kernel "
        "for Meta returns",
        f);
  }
  std::string text = "\n";
  text += sig.defn();
  text += " {\n  TORCH_CHECK_NOT_IMPLEMENTED(";
  text += self->name;
  text +=
      ".is_meta(),\n"
      "    \"Cannot inplace into non-meta tensor with meta tensor "
      "argument\");\n"
      "  return ";
  text += self->name;
  text += ";\n}\n";
  return text;
}

void append_kernel_call(const RegisterDispatchKey& settings,
                        const NativeFunction& f,
                        const std::vector<api::Binding>& arguments,
                        std::string& text) {
  const model::BackendMetadata& metadata =
      *settings.backend_index->get_kernel(f);
  text += "\n  return ";
  text += metadata.cpp_namespace;
  text += "::";
  if (settings.class_method_name) {
    text += *settings.class_method_name;
    text += "::";
  }
  text += metadata.kernel;
  text += '(';
  const api::KernelSignature kernel_sig =
      api::kernel_signature(f, *settings.backend_index, api::locals_of(f));
  api::append_translated(text, arguments, kernel_sig.arguments());
  text += ");\n";
}

std::string kernel_definition(const RegisterDispatchKey& settings,
                              const NativeFunction& f,
                              const api::DispatcherSignature& sig,
                              const std::string& name,
                              const std::vector<api::Binding>& arguments) {
  std::string text = "namespace {\n\n";
  text += sig.returns_type()->cpp_type();
  text += ' ';
  text += name;
  text += '(';
  std::string_view separator;
  for (const api::Binding& argument : arguments) {
    text += separator;
    text += argument.defn();
    separator = ", ";
  }
  text += ") {\n  ";
  if (settings.backend_index->device_guard) {
    gen_device_check(f, name, text);
  } else {
    text += "  // No device check\n";
  }
  text += "\n\n  ";
  gen_device_guard(f, *settings.backend_index, text);
  append_kernel_call(settings, f, arguments, text);
  text += "}\n\n} // anonymous namespace\n";
  return text;
}

void gen_registration(const RegisterDispatchKey& settings,
                      const NativeFunction& f,
                      std::vector<std::string>& out) {
  if (!settings.selector->is_native_function_selected(f) ||
      settings.skip_dispatcher_op_registration) {
    return;
  }
  std::string text = "m.impl(\"";
  text += f.func.name.str();
  text += "\",\nTORCH_FN(";
  text += wrapper_kernel_sig(settings, f, api::locals_of(f)).name();
  text += "));\n";
  out.push_back(std::move(text));
}

}  // namespace

WrapperKind wrapper_kind(const model::BackendIndex& backend_index,
                         const NativeFunction& f,
                         const NativeFunctionsGroup* g) {
  WrapperKind kind = WrapperKind::kNone;
  if (backend_index.has_kernel(f)) {
    kind = WrapperKind::kKernel;
  } else if (backend_index.dispatch_key == DispatchKey::kMeta &&
             f.func.kind() == SchemaKind::kInplace &&
             f.func.returns.size() == 1 && !f.has_composite_kernel()) {
    kind = WrapperKind::kInplaceMeta;
  } else if (!backend_index.use_out_as_primary && g != nullptr &&
             model::gets_generated_out_inplace_wrapper(f, *g, backend_index)) {
    kind = WrapperKind::kOutInplace;
  }
  if (kind != WrapperKind::kNone && f.manual_kernel_registration) {
    return WrapperKind::kNone;
  }
  return kind;
}

void gen_unstructured(const RegisterDispatchKey& settings,
                      const NativeFunction& f,
                      const NativeFunctionsGroup* g,
                      std::vector<std::string>& out) {
  const WrapperKind kind = wrapper_kind(*settings.backend_index, f, g);
  if (kind == WrapperKind::kNone) {
    return;
  }
  if (settings.target == Target::kRegistration) {
    gen_registration(settings, f, out);
    return;
  }
  if (settings.target == Target::kNamespacedDeclaration) {
    gen_namespaced_declaration(settings, f, out);
    return;
  }
  const api::DispatcherSignature sig =
      wrapper_kernel_sig(settings, f, api::locals_of(f));
  if (settings.target == Target::kNamespacedDefinition) {
    gen_namespaced_definition(settings, f, sig.name(), sig.arguments(), out);
  } else if (settings.target != Target::kAnonymousDefinition) {
    throw std::logic_error("RegisterDispatchKey has no such target");
  } else if (kind == WrapperKind::kInplaceMeta) {
    out.push_back(inplace_meta_definition(f, sig));
  } else if (kind == WrapperKind::kOutInplace) {
    out.push_back(gen_out_inplace_wrapper(settings, f, *g));
  } else {
    out.push_back(
        kernel_definition(settings, f, sig, sig.name(), sig.arguments()));
  }
}

void gen_namespaced_declaration(const RegisterDispatchKey& settings,
                                const NativeFunction& f,
                                std::vector<std::string>& out) {
  std::string text;
  const auto group = api::CppSignatureGroup::from_native_function(f, false);
  for (const api::CppSignature* cpp_sig : group.signatures(settings.symint)) {
    text += "TORCH_API ";
    text += cpp_sig->decl();
    text += ";\n";
  }
  out.push_back(std::move(text));
}

void gen_namespaced_definition(
    const RegisterDispatchKey& settings,
    const NativeFunction& f,
    const std::string& wrapper_name,
    const std::vector<api::Binding>& wrapper_arguments,
    std::vector<std::string>& out) {
  std::string text;
  const auto group = api::CppSignatureGroup::from_native_function(f, false);
  for (const api::CppSignature* cpp_sig : group.signatures(settings.symint)) {
    text += '\n';
    text += cpp_sig->defn();
    text += " {\nreturn ";
    text += wrapper_name;
    text += '(';
    api::append_translated(text, cpp_sig->arguments(), wrapper_arguments);
    text += ");\n}\n";
  }
  out.push_back(std::move(text));
}

}  // namespace opgen::emit
