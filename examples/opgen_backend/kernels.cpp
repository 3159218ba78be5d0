// The kernels. Their declarations are generated; opgen compares the two when it
// runs, so that a missing or misspelt kernel is an error with a place.
#include <algorithm>
#include <cmath>

#include <ATen/Dispatch.h>
#include <ATen/ops/add.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/resize_native.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/view_native.h>

#include "generated/PrivateUse1NativeFunctions.h"
#include "runtime.h"

namespace demo {
namespace {

using at::Tensor;

at::TensorOptions options_of(std::optional<at::ScalarType> type) {
  return at::TensorOptions().dtype(type);
}

// `f` of each element of `first` and of the tensors that follow it, which have
// its shape and type.
template <class F, class... Rest>
Tensor map(F f, const Tensor& first, const Rest&... rest) {
  const Tensor from = first.contiguous();
  Tensor to = empty(from.sizes(), from.options());
  AT_DISPATCH_FLOATING_TYPES(from.scalar_type(), "demo", [&] {
    std::transform(from.const_data_ptr<scalar_t>(),
                   from.const_data_ptr<scalar_t>() + from.numel(),
                   rest.contiguous().template const_data_ptr<scalar_t>()...,
                   to.mutable_data_ptr<scalar_t>(),
                   f);
  });
  return to;
}

}  // namespace

// Memory.

Tensor Kernels::empty(at::IntArrayRef size,
                      std::optional<at::ScalarType> dtype,
                      std::optional<at::Layout>,
                      std::optional<at::Device>,
                      std::optional<bool>,
                      std::optional<at::MemoryFormat> memory_format) {
  return demo::empty(size, options_of(dtype).memory_format(memory_format));
}

Tensor Kernels::empty_strided(at::IntArrayRef size,
                              at::IntArrayRef stride,
                              std::optional<at::ScalarType> dtype,
                              std::optional<at::Layout>,
                              std::optional<at::Device>,
                              std::optional<bool>) {
  return demo::empty_strided(size, stride, options_of(dtype));
}

Tensor Kernels::_copy_from(const Tensor& self, const Tensor& dst, bool) {
  on_host(dst).copy_(on_host(self));
  return dst;
}

Tensor Kernels::_copy_from_and_resize(const Tensor& self, const Tensor& dst) {
  return _copy_from(self, resize_(dst, self.sizes()));
}

Tensor Kernels::as_strided(const Tensor& self,
                           at::IntArrayRef size,
                           at::IntArrayRef stride,
                           std::optional<int64_t> storage_offset) {
  return at::native::as_strided_tensorimpl(self, size, stride, storage_offset);
}

Tensor Kernels::view(const Tensor& self, at::IntArrayRef size) {
  return at::native::view(self, size);
}

const Tensor& Kernels::resize_(const Tensor& self,
                               at::IntArrayRef size,
                               std::optional<at::MemoryFormat> memory_format) {
  return at::native::resize_(self, size, memory_format);
}

at::Scalar Kernels::_local_scalar_dense(const Tensor& self) {
  return on_host(self).item();
}

// Arithmetic.

Tensor& Kernels::fill_(Tensor& self, const at::Scalar& value) {
  on_host(self).fill_(value);
  return self;
}

Tensor Kernels::abs(const Tensor& self) {
  return map([](auto x) { return std::abs(x); }, self);
}

// Structured kernels: `out` has its final shape and type already.

TORCH_IMPL_FUNC(add_Tensor)
(const Tensor& self,
 const Tensor& other,
 const at::Scalar& alpha,
 const Tensor& out) {
  Tensor result = on_host(out);
  at::add_out(result, on_host(self), on_host(other), alpha);
}

TORCH_IMPL_FUNC(sub_Tensor)
(const Tensor& self,
 const Tensor& other,
 const at::Scalar& alpha,
 const Tensor& out) {
  Tensor result = on_host(out);
  at::sub_out(result, on_host(self), on_host(other), alpha);
}

TORCH_IMPL_FUNC(mul_Tensor)
(const Tensor& self, const Tensor& other, const Tensor& out) {
  Tensor result = on_host(out);
  at::mul_out(result, on_host(self), on_host(other));
}

TORCH_IMPL_FUNC(neg)(const Tensor& self, const Tensor& out) {
  Tensor result = on_host(out);
  at::neg_out(result, on_host(self));
}

TORCH_IMPL_FUNC(mm)(const Tensor& self, const Tensor& mat2, const Tensor& out) {
  Tensor result = on_host(out);
  at::mm_out(result, on_host(self), on_host(mat2));
}

TORCH_IMPL_FUNC(sum_dim_IntList)
(const Tensor& self,
 at::OptionalIntArrayRef dim,
 bool keepdim,
 std::optional<at::ScalarType> dtype,
 const Tensor& out) {
  Tensor result = on_host(out);
  at::sum_out(result, on_host(self), dim, keepdim, dtype);
}

// Operators of operators.yaml.

Tensor Kernels::swish(const Tensor& x) {
  return map([](auto x) { return x / (1 + std::exp(-x)); }, x);
}

Tensor Kernels::swish_backward(const Tensor& grad, const Tensor& x) {
  const auto slope = [](auto grad, auto x) {
    const auto sigmoid = 1 / (1 + std::exp(-x));
    return grad * sigmoid * (1 + x * (1 - sigmoid));
  };
  return map(slope, grad, x);
}

Tensor Kernels::swish_meta(const Tensor& x) {
  return at::empty_symint(x.sym_sizes(), x.options());
}

Tensor Kernels::swish_backward_meta(const Tensor&, const Tensor& x) {
  return swish_meta(x);
}

}  // namespace demo
