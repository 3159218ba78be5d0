// What every operator checks before it writes anything, and the errors it
// throws.
#pragma once

#include <cstddef>
#include <sstream>
#include <string>
#include <string_view>

#include <infini/ops/config.h>
#include <infini/ops/error.h>
#include <infini/rt.h>

namespace infini::ops::cpu {

using DataType = rt::DataType;
using Tensor = rt::TensorView;

// A tensor argument and the name that messages call it by.
struct Argument {
  const char* name;
  const Tensor* tensor;
};

// The operator's name and its tensors, the output last: all that a message
// needs. Refers to the array it is made from.
class Context {
 public:
  template <std::size_t kCount>
  Context(const char* name, const Argument (&arguments)[kCount])
      : name_(name), begin_(arguments), count_(kCount) {}

  const char* name() const { return name_; }

  const Argument* begin() const { return begin_; }

  const Argument* end() const { return begin_ + count_; }

  const Argument& out() const { return begin_[count_ - 1]; }

 private:
  const char* name_;
  const Argument* begin_;
  std::size_t count_;
};

// "float32[2, 3] on cpu:0", with the strides where they are not those of a
// contiguous tensor.
std::string describe(const Tensor& tensor);

std::string_view name_of(DataType dtype);

[[noreturn, gnu::cold]] void fail_with(const Context& context,
                                       const std::string& expected);

// Throws Error("<operator>: expected <parts>; got input: float32[2, 3] on
// cpu:0, ...").
template <class... Parts>
[[noreturn, gnu::cold, gnu::noinline]] void fail(const Context& context,
                                                 const Parts&... parts) {
  std::ostringstream expected;
  (expected << ... << parts);
  fail_with(context, expected.str());
}

// The implementation exists, all tensors are on the CPU and are well-formed: as
// many strides as sizes, a number of elements that fits, memory where there are
// elements.
void check_arguments(const Context& context, const Config& config);

// All arguments have the dtype of the first.
[[gnu::always_inline]] inline void check_same_dtype(const Context& context) {
  const Argument* first = context.begin();
  for (const Argument& argument : context) {
    if (argument.tensor->dtype() != first->tensor->dtype()) {
      fail(context,
           "`",
           argument.name,
           "` to have the dtype of `",
           first->name,
           "`, ",
           name_of(first->tensor->dtype()));
    }
  }
}

// float16, bfloat16, float32 or float64.
void check_float(const Context& context, const Argument& argument);

// No two elements of the output share an address, as far as a stride of zero
// tells.
void check_output(const Context& context);

void check_dimensions(const Context& context,
                      const Argument& argument,
                      std::size_t dimensions);

// Bytes of an element, by the value of DataType.
inline constexpr unsigned char kSizes[] = {1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8};

inline std::size_t size_of(DataType dtype) {
  return kSizes[static_cast<std::size_t>(dtype)];
}

bool is_float(DataType dtype);

std::size_t elements_of(const Tensor& tensor);

inline char* data_of(const Tensor& tensor) {
  return const_cast<char*>(static_cast<const char*>(tensor.data()));
}

}  // namespace infini::ops::cpu
