// From libyaml's character counts to byte offsets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace opgen::text {

// Offsets are meaningful only if the text is UTF-8.
class YamlMarks {
 public:
  // A byte order mark is not part of the text that libyaml gets.
  explicit YamlMarks(std::string_view file);

  // The first byte that is not UTF-8.
  std::optional<std::size_t> invalid() const { return invalid_; }

  std::size_t start() const { return start_; }

  // The byte offset in the file of the character at `index`.
  std::size_t offset(std::size_t index) const;

 private:
  std::string_view file_;
  std::size_t start_ = 0;
  std::optional<std::size_t> invalid_;
  std::vector<std::uint32_t> every_64th_;  // empty for ASCII
};

}  // namespace opgen::text
