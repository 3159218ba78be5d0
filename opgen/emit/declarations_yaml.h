// Declarations.yaml: what every function looks like in the public C++ API and
// in its schema. The data, as torchgen.gen.compute_declaration_yaml makes it;
// declarations_yaml_text.h writes it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "opgen/api/types/binding.h"
#include "opgen/model/function_schema.h"
#include "opgen/model/native_function.h"
#include "opgen/model/native_functions.h"

namespace opgen::emit {

// A whole number of any size, as Python prints it.
struct PythonInt {
  std::string digits;
  bool operator==(const PythonInt&) const = default;
};

using PythonValue = std::variant<bool, PythonInt, double, std::string>;

// Defaults that read as a bool or a number become one.
PythonValue pythonify_default(std::string_view s);

// Views point to interned types and into the schema.
struct ArgumentYaml {
  std::optional<std::string> annotation;
  std::optional<PythonValue> default_value;
  std::string_view dynamic_type;
  std::optional<std::string_view> field_name;
  bool is_nullable = false;
  bool kwarg_only = false;
  std::string name;
  bool output = false;  // then "allocate" is set too
  std::optional<std::int64_t> size;
  std::string_view type;
};

struct ReturnYaml {
  std::string_view dynamic_type;
  std::optional<std::string_view> field_name;
  std::string name;
  std::string_view type;
};

struct DeclarationYaml {
  const model::NativeFunction* f = nullptr;
  std::string name;
  std::string operator_name;
  std::string schema_string;
  std::vector<ArgumentYaml> arguments;
  std::string schema_order_cpp_signature;
  std::vector<ArgumentYaml> schema_order_arguments;
  std::vector<std::string_view> method_of;
  std::vector<ReturnYaml> returns;
  bool is_factory_method = false;
};

std::string_view dynamic_type(const model::Type* t, api::Locals locals);
std::vector<std::string_view> compute_method_of_yaml(
    const model::NativeFunction& f);
std::vector<ReturnYaml> compute_returns_yaml(const model::NativeFunction& f);
ArgumentYaml compute_argument_yaml(const model::Argument& a,
                                   const model::NativeFunction& f);
ArgumentYaml compute_cpp_argument_yaml(const api::Binding& cpp_a,
                                       const model::NativeFunction& f);

// Refers to `f`. Throws what api throws for schemas that it cannot express.
DeclarationYaml compute_declaration_yaml(const model::NativeFunction& f);

// As PyYAML dumps a list of them.
std::string format_yaml(std::span<const DeclarationYaml> declarations);

// The whole file. Throws what compute_declaration_yaml throws.
std::string declarations_yaml(const model::NativeFunctions& native_functions);

}  // namespace opgen::emit
