#include "csrc/ops/options.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <string_view>

#include <c10/util/Exception.h>
#include <c10/util/StringUtil.h>

namespace torch_infini {
namespace {

constexpr std::array<std::string_view, 2> kNumerics = {"exact", "fast"};

std::atomic<std::size_t>& numerics() {
  static std::atomic<std::size_t> current{
      option_from_environment("INFINI_NUMERICS", kNumerics, 0)};
  return current;
}

}  // namespace

std::size_t parse_option(std::string_view what,
                         std::string_view value,
                         c10::ArrayRef<std::string_view> names) {
  const auto* found = std::find(names.begin(), names.end(), value);
  TORCH_CHECK_VALUE(found != names.end(),
                    what,
                    " is '",
                    value,
                    "', expected one of: ",
                    c10::Join(", ", names));
  return static_cast<std::size_t>(found - names.begin());
}

std::size_t option_from_environment(const char* variable,
                                    c10::ArrayRef<std::string_view> names,
                                    std::size_t otherwise) {
  const char* value = std::getenv(variable);
  return value == nullptr || *value == '\0'
             ? otherwise
             : parse_option(variable, value, names);
}

void set_numerics(std::string_view mode) {
  numerics() = parse_option("numerics mode", mode, kNumerics);
}

std::string_view get_numerics() {
  return kNumerics.at(numerics());
}

}  // namespace torch_infini
