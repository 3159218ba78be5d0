#include "opgen/schema/load.h"

#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "expectations.h"
#include "opgen/schema/signature_key.h"

namespace opgen::schema {
namespace {

using model::DispatchKey;
using model::NativeFunction;

constexpr std::string_view kRelu =
    "- func: relu_(Tensor(a!) self, *, SymInt n=1) -> Tensor(a!)\n"
    "  variants: function, method\n"
    "  device_check: NoCheck\n"
    "  dispatch:\n"
    "    CPU, CUDA: custom::relu_\n"
    "    MPS: relu_mps_\n"
    "  tags: [core]\n"
    "  autogen: relu, relu.out\n";

TEST(LoadTest, ReadsFields) {
  const auto result = expect_loads(kRelu);
  const NativeFunction& f = result->function("relu_");
  EXPECT_EQ(f.namespace_, "aten");
  EXPECT_TRUE(f.function_variant);
  EXPECT_TRUE(f.method_variant);
  EXPECT_EQ(f.device_check, model::DeviceCheckType::kNoCheck);
  EXPECT_EQ(f.loc.file, "native_functions.yaml");
  EXPECT_EQ(f.loc.line, 1);
  EXPECT_TRUE(f.is_abstract);
  const std::vector<std::string> tags = {
      "core", "inplace", "pt2_compliant_tag"};
  EXPECT_EQ(f.tags, tags);
}

TEST(LoadTest, ReadsKernels) {
  const auto result = expect_loads(kRelu);
  const NativeFunction& f = result->function("relu_");
  const auto& indices = result->functions().backend_indices;
  const auto* cuda = indices.at(DispatchKey::kCUDA).get_kernel(f);
  ASSERT_NE(cuda, nullptr);
  EXPECT_EQ(cuda->kernel, "relu_");
  EXPECT_EQ(cuda->cpp_namespace, "custom::native");
  EXPECT_TRUE(indices.at(DispatchKey::kCUDA).device_guard);
  EXPECT_EQ(indices.at(DispatchKey::kMPS).get_kernel(f)->cpp_namespace,
            "at::native");
  EXPECT_TRUE(indices.contains(DispatchKey::kNestedTensorHPU));
}

TEST(LoadTest, GeneratesMissingVariants) {
  const auto result = expect_loads(kRelu);
  ASSERT_EQ(result->functions().functions.size(), 3U);
  const NativeFunction& out = result->function("relu.out");
  EXPECT_EQ(out.id, 1U);
  EXPECT_EQ(out.func.str(),
            "relu.out(Tensor self, *, SymInt n=1, Tensor(a!) out) -> "
            "Tensor(a!)");
  const std::vector<std::string> tags = {
      "generated", "out", "pt2_compliant_tag"};
  EXPECT_EQ(out.tags, tags);
  EXPECT_FALSE(out.device_guard);
  const auto* kernel =
      result->functions()
          .backend_indices.at(DispatchKey::kCompositeExplicitAutograd)
          .get_kernel(out);
  ASSERT_NE(kernel, nullptr);
  EXPECT_EQ(kernel->kernel, "relu_out_symint");
  EXPECT_EQ(result->function("relu").func.str(),
            "relu(Tensor self, *, SymInt n=1) -> Tensor");
}

TEST(LoadTest, GroupsVariants) {
  const auto result = expect_loads(kRelu);
  const auto& grouped = result->functions().grouped_native_functions;
  ASSERT_EQ(grouped.size(), 1U);
  const auto* group = std::get<const model::NativeFunctionsGroup*>(grouped[0]);
  EXPECT_EQ(group->functional, &result->function("relu"));
  EXPECT_EQ(group->inplace, &result->function("relu_"));
  EXPECT_EQ(group->out, &result->function("relu.out"));
  EXPECT_EQ(group->mutable_, nullptr);
}

TEST(LoadTest, GenerationCanBeLeftOut) {
  LoadOptions options;
  options.generate_missing_functions = false;
  const auto result = expect_loads(
      "- func: relu_(Tensor(a!) self) -> Tensor(a!)\n"
      "  dispatch: {CPU: k}\n",
      kTags,
      options);
  EXPECT_EQ(result->functions().functions.size(), 1U);
}

TEST(LoadTest, GeneratesFunctionalTwinsOfMutableOperators) {
  const auto result = expect_loads(
      "- func: norm(Tensor x, Tensor(a!) stats) -> (Tensor y, Tensor z)\n"
      "  dispatch: {CPU: k}\n"
      "  autogen: norm.out, norm_functional\n"
      "- func: pad(Tensor self, Tensor(a!)[] parts) -> Tensor y\n"
      "  dispatch: {CPU: k}\n"
      "  autogen: pad.out, pad_functional\n",
      "- tag: core\n  desc: x\n");
  EXPECT_EQ(result->functions().functions.size(), 6U);
}

TEST(LoadTest, IgnoredKeysAreDropped) {
  LoadOptions options;
  options.ignore_keys = {DispatchKey::kMPS};
  const auto result = expect_loads(kRelu, kTags, options);
  EXPECT_FALSE(result->functions()
                   .backend_indices.at(DispatchKey::kMPS)
                   .has_kernel(result->function("relu_")));
}

TEST(LoadTest, VersionFollowsFromTheTags) {
  const std::string functions = "- func: equal(Dimname[]? names) -> bool\n";
  EXPECT_FALSE(load(functions)->loaded.functions);
  const auto result =
      expect_loads(functions + std::string(kRelu),
                   "- tag: core\n  desc: x\n- tag: generated\n  desc: x\n");
  const std::vector<std::string> tags = {"generated"};
  EXPECT_EQ(result->function("relu.out").tags, tags);
}

TEST(LoadTest, ViewGroups) {
  const auto result = expect_loads(
      "- func: f(Tensor(a) self) -> Tensor(a)\n"
      "  dispatch: {CPU: k}\n"
      "- func: f_copy(Tensor self) -> Tensor\n"
      "  dispatch: {CompositeExplicitAutogradNonFunctional: f_copy}\n"
      "  tags: view_copy\n"
      "- func: f_(Tensor(a!) self) -> Tensor(a!)\n"
      "  dispatch: {CPU: k}\n"
      "  tags: inplace_view\n"
      "- func: equal(Tensor self) -> bool\n");
  const auto& views = result->functions().native_functions_with_view_groups;
  ASSERT_EQ(views.size(), 2U);
  const auto* group =
      std::get<const model::NativeFunctionsViewGroup*>(views[0]);
  EXPECT_EQ(group->view_copy, &result->function("f_copy"));
  EXPECT_EQ(group->view_inplace, &result->function("f_"));
  EXPECT_EQ(std::get<const NativeFunction*>(views[1]),
            &result->function("equal"));
}

TEST(LoadTest, SitesPointIntoTheFile) {
  const auto result = expect_loads(kRelu);
  const FunctionSite& site = result->loaded.sites[0];
  EXPECT_EQ(kRelu.substr(site.name.begin, site.name.end - site.name.begin),
            "relu_");
  EXPECT_EQ(
      kRelu.substr(site.autogen.begin, site.autogen.end - site.autogen.begin),
      "relu, relu.out");
}

TEST(SignatureKeyTest, AgreesWithSignatures) {
  const std::vector<std::string> texts = {
      "f(Tensor self, int n=1) -> Tensor",
      "f_(Tensor(a!) self, int n=1) -> Tensor(a!)",
      "f.out(Tensor self, int n=1, *, Tensor(a!) out) -> Tensor(a!)",
      "f.x(Tensor self, int n=2) -> Tensor",
      "f.y(Tensor self, *, int n=1) -> Tensor",
      "f(Tensor self, Tensor(a!) n) -> Tensor",
      "f.z(Tensor self, Tensor n) -> (Tensor, Tensor)",
      "__f__(Tensor self, int n=1) -> Tensor",
      "f_copy(Tensor self, int n=1) -> Tensor",
      "bernoulli.p(Tensor self, float p) -> Tensor",
      "bernoulli_.float(Tensor(a!) self, float p=0.5) -> Tensor(a!)",
      "f.a(*, ScalarType? dtype=None, Layout? layout=None, Device? "
      "device=None, bool? pin_memory=None, int n=1) -> Tensor",
      "f.b(*, int n=1, Tensor(a!) out) -> Tensor(a!)",
  };
  std::vector<model::FunctionSchema> schemas;
  for (const std::string& text : texts) {
    SchemaErrors errors;
    schemas.push_back(*parse_function_schema(text, {}, errors));
  }
  for (const auto& a : schemas) {
    for (const auto& b : schemas) {
      EXPECT_EQ(signature_key(a) == signature_key(b),
                a.signature() == b.signature())
          << a.str() << " " << b.str();
      EXPECT_EQ(view_signature_key(a) == signature_key(b),
                a.view_signature() == b.signature())
          << a.str() << " " << b.str();
    }
  }
}

}  // namespace
}  // namespace opgen::schema
