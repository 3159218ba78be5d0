#include "opgen/emit/registration_declarations.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "opgen/model/backend_index.h"
#include "opgen/model/dispatch_key.h"
#include "tests/opgen/api/functions.h"

namespace opgen::emit {
namespace {

using model::DispatchKey;

std::string comment_of(std::string_view schema,
                       const std::vector<DispatchKey>& keys,
                       bool delegate = false) {
  const auto f = api::function_of(schema);
  if (delegate) {
    f->structured_delegate = model::OperatorName{};
  }
  std::map<DispatchKey, model::BackendIndex> indices;
  indices[DispatchKey::kCUDA];
  for (const DispatchKey key : keys) {
    indices[key].add(*f, {"kernel", false, "at::native"});
    f->has_composite_implicit_autograd_kernel =
        f->has_composite_implicit_autograd_kernel ||
        key == DispatchKey::kCompositeImplicitAutograd;
  }
  const std::string text = compute_registration_declarations(*f, indices);
  return text.substr(text.find("\", \"dispatch") + 3);
}

TEST(RegistrationDeclarations, DeclaresAndDescribes) {
  const auto f =
      api::function_of("abs.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  EXPECT_EQ(compute_registration_declarations(*f, {}),
            "at::Tensor & abs_out(const at::Tensor & self, at::Tensor & out); "
            "// {\"schema\": \"aten::abs.out(Tensor self, *, Tensor(a!) out) "
            "-> Tensor(a!)\", \"dispatch\": \"True\", \"default\": "
            "\"False\"}\n");
}

TEST(RegistrationDeclarations, DispatchIsFalseForImplicitKernelsAlone) {
  const std::string schema = "abs(Tensor self) -> Tensor";
  using enum DispatchKey;
  EXPECT_EQ(comment_of(schema, {kCompositeImplicitAutograd}),
            "\"dispatch\": \"False\", \"default\": \"True\"}\n");
  EXPECT_EQ(comment_of(schema,
                       {kCompositeImplicitAutograd,
                        kCompositeImplicitAutogradNestedTensor}),
            "\"dispatch\": \"False\", \"default\": \"True\"}\n");
  EXPECT_EQ(comment_of(schema, {kCompositeImplicitAutogradNestedTensor}),
            "\"dispatch\": \"True\", \"default\": \"False\"}\n");
  EXPECT_EQ(comment_of(schema, {kCompositeImplicitAutograd, kCPU}),
            "\"dispatch\": \"True\", \"default\": \"True\"}\n");
}

TEST(RegistrationDeclarations, StructuredVariantsHaveADefault) {
  EXPECT_EQ(comment_of("abs(Tensor self) -> Tensor", {}, true),
            "\"dispatch\": \"True\", \"default\": \"True\"}\n");
  EXPECT_EQ(
      comment_of(
          "abs.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", {}, true),
      "\"dispatch\": \"True\", \"default\": \"False\"}\n");
}

TEST(RegistrationDeclarations, EscapesAsJsonDumps) {
  const auto f =
      api::function_of("f(str x='a\\\"\xc3\xa9\xf0\x9f\x98\x80') -> ()");
  EXPECT_NE(compute_registration_declarations(*f, {}).find(
                "aten::f(str x='a\\\\\\\"\\u00e9\\ud83d\\ude00') -> ()"),
            std::string::npos);
}

}  // namespace
}  // namespace opgen::emit
