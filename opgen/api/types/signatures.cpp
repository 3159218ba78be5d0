#include "opgen/api/types/signatures.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "opgen/api/context.h"
#include "opgen/api/cpp.h"
#include "opgen/api/dispatcher.h"
#include "opgen/api/error.h"
#include "opgen/api/functionalization.h"
#include "opgen/api/native.h"
#include "opgen/api/structured.h"
#include "opgen/api/translate.h"
#include "opgen/api/types/binding.h"
#include "opgen/api/types/ctype.h"
#include "opgen/model/backend_index.h"
#include "opgen/model/dispatch_key.h"
#include "opgen/model/function_schema.h"
#include "opgen/model/native_function.h"
#include "opgen/model/native_functions_group.h"

namespace opgen::api {
namespace {

enum class Form : std::uint8_t { kDecl, kDefn, kTypes };

void append_form(std::string& text, Form form, std::span<const Binding> args) {
  switch (form) {
    case Form::kDecl:
      append_decls(text, args);
      return;
    case Form::kDefn:
      append_defns(text, args);
      return;
    case Form::kTypes:
      append_types(text, args);
      return;
  }
}

std::string function(const CType* returns,
                     std::string_view name,
                     Form form,
                     std::span<const Binding> args,
                     bool is_redispatching_fn = false) {
  std::string text;
  text.reserve(64 + name.size() + 32 * args.size());
  text.append(returns->cpp_type()).append(" ").append(name).append("(");
  if (is_redispatching_fn) {
    text += "c10::DispatchKeySet dispatchKeySet";
    if (!args.empty()) {
      text += ", ";
    }
  }
  append_form(text, form, args);
  text += ')';
  return text;
}

std::string prefixed_name(const CppSignature& signature,
                          const CppSignature::DeclOptions& options,
                          bool suppress_symint_suffix) {
  return options.name ? *options.name
                      : options.prefix + signature.name(suppress_symint_suffix);
}

}  // namespace

std::vector<Binding> CppSignature::arguments() const {
  static const std::vector<std::string> none;
  return cpp::arguments(
      func->arguments,
      {.faithful = faithful, .symint = symint, .method = method},
      cpp_no_default_args == nullptr ? none : *cpp_no_default_args,
      locals);
}

std::string CppSignature::name(bool suppress_symint_suffix) const {
  const std::string name =
      cpp::name(*func,
                {.faithful_name_for_out_overloads = faithful,
                 .symint_overload = symint && !suppress_symint_suffix});
  return fallback_binding ? "__dispatch_" + name : name;
}

const CType* CppSignature::returns_type() const {
  return cpp::returns_type(func->returns, locals);
}

std::string CppSignature::decl(const DeclOptions& options) const {
  return function(returns_type(),
                  prefixed_name(*this, options, options.suppress_symint_suffix),
                  Form::kDecl,
                  arguments(),
                  options.is_redispatching_fn);
}

std::string CppSignature::defn(const DeclOptions& options) const {
  return function(
      returns_type(),
      prefixed_name(*this, options, /*suppress_symint_suffix=*/false),
      Form::kDefn,
      arguments(),
      options.is_redispatching_fn);
}

std::string CppSignature::ptr_type() const {
  return function(returns_type(), "(*)", Form::kTypes, arguments());
}

std::string CppSignature::type() const {
  return function(returns_type(), "", Form::kTypes, arguments());
}

std::vector<const CppSignature*> CppSignatureGroup::signatures(
    bool symint) const {
  std::vector<const CppSignature*> all{&signature};
  if (faithful_signature) {
    all.push_back(&*faithful_signature);
  }
  if (symint && symint_signature) {
    all.push_back(&*symint_signature);
  }
  if (symint && symint_faithful_signature) {
    all.push_back(&*symint_faithful_signature);
  }
  return all;
}

CppSignatureGroup CppSignatureGroup::from_native_function(
    const model::NativeFunction& f, bool method, bool fallback_binding) {
  return from_native_function(f, method, fallback_binding, locals_of(f));
}

CppSignatureGroup CppSignatureGroup::from_native_function(
    const model::NativeFunction& f,
    bool method,
    bool fallback_binding,
    Locals locals) {
  const model::FunctionSchema& func = f.func;
  const auto make_sig = [&](bool faithful, bool symint) {
    return CppSignature{&func,
                        locals,
                        method,
                        faithful,
                        symint,
                        &f.cpp_no_default_args,
                        fallback_binding};
  };
  const bool has_faithful =
      func.arguments.tensor_options().has_value() || func.is_out_fn();
  CppSignatureGroup group{&func, make_sig(false, false), {}, {}, {}};
  if (has_faithful) {
    group.faithful_signature = make_sig(true, false);
  }
  if (func.has_symint()) {
    group.symint_signature = make_sig(false, true);
    if (has_faithful) {
      group.symint_faithful_signature = make_sig(true, true);
    }
  }
  return group;
}

std::vector<Binding> DispatcherSignature::arguments() const {
  return dispatcher::arguments(*func, symint, locals);
}

std::string DispatcherSignature::name() const {
  return prefix + dispatcher::name(*func);
}

std::string DispatcherSignature::decl(std::optional<std::string> name) const {
  return function(
      returns_type(), name ? *name : this->name(), Form::kDecl, arguments());
}

std::string DispatcherSignature::defn(std::optional<std::string> name,
                                      bool is_redispatching_fn) const {
  return function(returns_type(),
                  name ? *name : this->name(),
                  Form::kDefn,
                  arguments(),
                  is_redispatching_fn);
}

std::vector<Expr> DispatcherSignature::exprs() const {
  return exprs_of(arguments());
}

const CType* DispatcherSignature::returns_type() const {
  return dispatcher::returns_type(func->returns, locals);
}

std::string DispatcherSignature::ptr_type() const {
  return function(returns_type(), "(*)", Form::kTypes, arguments());
}

std::string DispatcherSignature::type() const {
  return function(returns_type(), "", Form::kTypes, arguments());
}

std::vector<Binding> NativeSignature::arguments() const {
  return native::arguments(*func, symint, locals);
}

std::string NativeSignature::name() const {
  return prefix + native::name(*func);
}

std::string NativeSignature::decl(std::optional<std::string> name) const {
  return function(
      returns_type(), name ? *name : this->name(), Form::kDecl, arguments());
}

std::string NativeSignature::defn(std::optional<std::string> name) const {
  return function(
      returns_type(), name ? *name : this->name(), Form::kDefn, arguments());
}

const CType* NativeSignature::returns_type() const {
  return native::returns_type(func->returns, locals);
}

std::string NativeSignature::ptr_type() const {
  return function(returns_type(), "(*)", Form::kDefn, arguments());
}

std::vector<Expr> NativeSignature::dispatcher_exprs() const {
  return translate(arguments(),
                   dispatcher::arguments(*func, /*symint=*/true, locals));
}

std::string ViewInverseSignature::name() const {
  return functionalization::reverse_name(*g->view,
                                         /*include_namespace=*/false);
}

std::string ViewInverseSignature::decl() const {
  const model::FunctionSchema& func = g->view->func;
  std::string text = "static ";
  text += function(functionalization::returns_type(func),
                   name(),
                   Form::kDecl,
                   functionalization::op_arguments(
                       func, /*is_reverse=*/true, locals_of(*g)));
  text += ';';
  return text;
}

std::vector<Binding> StructuredImplSignature::arguments() const {
  return structured::impl_arguments(*g);
}

std::string StructuredImplSignature::defn() const {
  std::string text = "TORCH_IMPL_FUNC(";
  text.append(name).append(")(");
  append_defns(text, arguments());
  text += ')';
  return text;
}

std::vector<Binding> KernelSignature::arguments() const {
  return std::visit([](const auto& s) { return s.arguments(); }, signature);
}

std::string KernelSignature::name() const {
  return std::visit([](const auto& s) { return s.name(); }, signature);
}

std::string KernelSignature::decl(std::optional<std::string> name) const {
  return std::visit([&](const auto& s) { return s.decl(std::move(name)); },
                    signature);
}

std::string KernelSignature::defn(std::optional<std::string> name) const {
  return std::visit([&](const auto& s) { return s.defn(std::move(name)); },
                    signature);
}

const CType* KernelSignature::returns_type() const {
  return std::visit([](const auto& s) { return s.returns_type(); }, signature);
}

std::string KernelSignature::ptr_type() const {
  return std::visit([](const auto& s) { return s.ptr_type(); }, signature);
}

KernelSignature kernel_signature(const model::NativeFunction& f,
                                 const model::BackendIndex& backend_index,
                                 Locals locals,
                                 std::string prefix) {
  const model::BackendMetadata* meta = backend_index.get_kernel(f);
  const bool symint = meta != nullptr && meta->supports_symint();
  if (symint && !f.func.has_symint()) {
    throw ApiError("the kernel '" + meta->kernel + "' for " +
                   std::string(model::name_of(backend_index.dispatch_key)) +
                   " is named _symint, but the schema has no SymInt");
  }
  if (backend_index.external) {
    return {DispatcherSignature{&f.func, locals, std::move(prefix), symint}};
  }
  return {NativeSignature{&f.func, locals, symint, std::move(prefix)}};
}

}  // namespace opgen::api
