#include "opgen/schema/selective_build.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "opgen/model/selective_builder.h"
#include "opgen/text/diagnostics.h"
#include "opgen/text/source.h"
#include "opgen/text/suggest.h"
#include "opgen/text/yaml.h"

namespace opgen::schema {
namespace {

using model::SelectiveBuilder;
using model::SelectiveBuildOperator;
using text::YamlNode;

// Reads one document and remembers whether something was wrong with it.
class Reader {
 public:
  explicit Reader(text::Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  bool failed() const { return failed_; }

  text::Diagnostic& error(text::DiagnosticId id,
                          const text::SourceRange& range,
                          const text::Holes& holes) {
    failed_ = true;
    return diagnostics_.error(id, range, holes);
  }

  text::Diagnostic& wrong_kind(const YamlNode& node,
                               std::string_view what,
                               std::string_view expected) {
    return error(text::DiagnosticId::kSelectionShape,
                 node.range(),
                 {what, expected, node.describe()});
  }

  bool check_mapping(const YamlNode& node, std::string_view what) {
    if (!node.is_mapping()) {
      wrong_kind(node, what, "a mapping");
    }
    return node.is_mapping();
  }

  void check_keys(const YamlNode& mapping,
                  const std::vector<std::string_view>& valid) {
    for (const YamlNode::Entry& entry : mapping.entries()) {
      const std::string_view key = entry.key->value();
      bool found = false;
      for (const std::string_view name : valid) {
        found |= entry.key->is_string() && name == key;
      }
      if (found) {
        continue;
      }
      error(text::DiagnosticId::kSelectionUnknownKey, entry.key->range(), {key})
          .did_you_mean(text::suggest(key, valid));
    }
  }

  bool read_bool(const YamlNode& mapping, std::string_view key, bool fallback) {
    const YamlNode* node = mapping.find(key);
    if (node == nullptr) {
      return fallback;
    }
    if (!node->is_bool()) {
      wrong_kind(*node, quoted(key), "a boolean");
    }
    return node->as_bool();
  }

  std::vector<std::string> read_list(const YamlNode& node,
                                     std::string_view what) {
    std::vector<std::string> values;
    if (!node.is_sequence()) {
      wrong_kind(node, what, "a list");
      return values;
    }
    for (const YamlNode* item : node.items()) {
      if (item->is_scalar()) {
        values.emplace_back(item->value());
      } else {
        wrong_kind(*item, "an element of " + std::string{what}, "a scalar");
      }
    }
    return values;
  }

  std::vector<std::string> read_list_at(const YamlNode& mapping,
                                        std::string_view key) {
    const YamlNode* node = mapping.find(key);
    return node == nullptr ? std::vector<std::string>{}
                           : read_list(*node, quoted(key));
  }

  // Elements may be anything.
  void check_list_at(const YamlNode& mapping, std::string_view key) {
    const YamlNode* node = mapping.find(key);
    if (node != nullptr && !node->is_sequence()) {
      wrong_kind(*node, quoted(key), "a list");
    }
  }

  // Null if there is no such mapping.
  const YamlNode* find_mapping(const YamlNode& mapping, std::string_view key) {
    const YamlNode* node = mapping.find(key);
    return node != nullptr && check_mapping(*node, quoted(key)) ? node
                                                                : nullptr;
  }

  static std::string quoted(std::string_view key) {
    return '\'' + std::string{key} + '\'';
  }

 private:
  text::Diagnostics& diagnostics_;
  bool failed_ = false;
};

SelectiveBuildOperator read_operator(Reader& reader,
                                     const YamlNode::Entry& entry) {
  const YamlNode& info = *entry.value;
  const std::string_view op_name = entry.key->value();
  if (!reader.check_mapping(info, Reader::quoted(op_name))) {
    return {};
  }
  reader.check_keys(info,
                    {"name",
                     "is_root_operator",
                     "is_used_for_training",
                     "include_all_overloads",
                     "debug_info"});
  const YamlNode* name = info.find("name");
  if (name != nullptr && (!name->is_string() || name->value() != op_name)) {
    reader.error(text::DiagnosticId::kSelectionName, name->range(), {op_name})
        .note(entry.key->range(), "the entry is here");
  }
  reader.check_list_at(info, "debug_info");
  return {reader.read_bool(info, "is_root_operator", true),
          reader.read_bool(info, "is_used_for_training", true),
          reader.read_bool(info, "include_all_overloads", true)};
}

SelectiveBuilder read_selection(Reader& reader, const YamlNode& root) {
  SelectiveBuilder selector;
  reader.check_keys(root,
                    {"include_all_non_op_selectives",
                     "include_all_operators",
                     "debug_info",
                     "operators",
                     "kernel_metadata",
                     "et_kernel_metadata",
                     "custom_classes",
                     "build_features"});
  selector.include_all_operators =
      reader.read_bool(root, "include_all_operators", false);
  selector.include_all_non_op_selectives =
      reader.read_bool(root, "include_all_non_op_selectives", false);
  reader.check_list_at(root, "debug_info");
  reader.find_mapping(root, "et_kernel_metadata");
  if (const YamlNode* operators = reader.find_mapping(root, "operators")) {
    for (const YamlNode::Entry& entry : operators->entries()) {
      selector.operators[std::string{entry.key->value()}] =
          read_operator(reader, entry);
    }
  }
  if (const YamlNode* kernels = reader.find_mapping(root, "kernel_metadata")) {
    for (const YamlNode::Entry& entry : kernels->entries()) {
      const std::string_view tag = entry.key->value();
      selector.kernel_metadata[std::string{tag}] =
          reader.read_list(*entry.value, Reader::quoted(tag));
    }
  }
  for (std::string& name : reader.read_list_at(root, "custom_classes")) {
    selector.custom_classes.insert(std::move(name));
  }
  for (std::string& name : reader.read_list_at(root, "build_features")) {
    selector.build_features.insert(std::move(name));
  }
  return selector;
}

}  // namespace

std::optional<SelectiveBuilder> selective_builder_from_yaml(
    const text::YamlDocument& document, text::Diagnostics& diagnostics) {
  if (document.root() == nullptr) {
    return std::nullopt;
  }
  Reader reader{diagnostics};
  if (!reader.check_mapping(*document.root(), "an operator selection")) {
    return std::nullopt;
  }
  SelectiveBuilder selector = read_selection(reader, *document.root());
  if (reader.failed()) {
    return std::nullopt;
  }
  return selector;
}

std::optional<SelectiveBuilder> get_custom_build_selector(
    const std::optional<std::vector<std::string>>& op_registration_allowlist,
    const std::optional<std::string>& op_selection_yaml_path,
    text::Diagnostics& diagnostics,
    std::vector<std::shared_ptr<const void>>& keep) {
  if (op_registration_allowlist && op_selection_yaml_path) {
    diagnostics.error(text::DiagnosticId::kSelectionTwice, {});
    return std::nullopt;
  }
  if (op_registration_allowlist) {
    return SelectiveBuilder::from_legacy_op_registration_allow_list(
        *op_registration_allowlist, true, false);
  }
  if (!op_selection_yaml_path) {
    return SelectiveBuilder::get_nop_selector();
  }
  const std::size_t errors = diagnostics.error_count();
  const text::YamlDocument document =
      text::YamlDocument::read(*op_selection_yaml_path, diagnostics);
  keep.push_back(document.shared_file());
  if (diagnostics.error_count() != errors) {
    return std::nullopt;
  }
  return selective_builder_from_yaml(document, diagnostics);
}

}  // namespace opgen::schema
