// What a plain YAML scalar is, by the rules of PyYAML's SafeLoader (YAML 1.1).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace opgen::text {

enum class YamlType : std::uint8_t {
  kString,
  kNull,
  kBool,
  kInt,
  kFloat,
  kTimestamp,
  kMerge,  // <<
  kValue,  // =
};

YamlType resolve_plain_scalar(std::string_view text);

// For texts of the type; empty for a number that int64_t or double cannot hold
// or that has no digits ("0x_").
bool yaml_bool(std::string_view text);
std::optional<std::int64_t> yaml_int(std::string_view text);
std::optional<double> yaml_float(std::string_view text);

// False for texts of type kInt that PyYAML cannot convert: "0x_".
bool yaml_int_has_digits(std::string_view text);

}  // namespace opgen::text
