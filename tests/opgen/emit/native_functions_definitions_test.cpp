#include <gtest/gtest.h>

#include "opgen/emit/native_functions.h"
#include "opgen/emit/register_dispatch_key_error.h"
#include "tests/opgen/emit/register_dispatch_key_fixture.h"

namespace opgen::emit {
namespace {

using model::BackendIndex;
using model::DispatchKey;
using model::FunctionOrGroup;

const text::CodeTemplate kTemplate{R"(
${ns_prologue}

namespace {
${dispatch_anonymous_definitions}

${static_init_dispatch_registrations}
}

${deferred_dispatch_registrations}

namespace ${dispatch_namespace} {
${dispatch_namespaced_definitions}
}
${ns_epilogue}
)"};

RegistrationSettings settings() {
  RegistrationSettings result{.selector = &kEverything};
  result.definitions_template = &kTemplate;
  return result;
}

Texts definitions_of(const std::vector<FunctionOrGroup>& items,
                     const BackendIndex& index,
                     const RegistrationSettings& settings) {
  return get_native_function_definitions(items, index, settings);
}

TEST(NativeFunctionsDefinitions, FillTheTemplateWithoutEmptyLines) {
  const auto f = api::function_of("f(Tensor self) -> Tensor");
  f->namespace_ = "aten";
  auto index = index_of(DispatchKey::kCPU);
  index.add(*f, {"f", false, "at::native"});
  EXPECT_EQ(definitions_of({f.get()}, index, settings()),
            Texts{R"text(namespace at {
namespace {
namespace {
at::Tensor wrapper_CPU__f(const at::Tensor & self) {
    // No device check
  // DeviceGuard omitted
  return at::native::f(self);
}
} // anonymous namespace
TORCH_LIBRARY_IMPL(aten, CPU, m) {
    m.impl("f",
TORCH_FN(wrapper_CPU__f));
}
}
namespace cpu {
at::Tensor f(const at::Tensor & self) {
return wrapper_CPU__f(self);
}
}
} // namespace at
)text"});
}

TEST(NativeFunctionsDefinitions, AreEmptyForOtherKeys) {
  const auto f = api::function_of("f(Tensor self) -> Tensor");
  EXPECT_EQ(definitions_of({f.get()}, index_of(DispatchKey::kCPU), settings()),
            Texts{});
}

TEST(NativeFunctionsDefinitions, KeepNamespacesApart) {
  Variants f{"f(Tensor self) -> Tensor", "g(Tensor self) -> Tensor"};
  f.functions[1]->namespace_ = "custom";
  auto index = index_of(DispatchKey::kCPU);
  index.add(*f.functions[0], {"f", false, "mine::native"});
  index.add(*f.functions[1], {"g", false, "at::native"});
  const Texts texts = definitions_of(
      {f.functions[0].get(), f.functions[1].get()}, index, settings());
  ASSERT_EQ(texts.size(), 2);
  EXPECT_TRUE(texts[0].starts_with("namespace mine {\n"));
  EXPECT_NE(texts[0].find("TORCH_LIBRARY_IMPL(aten, CPU, m)"),
            std::string::npos);
  EXPECT_TRUE(texts[1].starts_with("namespace at {\n"));
  EXPECT_NE(texts[1].find("TORCH_LIBRARY_IMPL(custom, CPU, m)"),
            std::string::npos);
}

TEST(NativeFunctionsDefinitions, RegisterNothingWhereTheDispatcherIsSkipped) {
  const auto f = api::function_of("f(Tensor self) -> Tensor");
  auto index = index_of(DispatchKey::kCPU);
  index.add(*f, {"f", false, "at::native"});
  auto skipping = settings();
  skipping.skip_dispatcher_op_registration = true;
  const Texts texts = definitions_of({f.get()}, index, skipping);
  ASSERT_EQ(texts.size(), 1);
  EXPECT_EQ(texts[0].find("TORCH_LIBRARY_IMPL"), std::string::npos);
}

TEST(NativeFunctionsDefinitions, NeedANativeNamespace) {
  const auto f = api::function_of("f(Tensor self) -> Tensor");
  auto index = index_of(DispatchKey::kCPU);
  index.add(*f, {"f", false, "mine"});
  EXPECT_THROW(definitions_of({f.get()}, index, settings()), EmitError);
}

TEST(NativeFunctionsDefinitions, NeedATemplate) {
  const auto f = api::function_of("f(Tensor self) -> Tensor");
  RegistrationSettings without{.selector = &kEverything};
  EXPECT_THROW(definitions_of({f.get()}, index_of(DispatchKey::kCPU), without),
               std::logic_error);
}

TEST(NativeFunctionsDefinitions, AreDeclaredInTheNamespaceOfTheKey) {
  const auto f = api::function_of("f(Tensor self) -> Tensor");
  auto index = index_of(DispatchKey::kCPU);
  const FunctionOrGroup item = f.get();
  EXPECT_EQ(get_namespaced_declaration({&item, 1}, index, settings()), Texts{});
  index.add(*f, {"f", false, "at::native"});
  EXPECT_EQ(get_namespaced_declaration({&item, 1}, index, settings()),
            Texts{"namespace at {\nnamespace cpu {\n"
                  "TORCH_API at::Tensor f(const at::Tensor & self);\n"
                  "} // namespace cpu\n} // namespace at\n        "});
}

}  // namespace
}  // namespace opgen::emit
