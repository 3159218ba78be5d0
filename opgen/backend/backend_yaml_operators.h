// The lists of operators in a backend's description.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "opgen/backend/backend_yaml.h"

namespace opgen::backend {

class OperatorLists {
 public:
  OperatorLists(const OperatorNames& names,
                BackendYaml& yaml,
                text::Diagnostics& diagnostics)
      : names_(&names), yaml_(&yaml), diagnostics_(&diagnostics) {}

  // Operators under `symint`; call it before the others.
  void read_symint(std::span<const text::YamlNode* const> items);
  // `key` is "supported", "full_codegen", "autograd" or "structured".
  void read(std::string_view key, std::span<const text::YamlNode* const> items);
  // What must hold between the lists.
  void check() const;

 private:
  struct Entry;

  std::optional<Entry> read_entry(std::string_view key,
                                  const text::YamlNode& item);
  void read_attributes(std::string_view key,
                       const text::YamlNode& item,
                       Entry& entry);
  void add(std::string_view key, const Entry& entry);
  void add_structured(std::string_view key, const Entry& entry);
  const model::NativeFunction* find(const text::YamlNode& name);
  void twice(std::string_view name,
             text::SourceRange where,
             text::SourceRange first);
  void check_mixed_variants() const;
  void check_structured() const;
  void check_symint() const;

  const OperatorNames* names_;
  BackendYaml* yaml_;
  text::Diagnostics* diagnostics_;

  struct Symint {
    text::SourceRange where;
    bool used = false;
  };

  std::map<std::string, Symint, std::less<>> symint_;
};

}  // namespace opgen::backend
