// The fields of an entry of native_functions.yaml by their names, with checks
// of their types.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "opgen/text/diagnostics.h"
#include "opgen/text/yaml.h"

namespace opgen::schema {

enum class Field : std::uint8_t {
  kFunc,
  kCppNoDefaultArgs,
  kUseConstRefForMutableTensors,
  kVariants,
  kManualKernelRegistration,
  kManualCppBinding,
  kDeviceGuard,
  kDeviceCheck,
  kStructured,
  kStructuredDelegate,
  kStructuredInherits,
  kPythonModule,
  kCategoryOverride,
  kPrecomputed,
  kTags,
  kDispatch,
  kAutogen,
  kUfuncInnerLoop,
};

inline constexpr std::size_t kFieldCount = 18;

std::string_view name_of(Field field);

class EntryFields {
 public:
  // `node` is a mapping. Reports keys that are no fields.
  EntryFields(const text::YamlNode& node, text::Diagnostics& diagnostics);

  // Null if the entry does not have the field.
  const text::YamlNode* find(Field field) const {
    return nodes_.at(static_cast<std::size_t>(field));
  }

  // The value, or `otherwise` where there is none or one of another type, which
  // is reported.
  bool get_bool(Field field, bool otherwise) const;
  // A null is no value in get_optional_string and an error in get_string.
  std::optional<std::string_view> get_optional_string(Field field) const;
  std::optional<std::string_view> get_string(Field field) const;

  // Reports that the field is not `expected`, "a list".
  void wrong_type(Field field, std::string_view expected) const;
  // The value's range; the entry's beginning if there is no such field.
  text::SourceRange range(Field field) const;

 private:
  std::array<const text::YamlNode*, kFieldCount> nodes_ = {};
  text::SourceRange begin_;
  text::Diagnostics* diagnostics_;
};

}  // namespace opgen::schema
