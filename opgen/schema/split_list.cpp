#include "opgen/schema/split_list.h"

#include <cstddef>

namespace opgen::schema {

std::vector<std::string_view> split_list(std::string_view text,
                                         std::string_view separator) {
  std::vector<std::string_view> parts;
  for (std::size_t end = text.find(separator); end != std::string_view::npos;
       end = text.find(separator)) {
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + separator.size());
  }
  parts.push_back(text);
  return parts;
}

std::string_view strip(std::string_view text) {
  constexpr std::string_view kWhiteSpace = " \t\n\v\f\r\x1c\x1d\x1e\x1f";
  const std::size_t begin = text.find_first_not_of(kWhiteSpace);
  if (begin == std::string_view::npos) {
    return text.substr(text.size());
  }
  const std::size_t end = text.find_last_not_of(kWhiteSpace);
  return text.substr(begin, end - begin + 1);
}

}  // namespace opgen::schema
