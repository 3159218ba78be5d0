#include "opgen/text/posix_path.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace opgen::text {

namespace {

std::string_view root_of(std::string_view path) {
  const std::size_t slashes =
      std::min(path.find_first_not_of('/'), path.size());
  if (slashes == 0) {
    return {};
  }
  return slashes == 2 ? "//" : "/";
}

std::size_t name_start(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? 0 : slash + 1;
}

}  // namespace

bool is_absolute_path(std::string_view path) {
  return !path.empty() && path.front() == '/';
}

std::string normal_path(std::string_view path) {
  std::string out(root_of(path));
  const std::size_t root = out.size();
  std::size_t begin = 0;
  while (begin < path.size()) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view part = path.substr(begin, end - begin);
    if (!part.empty() && part != ".") {
      out += out.size() > root ? "/" : "";
      out += part;
    }
    begin = end + 1;
  }
  return out.empty() ? "." : out;
}

std::string join_path(std::string_view base, std::string_view path) {
  if (is_absolute_path(path)) {
    return normal_path(path);
  }
  std::string joined(base);
  joined += base.empty() || base.back() == '/' ? "" : "/";
  joined += path;
  return normal_path(joined);
}

std::string parent_path(std::string_view path) {
  const std::size_t start = name_start(path);
  if (start == 0) {
    return ".";
  }
  const std::string_view parent = path.substr(0, start - 1);
  return parent.empty() ? "/" : std::string(parent);
}

std::string_view path_name(std::string_view path) {
  return path.substr(name_start(path));
}

std::string_view path_stem(std::string_view path) {
  const std::string_view name = path_name(path);
  const std::size_t dot = name.rfind('.');
  const bool suffix =
      dot != std::string_view::npos && dot > 0 && dot + 1 < name.size();
  return suffix ? name.substr(0, dot) : name;
}

std::string with_stem(std::string_view path, std::string_view stem) {
  const std::size_t start = name_start(path);
  std::string out(path.substr(0, start));
  out += stem;
  out += path.substr(start + path_stem(path).size());
  return out;
}

bool path_less(std::string_view a, std::string_view b) {
  const auto rank = [](char c) {
    return c == '/' ? 0 : static_cast<int>(static_cast<unsigned char>(c)) + 1;
  };
  return std::lexicographical_compare(
      a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) {
        return rank(x) < rank(y);
      });
}

}  // namespace opgen::text
