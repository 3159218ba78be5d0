#include "opgen/text/yaml.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <optional>
#include <string>
#include <utility>

#include "opgen/text/diagnostics.h"
#include "opgen/text/read_file.h"
#include "opgen/text/source.h"
#include "opgen/text/yaml_builder.h"
#include "opgen/text/yaml_marks.h"
#include "opgen/text/yaml_scalar.h"

namespace opgen::text {

struct YamlDocument::Storage {
  std::pmr::monotonic_buffer_resource arena{std::size_t{64} << 10U};
};

std::optional<std::int64_t> YamlNode::as_int() const {
  return is_int() ? yaml_int(value_) : std::nullopt;
}

std::optional<double> YamlNode::as_float() const {
  return is_float() ? yaml_float(value_) : std::nullopt;
}

const YamlNode::Entry* YamlNode::find_entry(std::string_view key) const {
  for (const Entry& entry : entries_) {
    if (entry.key->value_ == key && entry.key->is_string()) {
      return &entry;
    }
  }
  return nullptr;
}

const YamlNode* YamlNode::find(std::string_view key) const {
  const Entry* entry = find_entry(key);
  return entry == nullptr ? nullptr : entry->value;
}

std::string_view YamlNode::describe() const {
  if (!is_scalar()) {
    return is_mapping() ? "a mapping" : "a list";
  }
  switch (type_) {
    case YamlType::kNull:
      return "null";
    case YamlType::kBool:
      return "a boolean";
    case YamlType::kInt:
      return "an integer";
    case YamlType::kFloat:
      return "a number";
    case YamlType::kTimestamp:
      return "a timestamp";
    case YamlType::kString:
    case YamlType::kMerge:
    case YamlType::kValue:
      break;
  }
  return "a string";
}

YamlDocument::YamlDocument(std::shared_ptr<const SourceFile> file,
                           Diagnostics& diagnostics,
                           const YamlLimits& limits)
    : file_(std::move(file)), storage_(std::make_unique<Storage>()) {
  const std::string_view text = file_->contents();
  if (text.size() > limits.bytes) {
    diagnostics.error(DiagnosticId::kYamlTooLarge,
                      {file_.get(), 0, 0},
                      {std::to_string(limits.bytes)});
    return;
  }
  const YamlMarks marks(text);
  if (const auto invalid = marks.invalid()) {
    diagnostics.error(DiagnosticId::kYamlNotUtf8,
                      {file_.get(), *invalid, *invalid + 1});
    return;
  }
  YamlBuilder builder(*file_, marks, limits, storage_->arena, diagnostics);
  root_ = builder.build();
}

YamlDocument YamlDocument::read(const std::string& path,
                                Diagnostics& diagnostics) {
  std::string contents;
  const std::string error = read_file(path, contents);
  auto file = std::make_shared<const SourceFile>(path, std::move(contents));
  if (!error.empty()) {
    diagnostics.error(DiagnosticId::kFileCannotRead, {}, {path, error});
    YamlDocument document(std::move(file), diagnostics);
    document.root_ = nullptr;
    return document;
  }
  return {std::move(file), diagnostics};
}

YamlDocument::~YamlDocument() = default;
YamlDocument::YamlDocument(YamlDocument&&) noexcept = default;
YamlDocument& YamlDocument::operator=(YamlDocument&&) noexcept = default;

}  // namespace opgen::text
