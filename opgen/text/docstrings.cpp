#include "opgen/text/docstrings.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "opgen/text/python_text.h"

namespace opgen::text {

namespace {

constexpr std::string_view kQuotes = R"(""")";

// Most texts have none, so the pass over them has to be fast.
bool has_quotes(std::string_view text) {
  constexpr std::size_t kBlock = 256;
  std::size_t pos = 0;
  const char* bytes = text.data();
  for (; pos + kBlock + kQuotes.size() <= text.size(); pos += kBlock) {
    std::uint8_t found = 0;
    for (std::size_t i = pos; i < pos + kBlock; ++i) {
      found |= static_cast<std::uint8_t>(
          static_cast<std::uint8_t>(bytes[i] == '"') &
          static_cast<std::uint8_t>(bytes[i + 1] == '"') &
          static_cast<std::uint8_t>(bytes[i + 2] == '"'));
    }
    if (found != 0) {
      return true;
    }
  }
  return text.find(kQuotes, pos) != std::string_view::npos;
}

std::size_t skip_space(std::string_view text, std::size_t pos) {
  while (const std::size_t size = space_size(text, pos)) {
    pos += size;
  }
  return pos;
}

// The end of decorator lines and "class" or "def" at `pos`, npos if they are
// not there.
std::size_t definition_end(std::string_view text, std::size_t pos) {
  for (;;) {
    pos = skip_space(text, pos);
    const std::string_view rest = text.substr(pos);
    if (rest.starts_with("class")) {
      return pos + 5;
    }
    if (rest.starts_with("def")) {
      return pos + 3;
    }
    const std::size_t newline = rest.find('\n');
    if (rest.empty() || rest.front() != '@' || newline == 1 ||
        newline == std::string_view::npos) {
      return std::string_view::npos;
    }
    pos += newline + 1;
  }
}

}  // namespace

void space_docstrings(std::string& text) {
  if (!has_quotes(text)) {
    return;
  }
  const std::string_view view = text;
  std::string out;
  std::size_t done = 0;
  std::size_t quotes = view.find(kQuotes);
  while (quotes != std::string_view::npos) {
    const std::size_t after = quotes + kQuotes.size();
    const std::size_t start =
        std::min(view.find_first_not_of('\n', after), view.size());
    const std::size_t end =
        start == after ? std::string_view::npos : definition_end(view, start);
    if (end == std::string_view::npos) {
      quotes = view.find(kQuotes, quotes + 1);
      continue;
    }
    out.append(view.substr(done, after - done)).append("\n\n");
    out.append(view.substr(start, end - start));
    done = end;
    quotes = view.find(kQuotes, done);
  }
  out.append(view.substr(done));
  text = std::move(out);
}

}  // namespace opgen::text
