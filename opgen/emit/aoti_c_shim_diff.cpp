#include "opgen/emit/aoti_c_shim_diff.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "opgen/text/python_text.h"

namespace opgen::emit {
namespace {

using Lines = std::span<const std::string_view>;

constexpr std::size_t kContext = 3;
// Above this many pairs of lines the part that differs is shown as a whole.
constexpr std::size_t kMaxPairs = 16'000'000;

struct Line {
  char mark;  // ' ', '-' or '+'
  std::string_view text;
};

// lengths[i * (b.size() + 1) + j]: the longest common subsequence of what
// follows line i of `a` and line j of `b`.
std::vector<std::uint32_t> common_lengths(Lines a, Lines b) {
  const std::size_t width = b.size() + 1;
  std::vector<std::uint32_t> lengths((a.size() + 1) * width, 0);
  for (std::size_t i = a.size(); i-- > 0;) {
    for (std::size_t j = b.size(); j-- > 0;) {
      lengths[i * width + j] = a[i] == b[j]
                                   ? lengths[(i + 1) * width + j + 1] + 1
                                   : std::max(lengths[(i + 1) * width + j],
                                              lengths[i * width + j + 1]);
    }
  }
  return lengths;
}

void compare(Lines a, Lines b, std::vector<Line>& script) {
  std::size_t i = 0;
  std::size_t j = 0;
  if (b.empty() || a.size() <= kMaxPairs / b.size()) {
    const auto lengths = common_lengths(a, b);
    const std::size_t width = b.size() + 1;
    while (i < a.size() && j < b.size()) {
      if (a[i] == b[j]) {
        script.push_back({' ', a[i++]});
        ++j;
      } else if (lengths[(i + 1) * width + j] >= lengths[i * width + j + 1]) {
        script.push_back({'-', a[i++]});
      } else {
        script.push_back({'+', b[j++]});
      }
    }
  }
  for (; i < a.size(); ++i) {
    script.push_back({'-', a[i]});
  }
  for (; j < b.size(); ++j) {
    script.push_back({'+', b[j]});
  }
}

// All lines of both texts, with what becomes of them.
std::vector<Line> edit_script(Lines a, Lines b) {
  const std::size_t shorter = std::min(a.size(), b.size());
  std::size_t head = 0;
  while (head < shorter && a[head] == b[head]) {
    ++head;
  }
  std::size_t tail = 0;
  while (tail < shorter - head &&
         a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) {
    ++tail;
  }
  std::vector<Line> script;
  for (const auto line : a.first(head)) {
    script.push_back({' ', line});
  }
  compare(a.subspan(head, a.size() - head - tail),
          b.subspan(head, b.size() - head - tail),
          script);
  for (const auto line : a.last(tail)) {
    script.push_back({' ', line});
  }
  return script;
}

// "12,7": where lines begin in one of the texts and how many there are.
std::string range(std::size_t begin, std::size_t count) {
  std::string text = std::to_string(count == 0 ? begin : begin + 1);
  return count == 1 ? text : text + "," + std::to_string(count);
}

std::size_t count_without(std::span<const Line> lines, char mark) {
  return static_cast<std::size_t>(std::ranges::count_if(
      lines, [mark](const Line& line) { return line.mark != mark; }));
}

void print_hunk(std::span<const Line> script,
                std::size_t begin,
                std::size_t end,
                std::string& text) {
  const auto before = script.first(begin);
  const auto hunk = script.subspan(begin, end - begin);
  text.append("@@ -");
  text.append(range(count_without(before, '+'), count_without(hunk, '+')));
  text.append(" +");
  text.append(range(count_without(before, '-'), count_without(hunk, '-')));
  text.append(" @@\n");
  for (const Line& line : hunk) {
    text.push_back(line.mark);
    text.append(line.text).push_back('\n');
  }
}

}  // namespace

std::string unified_diff(std::string_view expected, std::string_view actual) {
  const auto a = text::splitlines(expected);
  const auto b = text::splitlines(actual);
  const std::vector<Line> script = edit_script(a, b);
  std::string text;
  std::size_t pos = 0;
  while (true) {
    const auto is_change = [](const Line& line) { return line.mark != ' '; };
    const auto first =
        std::find_if(script.begin() + static_cast<std::ptrdiff_t>(pos),
                     script.end(),
                     is_change);
    if (first == script.end()) {
      return text;
    }
    const auto begin = static_cast<std::size_t>(first - script.begin());
    std::size_t last = begin;
    for (std::size_t i = begin;
         i < script.size() && i <= last + 2 * kContext + 1;
         ++i) {
      last = is_change(script[i]) ? i : last;
    }
    text.append(text.empty() ? "--- expected\n+++ actual\n" : "");
    pos = std::min(script.size(), last + 1 + kContext);
    print_hunk(script, begin - std::min(begin, kContext), pos, text);
  }
}

}  // namespace opgen::emit
