#include "opgen/text/depfile.h"

#include <cstddef>
#include <string>
#include <vector>

namespace opgen::text {

namespace {

void append_name(std::string& out, const std::string& name) {
  std::size_t backslashes = 0;
  for (const char c : name) {
    if (c == ' ' || c == '#') {
      out.append(backslashes + 1, '\\');
    } else if (c == '$') {
      out += '$';
    }
    out += c;
    backslashes = c == '\\' ? backslashes + 1 : 0;
  }
}

}  // namespace

std::string depfile(const std::vector<std::string>& targets,
                    const std::vector<std::string>& inputs) {
  std::string out;
  for (const std::string& target : targets) {
    out += out.empty() ? "" : " ";
    append_name(out, target);
  }
  out += ':';
  for (const std::string& input : inputs) {
    out += " \\\n  ";
    append_name(out, input);
  }
  out += '\n';
  return out;
}

}  // namespace opgen::text
