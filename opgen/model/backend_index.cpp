#include "opgen/model/backend_index.h"

#include <utility>

namespace opgen::model {

bool BackendIndex::add(const NativeFunction& f, BackendMetadata metadata) {
  if (by_id_.size() <= f.id) {
    by_id_.resize(f.id + 1, nullptr);
  }
  const BackendMetadata*& entry = by_id_[f.id];
  if (entry != nullptr) {
    return false;
  }
  entry = &entries_.emplace_back(std::move(metadata));
  return true;
}

void BackendIndex::share(const NativeFunction& from, const NativeFunction& to) {
  const BackendMetadata* metadata = get_kernel(from);
  if (by_id_.size() <= to.id) {
    by_id_.resize(to.id + 1, nullptr);
  }
  by_id_[to.id] = metadata;
}

const BackendMetadata* BackendIndex::get_kernel(
    const FunctionOrGroup& item) const {
  return std::visit([this](const auto* value) { return get_kernel(*value); },
                    item);
}

std::string BackendIndex::native_function_class_name() const {
  if (!external) {
    return {};
  }
  return std::string(name_of(dispatch_key)) + "NativeFunctions";
}

bool gets_generated_out_inplace_wrapper(const NativeFunction& f,
                                        const NativeFunctionsGroup& g,
                                        const BackendIndex& b) {
  return f.func.kind() != SchemaKind::kFunctional && !b.has_kernel(f) &&
         b.has_kernel(*g.functional);
}

}  // namespace opgen::model
