#include "csrc/ops/small_operators.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <ATen/EmptyTensor.h>
#include <ATen/core/TensorBody.h>
#include <ATen/core/boxing/OperatorKernel.h>
#include <c10/core/Scalar.h>

#include "csrc/memory/device_allocator.h"
#include "csrc/ops/alpha.h"
#include "csrc/ops/host_call.h"
#include "csrc/ops/small_arithmetic.h"
#include "csrc/runtime/backend.h"
#include "csrc/runtime/device.h"
#include "csrc/runtime/thread_counts.h"

namespace torch_infini {
namespace {

using at::Scalar;
using at::ScalarType;
using at::Tensor;
using c10::DispatchKeySet;
using c10::OperatorKernel;

constexpr std::int64_t kFew = 16;

// Whether a tensor has few elements without gaps in memory of the current
// device.
bool is_small(const Tensor& tensor) {
  const c10::TensorImpl& impl = *tensor.unsafeGetTensorImpl();
  if (!impl.key_set().has_backend(c10::BackendComponent::PrivateUse1Bit) ||
      impl.numel() > kFew || impl.numel() == 0 || !impl.is_contiguous() ||
      impl.is_wrapped_number() || !impl.has_storage()) {
    return false;
  }
  return impl.device().index() == current_device() && !in_bad_fork() &&
         impl.unsafe_storage().data() != nullptr;
}

bool same_layout(const Tensor& a, const Tensor& b) {
  return a.scalar_type() == b.scalar_type() && a.sizes() == b.sizes();
}

// A Python number that does not change the dtype of a result.
bool is_number_for(const Tensor& number, ScalarType dtype) {
  if (!number.is_cpu() || number.dim() != 0 ||
      !number.unsafeGetTensorImpl()->is_wrapped_number()) {
    return false;
  }
  const ScalarType own = number.scalar_type();
  return own == ScalarType::Long ||
         (own == ScalarType::Double && c10::isFloatingType(dtype));
}

bool is_number_for(const Scalar& number, ScalarType dtype) {
  return number.isIntegral(/*includeBool=*/false) ||
         (number.isFloatingPoint() && c10::isFloatingType(dtype));
}

template <class T>
T value_of(const Tensor& number) {
  return number.scalar_type() == ScalarType::Long
             ? static_cast<T>(*number.const_data_ptr<std::int64_t>())
             : static_cast<T>(*number.const_data_ptr<double>());
}

template <class T>
T value_of(const Scalar& number) {
  return number.isFloatingPoint() ? static_cast<T>(number.toDouble())
                                  : static_cast<T>(number.toLong());
}

Tensor empty_like(const Tensor& tensor, ScalarType dtype) {
  return at::detail::empty_generic(tensor.sizes(),
                                   &device_allocator(),
                                   DispatchKeySet(kDispatchKey),
                                   dtype,
                                   std::nullopt);
}

// Calls `visit` with a value of the dtype; false for dtypes that are not served
// here.
template <class Op, class Visit>
bool with_dtype(ScalarType dtype, const Visit& visit) {
  switch (dtype) {
    case ScalarType::Float:
      visit(float{});
      return true;
    case ScalarType::Double:
      visit(double{});
      return true;
    case ScalarType::Long:
      if constexpr (Op::kIntegers) {
        visit(std::int64_t{});
      }
      return Op::kIntegers;
    case ScalarType::Int:
      if constexpr (Op::kIntegers) {
        visit(std::int32_t{});
      }
      return Op::kIntegers;
    default:
      return false;
  }
}

struct SmallOperators {
  static std::size_t size();
};

// Each combination of an operator and an overload has a number, and knows the
// wrapper behind it.
template <class Kernel>
class Registered {
 public:
  static inline void* next = nullptr;
  static inline std::size_t number = 0;

  static void count() { ThreadCounts<SmallOperators>::count(number); }

 private:
  friend Kernel;
  Registered() = default;
};

// Writes to the tensor that `out()` returns; false, and nothing done, for
// dtypes that are not served here.
template <class Op, class Other, class Result>
bool binary_into(const Tensor& self, const Other& other, const Result& out) {
  return with_dtype<Op>(self.scalar_type(), [&](auto zero) {
    using T = decltype(zero);
    using R = decltype(Op::of(zero, zero));
    const T* a = static_cast<const T*>(self.const_data_ptr());
    R* r = static_cast<R*>(out().mutable_data_ptr());
    const std::int64_t count = self.numel();
    if constexpr (std::is_same_v<Other, Tensor>) {
      if (other.unsafeGetTensorImpl()->key_set().has_backend(
              c10::BackendComponent::PrivateUse1Bit)) {
        const T* b = static_cast<const T*>(other.const_data_ptr());
        for (std::int64_t i = 0; i < count; ++i) {
          r[i] = Op::of(a[i], b[i]);
        }
        return;
      }
    }
    const T b = value_of<T>(other);
    for (std::int64_t i = 0; i < count; ++i) {
      r[i] = Op::of(a[i], b);
    }
  });
}

bool serves(const Tensor& self, const Tensor& other) {
  return is_small(self) && ((is_small(other) && same_layout(self, other)) ||
                            is_number_for(other, self.scalar_type()));
}

bool serves(const Tensor& self, const Scalar& other) {
  return is_small(self) && is_number_for(other, self.scalar_type());
}

// Operands that share memory are the wrapper's to judge.
bool may_write(const Tensor& out, const Tensor& operand) {
  return out.is_same(operand) || !operand.is_alias_of(out);
}

template <class Op>
constexpr bool kIsComparison =
    std::is_same_v<decltype(Op::of(1.0F, 1.0F)), bool>;

template <class Op, class Other, class... Alpha>
struct Functional : Registered<Functional<Op, Other, Alpha...>> {
  static Tensor call(OperatorKernel* kernel,
                     DispatchKeySet keys,
                     const Tensor& self,
                     const Other& other,
                     const Alpha&... alpha) {
    Tensor out;
    if ((is_one(alpha) && ...) && serves(self, other) &&
        binary_into<Op>(self, other, [&]() -> const Tensor& {
          return out = empty_like(
                     self,
                     kIsComparison<Op> ? ScalarType::Bool : self.scalar_type());
        })) {
      Functional::count();
      return out;
    }
    return reinterpret_cast<decltype(&call)>(Functional::next)(
        kernel, keys, self, other, alpha...);
  }
};

template <class Op, class... Alpha>
struct InPlace : Registered<InPlace<Op, Alpha...>> {
  static Tensor& call(OperatorKernel* kernel,
                      DispatchKeySet keys,
                      Tensor& self,
                      const Tensor& other,
                      const Alpha&... alpha) {
    if ((is_one(alpha) && ...) && serves(self, other) &&
        may_write(self, other) &&
        binary_into<Op>(self, other, [&]() -> const Tensor& { return self; })) {
      InPlace::count();
      return self;
    }
    return reinterpret_cast<decltype(&call)>(InPlace::next)(
        kernel, keys, self, other, alpha...);
  }
};

template <class Op, class... Alpha>
struct Out : Registered<Out<Op, Alpha...>> {
  static Tensor& call(OperatorKernel* kernel,
                      DispatchKeySet keys,
                      const Tensor& self,
                      const Tensor& other,
                      const Alpha&... alpha,
                      Tensor& out) {
    if ((is_one(alpha) && ...) && serves(self, other) && is_small(out) &&
        same_layout(self, out) && may_write(out, self) &&
        may_write(out, other) &&
        binary_into<Op>(self, other, [&]() -> const Tensor& { return out; })) {
      Out::count();
      return out;
    }
    return reinterpret_cast<decltype(&call)>(Out::next)(
        kernel, keys, self, other, alpha..., out);
  }
};

template <class Op>
struct Unary : Registered<Unary<Op>> {
  static Tensor call(OperatorKernel* kernel,
                     DispatchKeySet keys,
                     const Tensor& self) {
    Tensor out;
    if (is_small(self) && with_dtype<Op>(self.scalar_type(), [&](auto zero) {
          using T = decltype(zero);
          out = empty_like(self, self.scalar_type());
          const T* a = static_cast<const T*>(self.const_data_ptr());
          T* r = static_cast<T*>(out.mutable_data_ptr());
          for (std::int64_t i = 0; i < self.numel(); ++i) {
            r[i] = Op::of(a[i]);
          }
        })) {
      Unary::count();
      return out;
    }
    return reinterpret_cast<decltype(&call)>(Unary::next)(kernel, keys, self);
  }
};

struct Zero : Registered<Zero> {
  static Tensor& call(OperatorKernel* kernel,
                      DispatchKeySet keys,
                      Tensor& self) {
    if (is_small(self)) {
      std::memset(self.mutable_data_ptr(), 0, self.nbytes());
      count();
      return self;
    }
    return reinterpret_cast<decltype(&call)>(next)(kernel, keys, self);
  }
};

struct Fill : Registered<Fill> {
  static constexpr bool kIntegers = true;

  static Tensor& call(OperatorKernel* kernel,
                      DispatchKeySet keys,
                      Tensor& self,
                      const Scalar& value) {
    if (is_small(self) && is_number_for(value, self.scalar_type()) &&
        with_dtype<Fill>(self.scalar_type(), [&](auto zero) {
          using T = decltype(zero);
          T* r = static_cast<T*>(self.mutable_data_ptr());
          std::fill_n(r, self.numel(), value.to<T>());
        })) {
      count();
      return self;
    }
    return reinterpret_cast<decltype(&call)>(next)(kernel, keys, self, value);
  }
};

struct Where : Registered<Where> {
  static constexpr bool kIntegers = true;

  static Tensor call(OperatorKernel* kernel,
                     DispatchKeySet keys,
                     const Tensor& condition,
                     const Tensor& self,
                     const Tensor& other) {
    Tensor out;
    if (is_small(condition) && condition.scalar_type() == ScalarType::Bool &&
        is_small(self) && is_small(other) && same_layout(self, other) &&
        condition.sizes() == self.sizes() &&
        with_dtype<Where>(self.scalar_type(), [&](auto zero) {
          using T = decltype(zero);
          out = empty_like(self, self.scalar_type());
          const bool* c = condition.const_data_ptr<bool>();
          const T* a = static_cast<const T*>(self.const_data_ptr());
          const T* b = static_cast<const T*>(other.const_data_ptr());
          T* r = static_cast<T*>(out.mutable_data_ptr());
          for (std::int64_t i = 0; i < self.numel(); ++i) {
            r[i] = c[i] ? a[i] : b[i];
          }
        })) {
      count();
      return out;
    }
    return reinterpret_cast<decltype(&call)>(next)(
        kernel, keys, condition, self, other);
  }
};

struct Entry {
  std::string name;
  std::string overload;
  HostKernel kernel;
  void** next;
  std::size_t* number;
};

template <class Kernel>
Entry entry(std::string name, std::string overload) {
  return {std::move(name),
          std::move(overload),
          host_kernel_of(&Kernel::call),
          &Kernel::next,
          &Kernel::number};
}

template <class Op, class... Alpha>
void append_arithmetic(std::vector<Entry>& all) {
  const std::string name = Op::kName;
  all.push_back(entry<Functional<Op, Tensor, Alpha...>>(name, "Tensor"));
  all.push_back(entry<InPlace<Op, Alpha...>>(name + "_", "Tensor"));
  all.push_back(entry<Out<Op, Alpha...>>(name, "out"));
}

template <class... Ops>
void append_comparisons(std::vector<Entry>& all) {
  (all.push_back(entry<Functional<Ops, Tensor>>(Ops::kName, "Tensor")), ...);
  (all.push_back(entry<Functional<Ops, Scalar>>(Ops::kName, "Scalar")), ...);
}

const std::vector<Entry>& entries() {
  static const auto* all = [] {
    auto* made = new std::vector<Entry>();
    append_arithmetic<small::Add, Scalar>(*made);
    append_arithmetic<small::Sub, Scalar>(*made);
    append_arithmetic<small::Mul>(*made);
    append_arithmetic<small::Div>(*made);
    append_comparisons<small::Eq,
                       small::Ne,
                       small::Lt,
                       small::Le,
                       small::Gt,
                       small::Ge>(*made);
    made->push_back(entry<Unary<small::Neg>>(small::Neg::kName, ""));
    made->push_back(entry<Unary<small::Abs>>(small::Abs::kName, ""));
    made->push_back(entry<Unary<small::Relu>>(small::Relu::kName, ""));
    made->push_back(entry<Zero>("aten::zero_", ""));
    made->push_back(entry<Fill>("aten::fill_", "Scalar"));
    made->push_back(entry<Where>("aten::where", "self"));
    return made;
  }();
  return *all;
}

std::size_t SmallOperators::size() {
  return entries().size();
}

}  // namespace

HostKernel with_small_operators(std::string_view name,
                                std::string_view overload,
                                const HostKernel& wrapper) {
  const std::vector<Entry>& all = entries();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Entry& found = all[i];
    if (found.name == name && found.overload == overload &&
        found.kernel.signature == wrapper.signature) {
      *found.next = wrapper.function;
      *found.number = i;
      return found.kernel;
    }
  }
  return wrapper;
}

std::vector<std::pair<std::string, std::uint64_t>> small_operator_calls() {
  const std::vector<Entry>& all = entries();
  const std::vector<std::uint64_t> sums = ThreadCounts<SmallOperators>::sums();
  std::vector<std::pair<std::string, std::uint64_t>> counts;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (sums[i] > 0) {
      const std::string& overload = all[i].overload;
      counts.emplace_back(
          overload.empty() ? all[i].name : all[i].name + "." + overload,
          sums[i]);
    }
  }
  return counts;
}

}  // namespace torch_infini
