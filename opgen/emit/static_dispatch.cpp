#include "opgen/emit/static_dispatch.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "opgen/api/translate.h"
#include "opgen/api/types/binding.h"
#include "opgen/api/types/signatures.h"
#include "opgen/emit/str_append.h"
#include "opgen/model/backend_index.h"
#include "opgen/model/dispatch_key.h"
#include "opgen/model/function_schema.h"
#include "opgen/model/native_function.h"

namespace opgen::emit {

using model::DispatchKey;

namespace {

std::optional<DispatchKey> composite_key(const model::NativeFunction& f) {
  if (f.has_composite_explicit_autograd_kernel) {
    return DispatchKey::kCompositeExplicitAutograd;
  }
  if (f.has_composite_explicit_autograd_non_functional_kernel) {
    return DispatchKey::kCompositeExplicitAutogradNonFunctional;
  }
  if (f.has_composite_implicit_autograd_kernel) {
    return DispatchKey::kCompositeImplicitAutograd;
  }
  if (f.has_composite_implicit_autograd_nested_tensor_kernel) {
    return DispatchKey::kCompositeImplicitAutogradNestedTensor;
  }
  return std::nullopt;
}

// "at" for "at::native".
std::string without_native(std::string_view kernel_namespace) {
  static constexpr std::string_view kNative = "::native";
  std::string ns(kernel_namespace);
  for (std::size_t at = ns.find(kNative); at != std::string::npos;
       at = ns.find(kNative, at)) {
    ns.erase(at, kNative.size());
  }
  return ns;
}

const api::CppSignature& target_signature(const api::CppSignatureGroup& group,
                                          const model::FunctionSchema& func) {
  if (!func.has_symint()) {
    return group.signature;
  }
  if (!group.symint_signature) {
    throw std::logic_error("a schema with SymInt has no symint signature");
  }
  return *group.symint_signature;
}

std::string call(std::string_view ns,
                 DispatchKey key,
                 std::string_view name,
                 std::string_view exprs) {
  std::string text;
  str_append(text,
             "return ",
             ns,
             "::",
             lower_name_of(key),
             "::",
             name,
             "(",
             exprs,
             ");");
  return text;
}

StaticDispatchBackends backends_with_kernel(
    const model::NativeFunction& f,
    const StaticDispatchBackends& backend_indices) {
  StaticDispatchBackends keys;
  for (const model::BackendIndex* b : backend_indices) {
    if (b->has_kernel(f) ||
        (f.structured_delegate &&
         model::is_structured_dispatch_key(b->dispatch_key))) {
      keys.push_back(b);
    }
  }
  return keys;
}

// The expression of the set of keys that the arguments ask for.
std::string dispatch_key_set(const api::DispatcherSignature& sig,
                             const model::NativeFunction& f) {
  std::string tensor_args;
  for (const api::Binding& a : sig.arguments()) {
    const auto* argument = std::get_if<const model::Argument*>(&a.argument);
    if (std::holds_alternative<model::SelfArgument>(a.argument) ||
        (argument != nullptr && (*argument)->type->is_tensor_like())) {
      str_append(tensor_args, tensor_args.empty() ? "" : ", ", a.name);
    }
  }
  std::string text;
  if (f.func.arguments.tensor_options()) {
    text = "DispatchKeySet(c10::computeDispatchKey(dtype, layout, device))";
  }
  if (!tensor_args.empty()) {
    str_append(text,
               text.empty() ? "" : " | ",
               "c10::detail::multi_dispatch_key_set(",
               tensor_args,
               ")");
  }
  return text;
}

}  // namespace

std::vector<DispatchKey> static_dispatch_keys(
    const StaticDispatchBackends& backends) {
  std::vector<DispatchKey> keys;
  if (backends.empty()) {
    return keys;
  }
  for (const model::BackendIndex* backend : backends) {
    keys.push_back(backend->dispatch_key);
  }
  keys.insert(keys.end(),
              {DispatchKey::kCompositeImplicitAutograd,
               DispatchKey::kCompositeImplicitAutogradNestedTensor,
               DispatchKey::kCompositeExplicitAutograd,
               DispatchKey::kCompositeExplicitAutogradNonFunctional});
  return keys;
}

std::optional<DispatchKey> get_static_dispatch_backend(
    const model::NativeFunction& f, const model::BackendIndex& backend_index) {
  if (f.structured_delegate || backend_index.has_kernel(f)) {
    return backend_index.dispatch_key;
  }
  return composite_key(f);
}

std::optional<std::string> static_dispatch_ops_header(
    const model::NativeFunction& f,
    const StaticDispatchBackends& backend_index) {
  if (f.manual_kernel_registration) {
    return std::nullopt;
  }
  std::string text;
  for (const model::BackendIndex* index : backend_index) {
    const auto key = get_static_dispatch_backend(f, *index);
    if (key) {
      str_append(text,
                 text.empty() ? "" : "\n",
                 "#include <ATen/ops/",
                 f.root_name(),
                 "_",
                 lower_name_of(*key),
                 "_dispatch.h>");
    }
  }
  return text;
}

std::vector<std::string> static_dispatch_extra_headers(
    const StaticDispatchBackends& backends) {
  std::vector<std::string> headers;
  for (const DispatchKey key : static_dispatch_keys(backends)) {
    std::string& header = headers.emplace_back();
    str_append(header, "#include <ATen/", model::name_of(key), "Functions.h>");
  }
  return headers;
}

std::string translate_args(const api::DispatcherSignature& sig,
                           const api::CppSignature& cpp_sig) {
  std::vector<api::Binding> sources = sig.arguments();
  const std::vector<api::Binding> goals = cpp_sig.arguments();
  // translate() takes a memory format beside TensorOptions only under this
  // name.
  const bool redundant_memory_format =
      std::ranges::any_of(goals, [](const api::Binding& goal) {
        return goal.nctype.name == api::kPossiblyRedundantMemoryFormat;
      });
  if (redundant_memory_format) {
    for (api::Binding& source : sources) {
      if (source.name == "memory_format") {
        source.nctype.name = api::kPossiblyRedundantMemoryFormat;
      }
    }
  }
  return api::join_exprs(api::translate(sources, goals));
}

std::string generate_static_dispatch_backend_call(
    const api::DispatcherSignature& sig,
    const model::NativeFunction& f,
    const model::BackendIndex& backend_index) {
  const auto group = api::CppSignatureGroup::from_native_function(f, false);
  const api::CppSignature& cpp_sig = target_signature(group, f.func);
  const model::BackendMetadata* metadata = backend_index.get_kernel(f);
  const std::string ns = metadata != nullptr && !metadata->cpp_namespace.empty()
                             ? without_native(metadata->cpp_namespace)
                             : without_native(model::kDefaultKernelNamespace);
  return call(ns,
              backend_index.dispatch_key,
              cpp_sig.name(),
              translate_args(sig, cpp_sig));
}

std::string generate_static_dispatch_fallback_call(
    const api::DispatcherSignature& sig,
    const model::NativeFunction& f,
    const StaticDispatchBackends& backend_indices) {
  const auto group = api::CppSignatureGroup::from_native_function(f, false);
  const api::CppSignature& cpp_sig = target_signature(group, f.func);
  const std::string name = cpp_sig.name();
  const std::string exprs = translate_args(sig, cpp_sig);
  if (const auto key = composite_key(f)) {
    return call(
        without_native(model::kDefaultKernelNamespace), *key, name, exprs);
  }
  std::string text;
  str_append(text,
             "TORCH_CHECK(false, \"Static dispatch does not support ",
             name,
             " for");
  str_append_joined(
      text, backend_indices, ", ", [](const model::BackendIndex* index) {
        return model::name_of(index->dispatch_key);
      });
  text += " \");";
  return text;
}

std::string static_dispatch(const api::DispatcherSignature& sig,
                            const model::NativeFunction& f,
                            const StaticDispatchBackends& backend_indices) {
  if (backend_indices.empty() || f.manual_kernel_registration) {
    return {};
  }
  const StaticDispatchBackends keys = backends_with_kernel(f, backend_indices);
  if (keys.size() == 1) {
    return generate_static_dispatch_backend_call(sig, f, *keys[0]);
  }
  std::string fallback =
      generate_static_dispatch_fallback_call(sig, f, backend_indices);
  if (keys.empty()) {
    return fallback;
  }
  std::string text;
  str_append(text,
             "\n    DispatchKeySet _dk_set = ",
             dispatch_key_set(sig, f),
             ";\n\t\tDispatchKey _dk = "
             "c10::highestPriorityBackendTypeId(_dk_set);\n"
             "    switch (_dk) {\n        ");
  for (const model::BackendIndex* index : keys) {
    str_append(text,
               "case DispatchKey::",
               model::name_of(index->dispatch_key),
               ":\n\t\t\t",
               generate_static_dispatch_backend_call(sig, f, *index),
               ";",
               index == keys.back() ? "" : "\n\t\t");
  }
  str_append(
      text, "\n        default:\n            ", fallback, "\n    }\n    ");
  return text;
}

}  // namespace opgen::emit
