#include "opgen/text/yaml_marks.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "opgen/text/characters.h"
#include "opgen/text/utf8.h"

namespace opgen::text {

namespace {

constexpr std::size_t kStride = 64;

}  // namespace

YamlMarks::YamlMarks(std::string_view file) : file_(file) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  start_ = file.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  if (is_ascii(file)) {
    return;
  }
  std::size_t index = 0;
  for (std::size_t pos = start_; pos < file.size(); ++index) {
    if (index % kStride == 0) {
      every_64th_.push_back(static_cast<std::uint32_t>(pos));
    }
    const CodePoint c = decode_utf8(file, pos);
    if (!c.valid) {
      invalid_ = pos;
      return;
    }
    pos += c.size;
  }
}

std::size_t YamlMarks::offset(std::size_t index) const {
  if (every_64th_.empty()) {
    return std::min(start_ + index, file_.size());
  }
  const std::size_t slot = index / kStride;
  if (slot >= every_64th_.size()) {
    return file_.size();
  }
  std::size_t pos = every_64th_[slot];
  for (std::size_t i = 0; i < index % kStride && pos < file_.size(); ++i) {
    pos += decode_utf8(file_, pos).size;
  }
  return pos;
}

}  // namespace opgen::text
