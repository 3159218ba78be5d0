// Reads native_functions.yaml and tags.yaml into the model.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "opgen/model/dispatch_key.h"
#include "opgen/model/native_functions.h"
#include "opgen/schema/function_site.h"
#include "opgen/text/diagnostics.h"
#include "opgen/text/source.h"

namespace opgen::schema {

struct LoadOptions {
  std::string native_functions_path;
  std::string tags_path;
  // Read instead of the paths, where not null.
  std::shared_ptr<const text::SourceFile> native_functions = nullptr;
  std::shared_ptr<const text::SourceFile> tags = nullptr;

  // What dispatch tables may name; all_dispatch_keys() if empty.
  std::vector<model::DispatchKey> valid_keys = {};
  // Entries of dispatch tables to drop. Need not be valid keys.
  std::set<model::DispatchKey> ignore_keys = {};
  // Whether to add the functions that native_functions.yaml leaves out, and to
  // group views with the operators that copy.
  bool generate_missing_functions = true;
};

struct LoadedFunctions {
  // What diagnostics and sites point into; null for a file that cannot be read.
  std::shared_ptr<const text::SourceFile> native_functions_file;
  std::shared_ptr<const text::SourceFile> tags_file;
  // By the functions' ids.
  FunctionSites sites;
  // Nothing if there was an error.
  std::optional<model::NativeFunctions> functions;
};

// Reads, checks, generates and groups. Reports all that is wrong; when an entry
// cannot be read, what depends on all entries is not checked.
LoadedFunctions load_native_functions(const LoadOptions& options,
                                      text::Diagnostics& diagnostics);

}  // namespace opgen::schema
