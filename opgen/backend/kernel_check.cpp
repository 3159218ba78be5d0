#include "opgen/backend/kernel_check.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "opgen/backend/kernel_check_definitions.h"
#include "opgen/text/characters.h"
#include "opgen/text/diagnostics.h"
#include "opgen/text/source.h"
#include "opgen/text/suggest.h"

namespace opgen::backend {
namespace {

using text::DiagnosticId;

struct Site {
  const text::SourceFile* file = nullptr;
  FunctionDefinition definition;

  text::SourceRange range() const {
    const auto begin = static_cast<std::size_t>(definition.text.data() -
                                                file->contents().data());
    return {file, begin, begin + definition.text.size()};
  }
};

std::string qualified_name(const std::vector<std::string>& path) {
  std::string text;
  for (const std::string& name : path) {
    text += text.empty() ? "" : "::";
    text += name;
  }
  return text;
}

// What keeps a definition from being the kernel, counted and in words.
struct Mismatch {
  std::size_t count = 0;
  std::string words;
};

Mismatch compare(const std::vector<std::string>& expected,
                 const std::vector<std::string>& spelled,
                 const std::vector<std::string>& found) {
  Mismatch mismatch;
  const std::size_t common = std::min(expected.size(), found.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (expected[i] == found[i]) {
      continue;
    }
    if (mismatch.count++ == 0) {
      mismatch.words = "parameter " + std::to_string(i + 1) + " is '" +
                       found[i] + "', expected '" + spelled[i] + '\'';
    }
  }
  if (expected.size() != found.size()) {
    mismatch.count += std::max(expected.size(), found.size()) - common;
    mismatch.words = "it has " + std::to_string(found.size()) +
                     (found.size() == 1 ? " parameter" : " parameters") +
                     ", expected " + std::to_string(expected.size());
  }
  return mismatch;
}

class Checker {
 public:
  Checker(std::span<const ExpectedKernel> kernels,
          const SourceFiles& sources,
          text::Diagnostics& diagnostics)
      : kernels_(kernels), diagnostics_(diagnostics) {
    for (const auto& source : sources) {
      for (FunctionDefinition& definition :
           find_definitions(source->contents())) {
        sites_.push_back({source.get(), std::move(definition)});
      }
    }
    for (const Site& site : sites_) {
      by_name_[site.definition.name()].push_back(&site);
    }
  }

  void run() {
    std::vector<const ExpectedKernel*> open;
    for (const ExpectedKernel& kernel : kernels_) {
      if (!has_definition(kernel)) {
        open.push_back(&kernel);
      }
    }
    for (const ExpectedKernel* kernel : open) {
      report(*kernel);
    }
  }

 private:
  static std::vector<std::string> normalized(
      const std::vector<std::string>& types) {
    std::vector<std::string> result;
    result.reserve(types.size());
    for (const std::string& type : types) {
      result.push_back(normalize_type(type));
    }
    return result;
  }

  std::vector<const Site*> named(const std::string& name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? std::vector<const Site*>{} : found->second;
  }

  static bool is_in_place(const ExpectedKernel& kernel, const Site& site) {
    const std::vector<std::string>& path = site.definition.path;
    return kernel.path.size() <= path.size() &&
           std::equal(kernel.path.rbegin(), kernel.path.rend(), path.rbegin());
  }

  bool has_definition(const ExpectedKernel& kernel) {
    const std::vector<std::string> expected = normalized(kernel.parameters);
    for (const Site* site : named(kernel.path.back())) {
      if (is_in_place(kernel, *site) &&
          site->definition.parameters == expected) {
        used_.insert(site);
        return true;
      }
    }
    return false;
  }

  void report(const ExpectedKernel& kernel) {
    const std::vector<std::string> expected = normalized(kernel.parameters);
    const Site* nearest = nullptr;
    Mismatch least;
    for (const Site* site : named(kernel.path.back())) {
      if (!is_in_place(kernel, *site) || used_.contains(site)) {
        continue;
      }
      Mismatch mismatch =
          compare(expected, kernel.parameters, site->definition.parameters);
      if (nearest == nullptr || mismatch.count < least.count) {
        nearest = site;
        least = std::move(mismatch);
      }
    }
    if (nearest == nullptr) {
      report_missing(kernel);
      return;
    }
    used_.insert(nearest);
    diagnostics_
        .error(DiagnosticId::kKernelSignature,
               nearest->range(),
               {qualified_name(kernel.path), kernel.operator_name, least.words})
        .note(kernel.where, "expected: " + kernel.declaration);
  }

  void report_missing(const ExpectedKernel& kernel) {
    text::Diagnostic& error =
        diagnostics_.error(DiagnosticId::kKernelMissing,
                           kernel.where,
                           {qualified_name(kernel.path), kernel.operator_name});
    error.note({}, "expected: " + kernel.declaration);
    for (const Site* site : named(kernel.path.back())) {
      if (!is_in_place(kernel, *site)) {
        error.note(site->range(),
                   '\'' + site->definition.qualified_name() + "' is not in '" +
                       kernel.path.front() + '\'');
        return;
      }
    }
    error.did_you_mean(nearest_name(kernel));
  }

  // Of a function in the same class that no kernel asks for.
  std::string nearest_name(const ExpectedKernel& kernel) const {
    std::vector<std::string_view> candidates;
    for (const Site& site : sites_) {
      const std::vector<std::string>& path = site.definition.path;
      if (path.size() >= 2 && kernel.path.size() >= 2 &&
          path[path.size() - 2] == kernel.path[kernel.path.size() - 2] &&
          !used_.contains(&site)) {
        candidates.push_back(site.definition.name());
      }
    }
    return text::suggest(kernel.path.back(), candidates);
  }

  std::span<const ExpectedKernel> kernels_;
  text::Diagnostics& diagnostics_;
  std::vector<Site> sites_;
  std::unordered_map<std::string, std::vector<const Site*>> by_name_;
  std::set<const Site*> used_;
};

// The word after `begin` and white space, if a parenthesis follows it; `end`
// gets the place after the parenthesis.
std::string_view called_name(std::string_view text,
                             std::size_t begin,
                             std::size_t& end) {
  while (begin < text.size() && text::is_python_space(text[begin])) {
    ++begin;
  }
  end = begin;
  while (end < text.size() && text::is_word(text[end])) {
    ++end;
  }
  if (end >= text.size() || text[end] != '(') {
    end = 0;
    return {};
  }
  return text.substr(begin, end++ - begin);
}

// The last place in `line` where `prefix` is followed by a called name; npos if
// there is none. The name may stand on a later line of `text`.
std::size_t last_call(std::string_view text,
                      std::size_t line_begin,
                      std::size_t line_end,
                      const std::string& prefix,
                      std::string_view& name,
                      std::size_t& end) {
  const std::string_view line = text.substr(line_begin, line_end - line_begin);
  std::size_t found = line.rfind(prefix);
  while (found != std::string_view::npos) {
    name = called_name(text, line_begin + found + prefix.size(), end);
    if (end != 0) {
      return line_begin + found;
    }
    found = found == 0 ? std::string_view::npos : line.rfind(prefix, found - 1);
  }
  return std::string_view::npos;
}

// How often each name follows `prefix`, which counts once a line, at its last
// occurrence, and not after a colon.
std::map<std::string_view, std::size_t> count_names(std::string_view text,
                                                    const std::string& prefix) {
  std::map<std::string_view, std::size_t> counts;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t line_end =
        std::min(text.find_first_of("\r\n", begin), text.size());
    std::string_view name;
    std::size_t end = 0;
    const std::size_t found =
        last_call(text, begin, line_end, prefix, name, end);
    if (found == std::string_view::npos) {
      begin = line_end + 1;
      continue;
    }
    if (found == begin || text[found - 1] != ':') {
      ++counts[name];
    }
    begin = end;
  }
  return counts;
}

}  // namespace

void check_kernels(std::span<const ExpectedKernel> kernels,
                   const SourceFiles& sources,
                   text::Diagnostics& diagnostics) {
  Checker(kernels, sources, diagnostics).run();
}

void error_on_missing_kernels(std::span<const ExpectedKernel> kernels,
                              const text::SourceFile& source,
                              text::Diagnostics& diagnostics) {
  std::vector<std::pair<std::string, std::vector<const ExpectedKernel*>>> names;
  std::unordered_map<std::string, std::size_t> positions;
  for (const ExpectedKernel& kernel : kernels) {
    const auto [it, is_new] =
        positions.try_emplace(kernel.path.back(), names.size());
    if (is_new) {
      names.push_back({kernel.path.back(), {}});
    }
    names[it->second].second.push_back(&kernel);
  }
  if (kernels.empty()) {
    return;
  }
  const auto counts =
      count_names(source.contents(), kernels[0].path.front() + "::");
  for (const auto& [name, expected] : names) {
    const auto count = counts.find(name);
    const std::size_t found = count == counts.end() ? 0 : count->second;
    if (found == expected.size()) {
      continue;
    }
    text::Diagnostic& error =
        diagnostics.error(DiagnosticId::kKernelCount,
                          expected[0]->where,
                          {std::to_string(expected.size()),
                           qualified_name(expected[0]->path),
                           std::to_string(found),
                           source.path()});
    for (const ExpectedKernel* kernel : expected) {
      error.note({}, "expected: " + kernel->declaration);
    }
  }
}

}  // namespace opgen::backend
