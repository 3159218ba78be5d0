#include "opgen/emit/structured_register_class.h"

#include <cstddef>
#include <string>
#include <string_view>

#include "opgen/model/dispatch_key.h"
#include "opgen/model/function_schema.h"

namespace opgen::emit {
namespace {

using model::DispatchKey;
using model::SchemaKind;

constexpr std::string_view kSetGuard = R"text(
        auto current_device = guard_.current_device();
        if (C10_UNLIKELY(current_device.has_value())) {
          TORCH_INTERNAL_ASSERT(*current_device == options.device(),
            "structured kernels don't support multi-device outputs");
        } else {
          guard_.reset_device(options.device());
        }


)text";

constexpr std::string_view kCreateProxy = R"text(
        auto maybe_proxy = maybe_create_proxy(out, sizes, strides, options);
        if (C10_UNLIKELY(maybe_proxy.has_value())) {
            proxy_outputs_[output_idx] = std::move(maybe_proxy).value();
        }
)text";

bool sets_guard(DispatchKey key) {
  return key == DispatchKey::kCUDA || key == DispatchKey::kMPS ||
         key == DispatchKey::kXPU ||
         key == DispatchKey::kCompositeExplicitAutogradNonFunctional;
}

bool creates_outputs(DispatchKey key) {
  return sets_guard(key) || key == DispatchKey::kMeta ||
         key == DispatchKey::kCPU || key == DispatchKey::kMTIA;
}

std::string_view guard_field(DispatchKey key) {
  if (key == DispatchKey::kCUDA) {
    return "    c10::cuda::OptionalCUDAGuard guard_;\n";
  }
  if (sets_guard(key) || key == DispatchKey::kMTIA) {
    return "    c10::OptionalDeviceGuard guard_;\n";
  }
  return "";
}

void gen_class_ctor(const StructuredClass& c, std::string& out) {
  if (c.kind == SchemaKind::kFunctional) {
    return;
  }
  out += "    ";
  out += c.name;
  if (c.kind == SchemaKind::kInplace) {
    out += "(Tensor& self) : outputs_{std::ref(self)} {}\n";
    return;
  }
  out += '(';
  std::string refs;
  for (std::size_t i = 0; i < c.returns; ++i) {
    const std::string index = std::to_string(i);
    out += i == 0 ? "Tensor& out" : ", Tensor& out";
    out += index;
    refs += i == 0 ? "std::ref(out" : ", std::ref(out";
    refs += index;
    refs += ')';
  }
  out += ") : outputs_{ ";
  out += refs;
  out += " } {}\n";
}

void gen_class_set_output_body(const StructuredClass& c,
                               bool maybe_create_proxy,
                               std::string& out) {
  out += sets_guard(c.dispatch_key) ? kSetGuard : "\n";
  if (c.kind == SchemaKind::kFunctional) {
    out +=
        "        outputs_[output_idx] = create_out(sizes, strides, options);";
    return;
  }
  out += "        const auto& out = outputs_[output_idx].get();\n";
  out += c.kind == SchemaKind::kInplace
             ? "        check_inplace(out, sizes, options);\n"
             : "        resize_out(out, sizes, strides, options);\n";
  if (maybe_create_proxy) {
    out += kCreateProxy;
  }
}

void gen_set_output_function(const StructuredClass& c,
                             std::string_view name,
                             bool maybe_create_proxy,
                             std::string& out) {
  out += "\n    void set_output_";
  out += name;
  out +=
      "(\n"
      "        int64_t output_idx, IntArrayRef sizes, IntArrayRef strides,\n"
      "        TensorOptions options";
  out += c.named_tensors ? ", DimnameList names\n" : "\n";
  out += "    ) override {\n";
  gen_class_set_output_body(c, maybe_create_proxy, out);
  if (c.named_tensors) {
    out +=
        "\n"
        "        if (!names.empty()) {\n"
        "          namedinference::propagate_names(outputs_[output_idx], "
        "names);\n"
        "        }";
  }
  out +=
      "\n"
      "        // super must happen after, so that downstream can use "
      "maybe_get_output\n"
      "        // to retrieve the output\n";
  if (c.generate_super) {
    out += "        ";
    out += c.parent_class;
    out += "::set_output_raw_strided(output_idx, sizes, strides, options";
    out += c.named_tensors ? ", names);" : ");";
  }
  out += "\n    }\n";
}

void append_fields(const StructuredClass& c, std::string& out) {
  const bool functional = c.kind == SchemaKind::kFunctional;
  const std::string returns = std::to_string(c.returns);
  out += "    const Tensor& maybe_get_output(int64_t output_idx) override {\n";
  out += functional
             ? "      return outputs_[output_idx];\n\n"
             : "      return proxy_outputs_[output_idx].has_value() ? "
               "*proxy_outputs_[output_idx] : outputs_[output_idx].get();\n\n";
  out += "    }\n    std::array<";
  out += functional ? "Tensor, " : "std::reference_wrapper<Tensor>, ";
  out += returns;
  out += "> outputs_;\n";
  if (!functional) {
    out += "    std::array<::std::optional<Tensor>, ";
    out += returns;
    out += "> proxy_outputs_;\n";
  }
  out += guard_field(c.dispatch_key);
}

}  // namespace

bool gen_class(const StructuredClass& structured_class, std::string& out) {
  const StructuredClass& c = structured_class;
  switch (c.kind) {
    case SchemaKind::kFunctional:
      if (!creates_outputs(c.dispatch_key)) {
        return false;
      }
      break;
    case SchemaKind::kInplace:
    case SchemaKind::kOut:
      break;
    case SchemaKind::kMutable:
    case SchemaKind::kScratch:
      return false;
  }
  out += "struct ";
  out += c.name;
  out += " final : public ";
  out += c.parent_class;
  out += " {\n";
  gen_class_ctor(c, out);
  out += '\n';
  gen_set_output_function(c, "strided", true, out);
  out += '\n';
  gen_set_output_function(c, "raw_strided", false, out);
  out += "\n\n";
  append_fields(c, out);
  out += "};";
  return true;
}

}  // namespace opgen::emit
