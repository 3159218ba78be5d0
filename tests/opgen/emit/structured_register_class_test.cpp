#include "opgen/emit/structured_register_class.h"

#include <gtest/gtest.h>

namespace opgen::emit {
namespace {

using model::DispatchKey;
using model::SchemaKind;

StructuredClass class_of(DispatchKey key, SchemaKind kind) {
  StructuredClass c;
  c.name = "structured_f_x";
  c.parent_class = "at::native::structured_f";
  c.dispatch_key = key;
  c.kind = kind;
  c.returns = 1;
  return c;
}

std::string text_of(const StructuredClass& c) {
  std::string text;
  EXPECT_TRUE(gen_class(c, text));
  return text;
}

TEST(StructuredRegisterClass, CreatesOutputsOfFunctionalOperators) {
  EXPECT_EQ(
      text_of(class_of(DispatchKey::kCPU, SchemaKind::kFunctional)),
      R"text(struct structured_f_x final : public at::native::structured_f {


    void set_output_strided(
        int64_t output_idx, IntArrayRef sizes, IntArrayRef strides,
        TensorOptions options
    ) override {

        outputs_[output_idx] = create_out(sizes, strides, options);
        // super must happen after, so that downstream can use maybe_get_output
        // to retrieve the output

    }


    void set_output_raw_strided(
        int64_t output_idx, IntArrayRef sizes, IntArrayRef strides,
        TensorOptions options
    ) override {

        outputs_[output_idx] = create_out(sizes, strides, options);
        // super must happen after, so that downstream can use maybe_get_output
        // to retrieve the output

    }


    const Tensor& maybe_get_output(int64_t output_idx) override {
      return outputs_[output_idx];

    }
    std::array<Tensor, 1> outputs_;
};)text");
}

TEST(StructuredRegisterClass, GuardsAndCallsTheParent) {
  // NOLINT(size): mostly the expected text
  StructuredClass c = class_of(DispatchKey::kCUDA, SchemaKind::kOut);
  c.returns = 2;
  c.generate_super = true;
  EXPECT_EQ(
      text_of(c),
      R"text(struct structured_f_x final : public at::native::structured_f {
    structured_f_x(Tensor& out0, Tensor& out1) : outputs_{ std::ref(out0), std::ref(out1) } {}


    void set_output_strided(
        int64_t output_idx, IntArrayRef sizes, IntArrayRef strides,
        TensorOptions options
    ) override {

        auto current_device = guard_.current_device();
        if (C10_UNLIKELY(current_device.has_value())) {
          TORCH_INTERNAL_ASSERT(*current_device == options.device(),
            "structured kernels don't support multi-device outputs");
        } else {
          guard_.reset_device(options.device());
        }


        const auto& out = outputs_[output_idx].get();
        resize_out(out, sizes, strides, options);

        auto maybe_proxy = maybe_create_proxy(out, sizes, strides, options);
        if (C10_UNLIKELY(maybe_proxy.has_value())) {
            proxy_outputs_[output_idx] = std::move(maybe_proxy).value();
        }

        // super must happen after, so that downstream can use maybe_get_output
        // to retrieve the output
        at::native::structured_f::set_output_raw_strided(output_idx, sizes, strides, options);
    }


    void set_output_raw_strided(
        int64_t output_idx, IntArrayRef sizes, IntArrayRef strides,
        TensorOptions options
    ) override {

        auto current_device = guard_.current_device();
        if (C10_UNLIKELY(current_device.has_value())) {
          TORCH_INTERNAL_ASSERT(*current_device == options.device(),
            "structured kernels don't support multi-device outputs");
        } else {
          guard_.reset_device(options.device());
        }


        const auto& out = outputs_[output_idx].get();
        resize_out(out, sizes, strides, options);

        // super must happen after, so that downstream can use maybe_get_output
        // to retrieve the output
        at::native::structured_f::set_output_raw_strided(output_idx, sizes, strides, options);
    }


    const Tensor& maybe_get_output(int64_t output_idx) override {
      return proxy_outputs_[output_idx].has_value() ? *proxy_outputs_[output_idx] : outputs_[output_idx].get();

    }
    std::array<std::reference_wrapper<Tensor>, 2> outputs_;
    std::array<::std::optional<Tensor>, 2> proxy_outputs_;
    c10::cuda::OptionalCUDAGuard guard_;
};)text");
}

TEST(StructuredRegisterClass, ChecksSelfOfInplaceOperators) {
  const std::string text =
      text_of(class_of(DispatchKey::kMeta, SchemaKind::kInplace));
  EXPECT_NE(text.find("    structured_f_x(Tensor& self) : "
                      "outputs_{std::ref(self)} {}\n"),
            std::string::npos);
  EXPECT_NE(text.find("        check_inplace(out, sizes, options);\n"),
            std::string::npos);
  EXPECT_EQ(text.find("guard_"), std::string::npos);
}

TEST(StructuredRegisterClass, HasAGuardItDoesNotSetForMtia) {
  const std::string text =
      text_of(class_of(DispatchKey::kMTIA, SchemaKind::kInplace));
  EXPECT_NE(text.find("    c10::OptionalDeviceGuard guard_;\n"),
            std::string::npos);
  EXPECT_EQ(text.find("guard_.reset_device"), std::string::npos);
}

TEST(StructuredRegisterClass, PassesNamesOfDimensionsOn) {
  StructuredClass c = class_of(DispatchKey::kCPU, SchemaKind::kFunctional);
  c.named_tensors = true;
  c.generate_super = true;
  const std::string text = text_of(c);
  EXPECT_NE(text.find(R"text(
        TensorOptions options, DimnameList names
    ) override {

        outputs_[output_idx] = create_out(sizes, strides, options);
        if (!names.empty()) {
          namedinference::propagate_names(outputs_[output_idx], names);
        }
        // super must happen after, so that downstream can use maybe_get_output
        // to retrieve the output
        at::native::structured_f::set_output_raw_strided(output_idx, sizes, strides, options, names);
    }
)text"),
            std::string::npos)
      << text;
}

TEST(StructuredRegisterClass, RefusesWhatHasNoSuchClass) {
  std::string text;
  EXPECT_FALSE(
      gen_class(class_of(DispatchKey::kCPU, SchemaKind::kMutable), text));
  EXPECT_FALSE(
      gen_class(class_of(DispatchKey::kHPU, SchemaKind::kFunctional), text));
  EXPECT_EQ(text, "");
}

}  // namespace
}  // namespace opgen::emit
