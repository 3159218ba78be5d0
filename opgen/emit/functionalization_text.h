// Skeletons of C++ text with holes, `$name$`, for emitters whose output is long
// and mostly fixed.
//
// A hole is filled as it is: nothing is indented, trimmed or escaped.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "opgen/api/types/binding.h"

namespace opgen::emit {

using Holes =
    std::initializer_list<std::pair<std::string_view, std::string_view>>;

// Appends the pattern to `text`. Throws std::logic_error for a hole that
// `holes` does not name and for a `$` without its partner.
void fill(std::string& text, std::string_view pattern, Holes holes);
std::string filled(std::string_view pattern, Holes holes);

// "a, b, c" of the names of the bindings.
std::string join_names(std::span<const api::Binding> bindings);

}  // namespace opgen::emit
