#include "opgen/emit/declarations_yaml.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "opgen/api/context.h"
#include "opgen/api/cpp.h"
#include "opgen/api/types/binding.h"
#include "opgen/api/types/signatures.h"
#include "opgen/emit/str_append.h"
#include "opgen/model/function_schema.h"
#include "opgen/model/native_function.h"
#include "opgen/model/type.h"

namespace opgen::emit {

namespace cpp = api::cpp;

namespace {

bool contains(std::span<const model::Argument> arguments,
              std::string_view name) {
  return std::ranges::any_of(
      arguments, [name](const model::Argument& a) { return a.name == name; });
}

// The name of the return that the output stands for; of several outputs of one
// name the last counts.
std::optional<std::string_view> field_name(const model::FunctionSchema& func,
                                           std::string_view output) {
  const auto outs = func.arguments.out();
  const std::size_t count = std::min(outs.size(), func.returns.size());
  for (std::size_t i = count; i-- > 0;) {
    const auto& name = func.returns[i].name;
    if (outs[i].name == output && name && !name->empty()) {
      return *name;
    }
  }
  return std::nullopt;
}

bool is_options(const api::Binding& a) {
  return std::holds_alternative<model::TensorOptionsArguments>(a.argument);
}

}  // namespace

std::string_view dynamic_type(const model::Type* t, api::Locals locals) {
  while (t->is_optional()) {
    t = t->elem();
  }
  if (t->is(model::BaseTy::kTensor)) {
    return "at::Tensor";
  }
  return cpp::argumenttype_type(t, {}, locals)->cpp_type();
}

std::vector<std::string_view> compute_method_of_yaml(
    const model::NativeFunction& f) {
  std::vector<std::string_view> method_of = {"Type"};
  if (f.method_variant) {
    method_of.emplace_back("Tensor");
  }
  if (f.function_variant) {
    method_of.emplace_back("namespace");
  }
  return method_of;
}

std::vector<ReturnYaml> compute_returns_yaml(const model::NativeFunction& f) {
  const api::Locals locals = api::locals_of(f);
  std::vector<std::string> names = cpp::return_names(f);
  std::vector<ReturnYaml> returns;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const model::Return& r = f.func.returns[i];
    ReturnYaml& ret = returns.emplace_back();
    ret.dynamic_type = dynamic_type(r.type, locals);
    ret.name = std::move(names[i]);
    ret.type = cpp::return_type(r, locals)->cpp_type();
    if (r.name && !r.name->empty()) {
      ret.field_name = *r.name;
    }
  }
  return returns;
}

ArgumentYaml compute_argument_yaml(const model::Argument& a,
                                   const model::NativeFunction& f) {
  const api::Locals locals = api::locals_of(f);
  const model::Arguments& all = f.func.arguments;
  ArgumentYaml arg;
  if (a.annotation) {
    arg.annotation = a.annotation->str();
  }
  arg.dynamic_type = dynamic_type(a.type, locals);
  arg.is_nullable = a.type->is_nullable();
  arg.name = a.name;
  // Interned, so that the view stays valid.
  arg.type = cpp::argument_type(a, {}, false, locals).type->cpp_type();
  if (a.default_value) {
    arg.default_value =
        pythonify_default(cpp::default_expr(*a.default_value, a.type, false));
  }
  arg.kwarg_only = contains(all.flat_kwarg_only(), a.name);
  if (contains(all.out(), a.name)) {
    arg.output = true;
    arg.field_name = field_name(f.func, a.name);
  }
  const model::Type* list = a.type->is_list_like();
  if (list != nullptr && list->size() &&
      !list->elem()->is(model::BaseTy::kBool)) {
    arg.size = list->size();
  }
  return arg;
}

ArgumentYaml compute_cpp_argument_yaml(const api::Binding& cpp_a,
                                       const model::NativeFunction& f) {
  if (const auto* a = std::get_if<const model::Argument*>(&cpp_a.argument)) {
    return compute_argument_yaml(**a, f);
  }
  if (!is_options(cpp_a)) {
    throw std::logic_error("a binding of the C++ API stands for self");
  }
  ArgumentYaml arg;
  arg.dynamic_type = "at::TensorOptions";
  arg.name = cpp_a.name;
  arg.type = cpp_a.type();
  arg.kwarg_only = true;
  if (cpp_a.default_value) {
    arg.default_value = *cpp_a.default_value;
  }
  return arg;
}

DeclarationYaml compute_declaration_yaml(const model::NativeFunction& f) {
  DeclarationYaml declaration;
  declaration.f = &f;
  declaration.name = cpp::name(f.func);
  declaration.operator_name = f.func.name.name.str();
  declaration.schema_string = "aten::" + f.func.str();
  declaration.returns = compute_returns_yaml(f);
  declaration.method_of = compute_method_of_yaml(f);

  const auto schema_order = f.func.arguments.flat_all();
  std::vector<ArgumentYaml>& arguments = declaration.schema_order_arguments;
  std::string& signature = declaration.schema_order_cpp_signature;
  str_append(signature,
             cpp::returns_type(f.func.returns, api::locals_of(f))->cpp_type(),
             " (");
  for (const model::Argument& a : schema_order) {
    arguments.push_back(compute_argument_yaml(a, f));
    str_append(
        signature, arguments.size() == 1 ? "" : ", ", arguments.back().type);
  }
  signature += ')';

  bool has_options = false;
  const auto group = api::CppSignatureGroup::from_native_function(f, false);
  for (const api::Binding& a : group.signature.arguments()) {
    has_options = has_options || is_options(a);
    const auto* argument = std::get_if<const model::Argument*>(&a.argument);
    if (argument != nullptr) {
      // Bindings point into the schema.
      declaration.arguments.push_back(
          arguments[static_cast<std::size_t>(*argument - schema_order.data())]);
    } else {
      declaration.arguments.push_back(compute_cpp_argument_yaml(a, f));
    }
  }
  declaration.is_factory_method = has_options && !f.method_variant;
  return declaration;
}

}  // namespace opgen::emit
