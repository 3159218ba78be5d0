#include "opgen/api/types/ctype.h"

#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "opgen/model/native_function.h"
#include "opgen/model/type.h"

namespace opgen::api {
namespace {

void expect_spelling(const CType* type, std::string_view expected) {
  EXPECT_EQ(type->cpp_type(), expected);
}

TEST(CType, spells_every_kind) {
  expect_spelling(CType::const_ref(kTensorT), "const at::Tensor &");
  expect_spelling(CType::mut_ref(kTensorT), "at::Tensor &");
  expect_spelling(CType::optional(kLongT), "::std::optional<int64_t>");
  expect_spelling(CType::list(kLongT), "c10::List<int64_t>");
  expect_spelling(CType::array_ref(kLongT), "at::ArrayRef<int64_t>");
  expect_spelling(CType::vector(kLongT), "::std::vector<int64_t>");
  expect_spelling(CType::array(kBoolT, 3), "::std::array<bool,3>");
  expect_spelling(CType::tuple({kLongT, kBoolT, kLongT}),
                  "::std::tuple<int64_t,bool,int64_t>");
  expect_spelling(CType::tuple({}), "::std::tuple<>");
  expect_spelling(CType::vectorized(kScalarTParam),
                  "at::vec::Vectorized<scalar_t>");
}

TEST(CType, is_interned) {
  EXPECT_EQ(CType::base("at::Tensor"), kTensorT);
  EXPECT_EQ(CType::const_ref(kTensorT), CType::const_ref(kTensorT));
  EXPECT_NE(CType::const_ref(kTensorT), CType::mut_ref(kTensorT));
  EXPECT_EQ(CType::tuple({kLongT, kBoolT}), CType::tuple({kLongT, kBoolT}));
  EXPECT_NE(CType::tuple({kLongT, kBoolT}), CType::tuple({kBoolT, kLongT}));
  EXPECT_NE(CType::array(kBoolT, 3), CType::array(kBoolT, 4));
}

TEST(CType, strips_references_at_the_outside_only) {
  const CType* optional = CType::optional(CType::const_ref(kTensorT));
  EXPECT_EQ(CType::const_ref(optional)->cpp_type_strip_ref(),
            "::std::optional<const at::Tensor &>");
  EXPECT_EQ(optional->cpp_type_strip_ref(), optional->cpp_type());
}

TEST(CType, removes_references_everywhere) {
  const CType* type = CType::const_ref(
      CType::tuple({CType::mut_ref(kTensorT),
                    CType::list(CType::optional(CType::const_ref(kTensorT))),
                    CType::array(CType::const_ref(kBoolT), 2)}));
  expect_spelling(type->remove_const_ref(),
                  "::std::tuple<at::Tensor,c10::List<::std::optional<at::Tensor"
                  ">>,::std::array<bool,2>>");
  EXPECT_EQ(type->remove_const_ref(), type->remove_const_ref());
}

TEST(CType, keeps_the_element_of_vectorized) {
  const CType* type = CType::vectorized(CType::const_ref(kFloatT));
  EXPECT_EQ(type->remove_const_ref(), type);
}

TEST(CType, is_the_same_for_all_threads) {
  constexpr int kThreads = 4;
  constexpr int kTypes = 200;
  std::vector<std::vector<const CType*>> seen(kThreads);
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (std::vector<const CType*>& types : seen) {
    threads.emplace_back([&types] {
      for (int i = 0; i < kTypes; ++i) {
        const CType* base = CType::base("thread_test_" + std::to_string(i));
        types.push_back(CType::const_ref(CType::optional(base)));
        types.push_back(CType::tuple({base, types.back()})->remove_const_ref());
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  for (const std::vector<const CType*>& types : seen) {
    EXPECT_EQ(types, seen.front());
  }
}

TEST(BaseTypeToCpp, knows_all_but_graph_modules) {
  EXPECT_EQ(base_type_to_cpp(model::BaseTy::kInt), kLongT);
  EXPECT_EQ(base_type_to_cpp(model::BaseTy::kStr), kStringT);
  EXPECT_EQ(base_type_to_cpp(model::BaseTy::kGraphModule), nullptr);
}

TEST(ScalarTypeToCpp, knows_all_but_bfloat16) {
  expect_spelling(scalar_type_to_cpp(model::ScalarType::kComplexHalf),
                  "c10::complex<c10::Half>");
  EXPECT_EQ(scalar_type_to_cpp(model::ScalarType::kBFloat16), nullptr);
}

TEST(TensorListLike, compares_spellings) {
  EXPECT_TRUE(is_tensor_list_like("at::TensorList"));
  EXPECT_TRUE(
      is_tensor_list_like(CType::const_ref(kITensorListRefT)->cpp_type()));
  EXPECT_FALSE(is_tensor_list_like("at::ITensorListRef"));
}

}  // namespace
}  // namespace opgen::api
