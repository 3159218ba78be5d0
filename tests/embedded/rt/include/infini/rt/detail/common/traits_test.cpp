#include <cstddef>
#include <optional>
#include <tuple>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>
#include <infini/rt.h>

namespace infini::rt {
namespace {

struct AcceptsEven {
  template <int value>
    requires(value % 2 == 0)
  void operator()(ValueTag<value>) const {}

  template <int value>
    requires(value % 3 == 0)
  void operator()(ValueTag<value>, int) const {}
};

static_assert(ListGet<0>(List<7, 8, 9>{}) == 7 &&
              ListGet<2>(List<7, 8, 9>{}) == 9);
static_assert(ContainsValue<List<1, 2>, 2> && !ContainsValue<List<1, 2>, 3>);
static_assert(!ContainsValue<List<>, 1>);
static_assert(IsTypeInList<int, char, int> && !IsTypeInList<int, char>);
static_assert(IsListType<List<1>>::value && !IsListType<int>::value);
static_assert(std::is_same_v<ConcatType<List<1>, List<2, 3>>, List<1, 2, 3>>);
static_assert(std::is_same_v<Flatten<List<1>>::type, List<1>>);
static_assert(std::is_same_v<Flatten<List<1>, List<>, List<2>, List<3>>::type,
                             List<1, 2, 3>>);
static_assert(IsInvocableValue<AcceptsEven, 4> &&
              !IsInvocableValue<AcceptsEven, 3>);
static_assert(IsInvocableValue<AcceptsEven, 3, int>);
static_assert(std::is_same_v<
              FilterList<AcceptsEven, std::tuple<>, List<1, 2, 4, 2, 5>>::type,
              List<2, 4>>);
static_assert(std::is_same_v<
              FilterList<AcceptsEven, std::tuple<int>, List<1, 2, 3, 6>>::type,
              List<3, 6>>);
static_assert(std::is_same_v<TypeTag<char>::type, char>);
static_assert(ValueTag<5>::value == 5 &&
              std::is_same_v<ValueTag<5>::value_type, int>);

constexpr ConstexprMap<int, char, 2> kMap{{{{1, 'a'}, {2, 'b'}}}};
static_assert(kMap.at(1) == 'a' && kMap.at(2) == 'b');

TEST(ConstexprMapDeathTest, UnknownKeyAborts) {
  EXPECT_DEATH((void)kMap.at(3), "");
}

template <typename T>
std::size_t hash(const T& value) {
  std::size_t seed = 0;
  HashCombine(seed, value);
  return seed;
}

TEST(HashCombineTest, TellsValuesApart) {
  EXPECT_EQ(hash(3), hash(3));
  EXPECT_NE(hash(3), hash(4));
  EXPECT_NE(hash(std::vector{1, 2}), hash(std::vector{2, 1}));
  EXPECT_NE(hash(std::vector<int>{}), hash(std::vector{0}));
  EXPECT_NE(hash(std::optional<int>{}), hash(std::optional<int>{0}));
}

TEST(HashCombineTest, DependsOnTheSeed) {
  std::size_t a = 1;
  std::size_t b = 2;
  HashCombine(a, 5);
  HashCombine(b, 5);
  EXPECT_NE(a, b);
}

}  // namespace
}  // namespace infini::rt
