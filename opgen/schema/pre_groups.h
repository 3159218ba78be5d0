// Functions with a common signature: the variants of one operator.
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "opgen/model/native_function.h"

namespace opgen::schema {

inline constexpr std::size_t kSchemaKindCount = 5;

struct PreGroup {
  // In the order in which they came.
  std::vector<const model::NativeFunction*> functions;
  std::array<const model::NativeFunction*, kSchemaKindCount> by_kind = {};

  const model::NativeFunction* get(model::SchemaKind kind) const {
    return by_kind.at(static_cast<std::size_t>(kind));
  }
};

// torchgen's pre_group_native_functions: groups in the order in which their
// signatures appear first.
class PreGroups {
 public:
  // `expected` functions or so will be added.
  explicit PreGroups(std::size_t expected) { by_signature_.reserve(expected); }

  // Returns null, or the function that already has this kind in the group; `f`
  // is not added then.
  const model::NativeFunction* add(const model::NativeFunction& f);

  const std::deque<PreGroup>& groups() const { return groups_; }

 private:
  std::deque<PreGroup> groups_;
  std::unordered_map<std::string, PreGroup*> by_signature_;
};

}  // namespace opgen::schema
