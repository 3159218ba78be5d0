#include "opgen/text/source.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "opgen/text/utf8.h"

namespace opgen::text {

SourceFile::SourceFile(std::string path, std::string contents)
    : path_(std::move(path)), contents_(std::move(contents)) {
  line_starts_.push_back(0);
  const std::string_view text = contents_;
  const bool carriage_returns = text.find('\r') != std::string_view::npos;
  const std::string_view breaks = carriage_returns ? "\r\n" : "\n";
  std::size_t pos = text.find_first_of(breaks);
  while (pos != std::string_view::npos) {
    const bool pair =
        text[pos] == '\r' && pos + 1 < text.size() && text[pos + 1] == '\n';
    pos += pair ? 2 : 1;
    line_starts_.push_back(static_cast<std::uint32_t>(pos));
    pos = carriage_returns ? text.find_first_of(breaks, pos)
                           : text.find('\n', pos);
  }
}

Position SourceFile::position(std::size_t offset) const {
  offset = std::min(offset, contents_.size());
  const auto next =
      std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const auto line = static_cast<std::size_t>(next - line_starts_.begin());
  const std::size_t start = line_start(line);
  const std::string_view before = contents().substr(start, offset - start);
  return {line, count_characters(before) + 1};
}

std::string_view SourceFile::line(std::size_t number) const {
  const std::size_t start = line_start(number);
  const std::size_t end =
      number < line_count() ? line_start(number + 1) : contents_.size();
  std::string_view text = contents().substr(start, end - start);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) {
    text.remove_suffix(1);
  }
  return text;
}

std::size_t SourceFile::line_start(std::size_t number) const {
  return line_starts_.at(number - 1);
}

}  // namespace opgen::text
