#include "opgen/emit/meta_functions.h"

#include <gtest/gtest.h>

#include "tests/opgen/emit/register_dispatch_key_fixture.h"

namespace opgen::emit {
namespace {

TEST(MetaFunctions, AreDeclaredForStructuredGroups) {
  AddVariants add;
  EXPECT_EQ(compute_meta_function_declaration(add.group), std::nullopt);
  add.make_structured();
  EXPECT_EQ(compute_meta_function_declaration(add.group),
            "struct TORCH_API structured_add : public at::impl::MetaBase {\n"
            "    \n    \n"
            "    void meta(const at::Tensor & self, const at::Tensor & "
            "other);\n};\n");
}

TEST(MetaFunctions, InheritFromTheNamedClass) {
  AddVariants add;
  add.make_structured();
  add.functions[1]->structured_inherits = "TensorIteratorBase";
  EXPECT_TRUE(compute_meta_function_declaration(add.group)->starts_with(
      "struct TORCH_API structured_add : public "
      "TensorIteratorBase {\n"));
}

TEST(MetaFunctions, ReturnPrecomputedArguments) {
  Variants f{"f.x(Tensor self, int dim) -> Tensor",
             "f.out(Tensor self, int dim, *, Tensor(a!) out) -> Tensor(a!)"};
  f.make_structured();
  const auto precomputed =
      api::function_of("p(int wrapped_dim, Scalar n) -> ()");
  const auto arguments = precomputed->func.arguments.flat_all();
  f.functions[1]->precomputed.emplace();
  f.functions[1]->precomputed->replace.push_back({"dim", {arguments[0]}});
  f.functions[1]->precomputed->add = {arguments[1]};
  EXPECT_EQ(compute_meta_function_declaration(f.group),
            R"text(struct TORCH_API structured_f_x : public at::impl::MetaBase {
    
                template <bool WRAPPED_DIM = false, bool N = false>
                struct TORCH_API precompute_out {
                    
                    precompute_out<true, N> set_wrapped_dim(int64_t value) {
                        static_assert(WRAPPED_DIM == false, "wrapped_dim already set");
                        precompute_out<true, N> ret;
ret.wrapped_dim = value;
ret.n = this->n;
return ret;
                    }
                

                    precompute_out<WRAPPED_DIM, true> set_n(at::Scalar value) {
                        static_assert(N == false, "n already set");
                        precompute_out<WRAPPED_DIM, true> ret;
ret.wrapped_dim = this->wrapped_dim;
ret.n = value;
return ret;
                    }
                
                    int64_t wrapped_dim;
at::Scalar n;
            };
    using meta_return_ty = precompute_out <true, true>;
    meta_return_ty meta(const at::Tensor & self, int64_t dim);
};
)text");
}

}  // namespace
}  // namespace opgen::emit
