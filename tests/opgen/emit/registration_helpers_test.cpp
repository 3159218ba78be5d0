#include <gtest/gtest.h>

#include "tests/opgen/emit/register_dispatch_key_fixture.h"

namespace opgen::emit {
namespace {

using model::DispatchKey;

bool contains(const Texts& texts, std::string_view part) {
  for (const std::string& text : texts) {
    if (text.find(part) != std::string::npos) {
      return true;
    }
  }
  return false;
}

TEST(RegistrationHelpers, IncludeWhatMakesEmptyTensors) {
  EXPECT_EQ(gen_registration_headers(index_of(DispatchKey::kCPU), true, false),
            (Texts{"#include <ATen/ops/as_strided_native.h>",
                   "#include <ATen/EmptyTensor.h>",
                   "#include <c10/macros/Macros.h>"}));
  EXPECT_EQ(gen_registration_headers(index_of(DispatchKey::kCUDA), false, true),
            (Texts{"#include <ATen/NativeFunctions.h>",
                   "#include <ATen/hip/EmptyTensor.h>",
                   "#include <c10/macros/Macros.h>"}));
  EXPECT_EQ(gen_registration_headers(index_of(DispatchKey::kXLA), false, false),
            (Texts{"#include <ATen/NativeFunctions.h>",
                   "#include <ATen/Functions.h>",
                   "#include <c10/macros/Macros.h>"}));
  EXPECT_EQ(
      gen_registration_headers(index_of(DispatchKey::kXLA), true, false).size(),
      6);
}

TEST(RegistrationHelpers, CreateTensorsOfTheKey) {
  const Texts meta = gen_registration_helpers(index_of(DispatchKey::kMeta));
  EXPECT_EQ(meta.size(), 6);
  EXPECT_TRUE(contains(
      meta,
      "return at::detail::empty_meta(sizes, options.device(at::kMeta));"));
  EXPECT_TRUE(contains(
      meta, "return at::detail::empty_strided_meta(sizes, strides, options);"));
  EXPECT_TRUE(
      contains(gen_registration_helpers(index_of(DispatchKey::kQuantizedCPU)),
               "return at::empty(sizes, options);"));
}

TEST(RegistrationHelpers, LeaveOutWhatAKeyCannotUse) {
  const Texts xla = gen_registration_helpers(index_of(DispatchKey::kXLA));
  EXPECT_EQ(xla.size(), 4);
  EXPECT_FALSE(contains(xla, "create_out("));
  const Texts composite = gen_registration_helpers(
      index_of(DispatchKey::kCompositeExplicitAutogradNonFunctional));
  EXPECT_EQ(composite.size(), 5);
  EXPECT_FALSE(contains(composite, "void resize_out("));
}

}  // namespace
}  // namespace opgen::emit
