// A loaded program from which operators are taken out for a while.
//
// The loaded program is changed in place, because it owns its functions and
// cannot be copied, and is whole again when the filter has gone. Not for
// several threads at once.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "opgen/model/native_functions.h"

namespace opgen::backend {

using Operators = std::vector<const model::NativeFunction*>;

// All operators that are generated together with `f`: the members of its group,
// of its view's group, and of the groups of those. In the order of the program.
Operators family_of(const model::NativeFunctions& program,
                    const model::NativeFunction& f);

class ProgramFilter {
 public:
  explicit ProgramFilter(model::NativeFunctions& program);
  ~ProgramFilter();
  ProgramFilter(const ProgramFilter&) = delete;
  ProgramFilter& operator=(const ProgramFilter&) = delete;
  ProgramFilter(ProgramFilter&&) = delete;
  ProgramFilter& operator=(ProgramFilter&&) = delete;

  // The program becomes the whole one without these operators. A group goes
  // when all its members do.
  void without(const Operators& operators);
  // Only these are left, which must be whole families.
  void only(const Operators& operators);
  // Only `operators`, whole families, are left, and `member` has gone from them
  // as far as its group can do without it: the group forgets an in-place or
  // mutable member, and any member loses its kernels for keys for which the
  // group is not structured.
  void only_without(const Operators& operators,
                    const model::NativeFunction& member);
  // The whole program again.
  void restore();

 private:
  using Kept = std::vector<bool>;

  void keep(const Kept& kept);
  void forget_member(const model::NativeFunction& member);
  void drop_kernels(const model::NativeFunction& member);

  model::NativeFunctions& program_;
  std::size_t count_;
  std::vector<std::unique_ptr<model::NativeFunction>> removed_;
  std::vector<model::FunctionOrGroup> grouped_;
  std::vector<model::FunctionOrViewGroup> with_view_groups_;
  std::map<model::DispatchKey, model::BackendIndex> indices_;
  bool indices_replaced_ = false;
  // Groups without a member.
  std::deque<model::NativeFunctionsGroup> groups_;
  std::deque<model::NativeFunctionsViewGroup> view_groups_;
};

}  // namespace opgen::backend
