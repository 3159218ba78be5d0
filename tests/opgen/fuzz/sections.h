// An input of a fuzz target as several texts: its first line, which says what
// to do, and parts that begin with a line "%% NAME".
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace opgen::fuzz {

class Sections {
 public:
  explicit Sections(std::string_view input);

  // All before the first "%% NAME", the first line too.
  std::string_view head() const { return head_; }

  // The first part of this name; `fallback` if there is none.
  std::string_view part(std::string_view name,
                        std::string_view fallback = {}) const;

  // Whether the first line has this word. Words are separated by spaces.
  bool asks_for(std::string_view word) const;
  // The texts of the words "NAME=TEXT" in the first line.
  std::vector<std::string> values(std::string_view name) const;

 private:
  std::string_view head_;
  std::vector<std::string_view> words_;
  std::vector<std::pair<std::string_view, std::string_view>> parts_;
};

}  // namespace opgen::fuzz
