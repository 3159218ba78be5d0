#include "opgen/model/native_function.h"

#include <gtest/gtest.h>

#include "opgen/model/backend_index.h"
#include "opgen/model/native_functions_group.h"

namespace opgen::model {
namespace {

NativeFunction view(std::string base) {
  NativeFunction f;
  OperatorName name;
  name.name.base = std::move(base);
  const Annotation alias{{"a"}, false, {}};
  Argument self{"self", Type::base(BaseTy::kTensor), std::nullopt, alias};
  f.func = FunctionSchema(name,
                          {{self}, 1, 0},
                          {{std::nullopt, Type::base(BaseTy::kTensor), alias}});
  return f;
}

TEST(NativeFunctionTest, ReturnsThatAliasMakeAView) {
  const NativeFunction f = view("narrow");
  EXPECT_TRUE(f.is_view_op());
  EXPECT_EQ(f.view_schema_kind(), ViewSchemaKind::kAliasing);
  EXPECT_EQ(NativeFunction().view_schema_kind(), ViewSchemaKind::kNonAliasing);
}

TEST(NativeFunctionTest, ResizeIsNoView) {
  NativeFunction f;
  f.tags = {"inplace_view"};
  f.func.name.name.base = "resize";
  f.func.name.name.inplace = true;
  EXPECT_FALSE(f.is_view_op());
  f.func.name.name.base = "squeeze";
  EXPECT_TRUE(f.is_view_op());
  EXPECT_EQ(f.view_schema_kind(), ViewSchemaKind::kAliasingInplace);
}

TEST(NativeFunctionTest, ViewCopyName) {
  NativeFunction f = view("narrow");
  f.func.name.overload_name = "Tensor";
  EXPECT_TRUE(gets_generated_view_copy(f));
  EXPECT_EQ(get_view_copy_name(f).str(), "narrow_copy.Tensor");
  f.has_composite_implicit_autograd_kernel = true;
  EXPECT_FALSE(gets_generated_view_copy(f));
  EXPECT_FALSE(gets_generated_view_copy(view("slice_inverse")));
}

TEST(NativeFunctionTest, NamesOfTypesAndKeysParseBack) {
  for (std::size_t i = 0; i < kScalarTypeCount; ++i) {
    const auto type = static_cast<ScalarType>(i);
    EXPECT_EQ(parse_scalar_type(name_of(type)), type);
  }
  for (std::size_t i = 0; i < kUfuncKeyCount; ++i) {
    const auto key = static_cast<UfuncKey>(i);
    EXPECT_EQ(parse_ufunc_key(name_of(key)), key);
  }
  EXPECT_EQ(parse_scalar_type("Integral"), std::nullopt);
}

TEST(BackendIndexTest, KeepsOneKernelForEachFunction) {
  NativeFunction f;
  f.id = 3;
  NativeFunction other;
  other.id = 9;
  BackendIndex index;
  EXPECT_FALSE(index.has_kernel(f));
  EXPECT_TRUE(index.add(f, {"add_symint", true, "at::native"}));
  EXPECT_FALSE(index.add(f, {"other", false, "at::native"}));
  ASSERT_TRUE(index.has_kernel(f));
  EXPECT_EQ(index.get_kernel(f)->kernel, "add_symint");
  EXPECT_TRUE(index.get_kernel(f)->supports_symint());
  EXPECT_FALSE(index.has_kernel(other));
  index.share(f, other);
  EXPECT_EQ(index.get_kernel(other), index.get_kernel(f));
  EXPECT_EQ(index.size(), 1U);
}

TEST(BackendIndexTest, OnlyExternalBackendsHaveAClass) {
  BackendIndex index;
  index.dispatch_key = DispatchKey::kXLA;
  EXPECT_EQ(index.native_function_class_name(), "");
  index.external = true;
  EXPECT_EQ(index.native_function_class_name(), "XLANativeFunctions");
}

}  // namespace
}  // namespace opgen::model
