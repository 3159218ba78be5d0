#include "opgen/emit/functionalization_symbolic.h"

#include <variant>

#include "opgen/api/error.h"
#include "opgen/emit/functionalization_text.h"

namespace opgen::emit {

std::string emit_expr_has_symbolic_values(const std::string& expr,
                                          const api::CType* type) {
  static const api::CType* const kSymIntVector =
      api::CType::vector(api::kSymIntT);
  if (type == api::kSymIntT) {
    return expr + ".is_symbolic()";
  }
  if (type->is(api::CType::Kind::kOptional)) {
    return expr + ".has_value() ? " +
           emit_expr_has_symbolic_values("(*" + expr + ")", type->elem()) +
           " : false";
  }
  if (type == api::kOptionalSymIntArrayRefT) {
    return emit_expr_has_symbolic_values(
        expr, api::CType::optional(api::kSymIntArrayRefT));
  }
  if (type == api::kSymIntArrayRefT || type == kSymIntVector) {
    return filled(
        "std::any_of($expr$.begin(), $expr$.end(), [=](auto& arg) { return "
        "$check$; })",
        {{"expr", expr},
         {"check", emit_expr_has_symbolic_values("arg", api::kSymIntT)}});
  }
  throw api::ApiError("cannot look for symbolic values in a " +
                      type->cpp_type());
}

std::string emit_has_symbolic_inputs(std::span<const api::Binding> arguments) {
  std::string text = "\n      bool has_symbolic_inputs = false;\n      ";
  bool first = true;
  for (const api::Binding& binding : arguments) {
    const auto* argument =
        std::get_if<const model::Argument*>(&binding.argument);
    if (argument == nullptr || !(*argument)->type->is_symint_like()) {
      continue;
    }
    text.append(first ? "" : "\n      ");
    first = false;
    fill(text,
         "has_symbolic_inputs = has_symbolic_inputs | ($check$);",
         {{"check",
           emit_expr_has_symbolic_values(binding.name, binding.nctype.type)}});
  }
  return text;
}

}  // namespace opgen::emit
