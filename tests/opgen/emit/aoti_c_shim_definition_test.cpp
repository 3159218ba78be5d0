#include "opgen/emit/aoti_c_shim_definition.h"

#include <string_view>

#include <gtest/gtest.h>

#include "tests/opgen/api/functions.h"

namespace opgen::emit {
namespace {

std::optional<ShimFunction> shim_of(std::string_view schema,
                                    const std::string& metadata) {
  PythonModule module;
  EXPECT_EQ(read_python_module("m = " + metadata, module).message, "");
  return gen_declaration_and_definition(
      api::function_of(schema)->func, "cpu", "at::cpu::f", *module.find("m"));
}

TEST(ShimDefinition, calls_and_assigns) {
  const auto shim = shim_of("f.x(Tensor a) -> Tensor", "{}");
  ASSERT_TRUE(shim);
  EXPECT_EQ(shim->declaration,
            "AOTI_TORCH_EXPORT AOTITorchError aoti_torch_cpu_f_x("
            "AtenTensorHandle a, AtenTensorHandle* ret0);");
  EXPECT_EQ(shim->definition, R"text(
AOTITorchError aoti_torch_cpu_f_x(AtenTensorHandle a, AtenTensorHandle* ret0) {
    AOTI_TORCH_CONVERT_EXCEPTION_TO_ERROR_CODE({
        auto tmp_result = at::cpu::f(
            resolve_tensor_dispatch_flags(a)
        );
		*ret0 = new_tensor_handle(std::move(tmp_result));
    });
}
)text");
}

TEST(ShimDefinition, outputs_come_first_and_nothing_is_returned) {
  const auto shim =
      shim_of("f.out(int a, *, Tensor(a!) out) -> Tensor(a!)", "{}");
  ASSERT_TRUE(shim);
  EXPECT_EQ(shim->definition, R"text(
AOTITorchError aoti_torch_cpu_f_out(AtenTensorHandle out, int64_t a) {
    AOTI_TORCH_CONVERT_EXCEPTION_TO_ERROR_CODE({
        at::cpu::f(
            *tensor_handle_to_tensor_pointer(out), a
        );

    });
}
)text");
}

TEST(ShimDefinition, older_versions_leave_out_new_arguments) {
  const auto shim =
      shim_of("f_(Tensor(a!) self, int b=3) -> Tensor(a!)",
              "{'v2': {'new_args': ['b'], 'since': 'TORCH_VERSION_2_12_0'}}");
  ASSERT_TRUE(shim);
  EXPECT_EQ(shim->declaration,
            "#if TORCH_FEATURE_VERSION >= TORCH_VERSION_2_12_0\n"
            "AOTI_TORCH_EXPORT AOTITorchError aoti_torch_cpu_f__v2("
            "AtenTensorHandle self, int64_t b);\n"
            "#endif // TORCH_FEATURE_VERSION >= TORCH_VERSION_2_12_0\n"
            "AOTI_TORCH_EXPORT AOTITorchError aoti_torch_cpu_f_("
            "AtenTensorHandle self);");
  EXPECT_NE(shim->definition.find("tensor_pointer(self), 3\n"),
            std::string::npos)
      << shim->definition;
}

TEST(ShimDefinition, unsupported_types_have_no_function) {
  EXPECT_FALSE(shim_of("f(Storage a) -> Tensor", "{}"));
  EXPECT_FALSE(shim_of("f(Tensor a) -> Tensor[]", "{}"));
}

}  // namespace
}  // namespace opgen::emit
