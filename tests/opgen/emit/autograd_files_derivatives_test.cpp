#include "opgen/emit/autograd_files_derivatives.h"

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "opgen/api/error.h"
#include "opgen/emit/autograd_files_derivatives_load.h"
#include "opgen/text/diagnostics.h"
#include "opgen/text/source.h"
#include "opgen/text/yaml.h"
#include "tests/opgen/api/functions.h"

namespace opgen::emit {
namespace {

// Functions that are no views, and a derivatives.yaml for them.
class Case {
 public:
  Case(std::initializer_list<std::string_view> schemas, std::string yaml) {
    for (const std::string_view schema : schemas) {
      auto f = api::function_of(schema);
      f->id = static_cast<std::uint32_t>(program_.functions.size());
      program_.by_name[f->func.name.str()] = f.get();
      program_.native_functions_with_view_groups.emplace_back(f.get());
      program_.functions.push_back(std::move(f));
    }
    const text::YamlDocument document(
        std::make_shared<const text::SourceFile>("d.yaml", std::move(yaml)),
        diagnostics_);
    const auto entries = read_derivatives(document.root(), diagnostics_);
    derivatives_ = Derivatives::match(
        create_differentiability_infos(entries, program_, diagnostics_),
        program_);
    errors_ = diagnostics_.to_text();
  }

  // Null if the function has no derivatives.
  const DerivativeInfos* infos(std::size_t function) const {
    return derivatives_.find(*program_.functions[function]);
  }

  bool differentiable(std::size_t function) const {
    return infos(function) != nullptr && infos(function)->has_derivatives();
  }

  std::size_t outputs(std::size_t function) const {
    return differentiable_outputs(*program_.functions[function],
                                  infos(function))
        .size();
  }

  const std::string& errors() const { return errors_; }

 private:
  text::Diagnostics diagnostics_;
  model::NativeFunctions program_;
  Derivatives derivatives_;
  std::string errors_;
};

TEST(Derivatives, serve_all_variants_of_a_function) {
  const Case c({"abs(Tensor self) -> Tensor",
                "abs_(Tensor(a!) self) -> Tensor(a!)",
                "abs.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)",
                "neg(Tensor self) -> Tensor"},
               "- name: abs(Tensor self) -> Tensor\n"
               "  self: grad * self.sgn()\n");
  EXPECT_EQ(c.errors(), "");
  EXPECT_TRUE(c.differentiable(0));
  EXPECT_TRUE(c.differentiable(1));
  EXPECT_TRUE(c.differentiable(2));
  EXPECT_FALSE(c.differentiable(3));
}

TEST(Derivatives, need_a_formula_for_an_argument) {
  const Case c({"f(Tensor self, Tensor x) -> Tensor", "g(Tensor x) -> Tensor"},
               "- name: f(Tensor self, Tensor x) -> Tensor\n"
               "  self, x: ' Non_Differentiable'\n"
               "  result: auto_linear\n"
               "- name: g(Tensor x) -> Tensor\n"
               "  result, x: grad\n");
  EXPECT_EQ(c.errors(), "");
  EXPECT_NE(c.infos(0), nullptr);
  EXPECT_FALSE(c.differentiable(0));
  EXPECT_FALSE(c.differentiable(1));
}

TEST(Derivatives, may_differ_by_key) {
  const Case c({"f(Tensor x) -> Tensor"},
               "- name: f(Tensor x) -> Tensor\n"
               "  dispatch:\n"
               "    Default:\n"
               "      x: not_differentiable\n"
               "    AutogradNestedTensor:\n"
               "      x: grad\n");
  EXPECT_EQ(c.errors(), "");
  EXPECT_TRUE(c.differentiable(0));
  EXPECT_NE(c.infos(0)->find("AutogradNestedTensor"), nullptr);
  EXPECT_EQ(c.infos(0)->find("AutogradCUDA"), nullptr);
}

TEST(Derivatives, of_lists_are_those_of_one_tensor) {
  const Case c({"mul.Tensor(Tensor self, Tensor other) -> Tensor",
                "_foreach_mul.List(Tensor[] x, Tensor[] y) -> Tensor[]",
                "_foreach_mul_.List(Tensor(a!)[] self, Tensor[] y) -> ()",
                "_foreach_mul.Scalar(Tensor[] x, Scalar y) -> Tensor[]",
                "_foreach_sub.List(Tensor[] x, Tensor[] y) -> Tensor[]"},
               "- name: mul.Tensor(Tensor self, Tensor other) -> Tensor\n"
               "  other: grad * self\n");
  EXPECT_EQ(c.errors(), "");
  EXPECT_TRUE(c.differentiable(1));
  EXPECT_EQ(c.infos(1)->by_key.front().args_with_derivatives,
            std::vector<std::string>{"y"});
  EXPECT_TRUE(c.differentiable(2));
  EXPECT_FALSE(c.differentiable(3));
  EXPECT_FALSE(c.differentiable(4));
}

TEST(Derivatives, say_which_results_are_differentiable) {
  const Case c({"f(Tensor x) -> (Tensor, Tensor, int)",
                "g(Tensor x) -> (Tensor, Tensor)",
                "h(Tensor x) -> (Tensor, Tensor)",
                "k(Tensor x) -> Tensor",
                "l(Tensor x) -> (Tensor, int)"},
               "- name: f(Tensor x) -> (Tensor, Tensor, int)\n"
               "  x: use(grads)\n"
               "- name: g(Tensor x) -> (Tensor, Tensor)\n"
               "  x: my_grad + grad\n"
               "- name: h(Tensor x) -> (Tensor, Tensor)\n"
               "  output_differentiability: [False, False]\n"
               "  x: grad\n"
               "- name: k(Tensor x) -> Tensor\n"
               "  output_differentiability: ['x.is_complex()']\n"
               "  x: grad\n");
  EXPECT_EQ(c.errors(), "");
  EXPECT_EQ(c.outputs(0), 2U);
  EXPECT_EQ(c.outputs(1), 1U);
  EXPECT_EQ(c.outputs(2), 0U);
  EXPECT_EQ(c.outputs(3), 1U);
  EXPECT_EQ(c.outputs(4), 1U);
}

TEST(Derivatives, need_a_flag_for_each_result) {
  const Case c({"f(Tensor x) -> (Tensor, Tensor)"},
               "- name: f(Tensor x) -> (Tensor, Tensor)\n"
               "  output_differentiability: [True]\n"
               "  x: grad\n");
  EXPECT_THROW(c.outputs(0), api::ApiError);
}

void expect_error(std::string yaml, std::string_view message) {
  const Case c({"f(Tensor x, Tensor y) -> Tensor",
                "g(Tensor result) -> Tensor",
                "h(Tensor x) -> Tensor"},
               std::move(yaml));
  EXPECT_NE(c.errors().find(message), std::string::npos) << c.errors();
}

TEST(Derivatives, report_what_is_wrong_with_the_file) {
  expect_error("a: b\n", "d.yaml:1:1: error: the file must be a list");
  expect_error("- a\n", "an entry must be a mapping, not a string");
  expect_error("- x: grad\n", "needs a 'name'");
  expect_error("- name: f(Tensor x) -> Tensor\n",
               "no operator has the schema 'f(Tensor x) -> Tensor'; did you "
               "mean 'f(Tensor x, Tensor y) -> Tensor'?");
  expect_error("- name: g(Tensor result) -> Tensor\n",
               "the argument 'result' of 'g' needs another name");
  const std::string f = "- name: f(Tensor x, Tensor y) -> Tensor\n";
  expect_error(f + "  x: 1\n", "a formula must be a string, not an integer");
  expect_error(f + "  x: grad\n  x, y: non_differentiable\n",
               "'x' has a derivative and is declared non_differentiable");
  expect_error(f + "  dispatch: {AutogradFoo: {x: grad}}\n",
               "'AutogradFoo' is not a dispatch key");
  expect_error(f + "  dispatch: []\n", "dispatch must be a mapping");
  expect_error(f + "  output_differentiability: [a, b]\n",
               "an element of output_differentiability must be a boolean");
}

}  // namespace
}  // namespace opgen::emit
