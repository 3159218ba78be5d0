#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "opgen/emit/declarations_yaml.h"
#include "opgen/model/native_function.h"
#include "opgen/model/native_functions.h"
#include "opgen/text/yaml_writer.h"

namespace opgen::emit {

namespace {

using text::YamlWriter;

void write_string(YamlWriter& yaml,
                  std::string_view key,
                  std::string_view value) {
  yaml.string(key);
  yaml.string(value);
}

void write_bool(YamlWriter& yaml, std::string_view key, bool value) {
  yaml.string(key);
  yaml.boolean(value);
}

void write_default(YamlWriter& yaml, const PythonValue& value) {
  yaml.string("default");
  if (const auto* flag = std::get_if<bool>(&value)) {
    yaml.boolean(*flag);
  } else if (const auto* number = std::get_if<PythonInt>(&value)) {
    yaml.integer(number->digits);
  } else if (const auto* real = std::get_if<double>(&value)) {
    yaml.real(*real);
  } else {
    yaml.string(std::get<std::string>(value));
  }
}

// torchgen makes these and returns as plain dicts, which PyYAML sorts by key.
void write_argument(YamlWriter& yaml, const ArgumentYaml& argument) {
  yaml.begin_mapping();
  if (argument.output) {
    write_bool(yaml, "allocate", true);
  }
  if (argument.annotation) {
    write_string(yaml, "annotation", *argument.annotation);
  } else {
    yaml.string("annotation");
    yaml.null();
  }
  if (argument.default_value) {
    write_default(yaml, *argument.default_value);
  }
  write_string(yaml, "dynamic_type", argument.dynamic_type);
  if (argument.field_name) {
    write_string(yaml, "field_name", *argument.field_name);
  }
  write_bool(yaml, "is_nullable", argument.is_nullable);
  if (argument.kwarg_only) {
    write_bool(yaml, "kwarg_only", true);
  }
  write_string(yaml, "name", argument.name);
  if (argument.output) {
    write_bool(yaml, "output", true);
  }
  if (argument.size) {
    yaml.string("size");
    yaml.integer(*argument.size);
  }
  write_string(yaml, "type", argument.type);
  yaml.end_mapping();
}

void write_arguments(YamlWriter& yaml,
                     std::string_view key,
                     const std::vector<ArgumentYaml>& arguments) {
  yaml.string(key);
  yaml.begin_sequence();
  for (const ArgumentYaml& argument : arguments) {
    write_argument(yaml, argument);
  }
  yaml.end_sequence();
}

void write_returns(YamlWriter& yaml, const std::vector<ReturnYaml>& returns) {
  yaml.string("returns");
  yaml.begin_sequence();
  for (const ReturnYaml& ret : returns) {
    yaml.begin_mapping();
    write_string(yaml, "dynamic_type", ret.dynamic_type);
    if (ret.field_name) {
      write_string(yaml, "field_name", *ret.field_name);
    }
    write_string(yaml, "name", ret.name);
    write_string(yaml, "type", ret.type);
    yaml.end_mapping();
  }
  yaml.end_sequence();
}

// An OrderedDict in torchgen: not sorted.
void write_declaration(YamlWriter& yaml, const DeclarationYaml& declaration) {
  const model::NativeFunction& f = *declaration.f;
  yaml.begin_mapping();
  write_string(yaml, "name", declaration.name);
  write_string(yaml, "operator_name", declaration.operator_name);
  write_string(yaml, "overload_name", f.func.name.overload_name);
  write_bool(yaml, "manual_kernel_registration", f.manual_kernel_registration);
  write_string(yaml, "category_override", f.category_override.value_or(""));
  write_string(yaml, "schema_string", declaration.schema_string);
  write_arguments(yaml, "arguments", declaration.arguments);
  write_string(yaml,
               "schema_order_cpp_signature",
               declaration.schema_order_cpp_signature);
  write_arguments(
      yaml, "schema_order_arguments", declaration.schema_order_arguments);
  yaml.string("method_of");
  yaml.begin_sequence();
  for (const std::string_view owner : declaration.method_of) {
    yaml.string(owner);
  }
  yaml.end_sequence();
  write_string(yaml, "mode", "native");
  write_string(yaml, "python_module", f.python_module.value_or(""));
  write_returns(yaml, declaration.returns);
  write_bool(yaml, "inplace", f.func.name.name.inplace);
  write_bool(yaml, "is_factory_method", declaration.is_factory_method);
  write_bool(yaml, "abstract", f.is_abstract);
  write_bool(yaml, "device_guard", f.device_guard);
  write_bool(yaml, "with_gil", false);
  write_bool(yaml, "deprecated", false);
  write_bool(yaml, "has_math_kernel", f.has_composite_implicit_autograd_kernel);
  yaml.end_mapping();
}

}  // namespace

std::string format_yaml(std::span<const DeclarationYaml> declarations) {
  YamlWriter yaml;
  yaml.begin_sequence();
  for (const DeclarationYaml& declaration : declarations) {
    write_declaration(yaml, declaration);
  }
  yaml.end_sequence();
  return yaml.write();
}

std::string declarations_yaml(const model::NativeFunctions& native_functions) {
  YamlWriter yaml;
  yaml.begin_sequence();
  for (const auto& f : native_functions.functions) {
    write_declaration(yaml, compute_declaration_yaml(*f));
  }
  yaml.end_sequence();
  return yaml.write();
}

}  // namespace opgen::emit
