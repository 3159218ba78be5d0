#include "opgen/api/types/signatures.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "opgen/api/error.h"
#include "opgen/api/translate.h"
#include "opgen/api/types/binding.h"
#include "opgen/model/backend_index.h"
#include "opgen/model/dispatch_key.h"
#include "opgen/model/native_function.h"
#include "opgen/model/native_functions_group.h"
#include "tests/opgen/api/functions.h"

namespace opgen::api {
namespace {

constexpr std::string_view kOut =
    "f.out(Tensor self, SymInt n=2, *, Tensor(a!) out) -> Tensor(a!)";

TEST(CppSignatureGroup, has_one_signature_for_plain_functions) {
  const auto f = function_of("f(Tensor self) -> Tensor");
  const auto group = CppSignatureGroup::from_native_function(*f, false);
  EXPECT_EQ(group.signatures().size(), 1U);
  EXPECT_EQ(group.most_faithful_signature().decl(),
            "at::Tensor f(const at::Tensor & self)");
}

TEST(CppSignatureGroup, has_four_for_symint_and_outputs) {
  const auto f = function_of(kOut);
  const auto group = CppSignatureGroup::from_native_function(*f, false);
  std::vector<std::string> decls;
  for (const CppSignature* signature : group.signatures()) {
    decls.push_back(signature->decl());
  }
  const std::vector<std::string> expected{
      "at::Tensor & f_out(at::Tensor & out, const at::Tensor & self, int64_t "
      "n=2)",
      "at::Tensor & f_outf(const at::Tensor & self, int64_t n, at::Tensor & "
      "out)",
      "at::Tensor & f_symint_out(at::Tensor & out, const at::Tensor & self, "
      "c10::SymInt n=2)",
      "at::Tensor & f_symint_outf(const at::Tensor & self, c10::SymInt n, "
      "at::Tensor & out)"};
  EXPECT_EQ(decls, expected);
  EXPECT_EQ(group.signatures(/*symint=*/false).size(), 2U);
}

TEST(CppSignature, drops_self_in_methods) {
  const auto f = function_of("f(Tensor self, int a=1) -> Tensor");
  const auto group = CppSignatureGroup::from_native_function(*f, true);
  EXPECT_EQ(group.signature.decl(), "at::Tensor f(int64_t a=1)");
}

TEST(CppSignature, prints_as_asked) {
  const auto f = function_of("f(SymInt n=2) -> Tensor");
  const auto group = CppSignatureGroup::from_native_function(*f, false);
  ASSERT_TRUE(group.symint_signature.has_value());
  const CppSignature s = group.symint_signature.value_or(group.signature);
  EXPECT_EQ(s.decl({.prefix = "Tensor::", .suppress_symint_suffix = true}),
            "at::Tensor Tensor::f(c10::SymInt n=2)");
  EXPECT_EQ(s.defn({.name = "g", .is_redispatching_fn = true}),
            "at::Tensor g(c10::DispatchKeySet dispatchKeySet, c10::SymInt n)");
  EXPECT_EQ(s.type(), "at::Tensor (c10::SymInt)");
  EXPECT_EQ(s.ptr_type(), "at::Tensor (*)(c10::SymInt)");
}

TEST(CppSignature, passes_no_comma_to_functions_without_arguments) {
  const auto f = function_of("f() -> Tensor");
  const auto group = CppSignatureGroup::from_native_function(*f, false);
  EXPECT_EQ(group.signature.defn({.is_redispatching_fn = true}),
            "at::Tensor f(c10::DispatchKeySet dispatchKeySet)");
}

TEST(CppSignature, names_fallback_bindings) {
  const auto f = function_of("f() -> Tensor");
  const auto group = CppSignatureGroup::from_native_function(
      *f, /*method=*/false, /*fallback_binding=*/true);
  EXPECT_EQ(group.signature.name(), "__dispatch_f");
}

TEST(CppSignature, follows_the_function_or_the_given_locals) {
  const auto f = function_of("f(Tensor[] a) -> Tensor");
  f->structured = true;
  EXPECT_EQ(CppSignatureGroup::from_native_function(*f, false).signature.type(),
            "at::Tensor (const at::ITensorListRef &)");
  EXPECT_EQ(CppSignatureGroup::from_native_function(*f, false, false, Locals{})
                .signature.type(),
            "at::Tensor (at::TensorList)");
}

TEST(DispatcherSignature, prints_as_asked) {
  const auto f = function_of(kOut);
  const auto s = DispatcherSignature::from_schema(f->func, {}, "wrapper_");
  EXPECT_EQ(s.decl(),
            "at::Tensor & wrapper_f_out(const at::Tensor & self, c10::SymInt "
            "n, at::Tensor & out)");
  EXPECT_EQ(s.defn("g", /*is_redispatching_fn=*/true),
            "at::Tensor & g(c10::DispatchKeySet dispatchKeySet, const "
            "at::Tensor & self, c10::SymInt n, at::Tensor & out)");
  EXPECT_EQ(s.ptr_type(),
            "at::Tensor & (*)(const at::Tensor &, c10::SymInt, at::Tensor &)");
  EXPECT_EQ(join_exprs(s.exprs()), "self, n, out");
}

TEST(NativeSignature, names_parameters_in_pointer_types) {
  const auto f = function_of("f(SymInt n=2) -> Tensor");
  const NativeSignature s{&f->func, {}, /*symint=*/false, ""};
  EXPECT_EQ(s.decl(), "at::Tensor f(int64_t n=2)");
  EXPECT_EQ(s.ptr_type(), "at::Tensor (*)(int64_t n)");
  EXPECT_EQ(join_exprs(s.dispatcher_exprs()), "n");
}

TEST(ViewInverseSignature, declares_a_static_function) {
  const auto f = function_of("f(Tensor(a) self, int d) -> Tensor(a)");
  model::NativeFunctionsViewGroup g;
  g.view = f.get();
  EXPECT_EQ(
      ViewInverseSignature{&g}.decl(),
      "static at::Tensor f_inverse(const at::Tensor & base, const at::Tensor & "
      "mutated_view, at::functionalization::InverseReturnMode "
      "inverse_return_mode, int64_t d);");
}

TEST(StructuredImplSignature, defines_the_implementation) {
  const GroupOfTwo two("f(Tensor self) -> Tensor",
                       "f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  EXPECT_EQ((StructuredImplSignature{&two.group, "f_out"}.defn()),
            "TORCH_IMPL_FUNC(f_out)(const at::Tensor & self, const at::Tensor "
            "& out)");
}

class KernelSignatureTest : public testing::Test {
 protected:
  model::BackendIndex index_of(const model::NativeFunction& f,
                               const char* kernel,
                               bool external) {
    model::BackendIndex index;
    index.dispatch_key = model::DispatchKey::kCPU;
    index.external = external;
    index.add(f, {.kernel = kernel, .cpp_namespace = "at::native"});
    return index;
  }
};

TEST_F(KernelSignatureTest, takes_symint_if_the_kernel_does) {
  const auto f = function_of("f.x(SymInt n) -> Tensor");
  const auto decl = [&](const char* kernel, bool external) {
    return kernel_signature(*f, index_of(*f, kernel, external), {}, "w_")
        .decl();
  };
  EXPECT_EQ(decl("f", false), "at::Tensor w_f_x(int64_t n)");
  EXPECT_EQ(decl("f_symint", false), "at::Tensor w_f_x(c10::SymInt n)");
  EXPECT_EQ(decl("f_symint", true), "at::Tensor w_f(c10::SymInt n)");
}

TEST_F(KernelSignatureTest, throws_for_symint_that_the_schema_has_not) {
  const auto f = function_of("f(int n) -> Tensor");
  EXPECT_THROW(kernel_signature(*f, index_of(*f, "f_symint", false), {}),
               ApiError);
}

}  // namespace
}  // namespace opgen::api
