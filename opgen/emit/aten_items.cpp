#include "opgen/emit/aten_items.h"

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <variant>
#include <vector>

#include "opgen/model/backend_index.h"
#include "opgen/model/dispatch_key.h"
#include "opgen/model/native_function.h"
#include "opgen/model/native_functions.h"
#include "opgen/model/native_functions_group.h"

namespace opgen::emit {

using model::DispatchKey;

AtenItems::AtenItems(const model::NativeFunctions& program) {
  for (const auto& item : program.grouped_native_functions) {
    if (const auto* f = std::get_if<const model::NativeFunction*>(&item)) {
      ids_.push_back((*f)->id);
    } else {
      const auto& group = *std::get<const model::NativeFunctionsGroup*>(item);
      for (const model::NativeFunction* f : group.functions()) {
        ids_.push_back(f->id);
      }
    }
    ends_.push_back(static_cast<std::uint32_t>(ids_.size()));
  }
}

std::vector<std::uint32_t> AtenItems::of(
    DispatchKey key, const model::BackendIndex& index) const {
  std::vector<std::uint32_t> items;
  // Their kernels are made where none is named.
  if (key == DispatchKey::kMeta ||
      key == DispatchKey::kCompositeExplicitAutogradNonFunctional) {
    items.resize(ends_.size());
    std::iota(items.begin(), items.end(), 0);
    return items;
  }
  std::size_t id = 0;
  for (std::size_t item = 0; item < ends_.size(); ++item) {
    bool found = false;
    for (; id < ends_[item]; ++id) {
      found = found || index.has_kernel_of(ids_[id]);
    }
    if (found) {
      items.push_back(static_cast<std::uint32_t>(item));
    }
  }
  return items;
}

}  // namespace opgen::emit
