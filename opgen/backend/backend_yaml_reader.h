// Values of a mapping by their keys, with checks of their types.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "opgen/text/diagnostics.h"
#include "opgen/text/yaml.h"

namespace opgen::backend {

class MappingReader {
 public:
  // `node` is a mapping. Reports keys that are not among `keys`.
  MappingReader(const text::YamlNode& node,
                std::span<const std::string_view> keys,
                text::Diagnostics& diagnostics);

  // Null if the key is absent.
  const text::YamlNode* find(std::string_view key) const {
    return node_->find(key);
  }

  // Absent if the key is, or if its value is no boolean, which is reported.
  std::optional<bool> get_bool(std::string_view key) const;
  // The same for text, null if there is none; a null is no value.
  const text::YamlNode* get_string(std::string_view key) const;
  // As get_string, and reports what is no C++ identifier, or, if `qualified`,
  // no list of them with "::" between.
  std::string get_identifier(std::string_view key, bool qualified) const;
  // The elements of a list; none if the key is absent or, where allowed, null.
  std::span<const text::YamlNode* const> get_list(std::string_view key,
                                                  bool may_be_null) const;
  // Strings of a list, or the one string that stands in its place.
  std::vector<std::string> get_strings(std::string_view key) const;

  // Reports that a value is not `expected`, "a list".
  void wrong_type(std::string_view key,
                  const text::YamlNode& value,
                  std::string_view expected) const;
  // Reports that the key is not there.
  void missing(std::string_view key) const;

 private:
  const text::YamlNode* node_;
  text::Diagnostics* diagnostics_;
};

}  // namespace opgen::backend
