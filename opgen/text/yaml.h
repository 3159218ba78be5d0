// YAML documents with the place of every node.
//
// A document is read by libyaml and typed as PyYAML's SafeLoader does it, with
// two differences: tags are refused, and a key that a mapping has twice is an
// error. Nodes are immutable and belong to their document, which also keeps the
// file; all of it may be read from several threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "opgen/text/diagnostics.h"
#include "opgen/text/source.h"
#include "opgen/text/yaml_scalar.h"

namespace opgen::text {

enum class YamlKind : std::uint8_t { kScalar, kSequence, kMapping };

enum class YamlStyle : std::uint8_t {
  kPlain,
  kSingleQuoted,
  kDoubleQuoted,
  kLiteral,
  kFolded,
  kBlock,
  kFlow,
};

class YamlNode {
 public:
  struct Entry {
    const YamlNode* key;
    const YamlNode* value;
  };

  YamlKind kind() const { return kind_; }

  YamlStyle style() const { return style_; }

  // Block collections end where their last element ends.
  const SourceRange& range() const { return range_; }

  bool is_scalar() const { return kind_ == YamlKind::kScalar; }

  bool is_sequence() const { return kind_ == YamlKind::kSequence; }

  bool is_mapping() const { return kind_ == YamlKind::kMapping; }

  // Scalars. All but plain ones are strings.
  YamlType type() const { return type_; }

  // Escapes and line folding resolved; empty for collections.
  std::string_view value() const { return value_; }

  bool is_null() const { return has_type(YamlType::kNull); }

  bool is_bool() const { return has_type(YamlType::kBool); }

  bool is_int() const { return has_type(YamlType::kInt); }

  bool is_float() const { return has_type(YamlType::kFloat); }

  bool is_timestamp() const { return has_type(YamlType::kTimestamp); }

  // Also "<<" and "=" where they stand for themselves.
  bool is_string() const {
    return has_type(YamlType::kString) || has_type(YamlType::kMerge) ||
           has_type(YamlType::kValue);
  }

  // False unless is_bool() and true.
  bool as_bool() const { return is_bool() && yaml_bool(value_); }

  // Empty unless is_int() and within the range of the type.
  std::optional<std::int64_t> as_int() const;
  std::optional<double> as_float() const;

  // Elements of a sequence; empty for other kinds.
  std::span<const YamlNode* const> items() const { return items_; }

  // Of a mapping, in their order; merge keys are resolved. Keys are scalars.
  std::span<const Entry> entries() const { return entries_; }

  // The entry whose key is this string; null if there is none.
  const Entry* find_entry(std::string_view key) const;
  const YamlNode* find(std::string_view key) const;

  // "a mapping", "a list", "null", "a boolean", "an integer", "a number",
  // "a timestamp", "a string".
  std::string_view describe() const;

 private:
  friend class YamlBuilder;

  bool has_type(YamlType type) const { return is_scalar() && type_ == type; }

  SourceRange range_;
  std::string_view value_;
  std::span<const YamlNode* const> items_;
  std::span<const Entry> entries_;
  std::size_t expanded_size_ = 1;
  YamlKind kind_ = YamlKind::kScalar;
  YamlStyle style_ = YamlStyle::kPlain;
  YamlType type_ = YamlType::kString;
};

// Where byte `index` of a scalar's value stands in the file; value().size()
// gives the place after the last. Places inside white space that spans lines
// are those of the line break or of the indentation after it.
std::size_t location_in(const YamlNode& node, std::size_t index);
// The range of the bytes [begin, end) of the value.
SourceRange range_in(const YamlNode& node, std::size_t begin, std::size_t end);

struct YamlLimits {
  std::size_t bytes = std::size_t{64} << 20U;
  std::size_t depth = 200;
  // With every alias counted as a copy.
  std::size_t nodes = 4'000'000;
};

class YamlDocument {
 public:
  // Never throws for what is in the file. What is wrong goes to `diagnostics`;
  // if the text is not YAML at all, root() is null. An empty document is null.
  YamlDocument(std::shared_ptr<const SourceFile> file,
               Diagnostics& diagnostics,
               const YamlLimits& limits = {});
  // Reads the file; root() is null if it cannot be read.
  static YamlDocument read(const std::string& path, Diagnostics& diagnostics);

  ~YamlDocument();
  YamlDocument(YamlDocument&&) noexcept;
  YamlDocument& operator=(YamlDocument&&) noexcept;
  YamlDocument(const YamlDocument&) = delete;
  YamlDocument& operator=(const YamlDocument&) = delete;

  const YamlNode* root() const { return root_; }

  const SourceFile& file() const { return *file_; }

  const std::shared_ptr<const SourceFile>& shared_file() const { return file_; }

 private:
  struct Storage;

  std::shared_ptr<const SourceFile> file_;
  std::unique_ptr<Storage> storage_;
  const YamlNode* root_ = nullptr;
};

}  // namespace opgen::text
