#include "opgen/backend/diff_lines.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace opgen::backend {
namespace {

using Ids = std::vector<std::uint32_t>;

// Equal lines get equal numbers.
class Interner {
 public:
  Ids ids_of(const std::vector<std::string_view>& lines) {
    Ids ids;
    ids.reserve(lines.size());
    for (const std::string_view line : lines) {
      ids.push_back(
          known_.try_emplace(line, static_cast<std::uint32_t>(known_.size()))
              .first->second);
    }
    return ids;
  }

 private:
  std::unordered_map<std::string_view, std::uint32_t> known_;
};

struct Pair {
  std::size_t a = 0;
  std::size_t b = 0;
};

class Differ {
 public:
  Differ(const Ids& a, const Ids& b) : a_(a), b_(b) {}

  std::vector<LineHunk> run() {
    todo_.push_back({0, a_.size(), 0, b_.size()});
    while (!todo_.empty()) {
      const LineHunk part = todo_.back();
      todo_.pop_back();
      compare(part);
    }
    std::sort(hunks_.begin(), hunks_.end(), [](const auto& x, const auto& y) {
      return std::pair(x.a_begin, x.b_begin) < std::pair(y.a_begin, y.b_begin);
    });
    return std::move(hunks_);
  }

 private:
  void compare(LineHunk part) {
    while (part.a_begin < part.a_end && part.b_begin < part.b_end &&
           a_[part.a_begin] == b_[part.b_begin]) {
      ++part.a_begin;
      ++part.b_begin;
    }
    while (part.a_begin < part.a_end && part.b_begin < part.b_end &&
           a_[part.a_end - 1] == b_[part.b_end - 1]) {
      --part.a_end;
      --part.b_end;
    }
    if (part.a_begin == part.a_end && part.b_begin == part.b_end) {
      return;
    }
    if (part.a_begin == part.a_end || part.b_begin == part.b_end) {
      hunks_.push_back(part);
      return;
    }
    const std::vector<Pair> anchors = increasing(unique_pairs(part));
    if (anchors.empty()) {
      compare_small(part);
      return;
    }
    for (const Pair& anchor : anchors) {
      todo_.push_back({part.a_begin, anchor.a, part.b_begin, anchor.b});
      part.a_begin = anchor.a + 1;
      part.b_begin = anchor.b + 1;
    }
    todo_.push_back(part);
  }

  // Lines that occur once on either side, in the order of `a`.
  std::vector<Pair> unique_pairs(const LineHunk& part) const {
    struct Seen {
      std::size_t in_a = 0;
      std::size_t in_b = 0;
      std::size_t b = 0;
    };

    std::unordered_map<std::uint32_t, Seen> seen;
    for (std::size_t i = part.a_begin; i < part.a_end; ++i) {
      ++seen[a_[i]].in_a;
    }
    for (std::size_t i = part.b_begin; i < part.b_end; ++i) {
      const auto found = seen.find(b_[i]);
      if (found != seen.end()) {
        ++found->second.in_b;
        found->second.b = i;
      }
    }
    std::vector<Pair> pairs;
    for (std::size_t i = part.a_begin; i < part.a_end; ++i) {
      const Seen& line = seen[a_[i]];
      if (line.in_a == 1 && line.in_b == 1) {
        pairs.push_back({i, line.b});
      }
    }
    return pairs;
  }

  // The longest choice of pairs that rises on both sides.
  static std::vector<Pair> increasing(const std::vector<Pair>& pairs) {
    std::vector<std::size_t> ends;  // of the best choice of each length
    std::vector<std::size_t> before(pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const auto at = std::lower_bound(
          ends.begin(), ends.end(), i, [&](std::size_t x, std::size_t y) {
            return pairs[x].b < pairs[y].b;
          });
      before[i] = at == ends.begin() ? i : *(at - 1);
      if (at == ends.end()) {
        ends.push_back(i);
      } else {
        *at = i;
      }
    }
    std::vector<Pair> chosen(ends.size());
    std::size_t at = ends.empty() ? 0 : ends.back();
    for (std::size_t i = ends.size(); i > 0; --i) {
      chosen[i - 1] = pairs[at];
      at = before[at];
    }
    return chosen;
  }

  // Few lines that are all repeated: the longest common part by a table.
  void compare_small(const LineHunk& part) {
    constexpr std::size_t kLargestTable = 4'000'000;
    const std::size_t rows = part.a_end - part.a_begin;
    const std::size_t columns = part.b_end - part.b_begin;
    if ((rows + 1) * (columns + 1) > kLargestTable) {
      hunks_.push_back(part);
      return;
    }
    const std::size_t width = columns + 1;
    std::vector<std::uint32_t> common((rows + 1) * width);
    const auto same = [&](std::size_t i, std::size_t j) {
      return a_[part.a_begin + i] == b_[part.b_begin + j];
    };
    for (std::size_t i = rows; i-- > 0;) {
      for (std::size_t j = columns; j-- > 0;) {
        common[i * width + j] = same(i, j)
                                    ? common[(i + 1) * width + j + 1] + 1
                                    : std::max(common[(i + 1) * width + j],
                                               common[i * width + j + 1]);
      }
    }
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < rows || j < columns) {
      const std::size_t a_begin = i;
      const std::size_t b_begin = j;
      while ((i < rows || j < columns) &&
             !(i < rows && j < columns && same(i, j))) {
        const bool take_a =
            j == columns || (i < rows && common[(i + 1) * width + j] >=
                                             common[i * width + j + 1]);
        ++(take_a ? i : j);
      }
      if (i > a_begin || j > b_begin) {
        hunks_.push_back({part.a_begin + a_begin,
                          part.a_begin + i,
                          part.b_begin + b_begin,
                          part.b_begin + j});
      }
      while (i < rows && j < columns && same(i, j)) {
        ++i;
        ++j;
      }
    }
  }

  const Ids& a_;
  const Ids& b_;
  std::vector<LineHunk> todo_;
  std::vector<LineHunk> hunks_;
};

// How well a hunk may begin behind this line, or end with it.
int border(std::string_view line) {
  if (line.empty()) {
    return 2;
  }
  return line[0] == '}' || line[0] == ')' ? 1 : 0;
}

// Moves a hunk of `a` alone to the best of the places that say the same.
void slide(LineHunk& hunk,
           std::size_t floor,
           const Ids& ids,
           const std::vector<std::string_view>& lines) {
  std::size_t begin = hunk.a_begin;
  std::size_t end = hunk.a_end;
  const auto score = [&] {
    const int before = begin == 0 ? 2 : border(lines[begin - 1]);
    return 2 * before + border(lines[end - 1]);
  };
  while (end < ids.size() && ids[begin] == ids[end]) {
    ++begin;
    ++end;
  }
  std::size_t best = begin;
  int best_score = score();
  while (begin > floor && ids[begin - 1] == ids[end - 1]) {
    --begin;
    --end;
    if (score() > best_score) {
      best = begin;
      best_score = score();
    }
  }
  const std::size_t size = hunk.a_end - hunk.a_begin;
  hunk.b_begin = hunk.b_end = hunk.b_begin + best - hunk.a_begin;
  hunk.a_begin = best;
  hunk.a_end = best + size;
}

}  // namespace

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

std::vector<LineHunk> diff_lines(const std::vector<std::string_view>& a,
                                 const std::vector<std::string_view>& b) {
  Interner interner;
  const Ids a_ids = interner.ids_of(a);
  const Ids b_ids = interner.ids_of(b);
  const std::vector<LineHunk> hunks = Differ(a_ids, b_ids).run();
  std::vector<LineHunk> merged;
  for (const LineHunk& hunk : hunks) {
    if (!merged.empty() && merged.back().a_end == hunk.a_begin &&
        merged.back().b_end == hunk.b_begin) {
      merged.back().a_end = hunk.a_end;
      merged.back().b_end = hunk.b_end;
    } else {
      merged.push_back(hunk);
    }
  }
  // From the last, so that a hunk moved down never passes the next one.
  for (std::size_t i = merged.size(); i-- > 0;) {
    LineHunk& hunk = merged[i];
    const std::size_t floor = i == 0 ? 0 : merged[i - 1].a_end;
    const std::size_t ceiling =
        i + 1 == merged.size() ? a.size() : merged[i + 1].a_begin;
    if (hunk.b_begin == hunk.b_end) {
      LineHunk moved = hunk;
      slide(moved, floor, a_ids, a);
      if (moved.a_end < ceiling || i + 1 == merged.size()) {
        hunk = moved;
      }
    }
  }
  return merged;
}

}  // namespace opgen::backend
