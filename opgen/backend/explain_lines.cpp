#include "opgen/backend/explain_lines.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <exception>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "opgen/backend/diff_lines.h"
#include "opgen/backend/explain_generation.h"
#include "opgen/backend/program_filter.h"
#include "opgen/model/native_function.h"
#include "opgen/model/native_functions.h"

namespace opgen::backend {
namespace {

using model::NativeFunction;

using GoneLines = std::map<std::string, std::vector<std::size_t>>;

// What owners say where several claim a line.
const NativeFunction* merge(bool claimed,
                            const NativeFunction* owner,
                            const NativeFunction* other) {
  return claimed ? nullptr : (owner == nullptr ? other : owner);
}

// Gives `member` its lines among those of the family.
void claim(const NativeFunction& member,
           const GoneLines& own,
           FamilyFiles& files,
           std::map<std::string, std::vector<bool>>& claimed) {
  for (const auto& [path, lines] : own) {
    const auto found = files.find(path);
    if (found == files.end()) {
      continue;
    }
    FamilyLines& family = found->second;
    std::vector<bool>& taken = claimed[path];
    taken.resize(family.lines.size());
    std::size_t at = 0;
    for (const std::size_t line : lines) {
      while (at < family.lines.size() && family.lines[at] < line) {
        ++at;
      }
      if (at < family.lines.size() && family.lines[at] == line) {
        family.owners[at] = merge(taken[at], family.owners[at], &member);
        taken[at] = true;
      }
    }
  }
}

// The lines of a text to compare. What depends on the lines before does not
// make another line: white space at its start, and the numbers of lists of
// tags, which are numbered in the order of their first use in a file.
class ComparedLines {
 public:
  explicit ComparedLines(std::string_view text) : lines_(split_lines(text)) {
    for (std::string_view& line : lines_) {
      line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
      const std::size_t at = line.find(kNumbered);
      if (at != std::string_view::npos) {
        line = changed_.emplace_back(without_number(line, at));
      }
    }
  }

  const std::vector<std::string_view>& all() const { return lines_; }

  std::vector<std::string_view> chosen(
      const std::vector<std::size_t>& numbers) const {
    std::vector<std::string_view> lines;
    lines.reserve(numbers.size());
    for (const std::size_t number : numbers) {
      lines.push_back(lines_[number]);
    }
    return lines;
  }

 private:
  static constexpr std::string_view kNumbered = "tags_";

  static std::string without_number(std::string_view line, std::size_t at) {
    const std::size_t begin = at + kNumbered.size();
    const std::size_t end =
        std::min(line.find_first_not_of("0123456789", begin), line.size());
    return std::string(line.substr(0, begin)).append(line.substr(end));
  }

  std::vector<std::string_view> lines_;
  std::deque<std::string> changed_;
};

// Lets lines of the whole program have the owners that the same lines have
// where the family is alone; lines that are not there belong to all.
void take_owners(const std::string& whole_text,
                 FamilyLines& whole,
                 const std::string& alone_text,
                 const FamilyLines& alone) {
  const ComparedLines whole_lines(whole_text);
  const ComparedLines alone_lines(alone_text);
  const auto hunks = diff_lines(whole_lines.chosen(whole.lines),
                                alone_lines.chosen(alone.lines));
  std::size_t i = 0;
  std::size_t j = 0;
  const auto equal_until = [&](std::size_t end) {
    for (; i < end; ++i, ++j) {
      whole.owners[i] = alone.owners[j];
    }
  };
  for (const LineHunk& hunk : hunks) {
    equal_until(hunk.a_begin);
    i = hunk.a_end;
    j = hunk.b_end;
  }
  equal_until(whole.lines.size());
}

// The first and the last family of the program that is not `family`.
Operators neighbours(const model::NativeFunctions& program,
                     const Operators& family) {
  const auto is_other = [&](const auto& f) {
    return std::find(family.begin(), family.end(), f.get()) == family.end();
  };
  const auto& all = program.functions;
  const auto first = std::find_if(all.begin(), all.end(), is_other);
  const auto last = std::find_if(all.rbegin(), all.rend(), is_other);
  if (first == all.end()) {
    return {};
  }
  Operators found = family_of(program, **first);
  for (const NativeFunction* f : family_of(program, **last)) {
    if (std::find(found.begin(), found.end(), f) == found.end()) {
      found.push_back(f);
    }
  }
  return found;
}

// Functionalization makes kernels for operators that write, and the out=
// variant cannot be taken from a group, so what no other member owns there is
// its own.
void give_out_its_kernels(const Operators& family, FamilyAlone& alone) {
  const NativeFunction* out = nullptr;
  for (const NativeFunction* f : family) {
    if (f->func.is_out_fn()) {
      if (out != nullptr) {
        return;
      }
      out = f;
    }
  }
  if (out == nullptr) {
    return;
  }
  for (auto& [path, file] : alone.files) {
    if (path.find("RegisterFunctionalization") == std::string::npos) {
      continue;
    }
    const auto lines = split_lines(alone.texts.at(path));
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      if (file.owners[i] == nullptr &&
          !lines[file.lines[i]].starts_with("#include")) {
        file.owners[i] = out;
      }
    }
  }
}

}  // namespace

GoneLines lines_gone(const FileTexts& with, const FileTexts& without) {
  GoneLines gone;
  for (const auto& [path, text] : with) {
    const auto other = without.find(path);
    const std::string_view left =
        other == without.end() ? std::string_view() : other->second;
    if (other != without.end() && left == text) {
      continue;
    }
    std::vector<std::size_t>& lines = gone[path];
    const ComparedLines lines_with(text);
    const ComparedLines lines_without(left);
    for (const LineHunk& hunk :
         diff_lines(lines_with.all(), lines_without.all())) {
      for (std::size_t i = hunk.a_begin; i < hunk.a_end; ++i) {
        lines.push_back(i);
      }
    }
  }
  return gone;
}

std::optional<FamilyAlone> family_alone(const WholeGeneration& generation,
                                        const Operators& family) {
  const Operators others = neighbours(*generation.program(), family);
  Operators all = others;
  all.insert(all.end(), family.begin(), family.end());
  ProgramFilter filter(*generation.program());
  FamilyAlone alone;
  try {
    filter.only(all);
    alone.texts = generation.make_or_throw(1);
    filter.only(others);
    for (auto& [path, lines] :
         lines_gone(alone.texts, generation.make_or_throw(1))) {
      FamilyLines& file = alone.files[path];
      file.owners.resize(lines.size());
      file.lines = std::move(lines);
    }
  } catch (const std::exception&) {
    return std::nullopt;
  }
  std::map<std::string, std::vector<bool>> claimed;
  for (const NativeFunction* member : family) {
    try {
      filter.only_without(all, *member);
      claim(*member,
            lines_gone(alone.texts, generation.make_or_throw(1)),
            alone.files,
            claimed);
    } catch (const std::exception&) {
      // The rest of the family makes no sense without it: its lines are shared.
      continue;
    }
  }
  give_out_its_kernels(family, alone);
  return alone;
}

FamilyFiles find_family(const WholeGeneration& generation,
                        const FileTexts& all,
                        const Operators& family,
                        std::size_t threads) {
  GoneLines gone;
  {
    ProgramFilter filter(*generation.program());
    filter.without(family);
    gone = lines_gone(all, generation.make_or_throw(threads));
  }
  const auto alone = family_alone(generation, family);
  FamilyFiles files;
  for (auto& [path, lines] : gone) {
    FamilyLines& file = files[path];
    file.owners.resize(lines.size());
    file.lines = std::move(lines);
    if (!alone) {
      continue;
    }
    const auto found = alone->files.find(path);
    if (found != alone->files.end()) {
      take_owners(all.at(path), file, alone->texts.at(path), found->second);
    }
  }
  return files;
}

}  // namespace opgen::backend
