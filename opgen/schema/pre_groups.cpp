#include "opgen/schema/pre_groups.h"

#include "opgen/schema/signature_key.h"

namespace opgen::schema {

const model::NativeFunction* PreGroups::add(const model::NativeFunction& f) {
  PreGroup*& group = by_signature_[signature_key(f.func)];
  if (group == nullptr) {
    group = &groups_.emplace_back();
  }
  const model::NativeFunction*& place =
      group->by_kind.at(static_cast<std::size_t>(f.func.kind()));
  if (place != nullptr) {
    return place;
  }
  place = &f;
  group->functions.push_back(&f);
  return nullptr;
}

}  // namespace opgen::schema
