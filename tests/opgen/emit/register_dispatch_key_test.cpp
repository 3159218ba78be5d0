#include "opgen/emit/register_dispatch_key.h"

#include <gtest/gtest.h>

#include "opgen/emit/register_dispatch_key_error.h"
#include "tests/opgen/emit/register_dispatch_key_fixture.h"

namespace opgen::emit {
namespace {

using model::DispatchKey;

TEST(RegisterDispatchKey, GeneratesNothingForOtherKeys) {
  const AddVariants add;
  const auto index = index_of(DispatchKey::kCUDA);
  const auto generator = generator_of(index, Target::kAnonymousDefinition);
  EXPECT_FALSE(generator.may_generate(&add.group));
  EXPECT_FALSE(generator.may_generate(add.group.functional));
  EXPECT_EQ(generate(generator, &add.group), Texts{});
}

TEST(RegisterDispatchKey, RegistersEachKernelOfAGroup) {
  const AddVariants add;
  auto index = index_of(DispatchKey::kCPU);
  index.add(*add.group.inplace, {"add_", false, "at::native"});
  index.add(*add.group.functional, {"add", false, "at::native"});
  EXPECT_EQ(generate(index, Target::kRegistration, &add.group),
            (Texts{"m.impl(\"add\",\nTORCH_FN(wrapper_CPU__add));\n",
                   "m.impl(\"add_\",\nTORCH_FN(wrapper_CPU__add_));\n"}));
}

TEST(RegisterDispatchKey, RegistersWhatIsSelectedOnly) {
  const AddVariants add;
  const auto selector =
      model::SelectiveBuilder::from_legacy_op_registration_allow_list(
          {"aten::add_"}, true, false);
  auto index = index_of(DispatchKey::kCPU);
  index.add(*add.group.functional, {"add", false, "at::native"});
  auto generator = generator_of(index, Target::kRegistration);
  generator.selector = &selector;
  EXPECT_EQ(generate(generator, &add.group), Texts{});
  generator.target = Target::kNamespacedDeclaration;
  EXPECT_EQ(generate(generator, &add.group).size(), 1);
}

TEST(RegisterDispatchKey, TakesStructuredKernelsByTheirOutVariant) {
  AddVariants add;
  add.make_structured();
  auto index = index_of(DispatchKey::kCPU);
  index.add(*add.group.out, {"add_out", true, "at::native"});
  EXPECT_EQ(generate(index, Target::kRegistration, &add.group),
            (Texts{"m.impl(\"add\", TORCH_FN(wrapper_CPU_add));",
                   "m.impl(\"add.out\", TORCH_FN(wrapper_CPU_add_out_out));",
                   "m.impl(\"add_\", TORCH_FN(wrapper_CPU_add_));"}));
}

TEST(RegisterDispatchKey, MakesMetaKernelsOfStructuredOperators) {
  AddVariants add;
  add.make_structured();
  const auto index = index_of(DispatchKey::kMeta);
  EXPECT_EQ(generate(index, Target::kRegistration, &add.group).size(), 3);
}

TEST(RegisterDispatchKey, RejectsNamedMetaKernelsOfStructuredOperators) {
  AddVariants add;
  add.make_structured();
  auto index = index_of(DispatchKey::kMeta);
  index.add(*add.group.out, {"add_meta", false, "at::native"});
  const auto generator = generator_of(index, Target::kRegistration);
  Texts out;
  EXPECT_THROW(generator.generate(&add.group, out), EmitError);
}

TEST(RegisterDispatchKey, BlamesTheFunction) {
  AddVariants add;
  add.make_structured();
  add.functions[2]->manual_kernel_registration = true;
  const auto index = index_of(DispatchKey::kMeta);
  const auto generator = generator_of(index, Target::kRegistration);
  Texts out;
  try {
    generator.generate(&add.group, out);
    FAIL();
  } catch (const EmitError& error) {
    EXPECT_EQ(error.function, add.group.inplace);
  }
}

}  // namespace
}  // namespace opgen::emit
