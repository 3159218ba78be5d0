#include "opgen/emit/structured_register.h"

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "opgen/api/context.h"
#include "opgen/api/meta.h"
#include "opgen/api/structured.h"
#include "opgen/api/translate.h"
#include "opgen/api/types/binding.h"
#include "opgen/api/types/ctype.h"
#include "opgen/api/types/signatures.h"
#include "opgen/emit/register_dispatch_key.h"
#include "opgen/emit/register_dispatch_key_device.h"
#include "opgen/emit/register_dispatch_key_error.h"
#include "opgen/emit/str_append.h"
#include "opgen/emit/structured_register_class.h"
#include "opgen/emit/target.h"
#include "opgen/emit/unstructured_register.h"
#include "opgen/model/backend_index.h"
#include "opgen/model/dispatch_key.h"
#include "opgen/model/function_schema.h"
#include "opgen/model/native_function.h"
#include "opgen/model/native_functions_group.h"

namespace opgen::emit {
namespace {

using model::DispatchKey;
using model::NativeFunction;
using model::SchemaKind;

std::string_view name_of(SchemaKind kind) {
  switch (kind) {
    case SchemaKind::kFunctional:
      return "functional";
    case SchemaKind::kInplace:
      return "inplace";
    case SchemaKind::kOut:
      return "out";
    case SchemaKind::kMutable:
      return "mutable";
    case SchemaKind::kScratch:
      return "scratch";
  }
  throw std::logic_error("no such kind of schema");
}

StructuredClass class_of(const RegisterDispatchKey& settings,
                         const model::NativeFunctionsGroup& g,
                         const NativeFunction& f) {
  StructuredClass result;
  result.dispatch_key = settings.backend_index->dispatch_key;
  result.kind = f.func.kind();
  result.returns = f.func.returns.size();
  result.generate_super = g.out->structured_inherits.has_value();
  result.named_tensors = settings.named_tensors;

  if (result.dispatch_key == DispatchKey::kMeta ||
      result.dispatch_key ==
          DispatchKey::kCompositeExplicitAutogradNonFunctional) {
    const std::string name = "structured_" + api::meta::name(g);
    result.parent_class = "at::meta::" + name;
    result.name = name;
    result.name += result.dispatch_key == DispatchKey::kMeta
                       ? "_meta_"
                       : "_default_backend_";
  } else {
    const model::BackendMetadata* metadata =
        settings.backend_index->get_kernel(g);
    if (metadata == nullptr) {
      throw std::logic_error("a structured class without kernel");
    }
    result.name = "structured_" + metadata->kernel;
    result.parent_class = metadata->cpp_namespace + "::" + result.name;
    result.name += '_';
  }
  result.name += name_of(result.kind);
  return result;
}

void append_names(std::span<const model::Argument> arguments,
                  std::string& text) {
  std::string_view separator;
  for (const model::Argument& a : arguments) {
    text += separator;
    text += a.name;
    separator = ", ";
  }
}

void append_object(const StructuredClass& structured_class,
                   const NativeFunction& f,
                   std::string& text) {
  text += structured_class.name;
  text += " op";
  if (structured_class.kind == SchemaKind::kInplace) {
    text += "(self)";
  } else if (structured_class.kind == SchemaKind::kOut) {
    text += '(';
    append_names(f.func.arguments.out(), text);
    text += ')';
  }
  text += ";\n";
}

void append_proxy_copies(std::size_t returns, std::string& text) {
  for (std::size_t i = 0; i < returns; ++i) {
    const std::string index = std::to_string(i);
    str_append(text,
               "if (op.proxy_outputs_[",
               index,
               "].has_value()) op.outputs_[",
               index,
               "].get().copy_(*op.proxy_outputs_[",
               index,
               "]);\n");
  }
}

void append_moved_outputs(std::size_t returns, std::string& text) {
  if (returns == 1) {
    text += "std::move(op.outputs_[0])";
    return;
  }
  text += "std::make_tuple(";
  for (std::size_t i = 0; i < returns; ++i) {
    str_append(text,
               i == 0 ? "std::move(op.outputs_[" : ", std::move(op.outputs_[",
               std::to_string(i),
               "])");
  }
  text += ')';
}

void append_return(const NativeFunction& f, std::string& text) {
  const SchemaKind kind = f.func.kind();
  const std::size_t returns = f.func.returns.size();
  if (kind != SchemaKind::kFunctional) {
    append_proxy_copies(returns, text);
  }
  text += "return ";
  if (kind == SchemaKind::kFunctional) {
    append_moved_outputs(returns, text);
  } else if (kind == SchemaKind::kInplace) {
    text += "self";
  } else if (returns == 1) {
    text += f.func.arguments.out()[0].name;
  } else {
    text += "std::forward_as_tuple(";
    append_names(f.func.arguments.out(), text);
    text += ')';
  }
  text += ";\n";
}

void add_precomputed(std::span<const model::Argument> arguments,
                     std::vector<api::Expr>& context) {
  for (const model::Argument& a : arguments) {
    context.push_back(
        {"precompute." + a.name,
         {a.name, api::structured::argumenttype_type(a.type, a.is_write())}});
  }
}

void add_outputs(const model::NativeFunctionsGroup& g,
                 const NativeFunction& f,
                 std::vector<api::Expr>& context) {
  const std::string_view prefix = f.func.kind() == SchemaKind::kOut
                                      ? "op.maybe_get_output("
                                      : "op.outputs_[";
  const char suffix = f.func.kind() == SchemaKind::kOut ? ')' : ']';
  const api::CType* const expected = api::CType::const_ref(api::kTensorT);
  const api::CType* const type = api::CType::mut_ref(api::kTensorT);
  std::size_t i = 0;
  for (const api::Binding& out_arg : api::structured::out_arguments(g)) {
    if (out_arg.nctype.type != expected) {
      throw EmitError("output `" + out_arg.name + "` of the structured `" +
                          g.out->func.name.str() + "` is not a Tensor",
                      *g.out);
    }
    std::string expr{prefix};
    expr += std::to_string(i++);
    expr += suffix;
    context.push_back({std::move(expr), {out_arg.nctype.name, type}});
  }
}

}  // namespace

void StructuredRegisterDispatchKey::append_meta_call(
    std::vector<api::Expr>& context, std::string& text) const {
  text += g_.out->precomputed ? "auto precompute = op.meta(" : "op.meta(";
  api::append_translated(text, context, api::structured::meta_arguments(g_));
  text += ");\n";
  if (!g_.out->precomputed) {
    return;
  }
  text += "(void)precompute;\n";
  for (const auto& [name, replacements] : g_.out->precomputed->replace) {
    add_precomputed(replacements, context);
  }
  add_precomputed(g_.out->precomputed->add, context);
}

void StructuredRegisterDispatchKey::append_impl_call(
    const NativeFunction& f,
    std::vector<api::Expr>& context,
    std::string& text) const {
  const DispatchKey key = settings_.backend_index->dispatch_key;
  if (key == DispatchKey::kMeta) {
    return;
  }
  if (key != DispatchKey::kCompositeExplicitAutogradNonFunctional) {
    text += "op.impl(";
    api::append_translated(text, context, api::structured::impl_arguments(g_));
    text += ");\n";
    return;
  }
  const auto group = api::CppSignatureGroup::from_native_function(
      *g_.out, false, f.manual_cpp_binding);
  api::CppSignature out_sig = group.most_faithful_signature();
  out_sig.locals = api::locals_of(f);
  text += "at::" + out_sig.name() + '(';
  api::append_translated(text, context, out_sig.arguments());
  text += ");\n";
}

std::string StructuredRegisterDispatchKey::definition(
    const NativeFunction& f, const api::NativeSignature& sig) const {
  const StructuredClass structured_class = class_of(settings_, g_, f);
  std::string text;
  if (!gen_class(structured_class, text)) {
    throw EmitError(
        "`" + f.func.name.str() + "` cannot have a structured kernel for " +
            std::string{model::name_of(settings_.backend_index->dispatch_key)},
        f);
  }
  text += "\n\n";
  text += sig.defn();
  text += " {\n";
  if (settings_.backend_index->device_guard) {
    gen_device_check(f, sig.name(), text);
    text += '\n';
  }
  append_object(structured_class, f, text);
  std::vector<api::Expr> context = api::exprs_of(sig.arguments());
  append_meta_call(context, text);
  add_outputs(g_, f, context);
  append_impl_call(f, context, text);
  append_return(f, text);
  text += "}\n";
  return text;
}

void StructuredRegisterDispatchKey::gen_one(
    const NativeFunction& f, std::vector<std::string>& out) const {
  if (f.manual_kernel_registration) {
    throw EmitError("`" + f.func.name.str() +
                        "` is structured: manual_kernel_registration must not "
                        "be set",
                    f);
  }
  const DispatchKey key = settings_.backend_index->dispatch_key;
  if (settings_.target == Target::kRegistration &&
      !settings_.selector->is_native_function_selected(f)) {
    return;
  }
  if (key == DispatchKey::kCompositeExplicitAutogradNonFunctional &&
      f.func.kind() == SchemaKind::kOut) {
    return;
  }
  if (settings_.target == Target::kNamespacedDeclaration) {
    gen_namespaced_declaration(settings_, f, out);
    return;
  }
  const model::BackendMetadata* kernel = settings_.backend_index->get_kernel(f);
  const api::NativeSignature sig{
      &f.func,
      api::locals_of(f),
      kernel != nullptr && kernel->supports_symint(),
      "wrapper_" + std::string{model::name_of(key)} + '_'};
  switch (settings_.target) {
    case Target::kNamespacedDefinition:
      gen_namespaced_definition(settings_, f, sig.name(), sig.arguments(), out);
      return;
    case Target::kAnonymousDefinition:
      out.push_back(definition(f, sig));
      return;
    case Target::kRegistration:
      out.push_back("m.impl(\"" + f.func.name.str() + "\", TORCH_FN(" +
                    sig.name() + "));");
      return;
    case Target::kDefinition:
    case Target::kDeclaration:
    case Target::kNamespacedDeclaration:
      break;
  }
  throw std::logic_error("RegisterDispatchKey has no such target");
}

}  // namespace opgen::emit
