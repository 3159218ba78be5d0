#include "opgen/emit/functionalization_arguments.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <variant>

#include "opgen/api/cpp.h"
#include "opgen/emit/functionalization_text.h"

namespace opgen::emit {
namespace {

struct OwningType {
  const std::string& cpp_type;
  std::string value;  // of this type, made from the argument
};

OwningType get_owning_type(const api::CType* t, const std::string& argument) {
  static const api::CType* const kTensorVector =
      api::CType::vector(api::kTensorT);
  if (t == api::kTensorListT) {
    return {kTensorVector->cpp_type(), argument + ".vec()"};
  }
  if (t == api::kITensorListRefT) {
    return {kTensorVector->cpp_type(),
            "{" + argument + ".begin(), " + argument + ".end()}"};
  }
  return {t->cpp_type(), argument};
}

constexpr std::string_view kUnwrap =
    R"text(
      $type$ $unwrapped$;
      if (at::functionalization::impl::isFunctionalTensor($name$)) {
        $sync$
        $unwrapped$ = at::functionalization::impl::from_functional_tensor($name$);
      } else {
        $unwrapped$ = $value$;
      })text";

}  // namespace

bool modifies_arguments(const model::NativeFunction& f) {
  return std::ranges::any_of(f.func.arguments.flat_all(),
                             &model::Argument::is_write);
}

std::string wrapper_name(const model::FunctionSchema& func) {
  std::string name = api::cpp::name(func);
  if (!func.name.overload_name.empty()) {
    name.append("_").append(func.name.overload_name);
  }
  return name;
}

bool is_tensor_like(const model::AnyArgument& a) {
  if (const auto* argument = std::get_if<const model::Argument*>(&a)) {
    return (*argument)->type->is_tensor_like();
  }
  return std::holds_alternative<model::SelfArgument>(a);
}

ConvertedArguments unwrap_tensor_args(std::span<const api::Binding> arguments,
                                      bool is_view_op) {
  ConvertedArguments result;
  result.context.reserve(arguments.size());
  for (const api::Binding& arg : arguments) {
    if (!is_tensor_like(arg.argument)) {
      result.context.push_back(arg);
      continue;
    }
    std::string unwrapped = arg.name + "_";
    const OwningType owning =
        get_owning_type(arg.nctype.type->remove_const_ref(), arg.name);
    if (!result.statements.empty()) {
      result.statements.append("\n      ");
    }
    fill(result.statements,
         kUnwrap,
         {{"type", owning.cpp_type},
          {"unwrapped", unwrapped},
          {"name", arg.name},
          {"sync",
           is_view_op ? ""
                      : "at::functionalization::impl::sync(" + arg.name + ");"},
          {"value", owning.value}});
    result.context.push_back(arg.with_name(std::move(unwrapped)));
  }
  return result;
}

ConvertedArguments convert_to_meta_tensors(
    std::span<const api::Binding> arguments) {
  ConvertedArguments result;
  result.context.reserve(arguments.size());
  for (const api::Binding& arg : arguments) {
    if (!is_tensor_like(arg.argument)) {
      result.context.push_back(arg);
      continue;
    }
    if (!result.statements.empty()) {
      result.statements.append("\n        ");
    }
    fill(result.statements,
         "auto $name$_meta = to_meta($name$);",
         {{"name", arg.name}});
    result.context.push_back(arg.with_name(arg.name + "_meta"));
  }
  return result;
}

}  // namespace opgen::emit
