// Which operators a dispatch key may make something for, found without a look
// at every operator for every key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "opgen/model/backend_index.h"
#include "opgen/model/dispatch_key.h"
#include "opgen/model/native_functions.h"

namespace opgen::emit {

class AtenItems {
 public:
  explicit AtenItems(const model::NativeFunctions& program);

  // Places in grouped_native_functions, ascending. All are among them for which
  // RegisterDispatchKey::may_generate holds or get_kernel finds something, for
  // a key of PyTorch's own tree. `index` is AtenRun::backend_index(key), which
  // is without a key where no function names it.
  std::vector<std::uint32_t> of(model::DispatchKey key,
                                const model::BackendIndex& index) const;

 private:
  // The ids of the functions of one item after the other, and where each ends.
  std::vector<std::uint32_t> ids_;
  std::vector<std::uint32_t> ends_;
};

}  // namespace opgen::emit
