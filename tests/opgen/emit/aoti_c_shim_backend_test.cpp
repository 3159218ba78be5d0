#include "opgen/emit/aoti_c_shim_backend.h"

#include <gtest/gtest.h>

#include "tests/opgen/emit/register_dispatch_key_fixture.h"

namespace opgen::emit {
namespace {

using model::DispatchKey;

struct Program : AddVariants {
  Program() {
    for (const DispatchKey key :
         {DispatchKey::kCPU, DispatchKey::kCompositeExplicitAutograd}) {
      functions_of_run.backend_indices.emplace(key, index_of(key));
    }
  }

  void add_kernel(DispatchKey key, const model::NativeFunction* f) {
    functions_of_run.backend_indices.at(key).add(
        *f, {.kernel = "k", .cpp_namespace = "at::native"});
  }

  StructuredGroups groups() {
    functions_of_run.grouped_native_functions = {&group};
    return structured_groups(functions_of_run);
  }

  model::NativeFunctions functions_of_run;
};

TEST(ShimBackend, names_have_a_default_overload) {
  const AddVariants add;
  EXPECT_EQ(get_fallback_op_name(*add.group.functional), "aten.add.default");
  EXPECT_EQ(get_fallback_op_name(*add.group.inplace), "aten.add_.default");
  EXPECT_EQ(get_fallback_op_name(*add.group.out), "aten.add.out");
}

TEST(ShimBackend, prefers_the_kernel_of_the_key) {
  Program program;
  const auto* f = program.group.functional;
  const StructuredGroups groups;
  const ShimBackend cpu(
      program.functions_of_run, groups, DispatchKey::kCPU, false);
  EXPECT_EQ(cpu.gen_static_dispatch_backend_call(*f), std::nullopt);
  EXPECT_EQ(cpu.get_header_for_aoti(*f), std::nullopt);
  program.add_kernel(DispatchKey::kCompositeExplicitAutograd, f);
  EXPECT_EQ(cpu.gen_static_dispatch_backend_call(*f),
            "at::compositeexplicitautograd::add");
  const ShimBackend extended(
      program.functions_of_run, groups, DispatchKey::kCPU, true);
  EXPECT_EQ(extended.gen_static_dispatch_backend_call(*f), std::nullopt);
  program.add_kernel(DispatchKey::kCPU, f);
  EXPECT_EQ(cpu.gen_static_dispatch_backend_call(*f), "at::cpu::add");
  EXPECT_EQ(cpu.get_header_for_aoti(*f),
            "#include <ATen/ops/add_cpu_dispatch.h>");
}

TEST(ShimBackend, structured_kernels_serve_all_variants) {
  Program program;
  program.make_structured();
  const auto groups = program.groups();
  const ShimBackend cpu(
      program.functions_of_run, groups, DispatchKey::kCPU, false);
  program.add_kernel(DispatchKey::kCompositeExplicitAutograd,
                     program.group.out);
  EXPECT_EQ(cpu.gen_static_dispatch_backend_call(*program.group.functional),
            std::nullopt);
  program.add_kernel(DispatchKey::kCPU, program.group.out);
  EXPECT_EQ(cpu.gen_static_dispatch_backend_call(*program.group.functional),
            "at::cpu::add");
}

TEST(ShimBackend, aten_goes_through_the_dispatcher) {
  const Program program;
  const StructuredGroups groups;
  const ShimBackend aten(program.functions_of_run, groups, std::nullopt, false);
  EXPECT_EQ(aten.gen_static_dispatch_backend_call(*program.group.out),
            "at::add_out");
  EXPECT_EQ(aten.get_header_for_aoti(*program.group.out),
            "#include <ATen/ops/add.h>");
  const auto narrow = api::function_of("narrow(Tensor a, SymInt b) -> Tensor");
  EXPECT_EQ(aten.gen_static_dispatch_backend_call(*narrow),
            "at::narrow_symint");
  narrow->function_variant = false;
  narrow->method_variant = true;
  EXPECT_EQ(aten.gen_static_dispatch_backend_call(*narrow),
            "at::symint::narrow<c10::SymInt>");
}

}  // namespace
}  // namespace opgen::emit
