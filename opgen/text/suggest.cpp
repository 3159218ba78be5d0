#include "opgen/text/suggest.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "opgen/text/characters.h"

namespace opgen::text {

namespace {

constexpr std::size_t kLongestWord = 128;

}  // namespace

std::size_t edit_distance(std::string_view a,
                          std::string_view b,
                          std::size_t limit) {
  const std::size_t difference =
      a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (difference > limit) {
    return limit + 1;
  }
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) {
    last[j] = j;
  }
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    std::size_t least = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
      least = std::min(least, row[j]);
    }
    if (least > limit) {
      return limit + 1;
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return std::min(last[b.size()], limit + 1);
}

std::string suggest(std::string_view name,
                    const std::vector<std::string_view>& candidates) {
  if (name.empty() || name.size() > kLongestWord) {
    return {};
  }
  const std::string lower = to_lower(name);
  std::size_t limit = std::max<std::size_t>(1, name.size() / 3);
  std::string_view best;
  for (const std::string_view candidate : candidates) {
    if (candidate.empty() || candidate == name) {
      continue;
    }
    std::size_t distance = edit_distance(name, candidate, limit);
    if (to_lower(candidate) == lower) {
      distance = 1;
    }
    // Nothing of the name is left if as many letters changed as it has.
    if (distance <= limit &&
        distance < std::max(name.size(), candidate.size())) {
      best = candidate;
      if (distance <= 1) {
        break;
      }
      limit = distance - 1;
    }
  }
  return std::string(best);
}

std::string suggest(std::string_view name,
                    const std::vector<std::string>& candidates) {
  return suggest(
      name,
      std::vector<std::string_view>(candidates.begin(), candidates.end()));
}

}  // namespace opgen::text
