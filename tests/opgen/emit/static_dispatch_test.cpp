#include "opgen/emit/static_dispatch.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "opgen/api/context.h"
#include "opgen/api/types/signatures.h"
#include "opgen/emit/operators.h"
#include "opgen/emit/target.h"
#include "opgen/model/backend_index.h"
#include "opgen/model/dispatch_key.h"
#include "tests/opgen/api/functions.h"

namespace opgen::emit {
namespace {

using model::DispatchKey;

class StaticDispatch : public ::testing::Test {
 protected:
  StaticDispatch() {
    cpu.dispatch_key = DispatchKey::kCPU;
    cuda.dispatch_key = DispatchKey::kCUDA;
    meta.dispatch_key = DispatchKey::kMeta;
  }

  std::string body(const model::NativeFunction& f,
                   const StaticDispatchBackends& backends) {
    const auto sig =
        api::DispatcherSignature::from_schema(f.func, api::locals_of(f));
    return static_dispatch(sig, f, backends);
  }

  model::BackendIndex cpu;
  model::BackendIndex cuda;
  model::BackendIndex meta;
};

TEST_F(StaticDispatch, KeysAndHeadersEndWithTheComposites) {
  EXPECT_TRUE(static_dispatch_keys({}).empty());
  EXPECT_TRUE(static_dispatch_extra_headers({}).empty());
  EXPECT_EQ(static_dispatch_extra_headers({&cpu}),
            (std::vector<std::string>{
                "#include <ATen/CPUFunctions.h>",
                "#include <ATen/CompositeImplicitAutogradFunctions.h>",
                "#include "
                "<ATen/CompositeImplicitAutogradNestedTensorFunctions.h>",
                "#include <ATen/CompositeExplicitAutogradFunctions.h>",
                "#include "
                "<ATen/CompositeExplicitAutogradNonFunctionalFunctions.h>"}));
}

TEST_F(StaticDispatch, PrefersTheBackendThenTheComposites) {
  const auto f = api::function_of("abs(Tensor self) -> Tensor");
  EXPECT_EQ(get_static_dispatch_backend(*f, cpu), std::nullopt);
  f->has_composite_implicit_autograd_nested_tensor_kernel = true;
  EXPECT_EQ(get_static_dispatch_backend(*f, cpu),
            DispatchKey::kCompositeImplicitAutogradNestedTensor);
  f->has_composite_implicit_autograd_kernel = true;
  EXPECT_EQ(get_static_dispatch_backend(*f, cpu),
            DispatchKey::kCompositeImplicitAutograd);
  f->has_composite_explicit_autograd_non_functional_kernel = true;
  EXPECT_EQ(get_static_dispatch_backend(*f, cpu),
            DispatchKey::kCompositeExplicitAutogradNonFunctional);
  f->has_composite_explicit_autograd_kernel = true;
  EXPECT_EQ(get_static_dispatch_backend(*f, cpu),
            DispatchKey::kCompositeExplicitAutograd);
  cpu.add(*f, {"abs", false, "at::native"});
  EXPECT_EQ(get_static_dispatch_backend(*f, cpu), DispatchKey::kCPU);
}

TEST_F(StaticDispatch, IncludesOneHeaderPerBackend) {
  const auto f = api::function_of("abs.x(Tensor self) -> Tensor");
  EXPECT_EQ(static_dispatch_ops_header(*f, {}), "");
  EXPECT_EQ(static_dispatch_ops_header(*f, {&cpu}), "");
  f->structured_delegate = model::OperatorName{};
  EXPECT_EQ(static_dispatch_ops_header(*f, {&cpu, &meta}),
            "#include <ATen/ops/abs_cpu_dispatch.h>\n"
            "#include <ATen/ops/abs_meta_dispatch.h>");
  f->manual_kernel_registration = true;
  EXPECT_EQ(static_dispatch_ops_header(*f, {&cpu}), std::nullopt);
}

TEST_F(StaticDispatch, CallsTheOnlyBackendInTheNamespaceOfItsKernel) {
  const auto f = api::function_of("abs(Tensor self) -> Tensor");
  cpu.add(*f, {"abs", false, "mine::native"});
  EXPECT_EQ(body(*f, {&cpu, &cuda}), "return mine::cpu::abs(self);");
}

TEST_F(StaticDispatch, DelegatesOnlyWhereStructuredKernelsExist) {
  const auto f = api::function_of("abs(Tensor self) -> Tensor");
  f->structured_delegate = model::OperatorName{};
  EXPECT_EQ(body(*f, {&cpu, &meta}), "return at::cpu::abs(self);");
}

TEST_F(StaticDispatch, FallsBackToComposites) {
  const auto f = api::function_of("abs(Tensor self) -> Tensor");
  EXPECT_EQ(body(*f, {&cpu, &cuda}),
            "TORCH_CHECK(false, \"Static dispatch does not support abs "
            "forCPU, CUDA \");");
  f->has_composite_implicit_autograd_kernel = true;
  EXPECT_EQ(body(*f, {&cpu, &cuda}),
            "return at::compositeimplicitautograd::abs(self);");
}

TEST_F(StaticDispatch, SwitchesOverSeveral) {
  const auto f = api::function_of(
      "f(Tensor x, SymInt n, *, ScalarType? dtype=None, Layout? layout=None, "
      "Device? device=None, bool? pin_memory=None, MemoryFormat? "
      "memory_format=None) -> Tensor");
  cpu.add(*f, {"f", false, "at::native"});
  cuda.add(*f, {"f", false, "at::native"});
  EXPECT_EQ(
      body(*f, {&cpu, &cuda}),
      "\n    DispatchKeySet _dk_set = DispatchKeySet(c10::computeDispatchKey("
      "dtype, layout, device)) | c10::detail::multi_dispatch_key_set(x);\n"
      "\t\tDispatchKey _dk = c10::highestPriorityBackendTypeId(_dk_set);\n"
      "    switch (_dk) {\n"
      "        case DispatchKey::CPU:\n"
      "\t\t\treturn at::cpu::f_symint(x, n, TensorOptions().dtype(dtype)"
      ".layout(layout).device(device).pinned_memory(pin_memory), "
      "memory_format);;\n"
      "\t\tcase DispatchKey::CUDA:\n"
      "\t\t\treturn at::cuda::f_symint(x, n, TensorOptions().dtype(dtype)"
      ".layout(layout).device(device).pinned_memory(pin_memory), "
      "memory_format);;\n"
      "        default:\n"
      "            TORCH_CHECK(false, \"Static dispatch does not support "
      "f_symint forCPU, CUDA \");\n"
      "    }\n    ");
}

TEST_F(StaticDispatch, IsEmptyWhereItCannotBe) {
  const auto f = api::function_of("abs(Tensor self) -> Tensor");
  EXPECT_EQ(body(*f, {}), "");
  f->manual_kernel_registration = true;
  EXPECT_EQ(body(*f, {&cpu}), "");
}

TEST_F(StaticDispatch, IsTheBodyOfCallAlone) {
  const auto f = api::function_of("abs(Tensor self) -> Tensor");
  cpu.add(*f, {"abs", false, "at::native"});
  const std::string text = ComputeOperators{Target::kDefinition, {&cpu}}(*f);
  EXPECT_NE(text.find("at::Tensor abs::call(const at::Tensor & self) {\n"
                      "    return at::cpu::abs(self);\n}\n"),
            std::string::npos);
  EXPECT_NE(text.find("return op.redispatch(dispatchKeySet, self);"),
            std::string::npos);
}

}  // namespace
}  // namespace opgen::emit
