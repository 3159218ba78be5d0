// `opgen aten`: every file that torchgen.gen writes.
//
// Functions here declare files: which there are, from which template, and which
// emitters fill the holes. The texts are made later, when the jobs run, so all
// that an AtenRun refers to must live until then.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "opgen/emit/aten_items.h"
#include "opgen/emit/aten_keys.h"
#include "opgen/emit/options.h"
#include "opgen/model/native_functions.h"
#include "opgen/model/selective_builder.h"
#include "opgen/text/file_manager.h"

namespace opgen::emit {

// The folders and sets of files that torchgen tells apart.
struct AtenFileManagers {
  text::FileManager core;
  text::FileManager cpu;
  text::FileManager cpu_vec;
  text::FileManager cuda;
  std::optional<text::FileManager> xpu;
  text::FileManager ops;
  text::FileManager aoti;
  text::FileManager headeronly;

  AtenFileManagers(const AtenOptions& options, text::JobList& jobs);

  // Where the files of a key go.
  text::FileManager& of(model::DispatchKey key);
};

struct AtenRun {
  const AtenOptions& options;
  const AtenKeys& keys;
  const model::NativeFunctions& program;
  const model::SelectiveBuilder& selector;
  text::JobList& jobs;
  AtenFileManagers& files;
  std::size_t threads = 1;  // for work that decides which files there are
  // Whether set_output_* of structured kernels takes names, as until PyTorch
  // 2.12: generated code then needs NamedTensorUtils.h, which the template
  // RegisterDispatchKey.cpp of such a tree includes.
  bool named_tensors = false;

  AtenItems items;
  // NativeFunctionsGroups among the grouped functions, in order.
  std::vector<const model::NativeFunctionsGroup*> structured_native_functions;
  std::vector<const model::NativeFunctionsViewGroup*> view_groups;
  std::vector<const model::BackendIndex*> static_dispatch_idx;
  // Of every key, in the order in which functions name them first.
  std::vector<const model::BackendIndex*> backend_indices;

  AtenRun(const AtenOptions& options,
          const AtenKeys& keys,
          const model::NativeFunctions& program,
          const model::SelectiveBuilder& selector,
          text::JobList& jobs,
          AtenFileManagers& files);

  const model::BackendIndex& backend_index(model::DispatchKey key) const;
  // Places of the grouped functions that the key may make something for.
  std::vector<std::uint32_t> items_of(model::DispatchKey key) const;
};

// torchgen.gen.gen_headers; the two variants of it.
void gen_headers(const AtenRun& run);
void gen_per_operator_headers(const AtenRun& run);
void gen_aggregated_headers(const AtenRun& run);

// torchgen.gen.gen_source_files and its parts. Return false, and say why, where
// the AOTInductor shim needs an update.
void gen_source_files(const AtenRun& run);
void gen_dispatch_key_sources(const AtenRun& run);
void gen_functionalization_sources(const AtenRun& run);

void gen_declarations_yaml(const AtenRun& run);

// The lists of files for -o.
void gen_output_dependencies(const AtenRun& run);

}  // namespace opgen::emit
