// One call of a PyTorch CPU kernel on the memory of device tensors, as
// generated wrappers make it (opgen/emit/host_operators.h).
//
//   HostCall call(index);
//   auto&& self_ = call.in(self, 0);
//   return call.result(at::cpu::neg(self_));
//
// The host provider makes the same calls for operators without a wrapper, with
// arguments that stand on a stack. What becomes of arguments and results is
// told in csrc/ops/host_alias.h. While the call lives, the thread's CPU
// allocations are device memory, its current device is that of the arguments,
// and autograd is left out.
//
// Raises for tensors on different devices; CPU tensors without dimensions are
// taken as they are, but for those that the kernel writes to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include <ATen/core/Generator.h>
#include <ATen/core/IListRef.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/List.h>
#include <ATen/core/TensorBody.h>
#include <ATen/core/dispatch/CppSignature.h>
#include <ATen/core/op_registration/infer_schema.h>
#include <c10/core/Scalar.h>
#include <c10/core/Storage.h>
#include <c10/util/SmallVector.h>

#include "csrc/ops/alias_pool.h"

namespace c10 {
class OperatorHandle;
class OperatorKernel;
}  // namespace c10

namespace torch_infini {

// An operator with a generated wrapper.
struct HostKernel {
  void* function;
  c10::impl::CppSignature signature;
};

template <class Result, class... Arguments>
HostKernel host_kernel_of(Result (*function)(c10::OperatorKernel*,
                                             c10::DispatchKeySet,
                                             Arguments...)) {
  return {reinterpret_cast<void*>(function),
          c10::impl::CppSignature::make<Result(Arguments...)>()};
}

struct HostEntry {
  const char* name;      // "aten::add"
  const char* overload;  // "Tensor"
  HostKernel kernel;
  std::size_t index;  // below host_operator_count()
};

// Generated.
std::vector<std::span<const HostEntry>> host_operators();
std::size_t host_operator_count();

// Registers all generated wrappers of operators that nothing else is registered
// for, and returns their names.
std::vector<std::string> register_host_operators();

class HostCall {
  enum class Access : std::uint8_t {
    kRead,
    kInPlace,  // written to, and neither resized nor given another storage
    kWrite,
  };

 public:
  // A call of a wrapper by its index, or of any operator; with `below_autograd`
  // false of one whose kernel may record a graph of its own.
  explicit HostCall(std::size_t index);
  explicit HostCall(const c10::OperatorHandle& op, bool below_autograd = true);
  ~HostCall();
  HostCall(const HostCall&) = delete;
  HostCall& operator=(const HostCall&) = delete;
  HostCall(HostCall&&) = delete;
  HostCall& operator=(HostCall&&) = delete;

  const at::Tensor& in(const at::Tensor& tensor, int position) {
    return alias(tensor, position, Access::kRead);
  }

  at::Tensor& io(const at::Tensor& tensor, int position) {
    return const_cast<at::Tensor&>(alias(tensor, position, Access::kWrite));
  }

  // What an in-place kernel writes to and never resizes.
  at::Tensor& in_place(const at::Tensor& tensor, int position) {
    return const_cast<at::Tensor&>(alias(tensor, position, Access::kInPlace));
  }

  at::TensorList in_place(at::TensorList tensors, int position) {
    return aliases_of(tensors, position, Access::kInPlace);
  }

  std::optional<at::Tensor> in(const std::optional<at::Tensor>& tensor,
                               int position) {
    return aliases(tensor, position, Access::kRead);
  }

  std::optional<at::Tensor> io(const std::optional<at::Tensor>& tensor,
                               int position) {
    return aliases(tensor, position, Access::kWrite);
  }

  at::TensorList in(at::TensorList tensors, int position) {
    return aliases_of(tensors, position, Access::kRead);
  }

  at::TensorList io(at::TensorList tensors, int position) {
    return aliases_of(tensors, position, Access::kWrite);
  }

  at::ITensorListRef in(const at::ITensorListRef& tensors, int position) {
    return aliases_of(tensors, position, Access::kRead);
  }

  // Indices, which may be on the CPU.
  c10::List<std::optional<at::Tensor>> in(
      const c10::List<std::optional<at::Tensor>>& tensors, int position);

  std::optional<at::Generator> generator(
      const std::optional<at::Generator>& generator) const;

  // After a kernel that may have resized what it wrote to, or have given it
  // another storage.
  void finish();

  template <class Result>
  Result result(Result value) {
    finish();
    if (!move_alone(value)) {
      announce(value);
      convert(value);
    }
    return value;
  }

  // The steps that the above consist of.

  // Makes a device current. Before any alias; wrappers leave it to alias().
  void enter(c10::DeviceIndex device);
  // The alias of a tensor on the device of the call. `reads`: raises if the
  // tensor has elements and no memory.
  const at::Tensor& alias_on_device(const at::Tensor& tensor,
                                    bool writes,
                                    bool reads);
  c10::Storage alias(const c10::Storage& storage);
  // Every result must be announced before the first is converted: a storage may
  // change its device only when nobody but the results refers to it.
  void announce(const at::Tensor& result);
  void convert(at::Tensor& result);

 private:
  struct Announced {
    c10::StorageImpl* storage;
    std::size_t results;
    c10::Storage copy;
  };

  // A result that others refer to, such as one that is returned twice.
  struct Repeated {
    at::Tensor host;
    at::Tensor converted;
    std::unique_ptr<Repeated> next;
  };

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  // Up to so many slots or results are looked through one by one.
  static constexpr std::size_t kFew = 32;

  const at::Tensor& alias(const at::Tensor& tensor,
                          int position,
                          Access access);
  std::optional<at::Tensor> aliases(const std::optional<at::Tensor>& tensor,
                                    int position,
                                    Access access);
  [[noreturn]] void refuse(c10::Device found, int position) const;

  // Makes results that share nothing with anything device tensors; false, and
  // some may be left, where there are others.
  bool move_alone(at::Tensor& result);

  template <class... Results>
  bool move_alone(std::tuple<Results...>& results) {
    return std::apply([&](auto&... each) { return (move_alone(each) && ...); },
                      results);
  }

  template <class Other>
  bool move_alone(Other& /*other*/) {
    return std::is_arithmetic_v<Other>;
  }

  void announce(const std::vector<at::Tensor>& results) {
    for (const at::Tensor& result : results) {
      announce(result);
    }
  }

  template <class... Results>
  void announce(const std::tuple<Results...>& results) {
    std::apply([&](const auto&... each) { (announce(each), ...); }, results);
  }

  template <class Other>
  void announce(const Other& /*other*/) {}

  void convert(std::vector<at::Tensor>& results) {
    for (at::Tensor& result : results) {
      convert(result);
    }
  }

  template <class... Results>
  void convert(std::tuple<Results...>& results) {
    std::apply([&](auto&... each) { (convert(each), ...); }, results);
  }

  template <class Other>
  void convert(Other& /*other*/) {}

  // Positions in the pool of an argument's alias, by the argument, its storage,
  // the alias or the alias's storage; kNone if there is none.
  std::size_t find_tensor(const c10::TensorImpl* source) const;
  std::size_t find_storage(const c10::StorageImpl* source) const;
  std::size_t find_alias(const c10::TensorImpl* alias) const;
  std::size_t find_alias_storage(const c10::StorageImpl* alias) const;
  template <class Test>
  std::size_t find(const void* key, const Test& test) const;
  AliasSlot& slot_for(c10::TensorImpl& source, const c10::StorageImpl& storage);
  void mark_written(AliasSlot& slot);
  void remember(std::size_t slot);
  Announced* find_announced(const c10::StorageImpl* storage);
  // `alone`: the tensor that the storage belongs to has no other owner.
  c10::Storage device_storage(const c10::Storage& result, bool alone);
  // Whether the storage is memory of the call's device under the CPU's tag, and
  // making it the device's.
  bool is_own_memory(const c10::StorageImpl& storage) const;
  void move_to_device(c10::StorageImpl& storage) const;

  c10::Device device() const {
    return {c10::DeviceType::PrivateUse1,
            static_cast<c10::DeviceIndex>(device_)};
  }

  template <class Tensors>
  at::TensorList aliases_of(const Tensors& tensors,
                            int position,
                            Access access);
  void write_back_storage(const AliasSlot& slot);
  void write_back_tensor(const AliasSlot& slot);
  void write_back();
  void follow_after_error() noexcept;
  bool find_repeated(at::Tensor& result) const;

  AliasPool& pool_;
  const c10::OperatorHandle* op_ = nullptr;  // null for a wrapper
  std::size_t index_ = 0;
  std::size_t first_;  // slot of the pool
  std::size_t first_list_;
  std::size_t first_indices_;
  int device_ = -1;
  int previous_device_ = -1;
  int previous_route_ = 0;
  int waiting_ = -1;  // position of a CPU tensor seen before any device tensor
  bool writes_ = false;
  std::optional<at::AutoDispatchBelowADInplaceOrView> below_autograd_;
  c10::SmallVector<Announced, 3> announced_;
  // Filled once there are more than a few, for foreach operators.
  std::unique_ptr<std::unordered_map<const void*, std::size_t>> slot_of_;
  std::unique_ptr<std::unordered_map<const void*, std::size_t>> announced_of_;
  // Aliases of arguments that are storages, each with the device's.
  c10::SmallVector<std::pair<c10::Storage, c10::Storage>, 1> storages_;
  std::unique_ptr<Repeated> repeated_;
};

template <class Tensors>
at::TensorList HostCall::aliases_of(const Tensors& tensors,
                                    int position,
                                    Access access) {
  std::vector<at::Tensor>& list = pool_.push_list();
  list.reserve(tensors.size());
  for (const at::Tensor& tensor : tensors) {
    list.push_back(alias(tensor, position, access));
  }
  return list;
}

}  // namespace torch_infini
