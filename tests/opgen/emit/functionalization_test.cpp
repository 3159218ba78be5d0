#include "opgen/emit/functionalization.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "opgen/api/error.h"
#include "tests/opgen/emit/register_dispatch_key_fixture.h"

namespace opgen::emit {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const model::SelectiveBuilder kNothing =
    model::SelectiveBuilder::from_legacy_op_registration_allow_list(
        {}, false, false);

Texts registrations(const model::FunctionOrAnyGroup& g,
                    const model::BackendIndex& index = {},
                    const model::SelectiveBuilder& selector = kEverything) {
  Texts out;
  gen_functionalization_registration(selector, g, index, out);
  return out;
}

Texts definitions(const model::FunctionOrAnyGroup& g,
                  const model::SelectiveBuilder& selector = kEverything) {
  Texts out;
  gen_functionalization_definition(selector, g, out);
  return out;
}

TEST(Functionalization, registers_what_writes_to_arguments) {
  const AddVariants add;
  EXPECT_THAT(
      registrations(&add.group),
      ElementsAre("m.impl(\"add.out\", "
                  "TORCH_FN(functionalization::add_out_out));",
                  "m.impl(\"add_\", TORCH_FN(functionalization::add_));"));
  EXPECT_THAT(definitions(&add.group), SizeIs(2));
}

TEST(Functionalization, custom_builds_have_none) {
  const AddVariants add;
  EXPECT_THAT(registrations(&add.group, {}, kNothing), IsEmpty());
  EXPECT_THAT(definitions(&add.group, kNothing), IsEmpty());
}

TEST(Functionalization, composite_views_are_registered_as_they_are) {
  auto view = api::function_of("t(Tensor(a) self) -> Tensor(a)");
  view->has_composite_implicit_autograd_kernel = true;
  const model::NativeFunctionsViewGroup group{view.get(), nullptr, nullptr};
  auto index = index_of(model::DispatchKey::kCompositeImplicitAutograd);
  EXPECT_THROW(registrations(&group, index), api::ApiError);
  index.add(*view, {.kernel = "t_kernel", .cpp_namespace = "at::native"});
  EXPECT_THAT(registrations(&group, index),
              ElementsAre("m.impl(\"t\", static_cast<at::Tensor (*)(const "
                          "at::Tensor & self)>(at::native::t_kernel));"));
  EXPECT_THAT(definitions(&group), IsEmpty());
  EXPECT_EQ(gen_functionalization_view_inverse_declaration(group),
            std::nullopt);
}

TEST(Functionalization, some_operators_have_kernels_written_by_hand) {
  const auto lift = api::function_of("lift(Tensor self) -> Tensor");
  EXPECT_THAT(registrations(lift.get()), IsEmpty());
  const auto fresh =
      api::function_of("lift_fresh(Tensor(a) self) -> Tensor(a)");
  const model::NativeFunctionsViewGroup group{fresh.get(), nullptr, nullptr};
  EXPECT_THAT(registrations(&group), IsEmpty());
  const auto record =
      api::function_of("record_stream(Tensor(a!) self, Stream s) -> ()");
  EXPECT_THAT(registrations(record.get()), IsEmpty());
  EXPECT_THAT(definitions(record.get()), IsEmpty());
}

TEST(Functionalization, lone_operators_must_not_write) {
  const auto f = api::function_of("f(Tensor(a!) self) -> ()");
  EXPECT_THROW(definitions(f.get()), api::ApiError);
  f->has_composite_implicit_autograd_kernel = true;
  EXPECT_THAT(definitions(f.get()), IsEmpty());
}

TEST(Functionalization, views_need_a_copying_variant) {
  const auto view = api::function_of("t(Tensor(a) self) -> Tensor(a)");
  const model::NativeFunctionsViewGroup group{view.get(), nullptr, nullptr};
  EXPECT_THROW(definitions(&group), api::ApiError);
}

TEST(Functionalization, declares_inverses) {
  const auto view = api::function_of("t(Tensor(a) self, int d) -> Tensor(a)");
  const model::NativeFunctionsViewGroup group{view.get(), nullptr, nullptr};
  EXPECT_EQ(gen_functionalization_view_inverse_declaration(group),
            "static at::Tensor t_inverse(const at::Tensor & base, const "
            "at::Tensor & mutated_view, at::functionalization::"
            "InverseReturnMode inverse_return_mode, int64_t d);");
}

}  // namespace
}  // namespace opgen::emit
