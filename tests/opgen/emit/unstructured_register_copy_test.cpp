#include "opgen/emit/unstructured_register_copy.h"

#include <gtest/gtest.h>

#include "opgen/emit/register_dispatch_key_error.h"
#include "tests/opgen/emit/register_dispatch_key_fixture.h"

namespace opgen::emit {
namespace {

using model::DispatchKey;
using model::NativeFunction;

std::string copy_of(const Variants& variants, const NativeFunction& f) {
  auto index = index_of(DispatchKey::kXLA);
  index.external = true;
  index.use_out_as_primary = false;
  index.add(*variants.group.functional, {"f", false, "torch_xla"});
  return gen_out_inplace_wrapper(
      generator_of(index, Target::kAnonymousDefinition), f, variants.group);
}

TEST(UnstructuredRegisterCopy, ResizesOutputs) {
  const AddVariants add;
  EXPECT_EQ(
      copy_of(add, *add.group.out),
      R"text(at::Tensor & wrapper_XLA_out_add_out(const at::Tensor & self, const at::Tensor & other, at::Tensor & out) {
  auto wrapper_XLA_out_add_out_tmp = wrapper_XLA__add(self, other);
  at::_copy_from_and_resize(wrapper_XLA_out_add_out_tmp, out);
  return out;
}
)text");
}

TEST(UnstructuredRegisterCopy, CopiesIntoSelf) {
  const AddVariants add;
  const std::string text = copy_of(add, *add.group.inplace);
  EXPECT_NE(text.find("\n  at::_copy_from(wrapper_XLA__add__tmp, self);\n"
                      "  return self;\n"),
            std::string::npos)
      << text;
}

TEST(UnstructuredRegisterCopy, TakesSeveralResultsApart) {
  const Variants f{"f(Tensor x) -> (Tensor, Tensor)",
                   "f.out(Tensor x, *, Tensor(a!) a, Tensor(b!) b) -> "
                   "(Tensor(a!), Tensor(b!))"};
  EXPECT_EQ(
      copy_of(f, *f.group.out),
      R"text(::std::tuple<at::Tensor &,at::Tensor &> wrapper_XLA_out_f_out(const at::Tensor & x, at::Tensor & a, at::Tensor & b) {
  auto wrapper_XLA_out_f_out_tmp = wrapper_XLA__f(x);
  at::_copy_from_and_resize(std::get<0>(wrapper_XLA_out_f_out_tmp), a);
  at::_copy_from_and_resize(std::get<1>(wrapper_XLA_out_f_out_tmp), b);
  return ::std::tuple<at::Tensor &,at::Tensor &>(a, b);
}
)text");
}

TEST(UnstructuredRegisterCopy, CopiesEachTensorOfAList) {
  const Variants f{"f(Tensor[] self) -> Tensor[]",
                   "f.out(Tensor[] self, *, Tensor(a!)[] out) -> ()",
                   "f_(Tensor(a!)[] self) -> ()"};
  EXPECT_EQ(copy_of(f, *f.group.inplace),
            R"text(void wrapper_XLA__f_(at::TensorList self) {
  auto wrapper_XLA__f__tmp = wrapper_XLA__f(self);
      for (int64_t i = 0; i < wrapper_XLA__f__tmp.size(); ++i) {
        at::_copy_from(wrapper_XLA__f__tmp[i], self[i]);
    }
  return ;
}
)text");
  EXPECT_NE(copy_of(f, *f.group.out)
                .find("at::_copy_from_and_resize(wrapper_XLA_out_f_out_tmp[i], "
                      "out[i]);"),
            std::string::npos);
}

TEST(UnstructuredRegisterCopy, RejectsWhatItCannotTellApart) {
  const Variants f{
      "f(Tensor[] self, Tensor[] x) -> (Tensor[], Tensor[])",
      "f.out(Tensor[] self, Tensor[] x, *, Tensor(a!)[] out) -> ()",
      "f_(Tensor(a!)[] self, Tensor(b!)[] x) -> ()"};
  EXPECT_THROW(copy_of(f, *f.group.inplace), EmitError);
  EXPECT_THROW(copy_of(f, *f.group.functional), EmitError);
}

}  // namespace
}  // namespace opgen::emit
