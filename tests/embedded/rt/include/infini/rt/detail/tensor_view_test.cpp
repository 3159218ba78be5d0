#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include <gtest/gtest.h>
#include <infini/rt.h>

namespace infini::rt {
namespace {

using Shape = TensorView::Shape;
using Strides = TensorView::Strides;

static_assert(sizeof(TensorView) == 72);
static_assert(std::is_copy_constructible_v<TensorView> &&
              !std::is_copy_assignable_v<TensorView>);
static_assert(!std::is_default_constructible_v<TensorView>);
static_assert(std::is_same_v<TensorView::Size, std::size_t>);
static_assert(std::is_same_v<TensorView::Index, std::ptrdiff_t>);

TensorView view(const Shape& shape, const Strides& strides) {
  return {nullptr, shape, DataType::kFloat32, Device{}, strides};
}

struct TensorLike {
  void* storage;

  const void* data() const { return storage; }

  Shape shape() const { return {2}; }

  Strides strides() const { return {3}; }

  DataType dtype() const { return DataType::kInt8; }

  Device device() const { return {Device::Type::kMoore, 4}; }
};

TEST(TensorViewTest, MembersLieWhereTheInterfaceSays) {
  int data = 0;
  const TensorView tensor{
      &data, {4}, DataType::kInt64, Device{Device::Type::kMetax, 3}, {5}};
  const auto offset = [&](const void* member) {
    return static_cast<const char*>(member) -
           reinterpret_cast<const char*>(&tensor);
  };
  void* first = nullptr;
  std::memcpy(static_cast<void*>(&first),
              static_cast<const void*>(&tensor),
              sizeof(first));
  EXPECT_EQ(first, &data);
  EXPECT_EQ(offset(&tensor.shape()), 8);
  EXPECT_EQ(offset(&tensor.dtype()), 32);
  EXPECT_EQ(offset(&tensor.device()), 36);
  EXPECT_EQ(offset(&tensor.strides()), 48);
}

TEST(TensorViewTest, ConstructorsFillInDefaults) {
  float data[6] = {};
  const TensorView plain{data, Shape{2, 3}};
  EXPECT_EQ(plain.data(), data);
  EXPECT_EQ(plain.dtype(), DataType::kFloat32);
  EXPECT_EQ(plain.device(), Device{});
  EXPECT_EQ(plain.shape(), (Shape{2, 3}));
  EXPECT_EQ(plain.strides(), (Strides{3, 1}));
  EXPECT_EQ((TensorView{data, Shape{6}, DataType::kInt16}.dtype()),
            DataType::kInt16);
  const Device other{Device::Type::kAscend, 2};
  EXPECT_EQ((TensorView{data, Shape{6}, other}.device()), other);
  const TensorView both{data, Shape{1, 2, 3}, DataType::kUInt8, other};
  EXPECT_EQ(both.dtype(), DataType::kUInt8);
  EXPECT_EQ(both.device(), other);
  EXPECT_EQ(both.strides(), (Strides{6, 3, 1}));
}

TEST(TensorViewTest, ViewsAnythingTensorLike) {
  int data = 0;
  const TensorLike like{&data};
  const TensorView tensor = like;
  EXPECT_EQ(tensor.data(), &data);
  EXPECT_EQ(tensor.shape(), (Shape{2}));
  EXPECT_EQ(tensor.strides(), (Strides{3}));
  EXPECT_EQ(tensor.dtype(), DataType::kInt8);
  EXPECT_EQ(tensor.device(), (Device{Device::Type::kMoore, 4}));
}

TEST(TensorViewTest, DataCanBeReplaced) {
  int first = 0;
  int second = 0;
  TensorView tensor{&first, Shape{1}};
  tensor.data() = &second;
  EXPECT_EQ(static_cast<const TensorView&>(tensor).data(), &second);
}

TEST(TensorViewTest, DefaultStridesOfEmptyAndZeroDimensional) {
  EXPECT_EQ((TensorView{nullptr, Shape{}}.strides()), (Strides{}));
  EXPECT_EQ((TensorView{nullptr, Shape{2, 0, 3}}.strides()),
            (Strides{0, 3, 1}));
}

TEST(TensorViewTest, SizesAndStridesCountFromBothEnds) {
  const TensorView tensor = view({2, 3, 4}, {24, -4, 0});
  EXPECT_EQ(tensor.ndim(), 3U);
  EXPECT_EQ(tensor.size(0), 2U);
  EXPECT_EQ(tensor.size(-1), 4U);
  EXPECT_EQ(tensor.stride(1), -4);
  EXPECT_EQ(tensor.stride(-3), 24);
  for (const TensorView::Index bad :
       {std::ptrdiff_t{3},
        std::ptrdiff_t{-4},
        std::numeric_limits<std::ptrdiff_t>::min(),
        std::numeric_limits<std::ptrdiff_t>::max()}) {
    EXPECT_THROW((void)tensor.size(bad), std::out_of_range);
    EXPECT_THROW((void)tensor.stride(bad), std::out_of_range);
  }
  EXPECT_THROW((void)(TensorView{nullptr, Shape{}}.size(0)), std::out_of_range);
}

TEST(TensorViewTest, CountsElements) {
  EXPECT_EQ((TensorView{nullptr, Shape{}}.numel()), 1U);
  EXPECT_EQ((TensorView{nullptr, Shape{2, 0, 3}}.numel()), 0U);
  EXPECT_EQ((TensorView{nullptr, Shape{2, 5, 3}}.numel()), 30U);
  EXPECT_EQ((TensorView{nullptr, Shape{1}, DataType::kBFloat16}.element_size()),
            2U);
  EXPECT_EQ((TensorView{nullptr, Shape{1}, DataType::kFloat64}.element_size()),
            8U);
}

TEST(TensorViewTest, IndexDropsTheFirstDimension) {
  std::int16_t data[12] = {};
  const TensorView tensor{data, {3, 2}, DataType::kInt16, Device{}, {4, -1}};
  const TensorView last = tensor[-1];
  EXPECT_EQ(last.data(), data + 8);
  EXPECT_EQ(last.shape(), (Shape{2}));
  EXPECT_EQ(last.strides(), (Strides{-1}));
  EXPECT_EQ(last.dtype(), DataType::kInt16);
  EXPECT_EQ(tensor[1][1].data(), data + 3);
  EXPECT_EQ(tensor[1][1].ndim(), 0U);
  EXPECT_THROW((void)tensor[3], std::out_of_range);
  EXPECT_THROW((void)tensor[-4], std::out_of_range);
  EXPECT_THROW((void)(TensorView{data, Shape{}}[0]), std::out_of_range);
}

TEST(TensorViewTest, Transposes) {
  int data = 0;
  const TensorView transposed =
      TensorView{&data, {2, 3}, DataType::kInt32, Device{}, {3, 1}}.T();
  EXPECT_EQ(transposed.data(), &data);
  EXPECT_EQ(transposed.shape(), (Shape{3, 2}));
  EXPECT_EQ(transposed.strides(), (Strides{1, 3}));
  EXPECT_EQ(transposed.dtype(), DataType::kInt32);
  EXPECT_THROW((void)(TensorView{&data, Shape{2}}.T()), std::out_of_range);
}

TEST(TensorViewTest, FindsBroadcastDimensions) {
  EXPECT_FALSE(view({}, {}).HasBroadcastDim());
  EXPECT_FALSE(view({2, 3}, {3, 1}).HasBroadcastDim());
  EXPECT_TRUE(view({2, 3}, {0, 1}).HasBroadcastDim());
  EXPECT_TRUE(view({2, 3}, {3, 0}).HasBroadcastDim());
  EXPECT_FALSE(view({1, 3}, {0, 1}).HasBroadcastDim());
  // Upstream looks no further than a dimension of size 1.
  EXPECT_TRUE(view({1, 3}, {0, 0}).HasBroadcastDim());
  EXPECT_TRUE(view({0}, {0}).HasBroadcastDim());
}

TEST(TensorViewTest, ContiguityIsUpstreams) {
  EXPECT_TRUE(view({}, {}).IsContiguous());
  EXPECT_TRUE(view({5}, {1}).IsContiguous());
  EXPECT_FALSE(view({5}, {2}).IsContiguous());
  EXPECT_FALSE(view({5}, {0}).IsContiguous());
  EXPECT_TRUE(view({2, 3}, {3, 1}).IsContiguous());
  EXPECT_FALSE(view({2, 3}, {1, 2}).IsContiguous());
  EXPECT_FALSE(view({2, 3}, {-3, 1}).IsContiguous());
  EXPECT_FALSE(view({1, 3}, {99, 1}).IsContiguous());
  EXPECT_FALSE(view({1, 0}, {0, 1}).IsContiguous());
  EXPECT_TRUE(view({2, 0}, {0, 1}).IsContiguous());
  EXPECT_TRUE(view({2, 1, 3}, {3, 3, 1}).IsContiguous());
  EXPECT_FALSE(view({2, 1, 3}, {3, 0, 1}).IsContiguous());
  EXPECT_FALSE(view({1}, {0}).IsContiguous());
}

TEST(TensorViewTest, PrintsElements) {
  float data[6] = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ((TensorView{data, Shape{2, 2}}.ToString()),
            "tensor([[1.000000, 2.000000], [3.000000, 4.000000]], "
            "dtype=float32, device='cpu:0')");
  EXPECT_EQ(
      (TensorView{data, {2}, DataType::kFloat32, Device{}, {4}}.ToString()),
      "tensor([1.000000, 5.000000], dtype=float32, device='cpu:0')");
  EXPECT_EQ((TensorView{data, Shape{0}}.ToString()),
            "tensor([], dtype=float32, device='cpu:0')");
  EXPECT_EQ((TensorView{data, Shape{2, 0}}.ToString()),
            "tensor([[], []], dtype=float32, device='cpu:0')");
  EXPECT_EQ((TensorView{data, Shape{}}.ToString()),
            "tensor(1.000000, dtype=float32, device='cpu:0')");
}

template <typename T>
std::string printed(T value, DataType dtype) {
  const std::string text = TensorView{&value, Shape{}, dtype}.ToString();
  return text.substr(7, text.find(',') - 7);
}

TEST(TensorViewTest, PrintsEveryDataType) {
  EXPECT_EQ(printed(std::int8_t{-7}, DataType::kInt8), "-7");
  EXPECT_EQ(printed(std::int16_t{-300}, DataType::kInt16), "-300");
  EXPECT_EQ(printed(std::int32_t{-70000}, DataType::kInt32), "-70000");
  EXPECT_EQ(printed(std::int64_t{-1} << 40, DataType::kInt64),
            "-1099511627776");
  EXPECT_EQ(printed(std::uint8_t{200}, DataType::kUInt8), "200");
  EXPECT_EQ(printed(std::uint16_t{60000}, DataType::kUInt16), "60000");
  EXPECT_EQ(printed(std::uint32_t{4000000000}, DataType::kUInt32),
            "4000000000");
  EXPECT_EQ(printed(~std::uint64_t{0}, DataType::kUInt64),
            "18446744073709551615");
  EXPECT_EQ(printed(Float16::FromFloat(1.5F), DataType::kFloat16), "1.500000");
  EXPECT_EQ(printed(BFloat16::FromFloat(-2.5F), DataType::kBFloat16),
            "-2.500000");
  EXPECT_EQ(printed(0.25F, DataType::kFloat32), "0.250000");
  EXPECT_EQ(printed(0.125, DataType::kFloat64), "0.125000");
}

TEST(TensorViewTest, DoesNotReadWhatTheHostCannot) {
  int data = 0;
  EXPECT_EQ((TensorView{&data, Shape{2}, Device{Device::Type::kNvidia, 1}}
                 .ToString()),
            "tensor(..., dtype=float32, device='nvidia:1')");
  EXPECT_EQ((TensorView{nullptr, Shape{2}}.ToString()),
            "tensor(..., dtype=float32, device='cpu:0')");
}

TEST(TensorViewTest, HashesAllButTheData) {
  int first = 0;
  int second = 0;
  const TensorView a{&first, Shape{2, 3}};
  const TensorView b{&second, Shape{2, 3}};
  // NOLINTNEXTLINE(modernize-use-transparent-functors): the one under test.
  const std::equal_to<TensorView> equal;
  EXPECT_TRUE(equal(a, b));
  EXPECT_EQ(std::hash<TensorView>{}(a), std::hash<TensorView>{}(b));
  const std::vector<TensorView> others{
      {&first, Shape{3, 2}},
      {&first, Shape{2, 3}, DataType::kInt32},
      {&first, Shape{2, 3}, Device{Device::Type::kCpu, 1}},
      {&first, {2, 3}, DataType::kFloat32, Device{}, {1, 2}},
  };
  std::unordered_map<TensorView, int> map{{a, 0}};
  for (const TensorView& other : others) {
    EXPECT_FALSE(equal(a, other));
    map.emplace(other, 0);
  }
  EXPECT_EQ(map.size(), 5U);
  EXPECT_EQ(map.count(b), 1U);
}

}  // namespace
}  // namespace infini::rt
