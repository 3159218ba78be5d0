#include "opgen/emit/structured_register.h"

#include <gtest/gtest.h>

#include "opgen/emit/register_dispatch_key_error.h"
#include "tests/opgen/emit/register_dispatch_key_fixture.h"

namespace opgen::emit {
namespace {

using model::BackendIndex;
using model::DispatchKey;
using model::NativeFunction;

// The wrapper function alone, without the class before it.
std::string wrapper_of(const BackendIndex& index,
                       const Variants& variants,
                       const NativeFunction* f) {
  const auto generator = generator_of(index, Target::kAnonymousDefinition);
  Texts out;
  StructuredRegisterDispatchKey{generator, variants.group}.gen_one(*f, out);
  if (out.size() != 1) {
    return "";
  }
  const std::size_t end = out[0].find("};\n\n");
  return end == std::string::npos ? out[0] : out[0].substr(end + 4);
}

struct StructuredAdd : AddVariants {
  StructuredAdd() { make_structured(); }
};

TEST(StructuredRegister, CallsMetaAndImpl) {
  const StructuredAdd add;
  auto index = index_of(DispatchKey::kCPU);
  index.add(*add.group.out, {"add_cpu", true, "at::native"});
  EXPECT_EQ(
      wrapper_of(index, add, add.group.functional),
      R"text(at::Tensor wrapper_CPU_add(const at::Tensor & self, const at::Tensor & other) {
structured_add_cpu_functional op;
op.meta(self, other);
op.impl(self, other, op.outputs_[0]);
return std::move(op.outputs_[0]);
}
)text");
  EXPECT_EQ(
      wrapper_of(index, add, add.group.inplace),
      R"text(at::Tensor & wrapper_CPU_add_(at::Tensor & self, const at::Tensor & other) {
structured_add_cpu_inplace op(self);
op.meta(self, other);
op.impl(self, other, op.outputs_[0]);
if (op.proxy_outputs_[0].has_value()) op.outputs_[0].get().copy_(*op.proxy_outputs_[0]);
return self;
}
)text");
}

TEST(StructuredRegister, ChecksDevicesWhereTheKeyDoes) {
  const StructuredAdd add;
  auto index = index_of(DispatchKey::kCUDA);
  index.device_guard = true;
  index.add(*add.group.out, {"add_cuda", true, "at::native"});
  EXPECT_EQ(
      wrapper_of(index, add, add.group.out),
      R"text(at::Tensor & wrapper_CUDA_add_out_out(const at::Tensor & self, const at::Tensor & other, at::Tensor & out) {
std::optional<Device> common_device = std::nullopt;
(void)common_device; // Suppress unused variable warning

  c10::impl::check_and_update_common_device(common_device, out, "wrapper_CUDA_add_out_out", "out");
  c10::impl::check_and_update_common_device(common_device, self, "wrapper_CUDA_add_out_out", "self");
  c10::impl::check_and_update_common_device(common_device, other, "wrapper_CUDA_add_out_out", "other");
structured_add_cuda_out op(out);
op.meta(self, other);
op.impl(self, other, op.maybe_get_output(0));
if (op.proxy_outputs_[0].has_value()) op.outputs_[0].get().copy_(*op.proxy_outputs_[0]);
return out;
}
)text");
}

TEST(StructuredRegister, StopsAfterMetaForMeta) {
  const StructuredAdd add;
  const auto index = index_of(DispatchKey::kMeta);
  EXPECT_EQ(
      wrapper_of(index, add, add.group.functional),
      R"text(at::Tensor wrapper_Meta_add(const at::Tensor & self, const at::Tensor & other) {
structured_add_meta_functional op;
op.meta(self, other);
return std::move(op.outputs_[0]);
}
)text");
}

TEST(StructuredRegister, CallsTheOutVariantOfOtherBackends) {
  const StructuredAdd add;
  const auto index =
      index_of(DispatchKey::kCompositeExplicitAutogradNonFunctional);
  EXPECT_NE(wrapper_of(index, add, add.group.functional)
                .find("structured_add_default_backend_functional op;\n"
                      "op.meta(self, other);\n"
                      "at::add_outf(self, other, op.outputs_[0]);\n"),
            std::string::npos);
  EXPECT_EQ(wrapper_of(index, add, add.group.out), "");
}

TEST(StructuredRegister, ReturnsSeveralOutputs) {
  Variants f{"f(Tensor x) -> (Tensor, Tensor)",
             "f.out(Tensor x, *, Tensor(a!) a, Tensor(b!) b) -> (Tensor(a!), "
             "Tensor(b!))"};
  f.make_structured();
  const auto index = index_of(DispatchKey::kMeta);
  EXPECT_NE(wrapper_of(index, f, f.group.functional)
                .find("return std::make_tuple(std::move(op.outputs_[0]), "
                      "std::move(op.outputs_[1]));\n"),
            std::string::npos);
  EXPECT_NE(wrapper_of(index, f, f.group.out)
                .find("return std::forward_as_tuple(a, b);\n"),
            std::string::npos);
}

TEST(StructuredRegister, PassesPrecomputedArguments) {
  Variants f{"f(Tensor self, int dim) -> Tensor",
             "f.out(Tensor self, int dim, *, Tensor(a!) out) -> Tensor(a!)"};
  f.make_structured();
  const auto precomputed = api::function_of("p(int wrapped_dim, int n) -> ()");
  const auto arguments = precomputed->func.arguments.flat_all();
  f.functions[1]->precomputed.emplace();
  f.functions[1]->precomputed->replace.push_back({"dim", {arguments[0]}});
  f.functions[1]->precomputed->add = {arguments[1]};
  auto index = index_of(DispatchKey::kCPU);
  index.add(*f.group.out, {"f_cpu", true, "at::native"});
  EXPECT_NE(wrapper_of(index, f, f.group.functional)
                .find("auto precompute = op.meta(self, dim);\n"
                      "(void)precompute;\n"
                      "op.impl(self, precompute.wrapped_dim, precompute.n, "
                      "op.outputs_[0]);\n"),
            std::string::npos);
}

TEST(StructuredRegister, RejectsMutableVariants) {
  StructuredAdd add;
  const NativeFunction* f =
      add.add("add.m(Tensor self, Tensor(a!) other) -> Tensor");
  const auto index = index_of(DispatchKey::kMeta);
  EXPECT_THROW(wrapper_of(index, add, f), EmitError);
}

}  // namespace
}  // namespace opgen::emit
