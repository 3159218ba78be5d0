#include "opgen/emit/native_functions.h"

#include <gtest/gtest.h>

#include "opgen/emit/register_dispatch_key_error.h"
#include "tests/opgen/emit/register_dispatch_key_fixture.h"

namespace opgen::emit {
namespace {

using model::BackendIndex;
using model::DispatchKey;

Texts declarations_of(const model::FunctionOrGroup& item,
                      const std::vector<const BackendIndex*>& indices) {
  return get_native_function_declarations({&item, 1}, indices);
}

TEST(NativeFunctions, DeclareKernels) {
  const AddVariants add;
  auto index = index_of(DispatchKey::kCPU);
  index.add(*add.group.inplace, {"add_cpu_", false, "at::native"});
  index.add(*add.group.functional, {"legacy::add", false, "at::native"});
  EXPECT_EQ(compute_native_function_declaration(&add.group, index),
            Texts{"TORCH_API at::Tensor & add_cpu_(at::Tensor & self, const "
                  "at::Tensor & other);"});
}

TEST(NativeFunctions, DeclareMethodsOfExternalBackends) {
  const auto f = api::function_of("f(Tensor self, SymInt n) -> Tensor");
  auto index = index_of(DispatchKey::kXLA);
  index.external = true;
  index.add(*f, {"f_symint", false, "torch_xla"});
  EXPECT_EQ(compute_native_function_declaration(f.get(), index),
            Texts{"static at::Tensor f_symint(const at::Tensor & self, "
                  "c10::SymInt n);"});
}

TEST(NativeFunctions, DeclareStructuredKernels) {
  AddVariants add;
  add.make_structured();
  auto index = index_of(DispatchKey::kXPU);
  index.add(*add.group.out, {"add_out", true, "at::native"});
  EXPECT_EQ(compute_native_function_declaration(&add.group, index),
            Texts{"struct TORCH_XPU_API structured_add_out : public "
                  "at::meta::structured_add {\n"
                  "void impl(const at::Tensor & self, const at::Tensor & "
                  "other, const at::Tensor & out);\n"
                  "};\n"});
  index.external = true;
  EXPECT_THROW(compute_native_function_declaration(&add.group, index),
               EmitError);
}

TEST(NativeFunctions, AreDeclaredOnceInTheOrderOfTheKeys) {
  const auto f = api::function_of("f(Tensor self) -> Tensor");
  auto cpu = index_of(DispatchKey::kCPU);
  cpu.add(*f, {"f", false, "at::native"});
  auto cuda = index_of(DispatchKey::kCUDA);
  cuda.add(*f, {"f_cuda", false, "at::native"});
  auto meta = index_of(DispatchKey::kMeta);
  meta.add(*f, {"f", false, "at::native"});
  EXPECT_EQ(declarations_of(f.get(), {&cuda, &cpu, &meta}),
            Texts{"namespace at {\nnamespace native {\n"
                  "TORCH_API at::Tensor f_cuda(const at::Tensor & self);\n"
                  "TORCH_API at::Tensor f(const at::Tensor & self);\n"
                  "} // namespace native\n} // namespace at\n        "});
}

TEST(NativeFunctions, OpenTheirNamespaceEvenWithoutKernel) {
  const auto f = api::function_of("f(Tensor self) -> Tensor");
  const auto cpu = index_of(DispatchKey::kCPU);
  EXPECT_EQ(declarations_of(f.get(), {&cpu}),
            Texts{"namespace at {\nnamespace native {\n"
                  "} // namespace native\n} // namespace at\n        "});
}

TEST(NativeFunctions, MayBeInOneNamespaceOnly) {
  const auto f = api::function_of("f(Tensor self) -> Tensor");
  auto cpu = index_of(DispatchKey::kCPU);
  cpu.add(*f, {"f", false, "at::native"});
  auto cuda = index_of(DispatchKey::kCUDA);
  cuda.add(*f, {"f", false, "mine::native"});
  EXPECT_THROW(declarations_of(f.get(), {&cpu, &cuda}), EmitError);
}

TEST(NativeFunctions, FollowTheMapOfIndices) {
  const auto f = api::function_of("f(Tensor self) -> Tensor");
  std::map<DispatchKey, BackendIndex> indices;
  indices[DispatchKey::kCPU] = index_of(DispatchKey::kCPU);
  indices[DispatchKey::kCPU].add(*f, {"f", false, "mine::native"});
  const model::FunctionOrGroup item = f.get();
  const Texts texts = get_native_function_declarations({&item, 1}, indices);
  ASSERT_EQ(texts.size(), 1);
  EXPECT_TRUE(texts[0].starts_with("namespace mine {\nnamespace native {\n"));
}

}  // namespace
}  // namespace opgen::emit
