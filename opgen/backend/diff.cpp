#include "opgen/backend/diff.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "opgen/backend/diff_entry.h"
#include "opgen/backend/diff_lines.h"
#include "opgen/backend/explain_generation.h"
#include "opgen/backend/explain_lines.h"
#include "opgen/backend/generate.h"
#include "opgen/backend/program_filter.h"
#include "opgen/emit/options.h"
#include "opgen/model/native_function.h"
#include "opgen/text/read_file.h"

namespace opgen::backend {
namespace {

namespace fs = std::filesystem;

using model::NativeFunction;

std::string qualified_name(const NativeFunction& f) {
  return f.namespace_ + "::" + f.func.name.str();
}

// One of the two sides.
struct Tree {
  Tree(const std::string& path, const emit::AtenOptions& aten, Run& run)
      : generation(inputs_of(path, aten), run), source(source_of(path, aten)) {
    if (generation.program() != nullptr) {
      for (const auto& f : generation.program()->functions) {
        by_name.emplace(qualified_name(*f), f.get());
      }
    }
  }

  static bool is_file(const std::string& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
  }

  static std::string source_of(const std::string& path,
                               const emit::AtenOptions& aten) {
    return is_file(path) ? aten.source_path : path;
  }

  static WholeGeneration::Inputs inputs_of(const std::string& path,
                                           emit::AtenOptions aten) {
    const bool file = is_file(path);
    aten.source_path = source_of(path, aten);
    return {std::move(aten), "", file ? path : ""};
  }

  WholeGeneration generation;
  std::string source;
  std::map<std::string, const NativeFunction*> by_name;
};

std::size_t count_lines(const std::string& text) {
  return split_lines(text).size();
}

std::vector<FileChange> file_changes(const FileTexts& before,
                                     const FileTexts& after) {
  std::vector<FileChange> changes;
  for (const auto& [path, text] : after) {
    const auto old = before.find(path);
    if (old == before.end()) {
      changes.push_back({ChangeKind::kAdded, path, count_lines(text), 0});
    } else if (old->second != text) {
      FileChange change{ChangeKind::kChanged, path, 0, 0};
      for (const LineHunk& hunk :
           diff_lines(split_lines(old->second), split_lines(text))) {
        change.lines_removed += hunk.a_end - hunk.a_begin;
        change.lines_added += hunk.b_end - hunk.b_begin;
      }
      changes.push_back(std::move(change));
    }
  }
  for (const auto& [path, text] : before) {
    if (!after.contains(path)) {
      changes.push_back({ChangeKind::kRemoved, path, 0, count_lines(text)});
    }
  }
  std::sort(changes.begin(), changes.end(), [](const auto& a, const auto& b) {
    return a.path < b.path;
  });
  return changes;
}

using OperatorChanges = std::map<std::string, OperatorChange>;

OperatorChanges entry_changes(const Tree& before, const Tree& after) {
  OperatorChanges changes;
  for (const auto& [name, f] : after.by_name) {
    const auto old = before.by_name.find(name);
    if (old == before.by_name.end()) {
      changes[name] = {ChangeKind::kAdded, name, {}, {}};
      continue;
    }
    std::vector<std::string> fields = differing_fields(
        entry_fields(*before.generation.program(), *old->second),
        entry_fields(*after.generation.program(), *f));
    if (!fields.empty()) {
      changes[name] = {ChangeKind::kChanged, name, std::move(fields), {}};
    }
  }
  for (const auto& [name, f] : before.by_name) {
    if (!after.by_name.contains(name)) {
      changes[name] = {ChangeKind::kRemoved, name, {}, {}};
    }
  }
  return changes;
}

// Per operator and file the lines of its own and those of its group.
using OperatorTexts =
    std::map<std::string, std::map<std::string, std::vector<std::string>>>;

void add_family(const Tree& tree, const Operators& family, OperatorTexts& all) {
  const auto alone = family_alone(tree.generation, family);
  if (!alone) {
    return;
  }
  for (const auto& [path, lines] : alone->files) {
    const std::vector<std::string_view> text =
        split_lines(alone->texts.at(path));
    for (std::size_t i = 0; i < lines.lines.size(); ++i) {
      for (const NativeFunction* f : family) {
        if (lines.owners[i] == nullptr || lines.owners[i] == f) {
          all[qualified_name(*f)][path].emplace_back(text[lines.lines[i]]);
        }
      }
    }
  }
}

// For the families of all operators of these names.
OperatorTexts family_texts(const Tree& tree,
                           const std::set<std::string>& names) {
  OperatorTexts texts;
  std::set<const NativeFunction*> done;
  for (const std::string& name : names) {
    const auto found = tree.by_name.find(name);
    if (found == tree.by_name.end() || done.contains(found->second)) {
      continue;
    }
    const Operators family =
        family_of(*tree.generation.program(), *found->second);
    done.insert(family.begin(), family.end());
    add_family(tree, family, texts);
  }
  return texts;
}

// The names and those of all members of their families in both trees.
std::set<std::string> with_families(const OperatorChanges& changes,
                                    const Tree& before,
                                    const Tree& after) {
  std::set<std::string> names;
  for (const auto& [name, change] : changes) {
    names.insert(name);
    for (const Tree* tree : {&before, &after}) {
      const auto found = tree->by_name.find(name);
      if (found == tree->by_name.end()) {
        continue;
      }
      for (const NativeFunction* f :
           family_of(*tree->generation.program(), *found->second)) {
        names.insert(qualified_name(*f));
      }
    }
  }
  return names;
}

std::vector<std::string> differing_files(
    const std::map<std::string, std::vector<std::string>>& a,
    const std::map<std::string, std::vector<std::string>>& b) {
  std::set<std::string> paths;
  for (const auto& [path, lines] : a) {
    const auto other = b.find(path);
    if (other == b.end() || other->second != lines) {
      paths.insert(path);
    }
  }
  for (const auto& [path, lines] : b) {
    if (!a.contains(path)) {
      paths.insert(path);
    }
  }
  return {paths.begin(), paths.end()};
}

std::vector<OperatorChange> operator_changes(const Tree& before,
                                             const Tree& after) {
  OperatorChanges changes = entry_changes(before, after);
  const std::set<std::string> names = with_families(changes, before, after);
  const OperatorTexts old_texts = family_texts(before, names);
  const OperatorTexts new_texts = family_texts(after, names);
  for (const auto& [name, text] : new_texts) {
    const auto old = old_texts.find(name);
    if (old == old_texts.end()) {
      continue;
    }
    std::vector<std::string> files = differing_files(old->second, text);
    const auto found = changes.find(name);
    if (found != changes.end()) {
      found->second.files = std::move(files);
    } else if (!files.empty()) {
      changes[name] = {ChangeKind::kChanged, name, {}, std::move(files)};
    }
  }
  std::vector<OperatorChange> list;
  for (auto& [name, change] : changes) {
    list.push_back(std::move(change));
  }
  return list;
}

std::map<std::string, std::string> inputs_below(const std::string& source) {
  std::map<std::string, std::string> texts;
  std::error_code error;
  for (fs::directory_iterator at(source + "/templates", error), end;
       !error && at != end;
       at.increment(error)) {
    texts["templates/" + at->path().filename().string()];
  }
  texts["native/tags.yaml"];
  for (auto& [path, text] : texts) {
    text::read_file(std::string(source).append("/").append(path), text);
  }
  return texts;
}

std::vector<std::string> input_changes(const Tree& before, const Tree& after) {
  std::vector<std::string> paths;
  if (before.source == after.source) {
    return paths;
  }
  const auto old_inputs = inputs_below(before.source);
  const auto new_inputs = inputs_below(after.source);
  for (const auto& [path, text] : new_inputs) {
    const auto old = old_inputs.find(path);
    if (old == old_inputs.end() || old->second != text) {
      paths.push_back(path);
    }
  }
  for (const auto& [path, text] : old_inputs) {
    if (!new_inputs.contains(path)) {
      paths.push_back(path);
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace

std::string_view name_of(ChangeKind kind) {
  switch (kind) {
    case ChangeKind::kAdded:
      return "added";
    case ChangeKind::kRemoved:
      return "removed";
    case ChangeKind::kChanged:
      return "changed";
  }
  return "";
}

TreeDiff diff_trees(const DiffRequest& request, Run& run) {
  const Tree before(request.old_path, request.aten, run);
  const Tree after(request.new_path, request.aten, run);
  if (run.diagnostics.has_errors()) {
    return {};
  }
  std::optional<FileTexts> old_texts = before.generation.make(run);
  run.files.clear();
  std::optional<FileTexts> new_texts = after.generation.make(run);
  run.files.clear();
  if (!old_texts || !new_texts) {
    return {};
  }
  TreeDiff diff;
  diff.files = file_changes(*old_texts, *new_texts);
  diff.operators = operator_changes(before, after);
  diff.inputs = input_changes(before, after);
  return diff;
}

}  // namespace opgen::backend
