#include "sections.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace opgen::fuzz {
namespace {

constexpr std::string_view kMark = "\n%% ";

std::vector<std::string_view> split_words(std::string_view line) {
  std::vector<std::string_view> words;
  std::size_t begin = 0;
  while (begin <= line.size()) {
    const std::size_t end = std::min(line.find(' ', begin), line.size());
    if (end > begin) {
      words.push_back(line.substr(begin, end - begin));
    }
    begin = end + 1;
  }
  return words;
}

}  // namespace

Sections::Sections(std::string_view input) {
  std::size_t mark = input.find(kMark);
  head_ = input.substr(0, mark);
  words_ = split_words(head_.substr(0, head_.find('\n')));
  while (mark != std::string_view::npos) {
    input.remove_prefix(mark + kMark.size());
    mark = input.find(kMark);
    const std::string_view part = input.substr(0, mark);
    const std::size_t line = std::min(part.find('\n'), part.size());
    const std::size_t text = std::min(line + 1, part.size());
    parts_.emplace_back(part.substr(0, line), part.substr(text));
  }
}

std::string_view Sections::part(std::string_view name,
                                std::string_view fallback) const {
  for (const auto& [found, text] : parts_) {
    if (found == name) {
      return text;
    }
  }
  return fallback;
}

bool Sections::asks_for(std::string_view word) const {
  return std::find(words_.begin(), words_.end(), word) != words_.end();
}

std::vector<std::string> Sections::values(std::string_view name) const {
  std::vector<std::string> found;
  for (const std::string_view word : words_) {
    if (word.starts_with(name) && word.substr(name.size()).starts_with('=')) {
      found.emplace_back(word.substr(name.size() + 1));
    }
  }
  return found;
}

}  // namespace opgen::fuzz
