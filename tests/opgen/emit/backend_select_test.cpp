#include "opgen/emit/backend_select.h"

#include <optional>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "opgen/emit/target.h"
#include "opgen/model/selective_builder.h"
#include "tests/opgen/api/functions.h"

namespace opgen::emit {
namespace {

constexpr const char* kOptions =
    "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None) -> Tensor";

class BackendSelect : public ::testing::Test {
 protected:
  model::SelectiveBuilder all = model::SelectiveBuilder::get_nop_selector();
  ComputeBackendSelect define{Target::kDefinition, &all};
  ComputeBackendSelect enroll{Target::kRegistration, &all};
};

TEST_F(BackendSelect, ComputesTheKeyFromOptions) {
  const auto f =
      api::function_of("ones(SymInt[] size, *, " + std::string(kOptions));
  EXPECT_EQ(
      define(*f),
      R"out(// aten::ones(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor
C10_ALWAYS_INLINE
at::Tensor ones(c10::SymIntArrayRef size, ::std::optional<at::ScalarType> dtype, ::std::optional<at::Layout> layout, ::std::optional<at::Device> device, ::std::optional<bool> pin_memory) {
  DispatchKeySet _dk = c10::DispatchKeySet(c10::computeDispatchKey(dtype, layout, device));
  return at::_ops::ones::redispatch(
      _dk, size, dtype, layout, device, pin_memory);
}
)out");
  EXPECT_EQ(enroll(*f), "m.impl(\"aten::ones\", TORCH_FN(ones));");
}

TEST_F(BackendSelect, AddsTheKeysOfTensors) {
  const auto f = api::function_of("f.x(Tensor a, Tensor? b, int n, *, " +
                                  std::string(kOptions));
  const std::string text = define(*f).value_or("");
  EXPECT_NE(text.find("at::Tensor f_x("), std::string::npos);
  EXPECT_NE(text.find(R"out(
  DispatchKeySet _dk_set = c10::DispatchKeySet(c10::computeDispatchKey(dtype, layout, device)) | c10::detail::multi_dispatch_key_set(a, b);
DispatchKeySet _dk_mask = c10::DispatchKeySet(DispatchKeySet::FULL_AFTER, DispatchKey::BackendSelect);
DispatchKeySet _dk = c10::impl::computeDispatchKeySet(_dk_set, _dk_mask);
  return at::_ops::f_x::redispatch(
      _dk, a, b, n, dtype, layout, device, pin_memory);
)out"),
            std::string::npos)
      << text;
}

TEST_F(BackendSelect, LeavesOthersOut) {
  const std::string options = kOptions;
  for (const std::string& schema :
       {"ones_like(Tensor self, *, " + options,
        "new_ones(Tensor self, int[] size, *, " + options,
        std::string("abs(Tensor self) -> Tensor")}) {
    const auto f = api::function_of(schema);
    EXPECT_FALSE(needs_backend_select(*f, all)) << schema;
    EXPECT_EQ(define(*f), std::nullopt) << schema;
    EXPECT_EQ(enroll(*f), std::nullopt) << schema;
  }
}

TEST_F(BackendSelect, AsksTheSelector) {
  auto f = api::function_of("ones(SymInt[] size, *, " + std::string(kOptions));
  f->namespace_ = "aten";
  const auto selected = [&f](const std::string& name) {
    const auto selector =
        model::SelectiveBuilder::from_legacy_op_registration_allow_list(
            {name}, true, false);
    return needs_backend_select(*f, selector);
  };
  EXPECT_TRUE(selected("aten::ones"));
  EXPECT_FALSE(selected("aten::zeros"));
}

TEST_F(BackendSelect, RefusesOtherTargets) {
  const auto f =
      api::function_of("ones(SymInt[] size, *, " + std::string(kOptions));
  const ComputeBackendSelect other{Target::kDeclaration, &all};
  EXPECT_THROW(other(*f), std::logic_error);
}

}  // namespace
}  // namespace opgen::emit
