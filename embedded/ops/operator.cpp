#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <infini/ops.h>

#include "cpu/operators.h"

namespace infini::ops {

namespace {

using OptionalFloat = std::optional<float>;
using OptionalInt = std::optional<int>;
using OptionalTensor = std::optional<Tensor>;
using Tensors = std::vector<Tensor>;

// What Operator<Key>::Call does for each key, one overload per argument list.
template <class Key>
struct Kernel;

template <>
struct Kernel<Add> {
  static void run(const Config& config,
                  const Tensor& input,
                  const Tensor& other,
                  const Tensor& out) {
    cpu::add(config, input, other, out);
  }
};

template <>
struct Kernel<Mul> {
  static void run(const Config& config,
                  const Tensor& input,
                  const Tensor& other,
                  const Tensor& out) {
    cpu::mul(config, input, other, out);
  }
};

template <>
struct Kernel<Cast> {
  static void run(const Config& config,
                  const Tensor& input,
                  const Tensor& out) {
    cpu::cast(config, input, out);
  }
};

template <>
struct Kernel<Cat> {
  static void run(const Config& config,
                  const Tensor& first_input,
                  const Tensors& rest_inputs,
                  std::int64_t dim,
                  const Tensor& out) {
    cpu::cat(config, first_input, rest_inputs, dim, out);
  }
};

template <>
struct Kernel<CausalSoftmax> {
  static void run(const Config& config,
                  const Tensor& input,
                  const Tensor& out) {
    cpu::causal_softmax(config, input, out);
  }
};

template <>
struct Kernel<Gemm> {
  static void run(const Config& config,
                  const Tensor& a,
                  const Tensor& b,
                  OptionalFloat alpha,
                  OptionalFloat beta,
                  OptionalInt trans_a,
                  OptionalInt trans_b,
                  const Tensor& c) {
    const cpu::GemmOptions options{alpha.value_or(1.0F),
                                   beta.value_or(1.0F),
                                   trans_a.value_or(0) != 0,
                                   trans_b.value_or(0) != 0};
    cpu::gemm(config, a, b, options, c);
  }

  static void run(const Config& config,
                  const Tensor& a,
                  const Tensor& b,
                  OptionalFloat alpha,
                  OptionalFloat beta,
                  const Tensor& c) {
    run(config, a, b, alpha, beta, std::nullopt, std::nullopt, c);
  }

  static void run(const Config& config,
                  const Tensor& a,
                  const Tensor& b,
                  const Tensor& c) {
    cpu::gemm(config, a, b, cpu::GemmOptions(), c);
  }
};

template <>
struct Kernel<Linear> {
  static void run(const Config& config,
                  const Tensor& a,
                  const Tensor& b,
                  const OptionalTensor& bias,
                  bool trans_a,
                  bool trans_b,
                  const Tensor& out) {
    cpu::linear(config, a, b, bias, trans_a, trans_b, out);
  }
};

template <>
struct Kernel<RmsNorm> {
  static void run(const Config& config,
                  const Tensor& input,
                  const Tensor& weight,
                  float eps,
                  const Tensor& out) {
    cpu::rms_norm(config, input, weight, eps, out);
  }

  static void run(const Config& config,
                  const Tensor& input,
                  const Tensor& weight,
                  const Tensor& out) {
    cpu::rms_norm(config, input, weight, 1e-6F, out);
  }
};

template <>
struct Kernel<Swiglu> {
  static void run(const Config& config,
                  const Tensor& input,
                  const Tensor& gate,
                  const Tensor& out) {
    cpu::swiglu(config, input, gate, out);
  }
};

template <>
struct Kernel<TopKTopPSampler> {
  static void run(const Config& config,
                  const Tensor& logits,
                  const OptionalTensor& k,
                  const OptionalTensor& p,
                  const Tensor& out) {
    cpu::top_k_top_p_sampler(config, logits, k, p, out);
  }
};

}  // namespace

template <class Key, Device::Type kDevice, std::size_t kImplementation>
template <class... Args>
void Operator<Key, kDevice, kImplementation>::Call(const Handle& /*handle*/,
                                                   const Config& config,
                                                   const Args&... args) {
  Kernel<Key>::run(config, args...);
}

// The argument lists that upstream's CPU library exports.
#define INFINI_CALL(Key, ...)                   \
  template INFINI_API void Operator<Key>::Call( \
      const Handle&, const Config&, __VA_ARGS__)

INFINI_CALL(Add, const Tensor&, const Tensor&, const Tensor&);
INFINI_CALL(Mul, const Tensor&, const Tensor&, const Tensor&);
INFINI_CALL(Cast, const Tensor&, const Tensor&);
INFINI_CALL(
    Cat, const Tensor&, const Tensors&, const std::int64_t&, const Tensor&);
INFINI_CALL(CausalSoftmax, const Tensor&, const Tensor&);
INFINI_CALL(Gemm,
            const Tensor&,
            const Tensor&,
            const OptionalFloat&,
            const OptionalFloat&,
            const OptionalInt&,
            const OptionalInt&,
            const Tensor&);
INFINI_CALL(Gemm,
            const Tensor&,
            const Tensor&,
            const OptionalFloat&,
            const OptionalFloat&,
            const Tensor&);
INFINI_CALL(Gemm, const Tensor&, const Tensor&, const Tensor&);
INFINI_CALL(Linear,
            const Tensor&,
            const Tensor&,
            const OptionalTensor&,
            const bool&,
            const bool&,
            const Tensor&);
INFINI_CALL(RmsNorm, const Tensor&, const Tensor&, const float&, const Tensor&);
INFINI_CALL(RmsNorm, const Tensor&, const Tensor&, const Tensor&);
INFINI_CALL(Swiglu, const Tensor&, const Tensor&, const Tensor&);
INFINI_CALL(TopKTopPSampler,
            const Tensor&,
            const OptionalTensor&,
            const OptionalTensor&,
            const Tensor&);

#undef INFINI_CALL

}  // namespace infini::ops
