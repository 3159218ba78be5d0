// `opgen diff`: what changes in the generated files between two trees, and for
// which operators.
//
// Both trees are generated in memory, everything that `opgen explain` looks at,
// with the same options. Operators that differ are found in the model, not in
// the text: added, removed, or with an entry that says something else. For the
// families of these, and of no others, the text of each member is compared:
// what is generated for an operator depends on its family, on the templates and
// on the other inputs of a tree alone. Where those differ they are named,
// because they may change every operator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "opgen/backend/generate.h"
#include "opgen/emit/options.h"

namespace opgen::backend {

enum class ChangeKind : std::uint8_t { kAdded, kRemoved, kChanged };

std::string_view name_of(ChangeKind kind);

struct FileChange {
  ChangeKind kind = ChangeKind::kChanged;
  std::string path;
  std::size_t lines_added = 0;
  std::size_t lines_removed = 0;
};

struct OperatorChange {
  ChangeKind kind = ChangeKind::kChanged;
  std::string name;                 // "aten::add.Tensor"
  std::vector<std::string> fields;  // of its entry that differ, "schema" first
  // Files in which the operator's own lines, or those it shares with its group,
  // differ. Empty for added and removed operators.
  std::vector<std::string> files;
};

struct TreeDiff {
  std::vector<FileChange> files;          // by path
  std::vector<OperatorChange> operators;  // by name
  // Templates and other inputs that differ, native_functions.yaml aside.
  std::vector<std::string> inputs;

  bool empty() const { return files.empty() && operators.empty(); }
};

struct DiffRequest {
  // Folders with native/ and templates/, as for `opgen aten`, or files instead
  // of native_functions.yaml. For a file, all else comes from the folder
  // aten.source_path.
  std::string old_path;
  std::string new_path;
  emit::AtenOptions aten;
};

// Diagnostics of both trees go to `run`; nothing is compared if there are
// errors.
TreeDiff diff_trees(const DiffRequest& request, Run& run);

std::string diff_text(const TreeDiff& diff);
std::string diff_json(const TreeDiff& diff);

}  // namespace opgen::backend
