// An input of an operator that reads its inputs after it has begun to write:
// the tensor itself, or a copy where its memory may overlap the output's.
//
// The result is always that of reading all inputs first. The tensor must
// outlive this object.
#pragma once

#include <memory>
#include <optional>

#include <infini/rt.h>

namespace infini::ops::cpu {

class Detached {
 public:
  // With `allow_same`, an input that has the output's memory, shape and strides
  // is not copied.
  Detached(const rt::TensorView& input,
           const rt::TensorView& out,
           bool allow_same = false);

  const rt::TensorView& tensor() const { return copy_ ? *copy_ : input_; }

 private:
  const rt::TensorView& input_;
  std::unique_ptr<char[]> memory_;
  std::optional<rt::TensorView> copy_;
};

// The elements of a tensor in row-major order, in memory of their own.
std::unique_ptr<char[]> row_major_copy(const rt::TensorView& tensor);

}  // namespace infini::ops::cpu
