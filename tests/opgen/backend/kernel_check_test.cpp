#include "opgen/backend/kernel_check.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "opgen/text/diagnostics.h"
#include "opgen/text/source.h"

namespace opgen::backend {
namespace {

using text::DiagnosticId;

ExpectedKernel kernel(std::string name, std::vector<std::string> parameters) {
  std::string declaration = "at::Tensor " + name + "(...)";
  return {{"Kernels", name},
          std::move(parameters),
          std::move(declaration),
          name + ".op",
          {}};
}

std::shared_ptr<const text::SourceFile> source(std::string contents) {
  return std::make_shared<const text::SourceFile>("kernels.cpp",
                                                  std::move(contents));
}

const std::string kUnary = "at::Tensor Kernels::abs(const at::Tensor& self) {}";

TEST(CheckKernels, AcceptsDefinitionsInAnySourceAndSpelling) {
  text::Diagnostics diagnostics;
  check_kernels(std::vector{kernel("abs", {"const at::Tensor &"}),
                            kernel("neg", {"at::Tensor &"})},
                {source(kUnary),
                 source("namespace n { struct Kernels { static Tensor& "
                        "neg(Tensor& self) { return self; } }; }")},
                diagnostics);
  EXPECT_TRUE(diagnostics.empty()) << diagnostics.to_text();
}

TEST(CheckKernels, ShowsADefinitionWithOtherParameters) {
  const SourceFiles sources{source("\n" + kUnary)};
  text::Diagnostics diagnostics;
  check_kernels(std::vector{kernel("abs", {"const at::Tensor &", "int64_t"}),
                            kernel("abs", {"at::Tensor &"})},
                sources,
                diagnostics);
  ASSERT_EQ(diagnostics.entries().size(), 2U);
  const text::Diagnostic& near = diagnostics.entries()[0];
  EXPECT_EQ(near.id, DiagnosticId::kKernelSignature);
  EXPECT_EQ(near.range.file->position(near.range.begin),
            (text::Position{2, 21}));
  EXPECT_NE(near.message.find("it has 1 parameter, expected 2"),
            std::string::npos);
  EXPECT_EQ(diagnostics.entries()[1].id, DiagnosticId::kKernelMissing);
}

TEST(CheckKernels, NamesTheParameterThatDiffers) {
  text::Diagnostics diagnostics;
  check_kernels(std::vector{kernel("abs", {"at::Tensor &"})},
                {source(kUnary)},
                diagnostics);
  ASSERT_EQ(diagnostics.entries().size(), 1U);
  EXPECT_NE(diagnostics.entries()[0].message.find(
                "parameter 1 is 'const Tensor&', expected 'at::Tensor &'"),
            std::string::npos)
      << diagnostics.to_text();
}

TEST(CheckKernels, SuggestsNearNamesAndFunctionsOutsideOfTheClass) {
  text::Diagnostics diagnostics;
  check_kernels(std::vector{kernel("absolute", {}), kernel("neg", {})},
                {source("Tensor Kernels::absolut() {} Tensor neg() {}")},
                diagnostics);
  ASSERT_EQ(diagnostics.entries().size(), 2U);
  EXPECT_EQ(diagnostics.entries()[0].suggestion, "absolut");
  EXPECT_EQ(diagnostics.entries()[1].notes.at(1).message,
            "'neg' is not in 'Kernels'");
}

std::size_t count_errors(const std::string& contents, int overloads) {
  text::Diagnostics diagnostics;
  error_on_missing_kernels(
      std::vector(static_cast<std::size_t>(overloads), kernel("abs", {})),
      text::SourceFile("k.cpp", contents),
      diagnostics);
  return diagnostics.error_count();
}

TEST(ErrorOnMissingKernels, CountsAsTorchgenDoes) {
  EXPECT_EQ(count_errors("Tensor Kernels::abs() {}", 1), 0U);
  EXPECT_EQ(count_errors("Tensor Kernels::abs() {}", 2), 1U);
  EXPECT_EQ(count_errors("Kernels::abs(\nKernels::abs(", 2), 0U);
  EXPECT_EQ(count_errors("Kernels::abs( Kernels::abs(", 2), 1U);
  EXPECT_EQ(count_errors("return n::Kernels::abs(x);", 1), 1U);
  EXPECT_EQ(count_errors("Kernels::\n  abs(", 1), 0U);
  EXPECT_EQ(count_errors("Kernels::abs (", 1), 1U);
  EXPECT_EQ(count_errors("Kernels::abs(a) + Kernels::b", 1), 0U);
  EXPECT_EQ(count_errors("// Kernels::abs(", 1), 0U);
  EXPECT_EQ(count_errors("", 1), 1U);
}

}  // namespace
}  // namespace opgen::backend
