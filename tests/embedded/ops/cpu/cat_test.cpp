#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "../test_tensor.h"

namespace infini::ops::test {

namespace {

void call(const std::vector<Tensor>& inputs,
          std::int64_t dim,
          const Tensor& out) {
  const std::vector<Tensor> rest(inputs.begin() + 1, inputs.end());
  Operator<Cat>::Call(Handle(), Config(), inputs[0], rest, dim, out);
}

// The number, in row-major order, of an element of a part within the whole.
std::size_t number_in_whole(std::size_t number,
                            const Tensor::Shape& part,
                            const Tensor::Shape& whole,
                            std::size_t dim,
                            std::size_t begin) {
  std::size_t result = 0;
  std::size_t weight = 1;
  for (std::size_t d = part.size(); d-- > 0;) {
    result += (number % part[d] + (d == dim ? begin : 0)) * weight;
    number /= part[d];
    weight *= whole[d];
  }
  return result;
}

void check(DataType dtype,
           const Tensor::Shape& shape,
           std::size_t dim,
           const std::vector<std::size_t>& sizes,
           std::mt19937_64* random) {
  Tensor::Shape whole = shape;
  whole[dim] = 0;
  std::vector<TestTensor> parts;
  std::vector<Tensor> views;
  for (const std::size_t size : sizes) {
    Tensor::Shape part = shape;
    part[dim] = size;
    whole[dim] += size;
    parts.emplace_back(dtype, part, random_strides(part, true, random));
    parts.back().fill(random);
  }
  for (TestTensor& part : parts) {
    views.push_back(part.view());
  }
  TestTensor out(dtype, whole, random_strides(whole, false, random));
  const auto backwards =
      static_cast<std::int64_t>(dim) - static_cast<std::int64_t>(shape.size());
  call(views,
       (*random)() % 2 == 0 ? static_cast<std::int64_t>(dim) : backwards,
       out.view());
  std::size_t begin = 0;
  for (TestTensor& part : parts) {
    for (std::size_t i = 0; i < part.numel(); ++i) {
      ASSERT_EQ(out.bits(number_in_whole(i, part.shape(), whole, dim, begin)),
                part.bits(i));
    }
    begin += part.shape()[dim];
  }
  EXPECT_TRUE(out.is_intact());
}

TEST(Cat, JoinsAnyNumberOfTensorsOfAnyLayout) {
  std::mt19937_64 random(3);
  for (const DataType dtype : kAllTypes) {
    for (int round = 0; round < 20; ++round) {
      const Tensor::Shape shape = random_shape(1 + random() % 4, 6, &random);
      std::vector<std::size_t> sizes(1 + random() % 5);
      for (std::size_t& size : sizes) {
        size = random() % 5;
      }
      check(dtype, shape, random() % shape.size(), sizes, &random);
    }
  }
}

TEST(Cat, JoinsLargeTensors) {
  std::mt19937_64 random(4);
  check(DataType::kFloat32, {300, 400}, 1, {200, 150, 50}, &random);
}

TEST(Cat, ReadsInputsThatLieInTheOutputFirst) {
  TestTensor out(DataType::kInt32, {8});
  for (std::size_t i = 0; i < 8; ++i) {
    out.set_bits(i, i);
  }
  const Tensor front = out.view({4}, {1});
  const Tensor back(out.data() + 16, Tensor::Shape{4}, DataType::kInt32);
  call({back, front}, 0, out.view());
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(out.bits(i), (i + 4) % 8);
  }
}

class CatErrorTest : public testing::Test {
 protected:
  std::string error(const std::vector<Tensor>& inputs, std::int64_t dim) {
    const std::string text = error_of([&] { call(inputs, dim, out_.view()); });
    EXPECT_TRUE(out_.is_untouched());
    return text.substr(0, text.find("; got"));
  }

  TestTensor a_{DataType::kInt8, {2, 3}};
  TestTensor b_{DataType::kInt8, {2, 2}};
  TestTensor out_{DataType::kInt8, {2, 5}};
};

TEST_F(CatErrorTest, NamesADimensionOutOfRange) {
  EXPECT_EQ(error({a_.view(), b_.view()}, 2),
            "Cat: expected `dim` from -2 to 1, not 2");
  EXPECT_EQ(error({a_.view(), b_.view()}, -3),
            "Cat: expected `dim` from -2 to 1, not -3");
}

TEST_F(CatErrorTest, NamesSizesThatDiffer) {
  EXPECT_EQ(error({a_.view(), b_.view()}, 0),
            "Cat: expected `first_input` to have the sizes of `out` except in "
            "dimension 0");
  EXPECT_EQ(error({a_.view(), a_.view()}, 1),
            "Cat: expected the inputs' sizes in dimension 1 to add up to that "
            "of `out`, not to 6");
  TestTensor flat(DataType::kInt8, {4});
  EXPECT_EQ(error({a_.view(), flat.view()}, 1),
            "Cat: expected `rest_inputs[0]` to have 2 dimensions");
}

TEST_F(CatErrorTest, NamesADtypeThatDiffers) {
  TestTensor other(DataType::kUInt8, {2, 2});
  EXPECT_EQ(error({a_.view(), other.view()}, 1),
            "Cat: expected `out` to have the dtype of `rest_inputs[0]`, uint8");
}

}  // namespace

}  // namespace infini::ops::test
