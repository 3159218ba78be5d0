#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include <gtest/gtest.h>
#include <infini/rt.h>
#include <infini/rt/cpu/data_type_.h>

namespace infini::rt {
namespace {

constexpr Device::Type kCpu = Device::Type::kCpu;

static_assert(sizeof(DataType) == 1);
static_assert(std::is_same_v<std::underlying_type_t<DataType>, std::int8_t>);
static_assert(static_cast<int>(DataType::kInt8) == 0);
static_assert(static_cast<int>(DataType::kUInt8) == 4);
static_assert(static_cast<int>(DataType::kFloat16) == 8);
static_assert(static_cast<int>(DataType::kBFloat16) == 9);
static_assert(static_cast<int>(DataType::kFloat32) == 10);
static_assert(static_cast<int>(DataType::kFloat64) == 11);
static_assert(sizeof(Float16) == 2 && sizeof(BFloat16) == 2);

static_assert(std::is_same_v<TypeMapType<kCpu, DataType::kFloat16>, Float16>);
static_assert(std::is_same_v<TypeMapType<kCpu, DataType::kBFloat16>, BFloat16>);
static_assert(
    std::is_same_v<TypeMapType<Device::Type::kNvidia, DataType::kInt64>,
                   std::int64_t>);
static_assert(IsFP16<kCpu, Float16> && !IsFP16<kCpu, BFloat16>);
static_assert(IsBFloat16<kCpu, BFloat16> && !IsBFloat16<kCpu, float>);

static_assert(std::is_same_v<AllFloatTypes,
                             List<DataType::kFloat32,
                                  DataType::kFloat64,
                                  DataType::kFloat16,
                                  DataType::kBFloat16>>);
static_assert(ContainsValue<AllIntTypes, DataType::kUInt64>);
static_assert(!ContainsValue<AllIntTypes, DataType::kFloat32>);
static_assert(std::is_same_v<AllTypes, ConcatType<AllFloatTypes, AllIntTypes>>);

template <DataType... dtypes>
constexpr bool sizes_match(List<dtypes...>) {
  return sizeof...(dtypes) == 12 &&
         ((kDataTypeToSize.at(dtypes) == sizeof(TypeMapType<kCpu, dtypes>)) &&
          ...);
}

template <std::size_t size, auto... dtypes>
constexpr bool all_have_size(List<dtypes...>) {
  return ((kDataTypeToSize.at(dtypes) == size) && ...);
}

static_assert(sizes_match(AllTypes{}));
static_assert(all_have_size<1>(BitTypes8{}) && all_have_size<2>(BitTypes16{}));
static_assert(all_have_size<4>(BitTypes32{}) && all_have_size<8>(BitTypes64{}));

TEST(DataTypeTest, NamesGoBothWays) {
  constexpr std::string_view kNames[] = {"int8",
                                         "int16",
                                         "int32",
                                         "int64",
                                         "uint8",
                                         "uint16",
                                         "uint32",
                                         "uint64",
                                         "float16",
                                         "bfloat16",
                                         "float32",
                                         "float64"};
  for (int i = 0; i < 12; ++i) {
    EXPECT_EQ(kDataTypeToDesc.at(static_cast<DataType>(i)), kNames[i]);
    EXPECT_EQ(kStringToDataType.at(kNames[i]), static_cast<DataType>(i));
  }
}

TEST(DataTypeDeathTest, UnknownNameAborts) {
  EXPECT_DEATH(kStringToDataType.at("complex64"), "");
}

}  // namespace
}  // namespace infini::rt
