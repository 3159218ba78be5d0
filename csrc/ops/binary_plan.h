// ATen tensors as InfiniRT TensorViews, prepared once per layout.
//
// A TensorView owns its shape and strides, so making one allocates. A plan
// holds the views of an elementwise binary operator for one combination of
// layouts; a call only sets the data pointers. Plans are kept per thread in a
// table of fixed size, where a new layout replaces an old one.
#pragma once

#include <cstdint>

#include <ATen/core/TensorBody.h>
#include <c10/util/SmallVector.h>
#include <infini/rt.h>

namespace torch_infini {

struct BinaryPlan {
  // The result's layout, as PyTorch's TensorIterator chooses it.
  c10::SmallVector<std::int64_t, 5> sizes;
  c10::SmallVector<std::int64_t, 5> strides;
  // Operands expanded to the result's shape; broadcast dimensions have stride
  // 0.
  infini::rt::TensorView self;
  infini::rt::TensorView other;
  infini::rt::TensorView out;
};

// The plan of two tensors of the same device and of one dtype that InfiniRT
// has. Raises when their shapes do not broadcast. Belongs to the calling thread
// and is valid until its next call.
BinaryPlan& binary_plan(const at::Tensor& self, const at::Tensor& other);

}  // namespace torch_infini
