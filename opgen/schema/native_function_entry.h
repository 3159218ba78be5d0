// One entry of native_functions.yaml.
#pragma once

#include <memory>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "opgen/model/backend_index.h"
#include "opgen/model/dispatch_key.h"
#include "opgen/model/native_function.h"
#include "opgen/schema/function_site.h"
#include "opgen/schema/schema_error.h"
#include "opgen/text/diagnostics.h"
#include "opgen/text/yaml.h"

namespace opgen::schema {

// What an entry is read against.
struct EntryContext {
  std::span<const model::DispatchKey> valid_keys;
  const std::set<model::DispatchKey>* ignore_keys = nullptr;
  std::vector<std::string_view> valid_tags;
  SchemaLanguage language;
};

using Kernels =
    std::vector<std::pair<model::DispatchKey, model::BackendMetadata>>;

struct NativeFunctionEntry {
  // Null if its schema cannot be read. Its id is still 0.
  std::unique_ptr<model::NativeFunction> function;
  Kernels kernels;  // each key once
  FunctionSite site;
};

// torchgen's NativeFunction.from_yaml and __post_init__. Reports everything
// that is wrong with the entry; site.broken says whether there was anything.
NativeFunctionEntry parse_native_function_entry(const text::YamlNode& node,
                                                const EntryContext& context,
                                                text::Diagnostics& diagnostics);

}  // namespace opgen::schema
