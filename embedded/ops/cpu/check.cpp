#include "check.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace infini::ops::cpu {

namespace {

constexpr const char* kDtypes[] = {"int8",
                                   "int16",
                                   "int32",
                                   "int64",
                                   "uint8",
                                   "uint16",
                                   "uint32",
                                   "uint64",
                                   "float16",
                                   "bfloat16",
                                   "float32",
                                   "float64"};
constexpr std::size_t kDtypeCount = sizeof(kDtypes) / sizeof(kDtypes[0]);

constexpr const char* kDevices[] = {"cpu",
                                    "nvidia",
                                    "cambricon",
                                    "ascend",
                                    "metax",
                                    "moore",
                                    "iluvatar",
                                    "hygon"};
constexpr std::size_t kDeviceCount = sizeof(kDevices) / sizeof(kDevices[0]);

std::string device_name(const rt::Device& device) {
  const auto type = static_cast<std::size_t>(device.type());
  const std::string name = type < kDeviceCount
                               ? kDevices[type]
                               : "device type " + std::to_string(type);
  return name + ":" + std::to_string(device.index());
}

template <class List>
std::string join(const List& values) {
  std::string text = "[";
  for (std::size_t i = 0; i < values.size(); ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(values[i]);
  }
  return text + "]";
}

bool has_row_major_strides(const Tensor& tensor) {
  if (tensor.strides().size() != tensor.shape().size()) {
    return false;
  }
  std::ptrdiff_t expected = 1;
  for (std::size_t d = tensor.shape().size(); d-- > 0;) {
    if (tensor.shape()[d] != 1 && tensor.strides()[d] != expected) {
      return false;
    }
    expected *= static_cast<std::ptrdiff_t>(tensor.shape()[d]);
  }
  return true;
}

bool counts_elements(const Tensor& tensor, std::size_t* count) {
  std::size_t product = 1;
  bool fits = true;
  for (const std::size_t size : tensor.shape()) {
    if (size == 0) {
      *count = 0;
      return true;
    }
    fits = fits && !__builtin_mul_overflow(product, size, &product);
  }
  *count = product;
  return fits && product <= static_cast<std::size_t>(PTRDIFF_MAX);
}

}  // namespace

std::string_view name_of(DataType dtype) {
  const auto index = static_cast<std::size_t>(dtype);
  return index < kDtypeCount ? kDtypes[index] : "unknown dtype";
}

bool is_float(DataType dtype) {
  return dtype == DataType::kFloat16 || dtype == DataType::kBFloat16 ||
         dtype == DataType::kFloat32 || dtype == DataType::kFloat64;
}

std::size_t elements_of(const Tensor& tensor) {
  std::size_t count = 0;
  counts_elements(tensor, &count);
  return count;
}

std::string describe(const Tensor& tensor) {
  std::string text(name_of(tensor.dtype()));
  text += join(tensor.shape());
  if (!has_row_major_strides(tensor)) {
    text += " with strides " + join(tensor.strides());
  }
  return text + " on " + device_name(tensor.device());
}

void fail_with(const Context& context, const std::string& expected) {
  std::string text =
      std::string(context.name()) + ": expected " + expected + "; got ";
  bool first = true;
  for (const Argument& argument : context) {
    text += (first ? "" : ", ") + std::string(argument.name) + ": " +
            describe(*argument.tensor);
    first = false;
  }
  throw Error(text);
}

void check_arguments(const Context& context, const Config& config) {
  if (config.implementation_index() != 0) {
    fail(context,
         "implementation index 0, the only one on the CPU, not ",
         config.implementation_index());
  }
  for (const Argument& argument : context) {
    const Tensor& tensor = *argument.tensor;
    if (tensor.device().type() != rt::Device::Type::kCpu) {
      fail(context,
           "`",
           argument.name,
           "` to be on the CPU, the only device of this library");
    }
    if (static_cast<std::size_t>(tensor.dtype()) >= kDtypeCount) {
      fail(context, "`", argument.name, "` to have one of the twelve dtypes");
    }
    if (tensor.strides().size() != tensor.shape().size()) {
      fail(context, "`", argument.name, "` to have as many strides as sizes");
    }
    std::size_t count = 0;
    if (!counts_elements(tensor, &count)) {
      fail(context,
           "`",
           argument.name,
           "` to have a number of elements that fits into 63 bits");
    }
    if (count != 0 && tensor.data() == nullptr) {
      fail(context, "`", argument.name, "` to have memory, not a null pointer");
    }
  }
}

void check_float(const Context& context, const Argument& argument) {
  if (!is_float(argument.tensor->dtype())) {
    fail(context,
         "`",
         argument.name,
         "` to have dtype float16, bfloat16, float32 or float64");
  }
}

void check_output(const Context& context) {
  const Argument& out = context.out();
  const auto& shape = out.tensor->shape();
  const auto& strides = out.tensor->strides();
  const bool is_empty = elements_of(*out.tensor) == 0;
  for (std::size_t d = 0; !is_empty && d < shape.size(); ++d) {
    if (strides[d] == 0 && shape[d] > 1) {
      fail(context,
           "`",
           out.name,
           "` to have no broadcast dimension (stride 0), since it is written");
    }
  }
}

void check_dimensions(const Context& context,
                      const Argument& argument,
                      std::size_t dimensions) {
  if (argument.tensor->shape().size() != dimensions) {
    fail(context,
         "`",
         argument.name,
         "` to have ",
         dimensions,
         dimensions == 1 ? " dimension" : " dimensions");
  }
}

}  // namespace infini::ops::cpu
