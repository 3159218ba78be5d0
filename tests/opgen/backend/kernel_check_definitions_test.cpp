#include "opgen/backend/kernel_check_definitions.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace opgen::backend {
namespace {

using Strings = std::vector<std::string>;

Strings names_in(std::string_view source) {
  Strings names;
  for (const FunctionDefinition& definition : find_definitions(source)) {
    names.push_back(definition.qualified_name());
  }
  return names;
}

Strings parameters_in(std::string_view source) {
  const auto definitions = find_definitions(source);
  return definitions.size() == 1 ? definitions[0].parameters
                                 : Strings{"not one definition"};
}

TEST(FindDefinitions, NamesMethodsInTheirNamespacesAndClasses) {
  EXPECT_EQ(
      names_in("namespace a { namespace b { at::Tensor C::f(int x) {} } }"),
      Strings{"a::b::C::f"});
  EXPECT_EQ(names_in("namespace a::b { int f() { return g(1); } }"),
            Strings{"a::b::f"});
  EXPECT_EQ(names_in("struct C final : public B<int> { static int f() {} };"),
            Strings{"C::f"});
  EXPECT_EQ(names_in("extern \"C\" { void f() {} }"), Strings{"f"});
  EXPECT_EQ(names_in("inline namespace v1 { void f() {} }"), Strings{"v1::f"});
}

TEST(FindDefinitions, TakesNoCallsAndDeclarations) {
  EXPECT_EQ(names_in("int f(int); int g() { f(1); if (x) { h(2); } }"),
            Strings{"g"});
  EXPECT_EQ(names_in("auto x = [](int a) { return f(a); };"), Strings{});
  EXPECT_EQ(names_in("enum class E { a, b }; int v{f(1)};"), Strings{});
}

TEST(FindDefinitions, SkipsCommentsAndLiterals) {
  EXPECT_EQ(names_in("// void a() {}\n/* void b() {} */ void c() {}"),
            Strings{"c"});
  EXPECT_EQ(names_in("void a() { s = \"}\"; c = '}'; t = R\"x(}\")x\"; }"
                     "void b() {}"),
            (Strings{"a", "b"}));
}

TEST(FindDefinitions, ReadsWhatComesBetweenParametersAndBody) {
  EXPECT_EQ(names_in("int C::f() const noexcept(true) override {}"),
            Strings{"C::f"});
  EXPECT_EQ(names_in("auto f(int a) -> std::vector<int> { }"), Strings{"f"});
}

TEST(FindDefinitions, StartsEveryBranchInTheSameScopes) {
  EXPECT_EQ(names_in("#ifdef A\nnamespace x {\n#else\nnamespace y {\n#endif\n"
                     "void f() {} }\nvoid g() {}"),
            (Strings{"y::f", "g"}));
  EXPECT_EQ(names_in("#if 0\nvoid f() {\n#else\nvoid g() {\n#endif\n}"),
            Strings{"g"});
  EXPECT_EQ(names_in("#define OPEN {\\\n {\nvoid f() {}"), Strings{"f"});
}

TEST(FindDefinitions, TakesNothingThatIsNeverCompiled) {
  EXPECT_EQ(names_in("#if 0 // old\nvoid f() {}\n#endif\nvoid g() {}"),
            Strings{"g"});
  EXPECT_EQ(names_in("#if 1\nvoid f() {}\n#else\nvoid g() {}\n#endif\n"),
            Strings{"f"});
  EXPECT_EQ(names_in("auto f() -> int\n#if 0\n{}\n#endif\n;"), Strings{});
  EXPECT_EQ(parameters_in("void f(int a\n#if false\n, int b\n#endif\n) {}"),
            Strings{"int"});
  EXPECT_EQ(names_in("void f() {\n#if 0\n}\nvoid g() {\n#endif\n}"),
            Strings{"f"});
}

TEST(FindDefinitions, TakesNoBodyWithoutAnEnd) {
  EXPECT_EQ(names_in("void f() {} void g() { h();"), Strings{"f"});
  EXPECT_EQ(names_in("void f() {} void g() { if (a) { }"), Strings{"f"});
  EXPECT_EQ(names_in("void f() {} void g() {\n#if 0\n}\n#endif\n"),
            Strings{"f"});
  EXPECT_EQ(names_in("namespace a { TORCH_IMPL_FUNC(f)(int x) {"), Strings{});
  EXPECT_EQ(names_in("#ifdef A\nvoid f() {\n#else\nvoid g() {\n#endif\n}"),
            (Strings{"f", "g"}));
  EXPECT_EQ(names_in("#ifdef A\nvoid f() {\n#else\nvoid g() {\n#endif\n"),
            Strings{});
}

TEST(FindDefinitions, NamesStructuredKernels) {
  EXPECT_EQ(names_in("namespace n { TORCH_IMPL_FUNC(add_Tensor)"
                     "(const Tensor& self) { } }"),
            Strings{"n::structured_add_Tensor::impl"});
}

TEST(FindDefinitions, ReadsParameters) {
  EXPECT_EQ(parameters_in("void f() {}"), Strings{});
  EXPECT_EQ(parameters_in("void f(void) {}"), Strings{});
  EXPECT_EQ(parameters_in("void f(const at::Tensor & self, int64_t d = 1) {}"),
            (Strings{"const Tensor&", "int64_t"}));
  EXPECT_EQ(parameters_in("void f(std::array<bool, 3> m, at::Scalar) {}"),
            (Strings{"array<bool,3>", "Scalar"}));
  EXPECT_EQ(parameters_in("void f([[maybe_unused]] const bool b) {}"),
            Strings{"bool"});
  EXPECT_EQ(parameters_in("void f(std::tuple<int, int> t = g(1, 2)) {}"),
            Strings{"tuple<int,int>"});
}

TEST(FindDefinitions, SurvivesAnyText) {
  for (const char* text :
       {"(",         ")",       "{",      "}}",
        "f(",        "f(a<",    "f(a<){", "#if",
        "#endif",    "#else",   "\"",     "R\"",
        "R\"x(",     "/*",      "'",      "TORCH_IMPL_FUNC()() {",
        "f() -> ",   "\\",      "#\\",    "::f() {}",
        "a::(b) {}", "class {", "<>()[]{"}) {
    EXPECT_LE(find_definitions(text).size(), 1U) << text;
  }
  const std::string deep = "void f(" + std::string(20000, '<') + ") {}";
  EXPECT_LE(find_definitions(deep).size(), 1U);
}

TEST(NormalizeType, GivesOneSpelling) {
  EXPECT_EQ(normalize_type("at::Tensor const &"),
            normalize_type("const Tensor&"));
  EXPECT_EQ(normalize_type("::std::optional<at::Tensor>"),
            normalize_type("c10::optional<torch::Tensor>"));
  EXPECT_EQ(normalize_type("at::IntArrayRef"),
            normalize_type("c10::ArrayRef<int64_t>"));
  EXPECT_EQ(normalize_type("const bool"), normalize_type("bool"));
  EXPECT_EQ(normalize_type("at::OptionalIntArrayRef"),
            normalize_type("c10::OptionalArrayRef<int64_t>"));
}

TEST(NormalizeType, KeepsWhatDiffers) {
  EXPECT_NE(normalize_type("at::Tensor &"), normalize_type("const Tensor &"));
  EXPECT_NE(normalize_type("at::Tensor"), normalize_type("const Tensor &"));
  EXPECT_NE(normalize_type("c10::SymInt"), normalize_type("int64_t"));
  EXPECT_NE(normalize_type("const char*"), normalize_type("char*"));
  EXPECT_NE(normalize_type("at::TensorList"),
            normalize_type("at::ITensorListRef"));
}

}  // namespace
}  // namespace opgen::backend
