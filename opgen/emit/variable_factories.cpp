#include "opgen/emit/variable_factories.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "opgen/api/cpp.h"
#include "opgen/api/types/binding.h"
#include "opgen/api/types/signatures.h"
#include "opgen/emit/register_dispatch_key_error.h"
#include "opgen/emit/str_append.h"
#include "opgen/model/function_schema.h"
#include "opgen/text/characters.h"

namespace opgen::emit {
namespace {

using model::NativeFunction;

// Where the name begins that needs a namespace; npos if there is none.
std::size_t find_unqualified(std::string_view type) {
  constexpr std::string_view kConst = "const";
  std::size_t begin = 0;
  if (type.starts_with(kConst)) {
    begin = kConst.size();
    while (begin < type.size() && text::is_space(type[begin])) {
      ++begin;
    }
    begin = begin == kConst.size() ? 0 : begin;
  }
  const bool found = begin + 1 < type.size() && text::is_upper(type[begin]) &&
                     text::is_name_char(type[begin + 1]);
  return found ? begin : std::string_view::npos;
}

void append_factory(std::string& text, const api::CppSignature& sig) {
  const std::string name = sig.name();
  std::string formals;
  std::string exprs;
  std::string requires_grad = "false";
  for (const api::Binding& arg : sig.arguments()) {
    const std::string_view separator = formals.empty() ? "" : ", ";
    str_append(formals, separator, fully_qualified_type(arg.type()), " ");
    formals.append(arg.name);
    if (arg.default_value && !arg.default_value->empty()) {
      str_append(formals, " = ", *arg.default_value);
    }
    exprs.append(separator);
    if (std::holds_alternative<model::TensorOptionsArguments>(arg.argument)) {
      str_append(exprs, "at::TensorOptions(", arg.name, ")");
      exprs.append(".requires_grad(::std::nullopt)");
      requires_grad = arg.name + ".requires_grad()";
    } else {
      exprs.append(arg.name);
    }
  }
  str_append(text,
             "inline at::Tensor ",
             name,
             "(",
             formals,
             ") {\n"
             "  at::AutoDispatchBelowADInplaceOrView guard;\n"
             "  return autograd::make_variable(at::",
             name,
             "(",
             exprs,
             "), /*requires_grad=*/",
             requires_grad,
             ");\n}\n");
}

}  // namespace

bool is_factory_function(const NativeFunction& f) {
  return f.function_variant && (f.func.arguments.tensor_options() ||
                                api::cpp::name(f.func).ends_with("_like"));
}

std::string fully_qualified_type(std::string_view argument_type) {
  constexpr std::string_view kOptional = "std::optional<";
  const std::size_t end = argument_type.rfind('>');
  const bool optional = argument_type.starts_with(kOptional) &&
                        end != std::string_view::npos && end > kOptional.size();
  if (optional) {
    argument_type =
        argument_type.substr(kOptional.size(), end - kOptional.size());
  }
  std::string type(argument_type);
  const std::size_t unqualified = find_unqualified(argument_type);
  if (unqualified != std::string_view::npos) {
    type.insert(unqualified, "at::");
  }
  return optional ? "std::optional<" + type + ">" : type;
}

std::string variable_factory(const NativeFunction& f) {
  const auto sigs = api::CppSignatureGroup::from_native_function(f, false);
  std::string text;
  append_factory(text, sigs.signature);
  if (sigs.symint_signature) {
    append_factory(text, *sigs.symint_signature);
  }
  return text;
}

void gen_variable_factories(const AutogradRun& run) {
  run.files.write("variable_factories.h", [&run] {
    std::vector<std::string> headers;
    std::vector<std::string> definitions;
    for (const auto& f : run.program.functions) {
      if (is_factory_function(*f)) {
        headers.push_back("#include <ATen/ops/" + f->root_name() + ".h>");
        definitions.push_back(
            native_function_manager(*f, [&f] { return variable_factory(*f); }));
      }
    }
    text::Env env = generated_comment(run, "variable_factories.h");
    env.set("ops_headers", std::move(headers));
    env.set("function_definitions", std::move(definitions));
    return env;
  });
}

}  // namespace opgen::emit
