// The search behind translate(): which conversion makes a C++ type with a given
// meaning out of the expressions in scope.
//
// A solver is filled with add(), then asked; it refers to the strings that it
// was given, which must outlive it.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "opgen/api/types/binding.h"
#include "opgen/api/types/ctype.h"

namespace opgen::api::detail {

// Text with $0 to $3 for the expressions it is made from.
using Pattern = std::string_view;
inline constexpr Pattern kAsIs = "$0";

// An expression in scope, or one that follows from it.
struct Fact {
  const CType* type;
  std::string_view name;
  std::string_view expr;
  Pattern pattern;
};

struct Goal {
  const CType* type;
  std::string_view name;
};

// How a goal is reached: one conversion of facts.
struct Solution {
  Pattern pattern;
  std::array<const Fact*, 4> facts{};

  void append_to(std::string& text) const;
};

class Solver {
 public:
  // `wants_options`: TensorOptions are among the goals, so that no other goal
  // needs to look into them. Room for `bindings` calls of add().
  Solver(std::size_t bindings,
         bool wants_options,
         bool allow_expensive_conversions);

  void add(std::string_view expr, const NamedCType& type);
  // self is *this.
  void add_method_self();

  bool solve(Goal goal, Solution& solution) const;
  // Why solve() failed: the goal and everything in scope.
  std::string explain(Goal goal) const;

 private:
  const Fact* find(std::string_view name, const CType* type) const;
  // A fact that is the goal, or converts to it without any text.
  const Fact* find_direct(std::string_view name, const CType* type) const;
  bool convert(Goal goal, Solution& solution) const;
  bool make_memory_format(Solution& solution) const;
  bool make_options(Solution& solution) const;
  bool make_option(Pattern from_options,
                   Pattern from_out,
                   Solution& solution) const;

  std::vector<Fact> facts_;
  bool wants_options_;
  bool allow_expensive_conversions_;
};

// Whether this is the goal that Solver's `wants_options` asks for.
bool is_options_goal(std::string_view name, const CType* type);

}  // namespace opgen::api::detail
