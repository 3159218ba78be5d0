#include "opgen/emit/unstructured_register.h"

#include <gtest/gtest.h>

#include "tests/opgen/emit/register_dispatch_key_fixture.h"

namespace opgen::emit {
namespace {

using model::DispatchKey;

TEST(UnstructuredRegister, WrapsAKernel) {
  const auto f = api::function_of("f.x(Tensor self, int n) -> Tensor");
  auto index = index_of(DispatchKey::kCPU);
  index.add(*f, {"f_cpu", false, "at::native"});
  EXPECT_EQ(generate(index, Target::kAnonymousDefinition, f.get()),
            Texts{R"text(namespace {

at::Tensor wrapper_CPU_x_f(const at::Tensor & self, int64_t n) {
    // No device check


  // DeviceGuard omitted
  return at::native::f_cpu(self, n);
}

} // anonymous namespace
)text"});
}

TEST(UnstructuredRegister, CallsMethodsOfExternalBackends) {
  const auto f = api::function_of("f(Tensor self, SymInt n) -> Tensor");
  auto index = index_of(DispatchKey::kXLA);
  index.external = true;
  index.device_guard = true;
  index.add(*f, {"f_symint", false, "torch_xla"});
  auto generator = generator_of(index, Target::kAnonymousDefinition);
  generator.class_method_name = "XLANativeFunctions";
  EXPECT_EQ(generate(generator, f.get()), Texts{R"text(namespace {

at::Tensor wrapper_XLA__f(const at::Tensor & self, c10::SymInt n) {
  std::optional<Device> common_device = std::nullopt;
(void)common_device; // Suppress unused variable warning

  c10::impl::check_and_update_common_device(common_device, self, "wrapper_XLA__f", "self");

  const OptionalDeviceGuard device_guard(device_of(self));
  return torch_xla::XLANativeFunctions::f_symint(self, n);
}

} // anonymous namespace
)text"});
}

TEST(UnstructuredRegister, UnpacksSymIntForKernelsOfInts) {
  const auto f = api::function_of("f(Tensor self, SymInt n) -> Tensor");
  auto index = index_of(DispatchKey::kCPU);
  index.add(*f, {"f", false, "at::native"});
  const Texts texts = generate(index, Target::kAnonymousDefinition, f.get());
  ASSERT_EQ(texts.size(), 1);
  EXPECT_NE(texts[0].find("return at::native::f(self, n.guard_int(__FILE__, "
                          "__LINE__));"),
            std::string::npos);
}

TEST(UnstructuredRegister, DeclaresAndDefinesEveryOverload) {
  const auto f = api::function_of(
      "f.out(Tensor self, SymInt n, *, Tensor(a!) out) -> Tensor(a!)");
  auto index = index_of(DispatchKey::kCPU);
  index.add(*f, {"f_out", false, "at::native"});
  EXPECT_EQ(
      generate(index, Target::kNamespacedDeclaration, f.get()),
      Texts{"TORCH_API at::Tensor & f_out(at::Tensor & out, const at::Tensor & "
            "self, int64_t n);\n"
            "TORCH_API at::Tensor & f_outf(const at::Tensor & self, int64_t n, "
            "at::Tensor & out);\n"
            "TORCH_API at::Tensor & f_symint_out(at::Tensor & out, const "
            "at::Tensor & self, c10::SymInt n);\n"
            "TORCH_API at::Tensor & f_symint_outf(const at::Tensor & self, "
            "c10::SymInt n, at::Tensor & out);\n"});
  auto generator = generator_of(index, Target::kNamespacedDefinition);
  generator.symint = false;
  EXPECT_EQ(generate(generator, f.get()), Texts{R"text(
at::Tensor & f_out(at::Tensor & out, const at::Tensor & self, int64_t n) {
return wrapper_CPU_out_f_out(self, n, out);
}

at::Tensor & f_outf(const at::Tensor & self, int64_t n, at::Tensor & out) {
return wrapper_CPU_out_f_out(self, n, out);
}
)text"});
}

TEST(UnstructuredRegister, MakesMetaKernelsOfInplaceOperators) {
  const auto f = api::function_of("f_(Tensor(a!) self) -> Tensor(a!)");
  const auto index = index_of(DispatchKey::kMeta);
  EXPECT_EQ(generate(index, Target::kAnonymousDefinition, f.get()),
            Texts{R"text(
at::Tensor & wrapper_Meta__f_(at::Tensor & self) {
  TORCH_CHECK_NOT_IMPLEMENTED(self.is_meta(),
    "Cannot inplace into non-meta tensor with meta tensor argument");
  return self;
}
)text"});
  f->has_composite_explicit_autograd_kernel = true;
  EXPECT_EQ(wrapper_kind(index, *f, nullptr), WrapperKind::kNone);
}

TEST(UnstructuredRegister, LeavesOutWhatIsRegisteredByHand) {
  const auto f = api::function_of("f(Tensor self) -> Tensor");
  auto index = index_of(DispatchKey::kCPU);
  index.add(*f, {"f", false, "at::native"});
  EXPECT_EQ(wrapper_kind(index, *f, nullptr), WrapperKind::kKernel);
  f->manual_kernel_registration = true;
  EXPECT_EQ(wrapper_kind(index, *f, nullptr), WrapperKind::kNone);
}

TEST(UnstructuredRegister, RegistersNothingWhereTheDispatcherIsSkipped) {
  const auto f = api::function_of("f(Tensor self) -> Tensor");
  auto index = index_of(DispatchKey::kCPU);
  index.add(*f, {"f", false, "at::native"});
  auto generator = generator_of(index, Target::kRegistration);
  generator.skip_dispatcher_op_registration = true;
  EXPECT_EQ(generate(generator, f.get()), Texts{});
}

}  // namespace
}  // namespace opgen::emit
