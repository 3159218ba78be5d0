#include "overlap.h"

#include <cstddef>
#include <utility>

#include "check.h"

namespace infini::ops::cpu {

namespace {

struct Extent {
  const char* begin;
  const char* end;
  std::size_t bytes;  // of the distinct elements, if no two of them overlap
};

Extent extent_of(const std::size_t* sizes,
                 int dimensions,
                 const Footprint& print) {
  Extent extent{
      print.base, print.base + print.element_size, print.element_size};
  for (int d = 0; d < dimensions; ++d) {
    const std::ptrdiff_t stride = print.stride(d);
    const std::ptrdiff_t reach =
        stride * static_cast<std::ptrdiff_t>(sizes[d] - 1);
    (reach < 0 ? extent.begin : extent.end) += reach;
    extent.bytes *= stride == 0 ? 1 : sizes[d];
  }
  return extent;
}

// How many combinations of indices the search below may try.
constexpr int kSearchLimit = 256;

// Whether some difference of two indices, each below its size, moves by
// `distance` bytes to within one element. All strides are positive and increase
// with d.
bool reaches(const std::size_t* sizes,
             int d,
             const Footprint& print,
             std::ptrdiff_t distance,
             int* budget) {
  const auto width = static_cast<std::ptrdiff_t>(print.element_size);
  if (d < 0) {
    return distance > -width && distance < width;
  }
  if (--*budget < 0) {
    return true;
  }
  std::ptrdiff_t slack = width - 1;
  for (int inner = 0; inner < d; ++inner) {
    slack +=
        print.stride(inner) * static_cast<std::ptrdiff_t>(sizes[inner] - 1);
  }
  const std::ptrdiff_t stride = print.stride(d);
  const auto limit = static_cast<std::ptrdiff_t>(sizes[d] - 1);
  std::ptrdiff_t k = (distance - slack) / stride - 1;
  k = k < -limit ? -limit : k;
  for (; k <= limit && k * stride <= distance + slack; ++k) {
    if (k * stride >= distance - slack &&
        reaches(sizes, d - 1, print, distance - k * stride, budget)) {
      return true;
    }
  }
  return false;
}

}  // namespace

Overlap overlap_of(const std::size_t* sizes,
                   int dimensions,
                   const Footprint& out,
                   const Footprint& in) {
  const Extent written = extent_of(sizes, dimensions, out);
  const Extent read = extent_of(sizes, dimensions, in);
  if (written.end <= read.begin || read.end <= written.begin) {
    return Overlap::kNone;
  }
  bool same_strides = out.element_size == in.element_size;
  for (int d = 0; d < dimensions; ++d) {
    same_strides = same_strides && out.stride(d) == in.stride(d);
  }
  if (same_strides && out.base == in.base) {
    return Overlap::kSame;
  }
  const bool dense =
      std::cmp_equal(written.bytes, written.end - written.begin) &&
      std::cmp_equal(read.bytes, read.end - read.begin);
  if (dense) {
    return Overlap::kPartial;
  }
  int budget = kSearchLimit;
  if (same_strides &&
      !reaches(sizes, dimensions - 1, out, in.base - out.base, &budget)) {
    return Overlap::kNone;
  }
  return Overlap::kMaybe;
}

bool extents_meet(const rt::TensorView& a, const rt::TensorView& b) {
  const char* begin[2];
  const char* end[2];
  int i = 0;
  for (const rt::TensorView* tensor : {&a, &b}) {
    const auto size = static_cast<std::ptrdiff_t>(size_of(tensor->dtype()));
    begin[i] = data_of(*tensor);
    end[i] = begin[i] + size;
    for (std::size_t d = 0; d < tensor->shape().size(); ++d) {
      if (tensor->shape()[d] == 0) {
        return false;
      }
      const std::ptrdiff_t reach =
          tensor->strides()[d] *
          static_cast<std::ptrdiff_t>(tensor->shape()[d] - 1) * size;
      (reach < 0 ? begin[i] : end[i]) += reach;
    }
    ++i;
  }
  return begin[0] < end[1] && begin[1] < end[0];
}

}  // namespace infini::ops::cpu
