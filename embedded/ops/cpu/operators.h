// The CPU implementation of each operator. Contracts:
// include/infini/ops/operators.h. All throw `Error` before they write anything.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <infini/ops/config.h>
#include <infini/rt.h>

namespace infini::ops::cpu {

using Tensor = rt::TensorView;

void add(const Config& config,
         const Tensor& input,
         const Tensor& other,
         const Tensor& out);
void mul(const Config& config,
         const Tensor& input,
         const Tensor& other,
         const Tensor& out);
void cast(const Config& config, const Tensor& input, const Tensor& out);
void cat(const Config& config,
         const Tensor& first_input,
         const std::vector<Tensor>& rest_inputs,
         std::int64_t dim,
         const Tensor& out);
void causal_softmax(const Config& config,
                    const Tensor& input,
                    const Tensor& out);

struct GemmOptions {
  float alpha = 1.0F;
  float beta = 1.0F;
  bool trans_a = false;
  bool trans_b = false;
};

void gemm(const Config& config,
          const Tensor& a,
          const Tensor& b,
          const GemmOptions& options,
          const Tensor& c);
void linear(const Config& config,
            const Tensor& a,
            const Tensor& b,
            const std::optional<Tensor>& bias,
            bool trans_a,
            bool trans_b,
            const Tensor& out);
void rms_norm(const Config& config,
              const Tensor& input,
              const Tensor& weight,
              float eps,
              const Tensor& out);
void swiglu(const Config& config,
            const Tensor& input,
            const Tensor& gate,
            const Tensor& out);
void top_k_top_p_sampler(const Config& config,
                         const Tensor& logits,
                         const std::optional<Tensor>& k,
                         const std::optional<Tensor>& p,
                         const Tensor& out);

}  // namespace infini::ops::cpu
