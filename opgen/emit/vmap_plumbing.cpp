#include "opgen/emit/vmap_plumbing.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include "opgen/api/context.h"
#include "opgen/api/translate.h"
#include "opgen/api/types/signatures.h"
#include "opgen/emit/functionalization_text.h"
#include "opgen/emit/register_dispatch_key_error.h"

namespace opgen::emit {
namespace {

using model::Argument;
using model::FunctionSchema;
using model::SchemaKind;
using model::Type;

bool is_tensor(const Type* type) {
  return type->is(model::BaseTy::kTensor);
}

bool is_optional_tensor(const Type* type) {
  return type->is_optional() && is_tensor(type->elem());
}

bool is_tensor_list(const Type* type) {
  return type->is_list() && is_tensor(type->elem());
}

constexpr std::string_view kUnwrapTensor =
    "  auto [$name$_value, $name$_bdim] = unwrapTensorAtLevel($name$, "
    "cur_level);";

constexpr std::string_view kUnwrapOptional =
    R"text(  std::optional<Tensor> $name$_value;
  std::optional<int64_t> $name$_bdim;
  if ($name$) {
      std::tie($name$_value, $name$_bdim) = unwrapTensorAtLevel($name$.value(), cur_level);
  })text";

// Tensors first, then optional ones.
std::string unwrap_statements(const FunctionSchema& schema) {
  std::string text;
  const auto unwrap_all = [&](auto is_kind, std::string_view pattern) {
    for (const Argument& a : schema.arguments.flat_all()) {
      if (is_kind(a.type)) {
        text.append(text.empty() ? "" : "\n");
        fill(text, pattern, {{"name", a.name}});
      }
    }
  };
  unwrap_all(is_tensor, kUnwrapTensor);
  unwrap_all(is_optional_tensor, kUnwrapOptional);
  return text;
}

std::string unwrapped_arguments(const FunctionSchema& schema) {
  std::string text;
  for (const Argument& a : schema.arguments.flat_all()) {
    text.append(text.empty() ? "" : ", ");
    if (is_tensor(a.type) || is_optional_tensor(a.type)) {
      fill(text, "$name$_value, $name$_bdim", {{"name", a.name}});
    } else {
      text.append(a.name);
    }
  }
  return text;
}

std::string no_batched_argument(const FunctionSchema& schema) {
  std::string text;
  for (const Argument& a : schema.arguments.flat_all()) {
    if (a.type->is_tensor_like()) {
      text.append(text.empty() ? "" : " && ");
      fill(text, "!isBatchedAtLevel($name$, cur_level)", {{"name", a.name}});
    }
  }
  return text;
}

std::string gen_returns(std::span<const model::Return> returns) {
  std::string text;
  std::size_t index = 0;
  const auto next = [&index] {
    return "std::get<" + std::to_string(index++) + ">(results)";
  };
  for (const model::Return& ret : returns) {
    text.append(text.empty() ? "" : ", ");
    if (!is_tensor(ret.type) && !is_tensor_list(ret.type)) {
      text.append(next());
      continue;
    }
    text.append(is_tensor(ret.type) ? "makeBatched(" : "makeBatchedVector(");
    text.append(next()).append(", ").append(next()).append(", cur_level)");
  }
  return returns.size() == 1 ? "return " + text + ";"
                             : "return std::make_tuple(" + text + ");";
}

constexpr std::string_view kPlumbing =
    R"text(template <typename batch_rule_t, batch_rule_t batch_rule>
$decl$ {
  c10::impl::ExcludeDispatchKeyGuard guard(DispatchKey::FuncTorchBatched);
  auto maybe_layer = maybeCurrentDynamicLayer();
  vmap_check_escaped(maybe_layer, "$kind$");
  int64_t cur_level = maybe_layer->layerId();
  if ($no_batched$) {
    return at::_ops::$op$::call($args$);
  }
$unwraps$
  $results$batch_rule($unwrapped$);
$return$})text";

constexpr std::string_view kProlog =
    R"text(
#pragma once
#include <ATen/Operators.h>
#include <ATen/functorch/PlumbingHelper.h>

namespace at { namespace functorch {

)text";

// `kind` is the name by which a failed check is reported.
std::string plumbing(const model::NativeFunction& f,
                     std::string_view kind,
                     std::string_view results,
                     std::string_view return_line) {
  const FunctionSchema& schema = f.func;
  const std::string name = schema.name.unambiguous_name();
  const auto sig =
      api::DispatcherSignature::from_schema(schema, api::locals_of(f));
  const auto arguments = sig.arguments();
  return filled(
      kPlumbing,
      {{"decl", sig.decl(name + "_generated_plumbing")},
       {"kind", kind},
       {"no_batched", no_batched_argument(schema)},
       {"op", name},
       {"args", api::join_exprs(api::translate(arguments, arguments))},
       {"unwraps", unwrap_statements(schema)},
       {"results", results},
       {"unwrapped", unwrapped_arguments(schema)},
       {"return", return_line}});
}

std::optional<std::string> gen_vmap_inplace_plumbing(
    const model::NativeFunction& f) {
  const auto arguments = f.func.arguments.flat_all();
  const bool writes_only_to_first =
      arguments.front().is_write() &&
      std::ranges::count_if(arguments, &Argument::is_write) == 1;
  const bool returns_tensors =
      std::ranges::all_of(f.func.returns, [](const model::Return& ret) {
        return is_tensor(ret.type) || is_tensor_list(ret.type);
      });
  if (!writes_only_to_first || !returns_tensors) {
    return std::nullopt;
  }
  return plumbing(f,
                  "gen_vmap_inplace_plumbing",
                  "",
                  "  return " + arguments.front().name + ";\n");
}

// Operators that also return sizes and are supported all the same.
constexpr std::array<std::string_view, 3> kReturnSymintOverrides{
    "_scaled_dot_product_flash_attention",
    "_scaled_dot_product_cudnn_attention",
    "_scaled_dot_product_flash_attention_quantized",
};

bool has_supported_returns(const FunctionSchema& schema) {
  return std::ranges::all_of(schema.returns,
                             [](const model::Return& ret) {
                               return ret.type->is_tensor_like();
                             }) ||
         std::ranges::find(kReturnSymintOverrides,
                           schema.name.unambiguous_name()) !=
             kReturnSymintOverrides.end();
}

}  // namespace

std::optional<std::string> gen_vmap_plumbing(const model::NativeFunction& f) {
  const FunctionSchema& schema = f.func;
  const bool has_tensor_input = std::ranges::any_of(
      schema.arguments.flat_all(),
      [](const Argument& a) { return a.type->is_tensor_like(); });
  if (!has_tensor_input) {
    return std::nullopt;
  }
  if (schema.returns.empty()) {
    return plumbing(f, "gen_vmap_plumbing_no_returns", "", "");
  }
  if (!has_supported_returns(schema) || f.has_tag("inplace_view")) {
    return std::nullopt;
  }
  if (schema.kind() == SchemaKind::kInplace) {
    return gen_vmap_inplace_plumbing(f);
  }
  if (schema.kind() != SchemaKind::kFunctional) {
    return std::nullopt;
  }
  return plumbing(f,
                  "gen_vmap_plumbing",
                  "auto results = ",
                  "  " + gen_returns(schema.returns) + "\n");
}

std::string gen_all_vmap_plumbing(
    std::span<const std::unique_ptr<model::NativeFunction>> native_functions) {
  std::string text(kProlog);
  bool first = true;
  for (const auto& f : native_functions) {
    const auto plumbing =
        native_function_manager(*f, [&f] { return gen_vmap_plumbing(*f); });
    if (plumbing) {
      text.append(first ? "" : "\n").append(*plumbing);
      first = false;
    }
  }
  return text.append("\n\n}} // namespace at::functorch\n");
}

}  // namespace opgen::emit
