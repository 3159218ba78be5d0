#include "opgen/emit/inplace_or_view_type_view.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "opgen/api/context.h"
#include "opgen/api/cpp.h"
#include "opgen/api/error.h"
#include "opgen/api/functionalization.h"
#include "opgen/api/types/ctype.h"
#include "opgen/emit/autograd_files_wrapper.h"
#include "opgen/emit/inplace_or_view_type.h"
#include "opgen/emit/str_append.h"
#include "opgen/model/function_schema.h"
#include "opgen/model/type.h"
#include "opgen/text/characters.h"

namespace opgen::emit {
namespace {

using api::CType;
using model::NativeFunction;

constexpr std::string_view kViewIndex = "view_idx";

// torchgen's VIEW_FUNCTIONS_WITH_METADATA_CHANGE.
constexpr std::array<std::string_view, 7> kMetadataChanges = {
    "view_as_complex",
    "view_as_real",
    "_conj",
    "_neg_view",
    "_nested_get_values",
    "_nested_view_from_buffer",
    "_nested_view_from_jagged",
};

std::string creation_meta(std::string_view original) {
  std::string text;
  str_append(text,
             "InferenceMode::is_enabled() ? CreationMeta::INFERENCE_MODE : "
             "(at::GradMode::is_enabled() ? ",
             original,
             " : CreationMeta::NO_GRAD_MODE)");
  return text;
}

bool can_be_captured(const CType* type) {
  using api::kTensorT;
  return type == api::kLongT || type == CType::optional(api::kLongT) ||
         type == api::kSymIntT || type == CType::optional(api::kSymIntT) ||
         type == api::kBoolT || type == api::kIntArrayRefT ||
         type == api::kSymIntArrayRefT || type == CType::const_ref(kTensorT) ||
         type == CType::const_ref(CType::optional(kTensorT));
}

// Arguments that outlive the call, and those of the two ways to replay a view.
struct ReplayArguments {
  std::string declarations;
  std::string forward;
  std::string reverse;
};

// Appends the declaration that makes a copy of an argument, if it needs one,
// and gives the name to capture.
std::string append_copy(std::string& text,
                        std::size_t depth,
                        const std::string& name,
                        const CType* type) {
  if (type == api::kIntArrayRefT || type == api::kSymIntArrayRefT) {
    append_line(text, depth, "auto ", name, "_vec = ", name, ".vec();");
    return name + "_vec";
  }
  if (type == CType::optional(api::kLongT)) {
    append_line(text, depth, "auto ", name, "_val = ", name, ".value_or(0);");
    return name + "_val";
  }
  return name;
}

ReplayArguments replay_arguments(const NativeFunction& f,
                                 std::size_t depth,
                                 std::string_view view_index) {
  const api::Locals locals = api::locals_of(f);
  ReplayArguments made;
  made.reverse =
      "self, input_view, "
      "at::functionalization::InverseReturnMode::AlwaysView";
  std::vector<std::string> captured;
  for (const model::Argument& a : f.func.arguments.flat_all()) {
    if (a.name == "self") {
      captured.emplace_back("input_base");
      continue;
    }
    const CType* type = api::cpp::argumenttype_type(
        a.type, {.mutable_ = a.is_write(), .symint = true}, locals);
    if (!can_be_captured(type)) {
      throw api::ApiError("a view cannot be replayed with the argument '" +
                          a.name + "' of type " + type->cpp_type());
    }
    captured.push_back(append_copy(made.declarations, depth, a.name, type));
    str_append(made.forward, made.forward.empty() ? "" : ", ", a.name);
  }
  if (!view_index.empty()) {
    str_append(made.forward, made.forward.empty() ? "" : ", ", view_index);
    str_append(made.reverse, ", ", view_index);
  }
  for (std::size_t i = 1; i < captured.size(); ++i) {
    str_append(made.reverse, ", ", captured[i]);
  }
  return made;
}

void append_view_func(std::string& text,
                      const NativeFunction& f,
                      std::size_t depth,
                      std::string_view view_index) {
  const ReplayArguments replay = replay_arguments(f, depth + 1, view_index);
  const std::string name = api::cpp::name(f.func);
  const bool changes =
      std::find(kMetadataChanges.begin(), kMetadataChanges.end(), name) !=
      kMetadataChanges.end();
  append_line(
      text, depth, "std::unique_ptr<torch::autograd::ViewFunc> func(nullptr);");
  append_line(text,
              depth,
              "std::function<at::Tensor(const at::Tensor&)> rev_func=nullptr;");
  append_line(text, depth, "if (", changes ? "true" : "false", " ||");
  append_line(
      text, depth + 2, "!self.unsafeGetTensorImpl()->support_as_strided() ||");
  append_line(
      text, depth + 2, "self.unsafeGetTensorImpl()->is_python_dispatch() ||");
  append_line(text,
              depth + 2,
              "c10::AutogradState::get_tls_state().get_view_replay_enabled()) "
              "{");
  text.append(replay.declarations);
  append_line(text,
              depth + 1,
              "func = std::make_unique<",
              view_func_name(f),
              ">(",
              replay.forward,
              ");");
  append_line(
      text, depth + 1, "rev_func = [=](const at::Tensor& input_view) {");
  append_line(text,
              depth + 2,
              "return ",
              api::functionalization::reverse_name(f, true),
              "(",
              replay.reverse,
              ");");
  append_line(text, depth + 1, "};");
  append_line(text, depth, "}");
}

// The call of as_view for one result.
std::string as_view(std::string_view base,
                    std::string_view output,
                    std::string_view original_meta) {
  std::string text;
  str_append(text,
             "as_view(/* base */ ",
             base,
             ", /* output */ ",
             output,
             ", /* is_bw_differentiable */ true, /* is_fw_differentiable */ "
             "true, /* view_func */ std::move(func), /* rev_view_func */ "
             "rev_func, /* creation_meta */ ",
             creation_meta(original_meta),
             ")");
  return text;
}

}  // namespace

std::string append_view_body(std::string& text,
                             const NativeFunction& f,
                             const DerivativeInfos* info) {
  const std::string_view base = get_view_info(f);
  const std::vector<const model::Return*> outputs =
      differentiable_outputs(f, info);
  if (outputs.empty()) {
    std::string value;
    str_append(value,
               "as_view(",
               base,
               ", _tmp, /* is_bw_differentiable */ false, "
               "/* is_fw_differentiable */ false)");
    return value;
  }
  if (outputs.size() > 1) {
    throw api::ApiError(
        "a view cannot have several results that are differentiable");
  }
  const model::Type* type = outputs.front()->type;
  if (!type->is_tensor_like()) {
    throw api::ApiError("a view must return Tensor or Tensor[]");
  }
  if (type->is_list_like() == nullptr) {
    append_view_func(text, f, 1, "");
    return as_view(base, "_tmp", "CreationMeta::DEFAULT");
  }
  append_line(
      text, 1, "for (auto ", kViewIndex, " : c10::irange(_tmp.size())) {");
  append_view_func(text, f, 2, kViewIndex);
  append_line(
      text,
      2,
      as_view(base, "_tmp[view_idx]", "CreationMeta::MULTI_OUTPUT_NODE"),
      ";");
  append_line(text, 1, "}");
  return "std::move(_tmp)";
}

std::string view_func_name(const NativeFunction& f) {
  const std::string name = f.func.name.unambiguous_name() + "_view_func";
  std::string text = "torch::autograd::generated::";
  if (name.front() == '_') {
    text.push_back('_');
  }
  bool inside_word = false;
  for (const char c : name) {
    if (c != '_') {
      text.push_back(inside_word ? text::to_lower(c) : text::to_upper(c));
    }
    inside_word = text::is_letter(c);
  }
  return text;
}

}  // namespace opgen::emit
