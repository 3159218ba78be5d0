#include "opgen/backend/backend_stubs.h"

#include <string>

#include <gtest/gtest.h>

#include "opgen/text/diagnostics.h"
#include "tests/opgen/backend/stubs_tree.h"

namespace opgen::backend {
namespace {

using text::DiagnosticId;

const std::string kHeader = "PrivateUse1NativeFunctions.h";
const std::string kRegister = "RegisterPrivateUse1.cpp";

TEST(GenerateStubs, MakesAHeaderAndRegistrations) {
  StubsTree tree;
  ASSERT_TRUE(tree.generate("supported: [abs]\nautograd: [grow]\n"))
      << tree.run.diagnostics.to_text();
  EXPECT_EQ(tree.run.files.size(), 3U);
  EXPECT_TRUE(
      tree.holds(kHeader, "static at::Tensor abs(const at::Tensor & self);"));
  EXPECT_TRUE(tree.holds(kRegister, "#include \"out/" + kHeader + "\""));
  EXPECT_TRUE(
      tree.holds(kRegister, "my::PrivateUse1NativeFunctions::abs(self)"));
  EXPECT_TRUE(tree.holds(kRegister, "wrapper_PrivateUse1_out_abs_out"));
  EXPECT_TRUE(tree.holds("RegisterAutogradPrivateUse1.cpp",
                         "TORCH_LIBRARY_IMPL(aten, AutogradPrivateUse1, m)"));
}

TEST(GenerateStubs, MakesNothingWithoutKernels) {
  StubsTree tree;
  EXPECT_TRUE(tree.generate("supported:\nautograd: [abs]\n"));
  EXPECT_TRUE(tree.run.files.empty());
  EXPECT_TRUE(tree.run.diagnostics.empty());
}

TEST(GenerateStubs, MakesNoFilesInADryRun) {
  StubsTree tree;
  tree.options.dry_run = true;
  EXPECT_TRUE(tree.generate("supported: [abs]\n"));
  EXPECT_TRUE(tree.run.files.empty());
}

TEST(GenerateStubs, IncludesExtraHeaders) {
  StubsTree tree;
  ASSERT_TRUE(tree.generate(
      "supported: [abs]\nextra_headers: [a.h, <b.h>, '#include \"c.h\"']\n"));
  EXPECT_TRUE(tree.holds(
      kRegister, "#include \"a.h\"\n#include <b.h>\n#include \"c.h\"\n"));
}

TEST(GenerateStubs, DeclaresDefaultsThatLeaveCallsClear) {
  StubsTree tree;
  tree.write("own.yaml",
             "- func: my::f(Tensor x) -> Tensor\n"
             "- func: my::f.s(Tensor x, float s=1.0, int n=2) -> Tensor\n");
  ASSERT_TRUE(
      tree.generate("supported: [my::f, my::f.s, add.Tensor]\n"
                    "overlay: own.yaml\ndefault_arguments: true\n"))
      << tree.run.diagnostics.to_text();
  EXPECT_TRUE(
      tree.holds(kHeader, "f(const at::Tensor & x, double s, int64_t n=2);"));
  EXPECT_TRUE(tree.holds(kHeader, "const at::Scalar & alpha=1);"));
}

TEST(GenerateStubs, KeepsDefaultsOutUnlessAskedFor) {
  StubsTree tree;
  ASSERT_TRUE(tree.generate("supported: [add.Tensor]\n"));
  EXPECT_TRUE(tree.holds(kHeader, "const at::Scalar & alpha);"));
}

TEST(GenerateStubs, FollowsRulesForDevicesOfOneOperator) {
  StubsTree tree;
  ASSERT_TRUE(
      tree.generate("supported:\n- func: abs\n  device_guard: true\n"
                    "- func: grow\n  device_check: true\n"));
  EXPECT_TRUE(
      tree.holds(kRegister,
                 "const OptionalDeviceGuard device_guard(device_of(self));\n"
                 "  return my::PrivateUse1NativeFunctions::abs("));
  EXPECT_TRUE(tree.holds(kRegister,
                         "common_device, self, "
                         "\"wrapper_PrivateUse1__grow\""));
  EXPECT_FALSE(tree.holds(kRegister, "\"wrapper_PrivateUse1__abs\""));
}

TEST(GenerateStubs, MakesStructuredKernels) {
  StubsTree tree;
  ASSERT_TRUE(
      tree.generate("structured: [add.Tensor]\nsupported: [abs]\n"
                    "empty: my::empty\n"))
      << tree.run.diagnostics.to_text();
  EXPECT_TRUE(tree.holds(
      kHeader,
      "struct structured_add_Tensor : public at::meta::structured_add_Tensor"));
  EXPECT_TRUE(tree.holds(kHeader, "#include <ATen/ops/add_meta.h>"));
  EXPECT_TRUE(tree.holds(kRegister, "return my::empty(sizes, options);"));
  EXPECT_TRUE(tree.holds(kRegister,
                         "return at::empty_strided(sizes, strides, options);"));
  for (const char* name : {"add.Tensor", "add.out"}) {
    EXPECT_TRUE(tree.holds(kRegister, "m.impl(\"" + std::string(name) + "\","));
  }
}

TEST(GenerateStubs, RegistersOverlays) {
  StubsTree tree;
  tree.write("own.yaml",
             "- func: my::f(Tensor x) -> Tensor\n  dispatch:\n    Meta: g\n"
             "- func: my::h(Tensor x) -> Tensor\n");
  ASSERT_TRUE(tree.generate("supported: [abs, my::f]\noverlay: own.yaml\n"))
      << tree.run.diagnostics.to_text();
  EXPECT_TRUE(tree.holds(kRegister,
                         "TORCH_LIBRARY_FRAGMENT(my, m) {\n"
                         "    m.def(\"f(Tensor x) -> Tensor\", {});"));
  EXPECT_TRUE(
      tree.holds(kRegister, "TORCH_LIBRARY_IMPL(aten, PrivateUse1, m)"));
  EXPECT_TRUE(tree.holds(kRegister, "TORCH_LIBRARY_IMPL(my, PrivateUse1, m)"));
  EXPECT_TRUE(tree.holds("RegisterMeta.cpp", "PrivateUse1NativeFunctions::g("));
  EXPECT_FALSE(tree.holds("RegisterMeta.cpp", "abs_"));
  EXPECT_FALSE(tree.holds("RegisterMeta.cpp", "(aten, Meta, m)"));
  EXPECT_TRUE(tree.holds("RegisterCompositeImplicitAutograd.cpp",
                         "PrivateUse1NativeFunctions::h("));
}

TEST(GenerateStubs, DerivesVariantsForTheBackendAlone) {
  StubsTree tree;
  tree.write("own.yaml",
             "- func: my::f(Tensor x) -> Tensor\n"
             "  dispatch:\n    Meta: f_meta\n    PrivateUse1: f\n"
             "- func: my::f.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)\n"
             "  dispatch:\n    CompositeExplicitAutograd: f_out\n");
  ASSERT_TRUE(tree.generate("overlay: own.yaml\n"))
      << tree.run.diagnostics.to_text();
  EXPECT_TRUE(tree.holds(kRegister, "m.impl(\"f.out\","));
  EXPECT_TRUE(tree.holds("RegisterMeta.cpp", "m.impl(\"f\","));
  EXPECT_FALSE(tree.holds("RegisterMeta.cpp", "m.impl(\"f.out\","));
}

TEST(GenerateStubs, TakesViewsFromOverlays) {
  StubsTree tree;
  tree.write("own.yaml", "- func: my::half(Tensor(a) x) -> Tensor(a)\n");
  ASSERT_TRUE(tree.generate("supported: [my::half]\noverlay: own.yaml\n"))
      << tree.run.diagnostics.to_text();
  EXPECT_TRUE(tree.holds(kRegister, "m.impl(\"half\","));
}

TEST(GenerateStubs, NamesKernelsAsAsked) {
  StubsTree tree;
  ASSERT_TRUE(
      tree.generate("supported:\n- {func: abs, kernel: my_abs}\n"
                    "- {func: grow, kernel: my_grow, symint: true}\n"
                    "structured:\n- {func: add.out, kernel: my_add}\n"));
  EXPECT_TRUE(tree.holds(kHeader, "static at::Tensor my_abs("));
  EXPECT_TRUE(tree.holds(kHeader, "my_grow_symint(const at::Tensor & self, "));
  EXPECT_TRUE(tree.holds(kHeader, "struct structured_my_add : public "));
  EXPECT_TRUE(tree.holds(kRegister, "PrivateUse1NativeFunctions::my_abs("));
}

TEST(GenerateStubs, IncludesFewHeadersWhenAskedTo) {
  StubsTree tree;
  ASSERT_TRUE(tree.generate("supported: [abs]\n"));
  EXPECT_TRUE(tree.holds(kRegister, "#include <ATen/NativeFunctions.h>"));
  ASSERT_TRUE(tree.generate("supported: [abs]\nper_operator_headers: true\n"));
  EXPECT_FALSE(tree.holds(kRegister, "Functions.h>"));
  EXPECT_TRUE(tree.holds(kRegister, "#include <ATen/ops/_copy_from.h>"));
}

TEST(GenerateStubs, ChecksKernels) {
  StubsTree tree;
  tree.write("k.cpp", "Tensor PrivateUse1NativeFunctions::abs(int a) {}");
  tree.options.kernel_sources = {tree.path("k.cpp")};
  EXPECT_FALSE(tree.generate("supported: [abs]\n"));
  ASSERT_EQ(tree.run.diagnostics.error_count(), 1U);
  EXPECT_EQ(tree.run.diagnostics.entries()[0].id,
            DiagnosticId::kKernelSignature);
  tree.write("k.cpp",
             "Tensor PrivateUse1NativeFunctions::abs(const Tensor& a) {}");
  EXPECT_TRUE(tree.generate("supported: [abs]\n"))
      << tree.run.diagnostics.to_text();
  tree.options.impl_path = tree.path("k.cpp");
  EXPECT_TRUE(tree.generate("supported: [abs]\n"))
      << tree.run.diagnostics.to_text();
  EXPECT_FALSE(tree.generate("supported: [abs, abs.out]\n"));
}

TEST(GenerateStubs, ReportsWhatItCannotGenerateAtItsOperator) {
  StubsTree tree;
  EXPECT_FALSE(tree.generate("supported: [abs]\nsymint: [abs]\n"));
  ASSERT_EQ(tree.run.diagnostics.error_count(), 1U);
  const text::Diagnostic& error = tree.run.diagnostics.entries()[0];
  EXPECT_EQ(error.id, DiagnosticId::kBackendCannotGenerate);
  ASSERT_NE(error.range.file, nullptr);
  EXPECT_EQ(error.range.file->position(error.range.begin).line, 3U);
  EXPECT_TRUE(tree.run.files.empty());
}

TEST(GenerateStubs, ReportsMissingFiles) {
  StubsTree tree;
  tree.options.kernel_sources = {tree.path("none.cpp")};
  EXPECT_FALSE(tree.generate("supported: [abs]\n"));
  tree.options.kernel_sources.clear();
  tree.options.template_dir = tree.path("nowhere");
  EXPECT_FALSE(tree.generate("supported: [abs]\n"));
  tree.options.template_dir.clear();
  tree.options.torchgen = tree.path("nowhere");
  EXPECT_FALSE(tree.generate("supported: [abs]\n"));
  EXPECT_TRUE(tree.run.files.empty());
}

TEST(GenerateStubs, MakesTheSameFilesOnSeveralThreads) {
  StubsTree tree;
  const std::string lists = "supported: [abs, add.out]\nautograd: [grow]\n";
  ASSERT_TRUE(tree.generate(lists));
  const std::string expected = tree.file(kRegister) + tree.file(kHeader);
  backend::Run parallel;
  parallel.threads = 3;
  ASSERT_TRUE(generate_stubs(tree.options, parallel));
  tree.run.files = parallel.files;
  EXPECT_EQ(tree.file(kRegister) + tree.file(kHeader), expected);
}

}  // namespace
}  // namespace opgen::backend
