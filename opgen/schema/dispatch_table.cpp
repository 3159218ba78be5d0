#include "opgen/schema/dispatch_table.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "opgen/schema/namespace_helper.h"
#include "opgen/schema/schema_report.h"
#include "opgen/schema/split_list.h"
#include "opgen/text/suggest.h"

namespace opgen::schema {

namespace {

using model::BackendMetadata;
using model::DispatchKey;
using text::DiagnosticId;
using text::YamlNode;

constexpr std::size_t kMostKernelNamespaces = 3;

class TableParser {
 public:
  TableParser(const model::NativeFunction& f,
              const EntryContext& context,
              text::Diagnostics& diagnostics)
      : f_(f),
        context_(context),
        diagnostics_(diagnostics),
        base_name_(kernel_base_name(f.func)) {}

  Kernels parse(const YamlNode& node) {
    const std::size_t errors_before = diagnostics_.error_count();
    for (const YamlNode::Entry& entry : node.entries()) {
      if (entry.key->value() != "__line__") {
        parse_entry(entry);
      }
    }
    if (diagnostics_.error_count() == errors_before) {
      check_needed(node);
    }
    return std::move(kernels_);
  }

 private:
  void parse_entry(const YamlNode::Entry& entry) {
    if (!entry.key->is_string()) {
      diagnostics_.error(DiagnosticId::kDispatchKeyType,
                         entry.key->range(),
                         {entry.key->describe()});
      return;
    }
    if (!entry.value->is_string()) {
      diagnostics_.error(DiagnosticId::kKernelType,
                         entry.value->range(),
                         {entry.key->value(), entry.value->describe()});
      return;
    }
    const auto kernel =
        from_namespaced_entity(entry.value->value(), kMostKernelNamespaces);
    for (const std::string_view part : split_list(entry.key->value(), ",")) {
      ++key_count_;
      const std::string_view name = strip(part);
      if (const auto key = parse_key(*entry.key, name)) {
        add_kernel(*key, entry, kernel);
      }
    }
  }

  // Nothing for a key that is ignored or an error.
  std::optional<DispatchKey> parse_key(const YamlNode& node,
                                       std::string_view name) {
    const auto key = model::parse_dispatch_key(name);
    if (key && context_.ignore_keys->contains(*key)) {
      return std::nullopt;
    }
    const auto& valid = context_.valid_keys;
    if (key && std::find(valid.begin(), valid.end(), *key) != valid.end()) {
      return key;
    }
    std::vector<std::string_view> names;
    for (const DispatchKey candidate : valid) {
      names.push_back(model::name_of(candidate));
    }
    diagnostics_
        .error(key ? DiagnosticId::kUnsupportedDispatchKey
                   : DiagnosticId::kUnknownDispatchKey,
               range_of(node, name),
               {name})
        .did_you_mean(text::suggest(name, names));
    return std::nullopt;
  }

  void add_kernel(DispatchKey key,
                  const YamlNode::Entry& entry,
                  const std::optional<NamespacedEntity>& kernel) {
    if (!kernel) {
      diagnostics_.error(DiagnosticId::kKernelNamespaces,
                         entry.value->range(),
                         {entry.value->value()});
      return;
    }
    BackendMetadata metadata;
    metadata.kernel = kernel->entity_name;
    metadata.structured =
        f_.structured && model::is_structured_dispatch_key(key);
    metadata.cpp_namespace =
        kernel->cpp_namespace.empty() ? "at" : kernel->cpp_namespace;
    metadata.cpp_namespace += "::native";
    set_kernel(kernels_, key, std::move(metadata));
    if (key == DispatchKey::kCompositeImplicitAutograd &&
        entry.value->value() == base_name_) {
      redundant_ = true;
    }
  }

  // A table whose only kernel is the one that a missing table means.
  void check_needed(const YamlNode& node) {
    if (key_count_ != 1) {
      return;
    }
    if (redundant_) {
      diagnostics_.error(DiagnosticId::kNeedlessDispatchTable, node.range());
      return;
    }
    const BackendMetadata* composite =
        find_kernel(kernels_, DispatchKey::kCompositeImplicitAutograd);
    if (composite != nullptr && kernels_.size() == 1 &&
        !f_.structured_delegate && !composite->supports_symint()) {
      diagnostics_.error(DiagnosticId::kCompositeKernelName,
                         node.range(),
                         {composite->kernel, base_name_});
    }
  }

  const model::NativeFunction& f_;
  const EntryContext& context_;
  text::Diagnostics& diagnostics_;
  std::string base_name_;
  Kernels kernels_;
  std::size_t key_count_ = 0;  // ignored ones, too
  bool redundant_ = false;
};

}  // namespace

void set_kernel(Kernels& kernels, DispatchKey key, BackendMetadata metadata) {
  for (auto& [known, value] : kernels) {
    if (known == key) {
      value = std::move(metadata);
      return;
    }
  }
  kernels.emplace_back(key, std::move(metadata));
}

const BackendMetadata* find_kernel(const Kernels& kernels, DispatchKey key) {
  for (const auto& [known, value] : kernels) {
    if (known == key) {
      return &value;
    }
  }
  return nullptr;
}

std::string kernel_base_name(const model::FunctionSchema& schema) {
  std::string name = schema.name.name.str();
  if (schema.is_out_fn()) {
    name += "_out";
  }
  return name;
}

Kernels parse_dispatch_table(const YamlNode& node,
                             const model::NativeFunction& f,
                             const EntryContext& context,
                             text::Diagnostics& diagnostics) {
  return TableParser(f, context, diagnostics).parse(node);
}

Kernels implicit_dispatch_table(const model::NativeFunction& f,
                                const FunctionSite& site,
                                text::Diagnostics& diagnostics) {
  const std::string name = f.func.name.name.str();
  const model::Arguments& arguments = f.func.arguments;
  if (name.starts_with("new_") || name.ends_with("_like") ||
      (arguments.tensor_options() && !arguments.has_tensor_arg())) {
    diagnostics.error(DiagnosticId::kFactoryWithoutDispatch, site.name, {name});
  }
  Kernels kernels;
  BackendMetadata metadata;
  metadata.kernel = kernel_base_name(f.func);
  metadata.cpp_namespace = model::kDefaultKernelNamespace;
  set_kernel(
      kernels, DispatchKey::kCompositeImplicitAutograd, std::move(metadata));
  return kernels;
}

}  // namespace opgen::schema
