#include "opgen/backend/explain.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "opgen/backend/diff_lines.h"
#include "opgen/backend/explain_generation.h"
#include "opgen/backend/explain_lines.h"
#include "opgen/backend/generate.h"
#include "opgen/backend/program_filter.h"
#include "opgen/model/backend_index.h"
#include "opgen/model/dispatch_key.h"
#include "opgen/model/function_schema.h"
#include "opgen/model/native_function.h"
#include "opgen/model/native_functions.h"
#include "opgen/model/native_functions_group.h"
#include "opgen/text/diagnostics.h"
#include "opgen/text/suggest.h"

namespace opgen::backend {
namespace {

using model::NativeFunction;
using model::NativeFunctions;

std::string_view without_namespace(std::string_view name) {
  const std::size_t colons = name.rfind("::");
  return colons == std::string_view::npos ? name : name.substr(colons + 2);
}

// The operators that a name means: one overload, or all of a base name.
Operators operators_named(const NativeFunctions& program,
                          std::string_view name) {
  const std::string_view plain = without_namespace(name);
  Operators exact;
  Operators overloads;
  for (const auto& f : program.functions) {
    if (plain.size() != name.size() &&
        f->namespace_ != name.substr(0, name.size() - plain.size() - 2)) {
      continue;
    }
    if (f->func.name.str() == plain) {
      exact.push_back(f.get());
    } else if (f->func.name.name.str() == plain) {
      overloads.push_back(f.get());
    }
  }
  return exact.empty() ? overloads : exact;
}

// Names near the one that does not exist, the nearest first.
std::vector<std::string> near_names(const NativeFunctions& program,
                                    std::string_view name) {
  constexpr std::size_t kMost = 5;
  const std::string plain{without_namespace(name)};
  const bool overload = plain.find('.') != std::string::npos;
  const std::string base = plain.substr(0, plain.find('.'));
  const std::size_t limit = std::max<std::size_t>(2, plain.size() / 3);
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const auto& f : program.functions) {
    const std::string full = f->func.name.str();
    const std::string own = f->func.name.name.str();
    std::size_t distance =
        text::edit_distance(plain, overload ? full : own, limit);
    if (overload && own == base) {
      distance = std::min(distance, limit);
    }
    if (distance <= limit) {
      found.emplace_back(distance,
                         f->namespace_ + "::" + (overload ? full : own));
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  std::vector<std::string> names;
  for (auto& [distance, near] : found) {
    if (names.size() < kMost) {
      names.push_back(std::move(near));
    }
  }
  return names;
}

void report_unknown(const NativeFunctions& program,
                    const std::string& name,
                    text::Diagnostics& diagnostics) {
  const std::vector<std::string> near = near_names(program, name);
  text::Diagnostic& entry = diagnostics.error(
      text::DiagnosticId::kExplainUnknownOperator, {}, {name});
  if (near.empty()) {
    return;
  }
  entry.did_you_mean(near[0]);
  std::string others;
  for (std::size_t i = 1; i < near.size(); ++i) {
    others += (i == 1 ? "" : ", ") + near[i];
  }
  if (!others.empty()) {
    entry.note({}, "other names like it: " + others);
  }
}

std::string_view role_of(const NativeFunction& f) {
  switch (f.func.kind()) {
    case model::SchemaKind::kFunctional:
      return "functional";
    case model::SchemaKind::kInplace:
      return "in-place";
    case model::SchemaKind::kOut:
      return "out=";
    case model::SchemaKind::kMutable:
      return "mutable";
    case model::SchemaKind::kScratch:
      return "scratch";
  }
  return "";
}

void fill_group(const NativeFunctions& program,
                const NativeFunction& f,
                Explanation& result) {
  const auto add = [&](const auto* group) {
    const Operators all = group->functions();
    if (std::find(all.begin(), all.end(), &f) == all.end()) {
      return;
    }
    for (const NativeFunction* member : all) {
      std::string text = member->func.name.str() + " (" +
                         std::string(role_of(*member)) +
                         (member->has_tag("generated") ? ", generated)" : ")");
      if (member != &f &&
          std::find(result.group.begin(), result.group.end(), text) ==
              result.group.end()) {
        result.group.push_back(std::move(text));
      }
    }
  };
  for (const auto& item : program.grouped_native_functions) {
    if (const auto* group =
            std::get_if<const model::NativeFunctionsGroup*>(&item)) {
      add(*group);
    }
  }
  for (const auto& item : program.native_functions_with_view_groups) {
    if (const auto* group =
            std::get_if<const model::NativeFunctionsViewGroup*>(&item)) {
      add(*group);
    }
  }
}

// The entry that a generated operator comes from: its site is that of another.
std::string source_of(const WholeGeneration& generation,
                      const NativeFunction& f) {
  const auto& sites = generation.loaded().sites;
  for (const auto& other : generation.program()->functions) {
    if (!other->has_tag("generated") &&
        sites[other->id].name == sites[f.id].name) {
      return other->func.name.str();
    }
  }
  return "";
}

void fill_dispatch(const NativeFunctions& program,
                   const NativeFunction& f,
                   Explanation& result) {
  for (const model::DispatchKey key : program.backend_index_order) {
    const auto index = program.backend_indices.find(key);
    const model::BackendMetadata* metadata =
        index == program.backend_indices.end() ? nullptr
                                               : index->second.get_kernel(f);
    if (metadata != nullptr) {
      result.dispatch.emplace_back(
          model::name_of(key),
          metadata->cpp_namespace + "::" + metadata->kernel);
    }
  }
}

Explanation head_of(const WholeGeneration& generation,
                    const NativeFunction& f,
                    const Operators& family) {
  const NativeFunctions& program = *generation.program();
  Explanation result;
  result.name = f.namespace_ + "::" + f.func.name.str();
  result.schema = f.func.str();
  const text::SourceRange& place = generation.loaded().sites[f.id].name;
  if (place.file != nullptr) {
    result.file = place.file->path();
    result.line = place.file->position(place.begin).line;
  }
  if (f.has_tag("generated")) {
    result.generated_from = source_of(generation, f);
  }
  if (f.function_variant) {
    result.variants.emplace_back("function");
  }
  if (f.method_variant) {
    result.variants.emplace_back("method");
  }
  fill_dispatch(program, f, result);
  if (f.structured) {
    result.structured = "structured";
  } else if (f.structured_delegate) {
    result.structured = "delegates to " + f.structured_delegate->str();
  }
  fill_group(program, f, result);
  for (const NativeFunction* member : family) {
    result.family.push_back(member->func.name.str());
  }
  for (const model::OperatorName& name : f.autogen) {
    result.autogen.push_back(name.str());
  }
  result.tags = f.tags;
  return result;
}

// The lines of one file as ranges. Blank lines at the ends are left out.
ExplainedFile explained_file(const std::string& path,
                             const std::string& text,
                             const FamilyLines& family,
                             const NativeFunction& f,
                             bool with_lines) {
  ExplainedFile file;
  file.kind = kind_of_output(path).name;
  file.path = path;
  const std::vector<std::string_view> lines = split_lines(text);
  std::size_t end = 0;  // of the last range, blank lines included
  for (std::size_t i = 0; i < family.lines.size(); ++i) {
    const NativeFunction* owner = family.owners[i];
    const std::size_t line = family.lines[i];
    if (owner != nullptr && owner != &f) {
      continue;
    }
    const bool shared = owner == nullptr;
    const bool blank = lines[line].empty();
    std::vector<LineRange>& ranges = file.ranges;
    if (!ranges.empty() && end == line &&
        (blank || ranges.back().shared == shared)) {
      ranges.back().last = blank ? ranges.back().last : line + 1;
      end = line + 1;
    } else if (!blank) {
      ranges.push_back({line + 1, line + 1, shared});
      end = line + 1;
    }
  }
  if (with_lines) {
    for (const LineRange& range : file.ranges) {
      for (std::size_t i = range.first; i <= range.last; ++i) {
        file.lines.emplace_back(lines[i - 1]);
      }
    }
  }
  return file;
}

void fill_files(const FileTexts& all,
                const FamilyFiles& family,
                const NativeFunction& f,
                bool with_lines,
                Explanation& result) {
  for (const auto& [path, lines] : family) {
    ExplainedFile file =
        explained_file(path, all.at(path), lines, f, with_lines);
    if (!file.ranges.empty()) {
      result.files.push_back(std::move(file));
    }
  }
  std::stable_sort(result.files.begin(),
                   result.files.end(),
                   [](const ExplainedFile& a, const ExplainedFile& b) {
                     return kind_of_output(a.path).order <
                            kind_of_output(b.path).order;
                   });
}

}  // namespace

std::vector<Explanation> explain(const ExplainRequest& request, Run& run) {
  const WholeGeneration generation({request.aten, request.autograd_path, ""},
                                   run);
  if (generation.program() == nullptr) {
    return {};
  }
  const NativeFunctions& program = *generation.program();
  const Operators named = operators_named(program, request.name);
  if (named.empty()) {
    report_unknown(program, request.name, run.diagnostics);
    return {};
  }
  const auto all = generation.make(run);
  if (!all) {
    return {};
  }
  std::vector<Explanation> explanations;
  Operators family;
  FamilyFiles files;
  for (const NativeFunction* f : named) {
    if (std::find(family.begin(), family.end(), f) == family.end()) {
      family = family_of(program, *f);
      files = find_family(generation, *all, family, run.threads);
    }
    Explanation result = head_of(generation, *f, family);
    fill_files(*all, files, *f, request.with_lines, result);
    explanations.push_back(std::move(result));
  }
  return explanations;
}

}  // namespace opgen::backend
