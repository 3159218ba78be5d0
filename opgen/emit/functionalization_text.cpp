#include "opgen/emit/functionalization_text.h"

#include <algorithm>
#include <stdexcept>

namespace opgen::emit {

void fill(std::string& text, std::string_view pattern, Holes holes) {
  while (true) {
    const auto begin = pattern.find('$');
    text.append(pattern.substr(0, begin));
    if (begin == std::string_view::npos) {
      return;
    }
    const auto end = pattern.find('$', begin + 1);
    if (end == std::string_view::npos) {
      throw std::logic_error("a hole without an end");
    }
    const auto name = pattern.substr(begin + 1, end - begin - 1);
    const auto* const hole =
        std::find_if(holes.begin(), holes.end(), [name](const auto& candidate) {
          return candidate.first == name;
        });
    if (hole == holes.end()) {
      throw std::logic_error("nothing fills the hole " + std::string(name));
    }
    text.append(hole->second);
    pattern.remove_prefix(end + 1);
  }
}

std::string filled(std::string_view pattern, Holes holes) {
  std::string text;
  fill(text, pattern, holes);
  return text;
}

std::string join_names(std::span<const api::Binding> bindings) {
  std::string text;
  for (const api::Binding& binding : bindings) {
    if (&binding != bindings.data()) {
      text.append(", ");
    }
    text.append(binding.name);
  }
  return text;
}

}  // namespace opgen::emit
