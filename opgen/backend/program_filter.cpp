#include "opgen/backend/program_filter.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "opgen/model/backend_index.h"
#include "opgen/model/dispatch_key.h"
#include "opgen/model/native_function.h"
#include "opgen/model/native_functions.h"
#include "opgen/model/native_functions_group.h"

namespace opgen::backend {
namespace {

using model::BackendIndex;
using model::NativeFunction;
using model::NativeFunctions;
using model::NativeFunctionsGroup;
using model::NativeFunctionsViewGroup;

Operators members(const NativeFunction* f) {
  return {f};
}

Operators members(const NativeFunctionsGroup* g) {
  return g->functions();
}

Operators members(const NativeFunctionsViewGroup* g) {
  return g->functions();
}

template <class Item>
Operators members_of(const Item& item) {
  return std::visit([](const auto* value) { return members(value); }, item);
}

// Adds the members of every item that has one; whether there was a new one.
template <class Items>
bool grow(const Items& items, std::vector<bool>& found) {
  bool grown = false;
  for (const auto& item : items) {
    const Operators all = members_of(item);
    const auto is_found = [&](const auto* f) { return found[f->id]; };
    if (std::none_of(all.begin(), all.end(), is_found)) {
      continue;
    }
    for (const NativeFunction* f : all) {
      grown = grown || !found[f->id];
      found[f->id] = true;
    }
  }
  return grown;
}

bool by_id(const std::unique_ptr<NativeFunction>& a,
           const std::unique_ptr<NativeFunction>& b) {
  return a->id < b->id;
}

}  // namespace

Operators family_of(const NativeFunctions& program, const NativeFunction& f) {
  std::uint32_t last = f.id;
  for (const auto& g : program.functions) {
    last = std::max(last, g->id);
  }
  std::vector<bool> found(last + std::size_t{1});
  found[f.id] = true;
  bool grown = true;
  while (grown) {
    grown = grow(program.grouped_native_functions, found);
    grown = grow(program.native_functions_with_view_groups, found) || grown;
  }
  Operators family;
  for (const auto& g : program.functions) {
    if (found[g->id]) {
      family.push_back(g.get());
    }
  }
  return family;
}

ProgramFilter::ProgramFilter(NativeFunctions& program)
    : program_(program),
      count_(program.functions.size()),
      grouped_(program.grouped_native_functions),
      with_view_groups_(program.native_functions_with_view_groups) {}

ProgramFilter::~ProgramFilter() {
  restore();
}

void ProgramFilter::without(const Operators& operators) {
  Kept kept(count_, true);
  for (const NativeFunction* f : operators) {
    kept[f->id] = false;
  }
  keep(kept);
}

void ProgramFilter::only(const Operators& operators) {
  Kept kept(count_, false);
  for (const NativeFunction* f : operators) {
    kept[f->id] = true;
  }
  keep(kept);
}

void ProgramFilter::only_without(const Operators& operators,
                                 const NativeFunction& member) {
  only(operators);
  forget_member(member);
  if (!member.is_view_op() || !member.has_composite_implicit_autograd_kernel) {
    drop_kernels(member);
  }
  auto& functions = program_.functions;
  const auto at =
      std::find_if(functions.begin(), functions.end(), [&](const auto& f) {
        return f.get() == &member;
      });
  if (at != functions.end()) {
    removed_.push_back(std::move(*at));
    functions.erase(at);
  }
}

void ProgramFilter::keep(const Kept& kept) {
  restore();
  std::vector<std::unique_ptr<NativeFunction>> left;
  for (auto& f : program_.functions) {
    (kept[f->id] ? left : removed_).push_back(std::move(f));
  }
  program_.functions = std::move(left);
  const auto gone = [&](const auto& item) {
    const Operators all = members_of(item);
    return std::none_of(
        all.begin(), all.end(), [&](const auto* f) { return kept[f->id]; });
  };
  std::erase_if(program_.grouped_native_functions, gone);
  std::erase_if(program_.native_functions_with_view_groups, gone);
}

void ProgramFilter::forget_member(const NativeFunction& member) {
  const auto is_member = [&](const auto& item) {
    const auto* f = std::get_if<const NativeFunction*>(&item);
    return f != nullptr && *f == &member;
  };
  std::erase_if(program_.grouped_native_functions, is_member);
  std::erase_if(program_.native_functions_with_view_groups, is_member);
  for (auto& item : program_.grouped_native_functions) {
    const auto* group = std::get_if<const NativeFunctionsGroup*>(&item);
    if (group != nullptr &&
        ((*group)->inplace == &member || (*group)->mutable_ == &member)) {
      NativeFunctionsGroup& copy = groups_.emplace_back(**group);
      (copy.inplace == &member ? copy.inplace : copy.mutable_) = nullptr;
      item = &copy;
    }
  }
  for (auto& item : program_.native_functions_with_view_groups) {
    const auto* group = std::get_if<const NativeFunctionsViewGroup*>(&item);
    if (group != nullptr && (*group)->view_inplace == &member) {
      NativeFunctionsViewGroup& copy = view_groups_.emplace_back(**group);
      copy.view_inplace = nullptr;
      item = &copy;
    }
  }
}

void ProgramFilter::drop_kernels(const NativeFunction& member) {
  const Operators family = family_of(program_, member);
  std::map<model::DispatchKey, BackendIndex> without;
  for (const auto& [key, index] : program_.backend_indices) {
    const bool structured =
        std::any_of(family.begin(), family.end(), [&](const auto* f) {
          const model::BackendMetadata* metadata = index.get_kernel(*f);
          return metadata != nullptr && metadata->structured;
        });
    BackendIndex copy;
    copy.dispatch_key = index.dispatch_key;
    copy.use_out_as_primary = index.use_out_as_primary;
    copy.device_guard = index.device_guard;
    copy.external = index.external;
    // Those of operators that are not left too: a key that no operator names is
    // generated in another way.
    for (const auto* functions : {&program_.functions, &removed_}) {
      for (const auto& f : *functions) {
        const model::BackendMetadata* metadata = index.get_kernel(*f);
        if (metadata != nullptr && (structured || f.get() != &member)) {
          copy.add(*f, *metadata);
        }
      }
    }
    without.emplace(key, std::move(copy));
  }
  indices_ = std::exchange(program_.backend_indices, std::move(without));
  indices_replaced_ = true;
}

void ProgramFilter::restore() {
  for (auto& f : removed_) {
    program_.functions.push_back(std::move(f));
  }
  removed_.clear();
  std::sort(program_.functions.begin(), program_.functions.end(), by_id);
  program_.grouped_native_functions = grouped_;
  program_.native_functions_with_view_groups = with_view_groups_;
  if (indices_replaced_) {
    program_.backend_indices = std::move(indices_);
    indices_replaced_ = false;
  }
  groups_.clear();
  view_groups_.clear();
}

}  // namespace opgen::backend
