#include "opgen/model/function_schema.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace opgen::model {
namespace {

Argument argument(std::string name, BaseTy type) {
  Argument result;
  result.name = std::move(name);
  result.type = Type::base(type);
  return result;
}

Argument written(std::string name, std::string letter) {
  Argument result = argument(std::move(name), BaseTy::kTensor);
  result.annotation = Annotation{{std::move(letter)}, true, {}};
  return result;
}

std::vector<Argument> tensor_options() {
  return {argument("dtype", BaseTy::kScalarType),
          argument("layout", BaseTy::kLayout),
          argument("device", BaseTy::kDevice),
          argument("pin_memory", BaseTy::kBool)};
}

OperatorName name(std::string base, std::string overload = {}) {
  OperatorName result;
  result.name.base = std::move(base);
  result.overload_name = std::move(overload);
  return result;
}

Return tensor_return(std::optional<Annotation> annotation = std::nullopt) {
  return {std::nullopt, Type::base(BaseTy::kTensor), std::move(annotation)};
}

TEST(ArgumentsTest, FindsSelfAndTensorOptions) {
  std::vector<Argument> all = {argument("condition", BaseTy::kTensor),
                               argument("self", BaseTy::kTensor),
                               argument("n", BaseTy::kInt),
                               argument("before", BaseTy::kBool)};
  for (Argument& option : tensor_options()) {
    all.push_back(std::move(option));
  }
  all.push_back(argument("after", BaseTy::kBool));
  all.push_back(written("out", "a"));
  const Arguments arguments(std::move(all), 3, 1);

  ASSERT_NE(arguments.self_arg(), nullptr);
  EXPECT_EQ(arguments.self_arg()->name, "self");
  EXPECT_EQ(arguments.pre_self_positional().size(), 1U);
  EXPECT_EQ(arguments.post_self_positional().front().name, "n");
  ASSERT_TRUE(arguments.tensor_options().has_value());
  EXPECT_EQ(arguments.tensor_options()->pin_memory().name, "pin_memory");
  EXPECT_EQ(arguments.pre_tensor_options_kwarg_only().front().name, "before");
  EXPECT_EQ(arguments.post_tensor_options_kwarg_only().front().name, "after");
  EXPECT_EQ(arguments.out().front().name, "out");
  EXPECT_EQ(arguments.positional().size(), 3U);
  EXPECT_EQ(arguments.kwarg_only().size(), 3U);
  EXPECT_EQ(arguments.all().size(), 7U);
  EXPECT_TRUE(std::holds_alternative<SelfArgument>(arguments.all()[1]));
  EXPECT_TRUE(
      std::holds_alternative<TensorOptionsArguments>(arguments.all()[4]));
}

TEST(ArgumentsTest, WithoutSelfAllPositionalComeAfterIt) {
  const Arguments arguments({argument("x", BaseTy::kTensor)}, 1, 0);
  EXPECT_EQ(arguments.self_arg(), nullptr);
  EXPECT_TRUE(arguments.pre_self_positional().empty());
  EXPECT_EQ(arguments.post_self_positional().size(), 1U);
}

TEST(ArgumentsTest, SignatureDropsOptionsOutputsAndAnnotations) {
  std::vector<Argument> all = {written("self", "a")};
  for (Argument& option : tensor_options()) {
    all.push_back(std::move(option));
  }
  all.push_back(argument("after", BaseTy::kBool));
  all.back().default_value = "False";
  all.push_back(written("out", "b"));
  const Arguments arguments(std::move(all), 1, 1);
  EXPECT_EQ(arguments.signature().str(), "Tensor self, *, bool after=False");
  EXPECT_EQ(arguments.signature(true).str(), "Tensor self, *, bool after");
}

TEST(FunctionSchemaTest, KindFollowsFromNameAndMutability) {
  const auto kind = [](OperatorName operator_name, Arguments arguments) {
    return FunctionSchema(std::move(operator_name), std::move(arguments), {})
        .kind();
  };
  OperatorName inplace = name("f");
  inplace.name.inplace = true;
  EXPECT_EQ(kind(name("f"), {}), SchemaKind::kFunctional);
  EXPECT_EQ(kind(inplace, {{written("self", "a")}, 1, 0}),
            SchemaKind::kInplace);
  EXPECT_EQ(kind(name("f"), {{written("out", "a")}, 0, 1}), SchemaKind::kOut);
  EXPECT_EQ(kind(name("f"), {{written("_scratch_x", "a")}, 0, 1}),
            SchemaKind::kScratch);
  EXPECT_EQ(kind(name("f"), {{written("x", "a")}, 1, 0}), SchemaKind::kMutable);
  EXPECT_EQ(kind(name("f"), {{written("self", "a")}, 1, 0}),
            SchemaKind::kFunctional);
}

TEST(FunctionSchemaTest, SignatureTurnsMutableInputsIntoReturns) {
  const FunctionSchema schema(
      name("f", "x"),
      {{argument("self", BaseTy::kTensor), written("stats", "a")}, 2, 0},
      {tensor_return()});
  EXPECT_EQ(schema.signature().str(),
            "f(Tensor self, Tensor stats) -> (Tensor, Tensor)");
  FunctionSchema::SignatureOptions options;
  options.keep_return_names = true;
  EXPECT_EQ(schema.signature(options).str(),
            "f(Tensor self, Tensor stats) -> (Tensor, Tensor stats_out)");
}

TEST(FunctionSchemaTest, BernoulliGetsTheDefaultOfItsTwins) {
  const FunctionSchema schema(
      name("bernoulli", "p"),
      {{argument("self", BaseTy::kTensor), argument("p", BaseTy::kFloat)},
       2,
       0},
      {tensor_return()});
  EXPECT_EQ(schema.signature().str(),
            "bernoulli(Tensor self, float p=0.5) -> Tensor");
}

TEST(FunctionSchemaTest, ViewSignatureNamesTheView) {
  EXPECT_EQ(view_base_name("narrow_copy"), "narrow");
  EXPECT_EQ(view_base_name("slice_scatter"), "slice_inverse");
  EXPECT_EQ(view_base_name("scatter"), "scatter");
  EXPECT_EQ(view_base_name("_copy_from_copy"), "_from");
}

TEST(FunctionSchemaTest, AliasedReturnNames) {
  const Annotation alias{{"a"}, true, {}};
  OperatorName inplace = name("f");
  inplace.name.inplace = true;
  const FunctionSchema schema(
      inplace, {{written("self", "a")}, 1, 0}, {tensor_return(alias)});
  const auto names = schema.aliased_return_names();
  ASSERT_EQ(names.size(), 1U);
  EXPECT_EQ(names[0], "self");
  EXPECT_TRUE(schema.returns_are_aliased());
  EXPECT_TRUE(schema.is_mutable());
  EXPECT_TRUE(schema.modifies_arguments());
}

TEST(FunctionSchemaTest, PrintsAnnotations) {
  Argument list = written("self", "a");
  list.type = Type::list(list.type, std::nullopt);
  EXPECT_EQ(list.str(), "Tensor(a!)[] self");
  const Annotation view{{"a"}, false, {"*"}};
  EXPECT_EQ(view.str(), "a -> *");
  EXPECT_EQ(tensor_return(Annotation{{"a", "b"}, false, {}}).str(),
            "Tensor(a|b)");
}

}  // namespace
}  // namespace opgen::model
