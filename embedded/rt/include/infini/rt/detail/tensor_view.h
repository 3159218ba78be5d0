// A view of tensor data that somebody else owns.
//
// Invariants: shape() and strides() have the same length; strides count
// elements, are signed, and 0 marks a broadcast dimension. The layout of this
// class is part of the binary interface: data, shape, data type, device,
// strides. A view can be copied but not assigned.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <infini/rt/detail/data_type.h>
#include <infini/rt/detail/device.h>
#include <infini/rt/detail/export.h>
#include <infini/rt/detail/hash.h>

namespace infini::rt {

namespace tensor_view_detail {

template <typename T, typename = void>
struct IsTensorLike : std::false_type {};

template <typename T>
struct IsTensorLike<T,
                    std::void_t<decltype(std::declval<const T&>().data()),
                                decltype(std::declval<const T&>().shape()),
                                decltype(std::declval<const T&>().strides()),
                                decltype(std::declval<const T&>().dtype()),
                                decltype(std::declval<const T&>().device())>>
    : std::true_type {};

}  // namespace tensor_view_detail

class INFINI_API TensorView {
 public:
  using Size = std::size_t;
  using Stride = std::ptrdiff_t;
  using Index = Stride;
  using Shape = std::vector<Size>;
  using Strides = std::vector<Stride>;

  // A view of anything with data(), shape(), strides(), dtype() and device().
  template <typename TensorLike,
            typename = std::enable_if_t<
                tensor_view_detail::IsTensorLike<TensorLike>::value>>
  TensorView(const TensorLike& tensor)  // NOLINT: implicit upstream
      : data_{const_cast<void*>(static_cast<const void*>(tensor.data()))},
        shape_{tensor.shape()},
        dtype_{tensor.dtype()},
        device_{tensor.device()},
        strides_{tensor.strides()} {}

  // What is left out is float32, the first CPU device, and the strides of a
  // row-major tensor. S and St are types that Shape and Strides can be made
  // from.
  template <typename S>
  TensorView(void* data, const S& shape)
      : TensorView(data, shape, DefaultDataType(), DefaultDevice()) {}

  template <typename S>
  TensorView(void* data, const S& shape, const DataType& dtype)
      : TensorView(data, shape, dtype, DefaultDevice()) {}

  template <typename S>
  TensorView(void* data, const S& shape, const Device& device)
      : TensorView(data, shape, DefaultDataType(), device) {}

  template <typename S>
  TensorView(void* data,
             const S& shape,
             const DataType& dtype,
             const Device& device)
      : data_{data},
        shape_{shape},
        dtype_{dtype},
        device_{device},
        strides_{DefaultStrides(shape_)} {}

  template <typename S, typename St>
  TensorView(void* data,
             const S& shape,
             const DataType& dtype,
             const Device& device,
             const St& strides)
      : data_{data},
        shape_{shape},
        dtype_{dtype},
        device_{device},
        strides_{strides} {}

  TensorView(void* data,
             std::initializer_list<Size> shape,
             const DataType& dtype,
             const Device& device,
             std::initializer_list<Stride> strides);

  // The view at an index of dimension 0, without that dimension. A negative
  // index counts from the end. Throws std::out_of_range.
  TensorView operator[](const Index& index) const;

  void*& data();

  const void* data() const;

  const DataType& dtype() const;

  const Device& device() const;

  const Shape& shape() const;

  const Strides& strides() const;

  // Of one dimension; a negative index counts from the end. Both throw
  // std::out_of_range.
  Size size(const Index& index) const;

  Stride stride(const Index& index) const;

  Size ndim() const;

  // Bytes of one element.
  Size element_size() const;

  // The number of elements, 1 for a view without dimensions.
  Size numel() const;

  // The transposed view. Throws std::out_of_range unless there are two
  // dimensions.
  TensorView T() const;

  // Elements, data type and device, e.g. "tensor([1, 2], dtype=int32,
  // device='cpu:0')". Elements that the host cannot read (another device, no
  // data) are written "...".
  std::string ToString() const;

  // Whether a dimension of a size other than 1 has stride 0.
  bool HasBroadcastDim() const;

  // Whether the strides are exactly those of a row-major tensor. Stricter than
  // PyTorch: strides of dimensions of size 1 count, and one that is 0, other
  // than the last, is not contiguous.
  bool IsContiguous() const;

 private:
  static DataType DefaultDataType();

  static Device DefaultDevice();

  static Strides DefaultStrides(const Shape& shape);

  std::string ToStringHelper() const;

  bool IsMergeable(Size dim_start, Size dim_end) const;

  void* data_{nullptr};

  Shape shape_;

  const DataType dtype_;

  Device device_;

  Strides strides_;
};

}  // namespace infini::rt

// Views are equal when all but their data is: an operator prepared for one can
// serve the other.
template <>
struct std::hash<infini::rt::TensorView> {
  std::size_t operator()(const infini::rt::TensorView& tensor) const {
    std::size_t seed = 0;
    for (const auto size : tensor.shape()) {
      HashCombine(seed, size);
    }
    HashCombine(seed, tensor.dtype());
    HashCombine(seed, tensor.device());
    for (const auto stride : tensor.strides()) {
      HashCombine(seed, stride);
    }
    return seed;
  }
};

template <>
struct std::equal_to<infini::rt::TensorView> {
  bool operator()(const infini::rt::TensorView& a,
                  const infini::rt::TensorView& b) const {
    return a.dtype() == b.dtype() && a.device() == b.device() &&
           a.shape() == b.shape() && a.strides() == b.strides();
  }
};
