#include "opgen/emit/inplace_or_view_type.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "opgen/api/cpp.h"
#include "opgen/emit/autograd_files_wrapper.h"
#include "opgen/emit/env.h"
#include "opgen/emit/inplace_or_view_type_view.h"
#include "opgen/emit/register_dispatch_key_error.h"
#include "opgen/model/function_schema.h"

namespace opgen::emit {
namespace {

using model::NativeFunction;
using model::SchemaKind;

using Texts = std::vector<std::string>;

// torchgen's VIEW_FUNCTIONS and RETURNS_VIEWS_OF_INPUT, sorted; views of self.
constexpr std::array<std::string_view, 52> kViewsOfSelf = {
    "_conj",
    "_indices",
    "_neg_view",
    "_nested_get_values",
    "_nested_view_from_buffer",
    "_nested_view_from_jagged",
    "_reshape_alias",
    "_test_autograd_multiple_dispatch_view",
    "_values",
    "adjoint",
    "alias",
    "as_strided",
    "ccol_indices",
    "chunk",
    "col_indices",
    "contiguous",
    "crow_indices",
    "detach",
    "diagonal",
    "expand",
    "expand_as",
    "flatten",
    "imag",
    "indices",
    "mH",
    "mT",
    "matrix_H",
    "movedim",
    "narrow",
    "numpy_T",
    "permute",
    "real",
    "reshape",
    "reshape_as",
    "row_indices",
    "select",
    "slice",
    "slice_inverse",
    "split",
    "split_with_sizes",
    "squeeze",
    "swapaxes",
    "swapdims",
    "t",
    "tensor_split",
    "transpose",
    "unbind",
    "unfold",
    "unsqueeze",
    "values",
    "view",
    "view_as",
};
static_assert(std::is_sorted(kViewsOfSelf.begin(), kViewsOfSelf.end()));

constexpr std::string_view kAutogradKeys =
    "ks & c10::after_ADInplaceOrView_keyset";

void append_inplace_body(std::string& text, const NativeFunction& f) {
  append_line(text, 1, "{");
  append_line(text, 2, "at::AutoDispatchBelowADInplaceOrView guard;");
  text.append("    ");
  append_redispatch(text, f, kAutogradKeys);
  append_line(text, 1, "}");
  for (const std::string& name : api::cpp::return_names(f)) {
    append_line(text, 1, "increment_version(", name, ");");
  }
}

void append_view_wrapper_body(std::string& text,
                              const NativeFunction& f,
                              const DerivativeInfos* info) {
  append_line(text, 1, "auto _tmp = ([&]() {");
  append_line(text, 2, "at::AutoDispatchBelowADInplaceOrView guard;");
  text.append("    return ");
  append_redispatch(text, f, kAutogradKeys);
  append_line(text, 1, "})();");
  const std::string value = append_view_body(text, f, info);
  append_line(text, 1, tie_return_values(f), " = ", value, ";");
}

// A function and what the file needs to know of it.
struct Item {
  std::string cpp_name;
  const NativeFunction* f;
  const DerivativeInfos* info;
};

// torchgen's use_derived.
bool use_derived(const Item& item) {
  return !has_manual_wrapper(item.cpp_name) &&
         (item.f->is_abstract ||
          (item.info != nullptr && item.info->has_derivatives()));
}

std::vector<Item> collect_items(const AutogradRun& run) {
  std::vector<Item> items;
  for (const auto& f : run.program.functions) {
    Item item{api::cpp::name(f->func), f.get(), run.derivatives.find(*f)};
    if (use_derived(item) &&
        run.selector.is_native_function_selected_for_training(*f)) {
      items.push_back(std::move(item));
    }
  }
  std::stable_sort(
      items.begin(), items.end(), [](const Item& a, const Item& b) {
        return a.cpp_name < b.cpp_name;
      });
  return items;
}

text::Env env_of_item(const Item& item) {
  const NativeFunction& f = *item.f;
  if (!has_inplace_or_view_wrapper(f)) {
    return env_of("ops_headers",
                  Texts{},
                  "inplace_or_view_method_definitions",
                  Texts{},
                  "inplace_or_view_wrapper_registrations",
                  Texts{});
  }
  return env_of(
      "ops_headers",
      Texts{"#include <ATen/ops/" + f.root_name() + "_ops.h>"},
      "inplace_or_view_method_definitions",
      Texts{native_function_manager(
          f, [&] { return inplace_or_view_method_definition(f, item.info); })},
      "inplace_or_view_wrapper_registrations",
      Texts{wrapper_registration(f, "ADInplaceOrView")});
}

}  // namespace

std::string_view get_view_info(const NativeFunction& f) {
  const std::string_view name = f.root_name();
  if (name == "sparse_coo_tensor_with_dims_and_tensors") {
    return "values";
  }
  const bool listed =
      name == "view_as_complex" || name == "view_as_real" ||
      std::binary_search(kViewsOfSelf.begin(), kViewsOfSelf.end(), name);
  return listed ? "self" : "";
}

bool is_inplace_or_out(const NativeFunction& f) {
  const SchemaKind kind = f.func.kind();
  return kind == SchemaKind::kInplace || kind == SchemaKind::kOut;
}

bool has_inplace_or_view_wrapper(const NativeFunction& f) {
  return !get_view_info(f).empty() ||
         (is_inplace_or_out(f) && !f.func.returns.empty());
}

std::string inplace_or_view_method_definition(const NativeFunction& f,
                                              const DerivativeInfos* info) {
  std::string text;
  text.reserve(1024);
  append_wrapper_head(text, f);
  if (is_inplace_or_out(f)) {
    append_inplace_body(text, f);
  } else {
    append_view_wrapper_body(text, f, info);
  }
  if (!f.func.returns.empty()) {
    append_line(text, 1, "return ", get_return_value(f), ";");
  }
  text.append("}\n");
  return text;
}

void gen_inplace_or_view_type(const AutogradRun& run) {
  std::vector<Item> items = collect_items(run);
  text::FileManager::Sharded sharded;
  sharded.filename = "ADInplaceOrViewType.cpp";
  sharded.template_fn = "ADInplaceOrViewType.cpp";
  sharded.items = items.size();
  sharded.key = [items](std::size_t i) -> std::string_view {
    return items[i].f->root_name();
  };
  sharded.env = [items = std::move(items)](std::size_t i) {
    return env_of_item(items[i]);
  };
  sharded.num_shards = 2;
  sharded.base_env = generated_comment(run, "ADInplaceOrViewType.cpp");
  sharded.sharded_keys = {"ops_headers",
                          "inplace_or_view_method_definitions",
                          "inplace_or_view_wrapper_registrations"};
  run.files.write_sharded(std::move(sharded));
}

}  // namespace opgen::emit
