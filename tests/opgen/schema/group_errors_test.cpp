// Every error about several entries of native_functions.yaml.
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "expectations.h"

namespace opgen::schema {
namespace {

using text::DiagnosticId;

constexpr std::string_view kStructured =
    "- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)\n"
    "  structured: True\n"
    "  dispatch: {CPU: f_out}\n";

std::string structured_with(std::string_view rest) {
  return std::string(kStructured) + std::string(rest);
}

TEST(GroupErrorsTest, Delegates) {
  expect_loads(
      structured_with("- func: f(Tensor self) -> Tensor\n"
                      "  structured_delegate: f.out\n"));
  expect_load_error(
      "- func: q_scale(Tensor self) -> float\n"
      "  structured_delegate: q.out\n",
      DiagnosticId::kNoDelegate,
      "q.out");
  expect_load_error(
      "- func: q_scale(Tensor self) -> float\n"
      "  structured_delegate: equal\n"
      "- func: equal(Tensor self) -> bool\n",
      DiagnosticId::kDelegateNotStructured,
      "equal");
  expect_load_error(structured_with("- func: f(Tensor self) -> Tensor\n"
                                    "  structured_delegate: f.out\n"
                                    "  dispatch: {CUDA: k}\n"),
                    DiagnosticId::kDelegatedKernel,
                    "{CUDA: k}");
  expect_load_error(structured_with("- func: f(Tensor self) -> Tensor\n"
                                    "  structured_delegate: g.out\n"
                                    "- func: g(Tensor x) -> Tensor\n"
                                    "  structured_delegate: g.out\n"
                                    "- func: g.out(Tensor x, *, Tensor(a!) "
                                    "out) -> Tensor(a!)\n"
                                    "  structured: True\n"),
                    DiagnosticId::kWrongDelegate,
                    "f");
  expect_load_error(
      "- func: f(Tensor self) -> Tensor\n"
      "- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)\n"
      "  structured_delegate: f.out\n",
      DiagnosticId::kDelegateOfOut,
      "f.out");
}

TEST(GroupErrorsTest, StructuredVariants) {
  expect_load_error(structured_with("- func: f(Tensor self) -> Tensor\n"
                                    "  dispatch: {CPU: f}\n"),
                    DiagnosticId::kUnstructuredVariant,
                    "f");
  expect_load_error(
      structured_with("- func: f_(Tensor(a!) self) -> Tensor(a!)\n"
                      "  structured_delegate: f.out\n"),
      DiagnosticId::kStructuredVariantMissing,
      "f_");
  expect_load_error(
      "- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)\n"
      "  structured: True\n"
      "  dispatch: {CompositeImplicitAutogradNestedTensor: k}\n"
      "- func: f(Tensor self) -> Tensor\n"
      "  structured_delegate: f.out\n",
      DiagnosticId::kStructuredComposite,
      "f.out");
  expect_load_error(
      "- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)\n"
      "  dispatch: {CPU: k}\n"
      "- func: f(Tensor self) -> Tensor\n"
      "  structured_delegate: g.out\n"
      "- func: g.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)\n"
      "  structured: True\n"
      "- func: g(Tensor self) -> Tensor\n"
      "  structured_delegate: g.out\n",
      DiagnosticId::kStructuredVariant,
      "f");
}

TEST(GroupErrorsTest, Duplicates) {
  const auto result = load(
      "- func: equal(Tensor x) -> bool\n"
      "- func: equal(Tensor x, int y) -> bool\n");
  ASSERT_EQ(result->diagnostics.error_count(), 1U);
  const text::Diagnostic& error = result->diagnostics.entries().front();
  EXPECT_EQ(error.id, DiagnosticId::kDuplicateOperator);
  ASSERT_EQ(error.notes.size(), 1U);
  EXPECT_EQ(error.notes[0].range.begin, 8U);
  expect_load_error(
      "- func: equal(Tensor x) -> bool\n"
      "- func: equal.b(Tensor x) -> bool\n",
      DiagnosticId::kDuplicateSchemaKind,
      "equal.b");
}

TEST(GroupErrorsTest, NamesakesShareTheirKernels) {
  const auto result = expect_loads(
      "- func: equal(Tensor x) -> bool\n"
      "  dispatch: {CPU: a}\n"
      "- func: custom::equal(Tensor x, int y) -> bool\n"
      "  dispatch: {CUDA: b}\n");
  const auto& indices = result->functions().backend_indices;
  for (const auto& f : result->functions().functions) {
    EXPECT_EQ(indices.at(model::DispatchKey::kCPU).get_kernel(*f)->kernel, "a");
    EXPECT_EQ(indices.at(model::DispatchKey::kCUDA).get_kernel(*f)->kernel,
              "b");
  }
}

TEST(GroupErrorsTest, Names) {
  expect_load_error("- func: equal(Tensor lambda) -> bool\n",
                    DiagnosticId::kPythonKeyword,
                    "lambda");
  expect_load_error(
      "- func: equal(Tensor(a) self) -> Tensor(a)\n"
      "  dispatch: {CompositeImplicitAutograd: k_symint}\n"
      "  tags: inplace_view\n",
      DiagnosticId::kInplaceViewName,
      "equal");
  expect_load_error(
      "- func: equal_(Tensor(a!) self) -> Tensor(a!)\n"
      "  tags: inplace_view\n",
      DiagnosticId::kInplaceViewWithoutView,
      "equal_");
  expect_load_error(
      "- func: f(Tensor self) -> Tensor\n"
      "- func: custom::f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)\n",
      DiagnosticId::kVariantNamespace,
      "f.out");
}

TEST(GroupErrorsTest, VariantsThatCannotBeMade) {
  expect_load_error(
      "- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)\n"
      "  dispatch: {CPU: k}\n",
      DiagnosticId::kOutWithoutVariants,
      "f.out");
  expect_load_error("- func: f(Tensor self) -> int\n  dispatch: {CPU: k}\n",
                    DiagnosticId::kNoOutVariant,
                    "f");
  expect_load_error(
      "- func: f(Tensor(a!) self) -> Tensor(a!)\n"
      "  dispatch: {CPU: k}\n  autogen: f.out\n",
      DiagnosticId::kGenerateMutableReturn,
      "f");
  std::string many = "- func: f(Tensor x) -> (Tensor";
  for (int i = 0; i < 26; ++i) {
    many += ", Tensor";
  }
  expect_load_error(many + ")\n  dispatch: {CPU: k}\n  autogen: f.out\n",
                    DiagnosticId::kGenerateLetters,
                    "f");
  expect_load_error(
      "- func: f.functional(Tensor x) -> Tensor\n"
      "  dispatch: {CPU: k}\n  autogen: f.functional_out\n",
      DiagnosticId::kFunctionalOverload,
      "f.functional");
}

TEST(GroupErrorsTest, Groups) {
  expect_load_error(
      "- func: bernoulli.p(Tensor self, float p) -> Tensor\n"
      "  dispatch: {CPU: k}\n  autogen: bernoulli.p_out\n",
      DiagnosticId::kGeneratedNotGrouped,
      "bernoulli.p");
  expect_load_error(
      "- func: f(Tensor self) -> Tensor\n"
      "- func: f.x(Tensor self, *, Tensor(a!) _scratch_x) -> ()\n",
      DiagnosticId::kScratchVariant,
      "f.x");
  expect_load_error(
      "- func: f_(Tensor(a!) self) -> Tensor(a!)\n"
      "- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)\n",
      DiagnosticId::kNoFunctionalVariant,
      "f_");
  expect_load_error(
      "- func: f(Tensor self, Tensor(a!) x) -> Tensor\n"
      "- func: f.b(Tensor self, Tensor x) -> (Tensor, Tensor)\n"
      "- func: f.out(Tensor self, Tensor(a!) x, *, Tensor(b!) out) -> "
      "Tensor(b!)\n",
      DiagnosticId::kFunctionalName,
      "f.b");
}

TEST(GroupErrorsTest, Autogen) {
  const std::string inplace =
      "- func: f_(Tensor(a!) self) -> Tensor(a!)\n"
      "  dispatch: {CPU: k}\n";
  expect_loads(inplace + "  autogen: f, f.out\n");
  expect_load_error(
      inplace + "  autogen: f.out\n", DiagnosticId::kWrongAutogen, "f.out");
  const std::string out =
      "- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)\n";
  expect_load_error(inplace + out, DiagnosticId::kNoAutogen, "f_");
  expect_load_error(out +
                        "- func: f(Tensor self) -> Tensor\n"
                        "  autogen: f.out\n",
                    DiagnosticId::kNeedlessAutogen,
                    "f.out");
}

TEST(GroupErrorsTest, Views) {
  const std::string view =
      "- func: f(Tensor(a) self) -> Tensor(a)\n"
      "  dispatch: {CPU: k}\n";
  const std::string copy =
      "- func: f_copy(Tensor self) -> Tensor\n"
      "  dispatch: {CompositeExplicitAutogradNonFunctional: f_copy}\n";
  expect_loads(view + copy + "  tags: view_copy\n");
  expect_load_error(view, DiagnosticId::kNoViewCopy, "f");
  expect_load_error(view + copy, DiagnosticId::kNoViewCopyTag, "f_copy");
  expect_load_error(
      "- func: f(Tensor(a) self, Tensor(b!) x) -> Tensor(a)\n"
      "  dispatch: {CPU: k}\n"
      "- func: f.x(Tensor self, Tensor x) -> (Tensor, Tensor)\n"
      "  dispatch: {CPU: k}\n  tags: view_copy\n",
      DiagnosticId::kViewCopyName,
      "f.x");
  expect_load_error(
      "- func: f_copy(Tensor(a) self) -> Tensor(a)\n"
      "  dispatch: {CPU: k}\n"
      "- func: f_copy_copy(Tensor self) -> Tensor\n"
      "  dispatch: {CompositeExplicitAutograd: k}\n  tags: view_copy\n",
      DiagnosticId::kViewCopySignature,
      "f_copy_copy");
  expect_load_error(view + copy + "  tags: view_copy\n" +
                        "- func: f.y(Tensor(a -> *) self) -> Tensor[]\n" +
                        "  dispatch: {CompositeImplicitAutograd: k_symint}\n" +
                        "- func: f.z(Tensor(a) self) -> Tensor(a)[]\n" +
                        "  dispatch: {CompositeImplicitAutograd: k_symint}\n",
                    DiagnosticId::kDuplicateSchemaKind,
                    "f.z");
}

TEST(GroupErrorsTest, InplaceViews) {
  const std::string view = "- func: f(Tensor(a) self) -> Tensor(a)\n";
  const std::string inplace = "- func: f_(Tensor(a!) self) -> Tensor(a!)\n";
  const std::string tag = "  tags: inplace_view\n";
  expect_loads(view + inplace + tag);
  expect_load_error(view + inplace + "  dispatch: {CPU: k}\n" + tag,
                    DiagnosticId::kViewInplaceComposite,
                    "f_");
  expect_load_error(view +
                        "  dispatch: {CompositeImplicitAutogradNestedTensor: "
                        "k, CompositeImplicitAutograd: f}\n" +
                        inplace + tag,
                    DiagnosticId::kViewInplaceNestedComposite,
                    "f_");
  expect_load_error(
      "- func: f_copy(Tensor(a) self) -> Tensor(a)\n"
      "- func: f(Tensor self, int n) -> int\n" +
          inplace + tag,
      DiagnosticId::kViewInplaceSignature,
      "f_");
  expect_load_error("- func: g_(Tensor(a! -> *) self) -> Tensor(a! -> *) x\n",
                    DiagnosticId::kNoInplaceViewTag,
                    "g_");
  expect_load_error(view + "- func: f_copy(Tensor(a) self) -> Tensor(a)\n",
                    DiagnosticId::kDuplicateViewKind,
                    "f_copy");
}

}  // namespace
}  // namespace opgen::schema
