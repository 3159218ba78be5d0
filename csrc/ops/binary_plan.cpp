#include "csrc/ops/binary_plan.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include <ATen/EmptyTensor.h>
#include <ATen/ExpandUtils.h>
#include <ATen/ops/add_meta_dispatch.h>

#include "csrc/bridge/ops_table.h"
#include "csrc/runtime/backend.h"
#include "csrc/runtime/hot_tls.h"

namespace torch_infini {
namespace {

namespace rt = infini::rt;

constexpr std::size_t kPlans = 64;

// What a plan depends on: dtype, device, and the sizes and strides of both
// operands, in one row.
using Key = c10::SmallVector<std::int64_t, 20>;

void append_layout(Key& key, const at::Tensor& tensor) {
  key.push_back(tensor.dim());
  key.append(tensor.sizes().begin(), tensor.sizes().end());
  key.append(tensor.strides().begin(), tensor.strides().end());
}

void fill_key(Key& key, const at::Tensor& self, const at::Tensor& other) {
  key.clear();
  key.push_back(static_cast<std::int64_t>(self.scalar_type()));
  key.push_back(self.device().index());
  append_layout(key, self);
  append_layout(key, other);
}

std::size_t hash(const Key& key) {
  std::uint64_t value = 0;
  for (const std::int64_t part : key) {
    value = (value ^ static_cast<std::uint64_t>(part)) * 0x9e3779b97f4a7c15ULL;
    value ^= value >> 32;
  }
  return value;
}

at::Tensor meta_of(const at::Tensor& tensor) {
  return at::detail::empty_strided_meta(
      tensor.sizes(), tensor.strides(), tensor.scalar_type());
}

rt::TensorView make_view(at::IntArrayRef sizes,
                         at::IntArrayRef strides,
                         const at::Tensor& like) {
  const auto dtype = infini_dtype(like.scalar_type());
  TORCH_CHECK(dtype.has_value(), "InfiniRT has no dtype ", like.scalar_type());
  const rt::TensorView::Shape shape(sizes.begin(), sizes.end());
  const rt::TensorView::Strides steps(strides.begin(), strides.end());
  return {nullptr,
          shape,
          *dtype,
          rt::Device(backend().type, like.device().index()),
          steps};
}

rt::TensorView expanded_view(const at::Tensor& tensor, at::IntArrayRef sizes) {
  const auto geometry = at::inferExpandGeometry_dimvector(
      tensor.sizes(), tensor.strides(), sizes);
  c10::SmallVector<std::int64_t, 5> strides(geometry.strides.begin(),
                                            geometry.strides.end());
  for (std::size_t i = 0; i < strides.size(); ++i) {
    // InfiniOps takes a dimension of size 1 to be contiguous only if its stride
    // says so.
    const std::int64_t offset =
        static_cast<std::int64_t>(i) -
        (static_cast<std::int64_t>(sizes.size()) - tensor.dim());
    const bool broadcast =
        offset < 0 || (tensor.size(offset) == 1 && sizes[i] != 1);
    strides[i] = broadcast ? 0 : strides[i];
  }
  return make_view(sizes, strides, tensor);
}

std::unique_ptr<BinaryPlan> make_plan(const at::Tensor& self,
                                      const at::Tensor& other) {
  // PyTorch's own rule for the shape and the memory layout of an elementwise
  // result.
  const at::Tensor out = at::meta::add(meta_of(self), meta_of(other), 1);
  return std::make_unique<BinaryPlan>(BinaryPlan{
      {out.sizes().begin(), out.sizes().end()},
      {out.strides().begin(), out.strides().end()},
      expanded_view(self, out.sizes()),
      expanded_view(other, out.sizes()),
      make_view(out.sizes(), out.strides(), self),
  });
}

struct Slot {
  Key key;
  std::unique_ptr<BinaryPlan> plan;
};

struct Table {
  std::array<Slot, kPlans> slots;
  Key key;
};

INFINI_HOT_TLS Table* table = nullptr;

Table& made_table() {
  thread_local const auto owner = std::make_unique<Table>();
  table = owner.get();
  return *table;
}

}  // namespace

BinaryPlan& binary_plan(const at::Tensor& self, const at::Tensor& other) {
  Table& plans = C10_LIKELY(table != nullptr) ? *table : made_table();
  fill_key(plans.key, self, other);
  Slot& slot = plans.slots[hash(plans.key) % kPlans];
  if (C10_UNLIKELY(slot.plan == nullptr || slot.key != plans.key)) {
    slot.plan = make_plan(self, other);
    slot.key = plans.key;
  }
  return *slot.plan;
}

}  // namespace torch_infini
