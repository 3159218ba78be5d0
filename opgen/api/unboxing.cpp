#include "opgen/api/unboxing.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "opgen/api/context.h"
#include "opgen/api/cpp.h"
#include "opgen/api/types/binding.h"
#include "opgen/api/types/ctype.h"
#include "opgen/api/types/signatures.h"
#include "opgen/model/function_schema.h"
#include "opgen/model/native_function.h"
#include "opgen/model/type.h"

namespace opgen::api::unboxing {
namespace {

using model::BaseTy;

std::string concat(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) {
    text += part;
  }
  return text;
}

// The lines of a nested conversion, the first after `    `, the others after a
// tab.
void append_nested(std::vector<std::string>& code,
                   const std::vector<std::string>& nested) {
  for (std::size_t i = 0; i < nested.size(); ++i) {
    code.push_back(concat({i == 0 ? "    " : "\t", nested[i]}));
  }
  if (nested.empty()) {
    code.emplace_back("    ");
  }
}

void append_loop(std::vector<std::string>& code,
                 std::string_view elem_name,
                 std::string_view in_name,
                 std::string_view container,
                 const IvalueConversion& elem) {
  code.push_back(
      concat({"for (c10::IValue ", elem_name, ": ", in_name, ") {"}));
  append_nested(code, elem.code);
  code.push_back(
      concat({"    ", container, ".push_back(", elem.out_name, ");"}));
  code.emplace_back("}");
}

IvalueConversion convert_base(std::string_view arg_name, const CType* ctype) {
  IvalueConversion result{.out_name = concat({arg_name, "_base"}),
                          .ctype = ctype,
                          .code = {},
                          .decl = {}};
  const std::string& type = ctype->cpp_type_strip_ref();
  result.code.push_back(concat(
      {type, " ", result.out_name, " = ", arg_name, ".to<", type, ">();"}));
  return result;
}

IvalueConversion convert_optional(const model::Type& t,
                                  std::string_view arg_name,
                                  const CType* ctype,
                                  Locals locals) {
  const std::string opt_name = concat({arg_name, "_opt"});
  const std::string in_name = concat({arg_name, "_opt_in"});
  IvalueConversion elem = argumenttype_ivalue_convert(
      t.elem(), in_name, /*is_mutable=*/false, locals);
  IvalueConversion result{.out_name = concat({arg_name, "_opt_out"}),
                          .ctype = ctype,
                          .code = {},
                          .decl = std::move(elem.decl)};
  const std::string& type = ctype->cpp_type_strip_ref();
  const std::string& out = result.out_name;
  std::vector<std::string>& code = result.code;
  code = {
      "",
      concat(
          {"auto ", opt_name, " = ", arg_name, ".toOptional<c10::IValue>();"}),
      concat({type, " ", out, ";"}),
      concat({"if (", opt_name, ".has_value()) {"}),
      concat({"    const c10::IValue ", in_name, " = ", opt_name, ".value();"}),
  };
  append_nested(code, elem.code);
  code.push_back(concat({"    ", out, " = ", type, "(", elem.out_name, ");"}));
  code.emplace_back("} else {");
  code.push_back(concat({"    ", out, " = ", type, "();"}));
  code.emplace_back("}");
  code.emplace_back("        ");
  return result;
}

IvalueConversion convert_list(const model::Type& t,
                              std::string_view arg_name,
                              const CType* ctype,
                              Locals locals) {
  const std::string in_name = concat({arg_name, "_list_in"});
  const std::string elem_name = concat({arg_name, "_elem"});
  IvalueConversion elem = argumenttype_ivalue_convert(
      t.elem(), elem_name, /*is_mutable=*/false, locals);
  IvalueConversion result{.out_name = concat({arg_name, "_list_out"}),
                          .ctype = ctype,
                          .code = {},
                          .decl = std::move(elem.decl)};
  const std::string& type = ctype->cpp_type_strip_ref();
  const std::string& out = result.out_name;
  const std::string& elem_type = elem.ctype->cpp_type_strip_ref();
  std::vector<std::string>& code = result.code;
  code.push_back(concat({"const c10::List<c10::IValue> ",
                         in_name,
                         " = ",
                         arg_name,
                         ".toList();"}));
  code.emplace_back();
  const std::optional<std::int64_t> size = t.size();
  if (t.elem()->is(BaseTy::kBool) && size) {
    code.push_back(concat({type,
                           " ",
                           out,
                           " = as_array<",
                           elem_type,
                           ", ",
                           std::to_string(*size),
                           ">(",
                           in_name,
                           ");"}));
  } else if (t.elem()->is_optional()) {
    code.push_back(concat({type, " ", out, ";"}));
    append_loop(code, elem_name, in_name, out, elem);
  } else {
    const std::string vec_name = concat({arg_name, "_vec"});
    result.decl.push_back(
        concat({"std::vector<", elem_type, "> ", vec_name, ";"}));
    append_loop(code, elem_name, in_name, vec_name, elem);
    code.push_back(concat({type, " ", out, "(", vec_name, ");"}));
  }
  code.emplace_back("            ");
  return result;
}

void append_moved(std::vector<std::string>& lines,
                  std::vector<std::string>& more) {
  lines.insert(lines.end(),
               std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
}

}  // namespace

std::string name(const model::NativeFunction& f) {
  return f.func.name.unambiguous_name();
}

ConvertedArguments convert_arguments(const model::NativeFunction& f) {
  const Locals locals = locals_of(f);
  ConvertedArguments result;
  result.bindings = CppSignatureGroup::from_native_function(f, /*method=*/false)
                        .most_faithful_signature()
                        .arguments();
  const std::string count = std::to_string(result.bindings.size());
  for (std::size_t i = 0; i < result.bindings.size(); ++i) {
    result.code.push_back(concat({"c10::IValue ",
                                  result.bindings[i].name,
                                  " = std::move(peek(stack, ",
                                  std::to_string(i),
                                  ", ",
                                  count,
                                  "));"}));
  }
  result.code.emplace_back();
  for (Binding& binding : result.bindings) {
    const auto* const* a =
        std::get_if<const model::Argument*>(&binding.argument);
    if (a == nullptr) {
      throw std::logic_error("a faithful signature has plain arguments only");
    }
    IvalueConversion conversion = argumenttype_ivalue_convert(
        (*a)->type, (*a)->name, (*a)->is_write(), locals);
    append_moved(result.code, conversion.decl);
    append_moved(result.code, conversion.code);
    binding.name = std::move(conversion.out_name);
  }
  return result;
}

IvalueConversion argumenttype_ivalue_convert(const model::Type* t,
                                             std::string_view arg_name,
                                             bool is_mutable,
                                             Locals locals) {
  const CType* ctype =
      cpp::argumenttype_type(t, {.mutable_ = is_mutable}, locals);
  if (t->is_optional()) {
    return convert_optional(*t, arg_name, ctype, locals);
  }
  if (t->is_list()) {
    return convert_list(*t, arg_name, ctype, locals);
  }
  return convert_base(arg_name, ctype);
}

}  // namespace opgen::api::unboxing
