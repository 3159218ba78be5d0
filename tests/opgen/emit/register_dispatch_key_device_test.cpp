#include "opgen/emit/register_dispatch_key_device.h"

#include <gtest/gtest.h>

#include "tests/opgen/emit/register_dispatch_key_fixture.h"

namespace opgen::emit {
namespace {

using model::DispatchKey;

std::string guard_of(std::string_view schema, DispatchKey key) {
  const auto f = api::function_of(schema);
  auto index = index_of(key);
  index.device_guard = true;
  std::string text;
  gen_device_guard(*f, index, text);
  return text;
}

TEST(RegisterDispatchKeyDevice, ChecksOutputsFirst) {
  const auto f = api::function_of(
      "f.out(Tensor self, int n, Tensor? t, *, Tensor k, Tensor(a!) out) -> "
      "Tensor(a!)");
  std::string text;
  gen_device_check(*f, "wrapper", text);
  EXPECT_EQ(text,
            R"text(std::optional<Device> common_device = std::nullopt;
(void)common_device; // Suppress unused variable warning

  c10::impl::check_and_update_common_device(common_device, out, "wrapper", "out");
  c10::impl::check_and_update_common_device(common_device, self, "wrapper", "self");
  c10::impl::check_and_update_common_device(common_device, t, "wrapper", "t");)text");
}

TEST(RegisterDispatchKeyDevice, ChecksNothingIfTheOperatorSaysSo) {
  const auto f = api::function_of("f(Tensor self) -> Tensor");
  f->device_check = model::DeviceCheckType::kNoCheck;
  std::string text;
  gen_device_check(*f, "wrapper", text);
  EXPECT_EQ(text, "  // No device check\n");
}

TEST(RegisterDispatchKeyDevice, GuardsSelfBeforeOutputsBeforeOthers) {
  EXPECT_EQ(guard_of("f(Tensor a, Tensor self) -> Tensor", DispatchKey::kXPU),
            "const OptionalDeviceGuard device_guard(device_of(self));");
  EXPECT_EQ(guard_of("f.out(Tensor a, *, Tensor(a!) out) -> Tensor(a!)",
                     DispatchKey::kXPU),
            "const OptionalDeviceGuard device_guard(device_of(out));");
  EXPECT_EQ(guard_of("f(int n, Tensor a) -> Tensor", DispatchKey::kXPU),
            "const OptionalDeviceGuard device_guard(device_of(a));");
  EXPECT_EQ(guard_of("f(int n) -> Tensor", DispatchKey::kXPU),
            "// DeviceGuard omitted");
}

TEST(RegisterDispatchKeyDevice, InitializesCudaForFactories) {
  constexpr std::string_view kSchema =
      "f(int n, *, ScalarType? dtype=None, Layout? layout=None, Device? "
      "device=None, bool? pin_memory=None) -> Tensor";
  EXPECT_EQ(guard_of(kSchema, DispatchKey::kXPU),
            "\n  const DeviceGuard device_guard(device_or_default(device));");
  EXPECT_EQ(guard_of(kSchema, DispatchKey::kCUDA),
            "globalContext().lazyInitDevice(c10::DeviceType::CUDA);\n"
            "\n  const DeviceGuard device_guard(device_or_default(device));");
}

TEST(RegisterDispatchKeyDevice, GuardsNothingWhereKeyOrOperatorDoNot) {
  const auto f = api::function_of("f(Tensor self) -> Tensor");
  auto index = index_of(DispatchKey::kCPU);
  std::string text;
  gen_device_guard(*f, index, text);
  EXPECT_EQ(text, "// DeviceGuard omitted");
  index.device_guard = true;
  f->device_guard = false;
  text.clear();
  gen_device_guard(*f, index, text);
  EXPECT_EQ(text, "// DeviceGuard omitted");
}

}  // namespace
}  // namespace opgen::emit
