#include "opgen/emit/autograd_files_wrapper.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "opgen/api/context.h"
#include "opgen/api/cpp.h"
#include "opgen/model/function_schema.h"

namespace opgen::emit {
namespace {

constexpr std::array<std::string_view, 16> kManualWrappers = {
    "options",
    "data",
    "set_data",
    "is_leaf",
    "output_nr",
    "_version",
    "retain_grad",
    "_backward",
    "requires_grad_",
    "resize_",
    "resize_as_",
    "detach",
    "detach_",
    "copy_",
    "_fw_primal",
    "_make_dual",
};

}  // namespace

bool has_manual_wrapper(std::string_view cpp_name) {
  return std::find(kManualWrappers.begin(), kManualWrappers.end(), cpp_name) !=
         kManualWrappers.end();
}

std::string type_wrapper_name(const model::NativeFunction& f) {
  std::string name = api::cpp::name(f.func);
  if (!f.func.name.overload_name.empty()) {
    str_append(name, "_", f.func.name.overload_name);
  }
  return name;
}

void append_wrapper_head(std::string& text, const model::NativeFunction& f) {
  const api::Locals locals = api::locals_of(f);
  str_append(text,
             api::cpp::returns_type(f.func.returns, locals)->cpp_type(),
             " ",
             type_wrapper_name(f),
             "(c10::DispatchKeySet ks");
  for (const model::Argument& a : f.func.arguments.flat_all()) {
    const api::CType* type = api::cpp::argumenttype_type(
        a.type, {.mutable_ = a.is_write(), .symint = true}, locals);
    str_append(text, ", ", type->cpp_type(), " ", a.name);
  }
  text.append(") {\n");
}

void append_redispatch(std::string& text,
                       const model::NativeFunction& f,
                       std::string_view dispatch_key_set) {
  str_append(text,
             "at::_ops::",
             f.func.name.unambiguous_name(),
             "::redispatch(",
             dispatch_key_set);
  for (const model::Argument& a : f.func.arguments.flat_all()) {
    str_append(text, ", ", a.name);
  }
  text.append(");\n");
}

std::string wrapper_registration(const model::NativeFunction& f,
                                 std::string_view class_type) {
  std::string text;
  str_append(text,
             "m.impl(\"",
             f.func.name.str(),
             "\",\n       TORCH_FN(",
             class_type,
             "::",
             type_wrapper_name(f),
             ")\n);\n");
  return text;
}

std::string tie_return_values(const model::NativeFunction& f) {
  const auto& returns = f.func.returns;
  if (returns.size() == 1) {
    const auto& name = returns.front().name;
    return "auto " + (name && !name->empty() ? *name : "result");
  }
  std::string text = "auto [";
  const std::vector<std::string> names = api::cpp::return_names(f);
  str_append_joined(text, names, ", ", [](const auto& n) { return n; });
  text.append("]");
  return text;
}

std::string get_return_value(const model::NativeFunction& f) {
  std::vector<std::string> names = api::cpp::return_names(f);
  if (names.size() == 1) {
    return std::move(names.front());
  }
  const bool out = f.func.kind() == model::SchemaKind::kOut;
  std::string text = out ? "std::forward_as_tuple(" : "std::make_tuple(";
  bool first = true;
  for (const std::string& name : names) {
    str_append(text, first ? "" : ", ", out ? "" : "std::move(", name);
    text.append(out ? "" : ")");
    first = false;
  }
  text.append(")");
  return text;
}

}  // namespace opgen::emit
