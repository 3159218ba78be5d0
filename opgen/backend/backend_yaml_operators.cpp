#include "opgen/backend/backend_yaml_operators.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "opgen/api/dispatcher.h"
#include "opgen/api/meta.h"
#include "opgen/backend/backend_yaml.h"
#include "opgen/backend/backend_yaml_reader.h"
#include "opgen/model/native_function.h"
#include "opgen/model/native_functions_group.h"
#include "opgen/text/diagnostics.h"
#include "opgen/text/source.h"
#include "opgen/text/yaml.h"

namespace opgen::backend {
namespace {

using model::NativeFunction;
using model::NativeFunctionsGroup;
using text::DiagnosticId;
using text::YamlNode;

constexpr std::array<std::string_view, 6> kEntryKeys{
    "func", "structured", "symint", "device_guard", "device_check", "kernel"};

}  // namespace

struct OperatorLists::Entry {
  const NativeFunction* function = nullptr;
  text::SourceRange where;
  std::string kernel;
  bool structured = false;
  bool symint = false;
  std::optional<bool> device_guard;
  std::optional<bool> device_check;
};

void OperatorLists::read_symint(std::span<const YamlNode* const> items) {
  for (const YamlNode* item : items) {
    if (item->is_string()) {
      symint_.emplace(item->value(), Symint{item->range(), false});
    } else {
      diagnostics_->error(
          DiagnosticId::kBackendValueType,
          item->range(),
          {"symint", "a list of names of operators", item->describe()});
    }
  }
}

void OperatorLists::read(std::string_view key,
                         std::span<const YamlNode* const> items) {
  for (const YamlNode* item : items) {
    std::optional<Entry> entry = read_entry(key, *item);
    if (!entry) {
      continue;
    }
    const auto symint = symint_.find(operator_name(*entry->function));
    if (symint != symint_.end()) {
      symint->second.used = true;
      entry->symint = true;
    }
    if (entry->structured) {
      add_structured(key, *entry);
    } else {
      add(key, *entry);
    }
  }
}

std::optional<OperatorLists::Entry> OperatorLists::read_entry(
    std::string_view key, const YamlNode& item) {
  Entry entry;
  entry.structured = key == "structured";
  const YamlNode* name = &item;
  if (item.is_mapping()) {
    name = item.find("func");
    read_attributes(key, item, entry);
    if (name == nullptr) {
      return std::nullopt;
    }
  }
  if (!name->is_string()) {
    diagnostics_->error(DiagnosticId::kBackendValueType,
                        name->range(),
                        {key, "a list of operators", name->describe()});
    return std::nullopt;
  }
  entry.where = name->range();
  entry.function = find(*name);
  if (entry.function == nullptr) {
    return std::nullopt;
  }
  return entry;
}

void OperatorLists::read_attributes(std::string_view key,
                                    const YamlNode& item,
                                    Entry& entry) {
  const MappingReader reader(item, kEntryKeys, *diagnostics_);
  if (item.find("func") == nullptr) {
    reader.missing("func");
  }
  entry.structured = reader.get_bool("structured").value_or(entry.structured);
  entry.symint = reader.get_bool("symint").value_or(false);
  entry.device_guard = reader.get_bool("device_guard");
  entry.device_check = reader.get_bool("device_check");
  entry.kernel = reader.get_identifier("kernel", false);
  if (entry.structured && key == "autograd") {
    diagnostics_->error(
        DiagnosticId::kBackendStructuredAutograd,
        item.range(),
        {item.find("func") == nullptr ? std::string_view{"the operator"}
                                      : item.find("func")->value()});
  }
}

const NativeFunction* OperatorLists::find(const YamlNode& name) {
  const NativeFunction* f = names_->find(name.value());
  const bool may_be_unread =
      !names_->complete() && name.value().find("::") != std::string_view::npos;
  if (f == nullptr && !may_be_unread) {
    diagnostics_
        ->error(
            DiagnosticId::kBackendUnknownOperator, name.range(), {name.value()})
        .did_you_mean(names_->suggest(name.value()));
  }
  return f;
}

void OperatorLists::twice(std::string_view name,
                          text::SourceRange where,
                          text::SourceRange first) {
  diagnostics_->warning(DiagnosticId::kBackendOperatorTwice, where, {name})
      .note(first, "first listed here");
}

void OperatorLists::add(std::string_view key, const Entry& entry) {
  std::vector<BackendKernel>& kernels =
      key == "autograd" ? yaml_->autograd : yaml_->supported;
  BackendKernel kernel{entry.function,
                       entry.where,
                       entry.kernel,
                       entry.device_guard,
                       entry.device_check};
  if (kernel.kernel.empty()) {
    kernel.kernel = api::dispatcher::name(entry.function->func);
  }
  if (entry.symint) {
    kernel.kernel += "_symint";
  }
  kernels.push_back(std::move(kernel));
}

void OperatorLists::add_structured(std::string_view key, const Entry& entry) {
  if (key == "autograd") {
    return;
  }
  const std::string name = operator_name(*entry.function);
  const NativeFunctionsGroup* g = names_->group_of(*entry.function);
  if (g == nullptr || !g->structured()) {
    diagnostics_->error(
        DiagnosticId::kBackendNotStructured, entry.where, {name});
    return;
  }
  if (entry.symint) {
    diagnostics_->error(
        DiagnosticId::kBackendStructuredSymint, entry.where, {name});
  }
  for (const StructuredKernel& other : yaml_->structured) {
    if (other.group == g) {
      twice(name, entry.where, other.where);
      return;
    }
  }
  yaml_->structured.push_back(
      {g,
       entry.where,
       entry.kernel.empty() ? api::meta::name(*g) : entry.kernel,
       entry.device_guard,
       entry.device_check});
}

void OperatorLists::check() const {
  check_mixed_variants();
  check_structured();
  check_symint();
}

void OperatorLists::check_mixed_variants() const {
  std::unordered_map<const void*, const BackendKernel*> forward;
  const auto item_of = [this](const NativeFunction& f) {
    const NativeFunctionsGroup* g = names_->group_of(f);
    return g != nullptr ? static_cast<const void*>(g) : &f;
  };
  for (const BackendKernel& kernel : yaml_->supported) {
    forward.emplace(item_of(*kernel.function), &kernel);
  }
  for (const BackendKernel& kernel : yaml_->autograd) {
    const auto found = forward.find(item_of(*kernel.function));
    if (found != forward.end()) {
      diagnostics_
          ->error(DiagnosticId::kBackendMixedVariants,
                  kernel.where,
                  {operator_name(*found->second->function),
                   operator_name(*kernel.function)})
          .note(found->second->where, "under 'supported' here");
    }
  }
}

void OperatorLists::check_structured() const {
  for (const StructuredKernel& structured : yaml_->structured) {
    for (const auto* kernels : {&yaml_->supported, &yaml_->autograd}) {
      for (const BackendKernel& kernel : *kernels) {
        if (names_->group_of(*kernel.function) == structured.group) {
          diagnostics_
              ->error(DiagnosticId::kBackendStructuredVariant,
                      kernel.where,
                      {operator_name(*kernel.function)})
              .note(structured.where, "made structured here");
        }
      }
    }
  }
}

void OperatorLists::check_symint() const {
  for (const auto& [name, symint] : symint_) {
    if (symint.used) {
      continue;
    }
    text::Diagnostic& warning = diagnostics_->warning(
        DiagnosticId::kBackendSymintUnused, symint.where, {name});
    if (names_->find(name) == nullptr) {
      warning.did_you_mean(names_->suggest(name));
    }
  }
}

}  // namespace opgen::backend
