// Appends several pieces of text at once, without temporaries.
#pragma once

#include <string>
#include <string_view>

namespace opgen::emit {

template <typename... Parts>
void str_append(std::string& text, const Parts&... parts) {
  (text.append(std::string_view(parts)), ...);
}

// "a, b" to a text that already holds what comes before; `text_of` gives the
// text of one item.
template <typename Items, typename TextOf>
void str_append_joined(std::string& text,
                       const Items& items,
                       std::string_view separator,
                       TextOf text_of) {
  bool first = true;
  for (const auto& item : items) {
    if (!first) {
      text.append(separator);
    }
    first = false;
    text.append(std::string_view(text_of(item)));
  }
}

}  // namespace opgen::emit
