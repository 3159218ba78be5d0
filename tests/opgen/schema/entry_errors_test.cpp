// Every error of a single entry of native_functions.yaml or tags.yaml.
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "expectations.h"

namespace opgen::schema {
namespace {

using text::DiagnosticId;

// An operator that nothing is generated for, with this field.
std::string with(std::string_view field) {
  return "- func: q_scale(Tensor x, int y=1) -> float\n  " +
         std::string(field) + "\n";
}

void expect_tag_error(std::string_view tags,
                      DiagnosticId id,
                      std::string_view part) {
  expect_load_error("[]", id, part, tags);
}

TEST(EntryErrorsTest, Tags) {
  expect_tag_error("x: y", DiagnosticId::kTagsNotList, "x: y");
  expect_tag_error("- core", DiagnosticId::kTagNotMapping, "core");
  expect_tag_error("- desc: x", DiagnosticId::kTagWithoutName, "desc: x");
  expect_tag_error("- tag: 3\n  desc: x", DiagnosticId::kTagNameType, "3");
  expect_tag_error("- tag: core", DiagnosticId::kTagWithoutDescription, "core");
}

TEST(EntryErrorsTest, Entries) {
  expect_load_error("x: y", DiagnosticId::kFunctionsNotList, "x: y");
  expect_load_error("- x", DiagnosticId::kEntryNotMapping, "x");
  expect_load_error("- variants: function", DiagnosticId::kNoFunc, "variants");
  expect_load_error("- func: a::b::f() -> ()",
                    DiagnosticId::kSchemaNamespaces,
                    "a::b::f() -> ()");
  expect_load_error("- func: [f]", DiagnosticId::kFieldType, "[f]");
  expect_load_error(
      with("varaints: function"), DiagnosticId::kUnknownField, "varaints");
  expect_load_error(with("device_guard: 3"), DiagnosticId::kFieldType, "3");
  expect_load_error(with("variants:"), DiagnosticId::kFieldType, "");
  expect_load_error(with("variants: function, metod"),
                    DiagnosticId::kUnknownVariant,
                    "metod");
  expect_load_error(
      with("device_check: Non"), DiagnosticId::kUnknownDeviceCheck, "Non");
  expect_load_error(with("python_module: nn\n  variants: function, method"),
                    DiagnosticId::kModuleMethod,
                    "nn");
  expect_load_error(with("structured_inherits: a::B"),
                    DiagnosticId::kStructuredNamespace,
                    "a::B");
  expect_load_error(
      with("cpp_no_default_args: [3]"), DiagnosticId::kArgumentNameType, "3");
  expect_load_error(with("cpp_no_default_args: ['x']"),
                    DiagnosticId::kNoSuchDefault,
                    "['x']");
  expect_load_error(with("tags: [3]"), DiagnosticId::kTagType, "3");
  expect_load_error(
      with("tags: [core, geneated]"), DiagnosticId::kUnknownTag, "geneated");
}

TEST(EntryErrorsTest, DispatchTables) {
  expect_load_error(with("dispatch: CPU"), DiagnosticId::kFieldType, "CPU");
  expect_load_error(
      with("dispatch: {3: k}"), DiagnosticId::kDispatchKeyType, "3");
  expect_load_error(
      with("dispatch: {CPU: [k]}"), DiagnosticId::kKernelType, "[k]");
  expect_load_error(with("dispatch:\n    CPU, CUDAA: k"),
                    DiagnosticId::kUnknownDispatchKey,
                    "CUDAA");
  expect_load_error(with("dispatch: {AutogradCPU: k}"),
                    DiagnosticId::kUnsupportedDispatchKey,
                    "AutogradCPU");
  expect_load_error(with("dispatch: {CPU: 'a::b::c::d::k'}"),
                    DiagnosticId::kKernelNamespaces,
                    "'a::b::c::d::k'");
  expect_load_error(
      with("manual_kernel_registration: True\n  dispatch: {CPU: k}"),
      DiagnosticId::kManualDispatch,
      "{CPU: k}");
  expect_load_error(with("dispatch: {CompositeImplicitAutograd: q_scale}"),
                    DiagnosticId::kNeedlessDispatchTable,
                    "{CompositeImplicitAutograd: q_scale}");
  expect_load_error(with("dispatch: {CompositeImplicitAutograd: k}"),
                    DiagnosticId::kCompositeKernelName,
                    "{CompositeImplicitAutograd: k}");
  expect_load_error(
      with("dispatch: {CompositeImplicitAutograd: k, "
           "CompositeExplicitAutograd: k}"),
      DiagnosticId::kSeveralComposites,
      "{CompositeImplicitAutograd: k, CompositeExplicitAutograd: k}");
  expect_load_error("- func: new_x(Tensor self) -> Tensor",
                    DiagnosticId::kFactoryWithoutDispatch,
                    "new_x");
}

TEST(EntryErrorsTest, StructuredKernels) {
  const std::string out =
      "- func: f.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)\n"
      "  structured: True\n  ";
  const auto expect =
      [&out](std::string_view field, DiagnosticId id, std::string_view part) {
        expect_load_error(out + std::string(field), id, part);
      };
  expect("ufunc_inner_loop: 3", DiagnosticId::kFieldType, "3");
  expect("ufunc_inner_loop: {Generic: [x]}", DiagnosticId::kUfuncType, "[x]");
  expect("ufunc_inner_loop: {Generik: f (Half)}",
         DiagnosticId::kUnknownUfuncKey,
         "Generik");
  expect("ufunc_inner_loop: f", DiagnosticId::kUfuncForm, "f");
  expect(
      "ufunc_inner_loop: f (Half, Harf)", DiagnosticId::kUnknownDtype, "Harf");
  expect("dispatch: {CPU: k}\n  ufunc_inner_loop: f (Half)",
         DiagnosticId::kUfuncDispatch,
         "{CPU: k}");
  expect("precomputed: x", DiagnosticId::kFieldType, "x");
  expect("precomputed: [3]", DiagnosticId::kPrecomputedType, "3");
  expect("precomputed: ['int n', 'int m']",
         DiagnosticId::kPrecomputedOrder,
         "'int n'");
  expect(
      "precomputed: ['a b -> int n']", DiagnosticId::kPrecomputedName, "a b");
  expect("precomputed: ['a -> int n -> int m']",
         DiagnosticId::kPrecomputedArrows,
         "'a -> int n -> int m'");
  expect("precomputed: ['a -> int n', 'a -> int m']",
         DiagnosticId::kPrecomputedTwice,
         "a");
  expect("precomputed: ['a -> int N']",
         DiagnosticId::kPrecomputedUpperCase,
         "int N");
  expect("precomputed: ['a -> int n,int m']",
         DiagnosticId::kPrecomputedSpelling,
         "int n,int m");
  expect_load_error(with("ufunc_inner_loop: f (Half)"),
                    DiagnosticId::kUfuncNotStructured,
                    "f (Half)");
  expect_load_error(with("precomputed: ['a -> int n']"),
                    DiagnosticId::kPrecomputedNotStructured,
                    "['a -> int n']");
  expect_load_error(with("structured_inherits: B"),
                    DiagnosticId::kInheritsNotStructured,
                    "B");
}

TEST(EntryErrorsTest, RulesForOneOperator) {
  expect_load_error(
      "- func: q.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)\n"
      "  variants: function, method",
      DiagnosticId::kOutMethod,
      "function, method");
  expect_load_error(
      "- func: q.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)\n"
      "  use_const_ref_for_mutable_tensors: True",
      DiagnosticId::kConstRefOfOut,
      "True");
  expect_load_error(
      with("structured: True"), DiagnosticId::kStructuredNotOut, "True");
  expect_load_error(
      "- func: q.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)\n"
      "  structured: True\n  device_guard: False",
      DiagnosticId::kStructuredDeviceGuard,
      "False");
  expect_load_error("- func: _foreach_q(Tensor[] x) -> ()",
                    DiagnosticId::kForeachDeviceCheck,
                    "_foreach_q");
  expect_load_error(
      "- func: q_rand(Tensor x) -> float", DiagnosticId::kNotSeeded, "q_rand");
  expect_load_error("- func: q(Tensor x, Generator? g=None) -> float",
                    DiagnosticId::kNotSeeded,
                    "q");
}

TEST(EntryErrorsTest, AllErrorsOfAnEntryAreReported) {
  const auto result = load(
      "- func: f(Tensor self) -> float\n"
      "  variants: metod\n"
      "  tags: cor\n"
      "  dispatch:\n"
      "    CPUU: k\n"
      "    CUDA: [k]\n"
      "- func: g(Tensr self) -> Tensro\n");
  const auto& entries = result->diagnostics.entries();
  ASSERT_EQ(entries.size(), 6U) << result->diagnostics.to_text();
  EXPECT_EQ(entries[0].suggestion, "method");
  EXPECT_EQ(entries[1].suggestion, "core");
  EXPECT_EQ(entries[2].suggestion, "CPU");
  EXPECT_EQ(entries[4].suggestion, "Tensor");
  EXPECT_EQ(entries[5].range.file->position(entries[5].range.begin).line, 7U);
}

TEST(EntryErrorsTest, ErrorsOfOneEntryDoNotCauseErrorsOfOthers) {
  expect_load_error(
      "- func: f(Tensor self) -> Tensor\n"
      "  structured_delegate: f.out\n"
      "- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)\n"
      "  structured: Tru\n"
      "  dispatch: {CPU: k}\n",
      DiagnosticId::kFieldType,
      "Tru");
}

TEST(EntryErrorsTest, MissingFilesAreErrors) {
  text::Diagnostics diagnostics;
  LoadOptions options;
  options.native_functions_path = "/nonexistent/native_functions.yaml";
  options.tags_path = "/nonexistent/tags.yaml";
  EXPECT_FALSE(load_native_functions(options, diagnostics).functions);
  EXPECT_EQ(diagnostics.error_count(), 2U);
}

TEST(EntryErrorsTest, TheControlLoads) {
  expect_loads(with("variants: function"));
}

}  // namespace
}  // namespace opgen::schema
