#include <cstddef>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>
#include <infini/ops.h>

#include "../../../test_tensor.h"

namespace infini::ops::test {

namespace {

static_assert(sizeof(Handle) == 24 && !std::is_polymorphic_v<Handle>);
static_assert(sizeof(Config) == 8 && !std::is_polymorphic_v<Config>);
static_assert(std::is_same_v<Tensor, rt::TensorView>);
static_assert(std::is_base_of_v<std::invalid_argument, Error>);

TEST(Handle, KeepsWhatItIsGiven) {
  int stream = 0;
  int workspace = 0;
  Handle handle;
  EXPECT_EQ(handle.stream(), nullptr);
  handle.set_stream(&stream);
  handle.set_workspace(&workspace);
  handle.set_workspace_size_in_bytes(4);
  EXPECT_EQ(handle.stream(), &stream);
  EXPECT_EQ(handle.workspace(), &workspace);
  EXPECT_EQ(handle.workspace_size_in_bytes(), 4U);
}

// A tensor class of a consumer's.
class Owner {
 public:
  // NOLINTNEXTLINE(readability-identifier-naming): upstream's spelling.
  static Owner Empty(const Tensor::Shape& shape,
                     DataType dtype,
                     const Device& device) {
    return {shape, dtype, device};
  }

  Owner(const Tensor::Shape& shape, DataType dtype, const Device& device)
      : shape_(shape),
        strides_(TestTensor::row_major(shape)),
        dtype_(dtype),
        device_(device) {
    values.resize(64, 1.5F);
  }

  const void* data() const { return values.data(); }

  const Tensor::Shape& shape() const { return shape_; }

  const Tensor::Strides& strides() const { return strides_; }

  DataType dtype() const { return dtype_; }

  Device device() const { return device_; }

  std::vector<float> values;

 private:
  Tensor::Shape shape_;
  Tensor::Strides strides_;
  DataType dtype_;
  Device device_;
};

TEST(Operator, IsCalledInEveryForm) {
  const Owner a({2, 2}, DataType::kFloat32, Device());
  const Owner sum = Operator<Add>::Call(a, a);
  EXPECT_EQ(sum.values[3], 3.0F);
  const Owner product = Gemm::Call(a, a);
  // c = a @ a + c, and a new Owner holds 1.5.
  EXPECT_EQ(product.values[0], 6.0F);

  TestTensor x(DataType::kInt32, {3});
  TestTensor out(DataType::kInt32, {3});
  for (std::size_t i = 0; i < 3; ++i) {
    x.set_bits(i, i + 1);
  }
  Add::Call(x.view(), x.view(), out.view());
  EXPECT_EQ(out.bits(2), 6U);
  Mul::Call(Handle(), Config(), x.view(), x.view(), out.view());
  EXPECT_EQ(out.bits(2), 9U);
  Operator<Add>::clear_cache();
  EXPECT_EQ(Operator<Add>::active_implementation_indices(Device::Type::kCpu),
            std::vector<std::size_t>{0});
  EXPECT_TRUE(
      Operator<Add>::active_implementation_indices(Device::Type::kNvidia)
          .empty());
}

}  // namespace

}  // namespace infini::ops::test
