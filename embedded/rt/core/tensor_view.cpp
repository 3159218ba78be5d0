#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <stdexcept>
#include <string>

#include <infini/rt/cpu/data_type_.h>
#include <infini/rt/detail/tensor_view.h>

namespace infini::rt {

namespace {

std::size_t checked_position(TensorView::Index index,
                             std::size_t length,
                             const char* function) {
  const auto signed_length = static_cast<TensorView::Index>(length);
  const TensorView::Index position = index < 0 ? index + signed_length : index;
  if (position < 0 || position >= signed_length) {
    throw std::out_of_range(std::string{"TensorView::"} + function +
                            ": index " + std::to_string(index) +
                            " is out of range for length " +
                            std::to_string(length));
  }
  return static_cast<std::size_t>(position);
}

template <DataType dtype>
std::string element_string(const void* data) {
  using T = TypeMapType<Device::Type::kCpu, dtype>;
  T value;
  std::memcpy(&value, data, sizeof(T));
  if constexpr (IsFP16<Device::Type::kCpu, T> ||
                IsBFloat16<Device::Type::kCpu, T>) {
    return std::to_string(value.ToFloat());
  } else {
    return std::to_string(value);
  }
}

std::string element_string(const void* data, DataType dtype) {
  switch (dtype) {
    case DataType::kInt8:
      return element_string<DataType::kInt8>(data);
    case DataType::kInt16:
      return element_string<DataType::kInt16>(data);
    case DataType::kInt32:
      return element_string<DataType::kInt32>(data);
    case DataType::kInt64:
      return element_string<DataType::kInt64>(data);
    case DataType::kUInt8:
      return element_string<DataType::kUInt8>(data);
    case DataType::kUInt16:
      return element_string<DataType::kUInt16>(data);
    case DataType::kUInt32:
      return element_string<DataType::kUInt32>(data);
    case DataType::kUInt64:
      return element_string<DataType::kUInt64>(data);
    case DataType::kFloat16:
      return element_string<DataType::kFloat16>(data);
    case DataType::kBFloat16:
      return element_string<DataType::kBFloat16>(data);
    case DataType::kFloat32:
      return element_string<DataType::kFloat32>(data);
    case DataType::kFloat64:
      return element_string<DataType::kFloat64>(data);
  }
  return "?";
}

}  // namespace

TensorView::TensorView(void* data,
                       std::initializer_list<Size> shape,
                       const DataType& dtype,
                       const Device& device,
                       std::initializer_list<Stride> strides)
    : data_{data},
      shape_{shape},
      dtype_{dtype},
      device_{device},
      strides_{strides} {}

TensorView TensorView::operator[](const Index& index) const {
  const std::size_t length = shape_.empty() ? 0 : shape_.front();
  const auto position =
      static_cast<Stride>(checked_position(index, length, "operator[]"));
  const Stride offset =
      position * strides_.front() * static_cast<Stride>(element_size());
  void* data =
      data_ == nullptr ? nullptr : static_cast<std::byte*>(data_) + offset;
  return {data,
          Shape(shape_.begin() + 1, shape_.end()),
          dtype_,
          device_,
          Strides(strides_.begin() + 1, strides_.end())};
}

void*& TensorView::data() {
  return data_;
}

const void* TensorView::data() const {
  return data_;
}

const DataType& TensorView::dtype() const {
  return dtype_;
}

const Device& TensorView::device() const {
  return device_;
}

const TensorView::Shape& TensorView::shape() const {
  return shape_;
}

const TensorView::Strides& TensorView::strides() const {
  return strides_;
}

TensorView::Size TensorView::size(const Index& index) const {
  return shape_[checked_position(index, shape_.size(), "size")];
}

TensorView::Stride TensorView::stride(const Index& index) const {
  return strides_[checked_position(index, strides_.size(), "stride")];
}

TensorView::Size TensorView::ndim() const {
  return shape_.size();
}

TensorView::Size TensorView::element_size() const {
  return kDataTypeToSize.at(dtype_);
}

TensorView::Size TensorView::numel() const {
  Size count = 1;
  for (const Size size : shape_) {
    count *= size;
  }
  return count;
}

TensorView TensorView::T() const {
  if (ndim() != 2) {
    throw std::out_of_range("TensorView::T: expected 2 dimensions, got " +
                            std::to_string(ndim()));
  }
  return {data_,
          {shape_[1], shape_[0]},
          dtype_,
          device_,
          {strides_[1], strides_[0]}};
}

std::string TensorView::ToString() const {
  std::string text = "tensor(";
  text += ToStringHelper();
  text += ", dtype=";
  text += kDataTypeToDesc.at(dtype_);
  text += ", device='";
  text += device_.ToString();
  text += "')";
  return text;
}

std::string TensorView::ToStringHelper() const {
  if (data_ == nullptr || device_.type() != Device::Type::kCpu) {
    return "...";
  }
  if (shape_.empty()) {
    return element_string(data_, dtype_);
  }
  std::string text = "[";
  for (Size i = 0; i < shape_.front(); ++i) {
    text += i == 0 ? "" : ", ";
    text += (*this)[static_cast<Index>(i)].ToStringHelper();
  }
  text += ']';
  return text;
}

bool TensorView::HasBroadcastDim() const {
  for (std::size_t i = 0; i < shape_.size(); ++i) {
    if (strides_[i] == 0 && shape_[i] != 1) {
      return true;
    }
  }
  return false;
}

bool TensorView::IsContiguous() const {
  return shape_.empty() ||
         (strides_.back() == 1 && IsMergeable(0, shape_.size() - 1));
}

bool TensorView::IsMergeable(Size dim_start, Size dim_end) const {
  for (Size i = dim_start; i < dim_end; ++i) {
    const auto row_major =
        static_cast<Stride>(shape_[i + 1] * static_cast<Size>(strides_[i + 1]));
    if (strides_[i] != row_major || (strides_[i] == 0 && shape_[i] == 1)) {
      return false;
    }
  }
  return true;
}

DataType TensorView::DefaultDataType() {
  return DataType::kFloat32;
}

Device TensorView::DefaultDevice() {
  return {};
}

TensorView::Strides TensorView::DefaultStrides(const Shape& shape) {
  Strides strides(shape.size());
  Size stride = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    strides[i] = static_cast<Stride>(stride);
    stride *= shape[i];
  }
  return strides;
}

}  // namespace infini::rt
