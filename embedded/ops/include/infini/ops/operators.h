// The operators of the CPU library and the arguments of their calls, after
// handle and config.
//
// Common to all: tensors are on the CPU; strides are in elements and may be
// zero (inputs only) or negative; tensors without elements are fine. "Float
// types" are float16, bfloat16, float32 and float64. 16-bit floats are computed
// in float32 and rounded once, to nearest even; float64 is computed in float64.
// An output may be one of the inputs (same memory, same layout) in elementwise
// operators; a partial overlap throws where it is certain and is computed as if
// all inputs were read first where it is not. None of these classes can be
// constructed.
#pragma once

#include <infini/ops/operator.h>
#include <infini/ops/visibility.h>

namespace infini::ops {

// out = input + other. Call(Tensor input, Tensor other, Tensor out)
// All twelve dtypes, the same for all three; integers wrap. Shapes of input and
// other broadcast to out's. No heap allocation.
class INFINI_API Add : public Operator<Add> {
 public:
  Add() = delete;

  template <class TensorLike>
  static auto MakeReturnValue(const TensorLike& input,
                              const TensorLike& /*other*/) {
    return TensorLike::Empty(input.shape(), input.dtype(), input.device());
  }
};

// out = input * other. Call(Tensor input, Tensor other, Tensor out). As Add.
class INFINI_API Mul : public Operator<Mul> {
 public:
  Mul() = delete;
};

// out = input in out's dtype. Call(Tensor input, Tensor out)
// All pairs of dtypes. Shapes are equal, or both have the same number of
// elements, taken in row-major order. Floats truncate towards zero when they
// become integers; a value that does not fit gives an unspecified integer. To a
// 16-bit float the value goes through float32.
class INFINI_API Cast : public Operator<Cast> {
 public:
  Cast() = delete;
};

// The inputs one after the other along `dim`, which may be negative.
// Call(Tensor first_input, std::vector<Tensor> rest_inputs, int64_t dim, Tensor
// out) All dtypes, the same for all. Sizes agree except along `dim`, where they
// add up to out's.
class INFINI_API Cat : public Operator<Cat> {
 public:
  Cat() = delete;
};

// Softmax over the last dimension, position j of row i hidden where j - i >
// columns - rows. Call(Tensor input, Tensor out). Float types; 2-D or 3-D; rows
// <= columns; hidden results are 0.
class INFINI_API CausalSoftmax : public Operator<CausalSoftmax> {
 public:
  CausalSoftmax() = delete;
};

// c = alpha * op(a) @ op(b) + beta * c, op transposing the last two dimensions
// where trans_a or trans_b is not 0. alpha and beta default to 1, trans_a and
// trans_b to 0. With beta == 0, c is not read. Float types; 2-D, or 3-D where a
// and b may lack the batch dimension or have size 1. Call(Tensor a, Tensor b,
// std::optional<float> alpha, std::optional<float> beta,
//      std::optional<int> trans_a, std::optional<int> trans_b, Tensor c)
// Call(Tensor a, Tensor b, std::optional<float> alpha, std::optional<float>
// beta, Tensor c) Call(Tensor a, Tensor b, Tensor c)
class INFINI_API Gemm : public Operator<Gemm> {
 public:
  Gemm() = delete;

  template <class TensorLike>
  static auto MakeReturnValue(const TensorLike& a, const TensorLike& b) {
    const auto rows = a.shape()[a.shape().size() - 2];
    const auto columns = b.shape()[b.shape().size() - 1];
    return TensorLike::Empty(
        Tensor::Shape{rows, columns}, a.dtype(), a.device());
  }
};

// out = op(a) @ op(b) + bias. Float types; any number of batch dimensions,
// broadcast from a and b; bias has one dimension of out's last size.
// Call(Tensor a, Tensor b, std::optional<Tensor> bias, bool trans_a, bool
// trans_b, Tensor out)
class INFINI_API Linear : public Operator<Linear> {
 public:
  Linear() = delete;
};

// out = input / sqrt(mean(input^2) + eps) * weight over the last dimension.
// Float types, the same for all; at least one dimension; weight has one
// dimension of the last size; eps is 1e-6 where it is not given. Call(Tensor
// input, Tensor weight, float eps, Tensor out) Call(Tensor input, Tensor
// weight, Tensor out)
class INFINI_API RmsNorm : public Operator<RmsNorm> {
 public:
  RmsNorm() = delete;
};

// out = input * gate * sigmoid(gate). Call(Tensor input, Tensor gate, Tensor
// out) Float types, the same for all; shapes of input and gate broadcast to
// out's.
class INFINI_API Swiglu : public Operator<Swiglu> {
 public:
  Swiglu() = delete;
};

// Draws one index per row of logits [batch, vocabulary] from softmax(logits)
// restricted to the k largest and then to the smallest set whose probabilities
// reach p, into out [batch], int32. k (int32 or int64) and p (a float type)
// have the shape [1] or [batch]; k outside 1..vocabulary and p outside (0, 1)
// restrict nothing. NaN or +infinity in a row, or a row of -infinity only,
// throws. Every call draws anew; a forked child draws other numbers than its
// parent. Call(Tensor logits, std::optional<Tensor> k, std::optional<Tensor> p,
// Tensor out)
class INFINI_API TopKTopPSampler : public Operator<TopKTopPSampler> {
 public:
  TopKTopPSampler() = delete;
};

}  // namespace infini::ops
