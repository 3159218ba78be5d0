// scaled_dot_product_attention.
//
// Note [Which attention]
// Where the host can address device memory the choice is the CPU's, made by
// the CPU's own function on the same shapes, strides, dtypes and switches, and
// what it chooses runs on the same memory: the CPU's flash attention, forward
// and backward, or the composite of matrix products and softmax. So results
// are the CPU's bit for bit. Elsewhere attention is the composite, whose parts
// other providers may serve.
//
// PyTorch's entry for devices outside of its tree, `overrideable`, runs the
// same flash attention. It is chosen only where the switches of
// torch.nn.attention.sdpa_kernel leave nothing else.
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <tuple>

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/TensorBody.h>
#include <ATen/native/transformers/attention.h>
#include <ATen/ops/_fused_sdp_choice_native.h>
#include <ATen/ops/_scaled_dot_product_flash_attention_for_cpu.h>
#include <ATen/ops/_scaled_dot_product_flash_attention_for_cpu_backward.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/matmul.h>
#include <c10/core/SymInt.h>
#include <c10/util/Exception.h>

#include "csrc/ops/native.h"
#include "csrc/runtime/backend.h"

namespace torch_infini {
namespace {

using at::SDPBackend;
using at::Tensor;
using OptionalTensor = std::optional<Tensor>;

bool is_overrideable_alone() {
  const at::Context& context = at::globalContext();
  return context.userEnabledOverrideableSDP() &&
         !context.userEnabledFlashSDP() && !context.userEnabledMathSDP();
}

std::int64_t choose(const Tensor& query,
                    const Tensor& key,
                    const Tensor& value,
                    const OptionalTensor& attn_mask,
                    double dropout_p,
                    bool is_causal,
                    std::optional<double> scale,
                    bool enable_gqa) {
  if (is_overrideable_alone()) {
    return static_cast<std::int64_t>(SDPBackend::overrideable);
  }
  if (backend().can(infini_extension::kHostAccess)) {
    return at::native::_fused_sdp_choice_cpp(
        query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa);
  }
  TORCH_CHECK(at::globalContext().userEnabledMathSDP(),
              "scaled_dot_product_attention on infini, backend ",
              backend().name,
              ", is made of matrix products and softmax, and "
              "torch.nn.attention.sdpa_kernel has switched that off. Add "
              "SDPBackend.MATH.");
  return static_cast<std::int64_t>(SDPBackend::math);
}

void check_fused(const Tensor& query, const Tensor& value, double dropout_p) {
  TORCH_CHECK(query.dim() == 4 && query.size(-1) == value.size(-1),
              "fused attention on infini takes query, key and value of shape "
              "(batch, heads, length, size) with one size, got query ",
              query.sizes(),
              " and value ",
              value.sizes(),
              ". Leave the choice to scaled_dot_product_attention.");
  TORCH_CHECK(dropout_p == 0.0,
              "fused attention on infini has no dropout, got dropout_p=",
              dropout_p,
              ". Leave the choice to scaled_dot_product_attention.");
}

using FusedResult = std::tuple<Tensor,
                               Tensor,
                               Tensor,
                               Tensor,
                               c10::SymInt,
                               c10::SymInt,
                               Tensor,
                               Tensor,
                               Tensor>;

FusedResult fused_attention(const Tensor& query,
                            const Tensor& key,
                            const Tensor& value,
                            const OptionalTensor& attn_bias,
                            double dropout_p,
                            bool is_causal,
                            bool /*return_debug_mask*/,
                            std::optional<double> scale) {
  check_fused(query, value, dropout_p);
  auto [output, logsumexp] = at::_scaled_dot_product_flash_attention_for_cpu(
      query, key, value, dropout_p, is_causal, attn_bias, scale);
  // Nothing is drawn, so there is no state of a generator to tell.
  const auto longs = query.options().dtype(at::kLong);
  return {output,
          logsumexp.contiguous(),
          Tensor(),
          Tensor(),
          query.sym_size(2),
          key.sym_size(2),
          at::empty({}, longs).zero_(),
          at::empty({}, longs).zero_(),
          Tensor()};
}

// The flash kernel has no gradient for the bias: it is that of the scores,
// P * (dO V^T - sum(dO * O)), summed over what the bias was broadcast along.
Tensor bias_gradient(const Tensor& grad_out,
                     const Tensor& query,
                     const Tensor& key,
                     const Tensor& value,
                     const Tensor& bias,
                     const Tensor& out,
                     const Tensor& logsumexp,
                     bool is_causal,
                     std::optional<double> scale) {
  const std::int64_t groups = query.size(1) / key.size(1);
  const auto wide = [&](const Tensor& x) {
    return x.repeat_interleave(groups, 1).to(logsumexp.scalar_type());
  };
  const auto compute = [&](const Tensor& x) {
    return x.to(logsumexp.scalar_type());
  };
  const double factor =
      scale.value_or(1.0 / std::sqrt(static_cast<double>(query.size(-1))));
  const Tensor scores =
      at::matmul(compute(query), wide(key).transpose(-2, -1)) * factor +
      compute(bias);
  Tensor weights = (scores - logsumexp.unsqueeze(-1)).exp();
  if (is_causal) {
    weights = weights.tril();
  }
  const Tensor grad = compute(grad_out);
  const Tensor sums = (grad * compute(out)).sum(-1, /*keepdim=*/true);
  const Tensor along = at::matmul(grad, wide(value).transpose(-2, -1)) - sums;
  return (weights * along).sum_to_size(bias.sizes()).to(bias.scalar_type());
}

std::tuple<Tensor, Tensor, Tensor, Tensor> fused_attention_backward(
    const Tensor& grad_out,
    const Tensor& query,
    const Tensor& key,
    const Tensor& value,
    const Tensor& attn_bias,
    std::array<bool, 4> grad_input_mask,
    const Tensor& out,
    const Tensor& logsumexp,
    const Tensor& /*cum_seq_q*/,
    const Tensor& /*cum_seq_k*/,
    c10::SymInt /*max_q*/,  // NOLINT(performance-unnecessary-value-param)
    c10::SymInt /*max_k*/,  // NOLINT(performance-unnecessary-value-param)
    double dropout_p,
    bool is_causal,
    const Tensor& /*philox_seed*/,
    const Tensor& /*philox_offset*/,
    std::optional<double> scale) {
  check_fused(query, value, dropout_p);
  const OptionalTensor bias =
      attn_bias.defined() ? OptionalTensor(attn_bias) : std::nullopt;
  auto [grad_query, grad_key, grad_value] =
      at::_scaled_dot_product_flash_attention_for_cpu_backward(
          grad_out,
          query,
          key,
          value,
          out,
          logsumexp.transpose(1, 2).contiguous().transpose(1, 2),
          dropout_p,
          is_causal,
          bias,
          scale);
  Tensor grad_bias;
  if (grad_input_mask[3] && bias.has_value()) {
    grad_bias = bias_gradient(grad_out,
                              query,
                              key,
                              value,
                              attn_bias,
                              out,
                              logsumexp,
                              is_causal,
                              scale);
  }
  return {grad_query, grad_key, grad_value, grad_bias};
}

}  // namespace

void register_attention(torch::Library& library) {
  at::native::_fused_sdp_choice_stub.set_privateuse1_dispatch_ptr(&choose);
  library.impl("_fused_sdp_choice", &choose);
  library.impl("_scaled_dot_product_fused_attention_overrideable",
               &fused_attention);
  library.impl("_scaled_dot_product_fused_attention_overrideable_backward",
               &fused_attention_backward);
}

}  // namespace torch_infini
