#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "opgen/emit/aten.h"
#include "opgen/emit/env.h"
#include "opgen/emit/functions.h"
#include "opgen/emit/meta_functions.h"
#include "opgen/emit/native_functions.h"
#include "opgen/emit/operators.h"
#include "opgen/emit/static_dispatch.h"
#include "opgen/text/parallel.h"

namespace opgen::emit {
namespace {

using model::DispatchKey;
using model::FunctionOrGroup;
using model::NativeFunction;
using model::NativeFunctionsGroup;
using text::Env;

using Texts = std::vector<std::string>;

// What shares one header: all functions of one root name.
struct RootName {
  std::string name;
  std::vector<const NativeFunction*> functions;
  std::vector<FunctionOrGroup> grouped;
};

using RootNames = std::vector<RootName>;

// In the order in which the names appear first. Sets, for each place in
// grouped_native_functions, the place of its name.
RootNames by_root_name(const model::NativeFunctions& program,
                       std::vector<std::size_t>& root_of_item) {
  RootNames names;
  std::unordered_map<std::string, std::size_t> index;
  for (const auto& f : program.functions) {
    const auto [at, fresh] = index.try_emplace(f->root_name(), names.size());
    if (fresh) {
      names.push_back({f->root_name(), {}, {}});
    }
    names[at->second].functions.push_back(f.get());
  }
  for (const FunctionOrGroup& item : program.grouped_native_functions) {
    root_of_item.push_back(index.at(root_name(item)));
    names[root_of_item.back()].grouped.push_back(item);
  }
  return names;
}

std::vector<const NativeFunctionsGroup*> structured_of(const RootName& root) {
  std::vector<const NativeFunctionsGroup*> found;
  for (const FunctionOrGroup& item : root.grouped) {
    const auto* group = std::get_if<const NativeFunctionsGroup*>(&item);
    if (group != nullptr && (*group)->structured()) {
      found.push_back(*group);
    }
  }
  return found;
}

Env operator_env(const AtenRun& run, const RootName& root) {
  const ComputeOperators compute{Target::kDeclaration, run.static_dispatch_idx};
  Texts texts;
  for (const NativeFunction* f : root.functions) {
    texts.push_back(compute(*f));
  }
  return env_of("declarations", std::move(texts));
}

Env function_env(const AtenRun& run, const RootName& root) {
  Texts headers;
  Texts definitions;
  for (const NativeFunction* f : root.functions) {
    if (auto made = static_dispatch_ops_header(*f, run.static_dispatch_idx)) {
      headers.push_back(std::move(*made));
    }
    if (auto made = compute_function(*f)) {
      definitions.push_back(std::move(*made));
    }
  }
  return env_of("static_dispatch_ops_headers",
                std::move(headers),
                "operator_includes",
                "#include <ATen/ops/" + root.name + "_ops.h>",
                "function_definitions",
                std::move(definitions));
}

Env native_env(const AtenRun& run, const RootName& root, bool structured) {
  Env env;
  if (structured) {
    env.set("extra_includes", "#include <ATen/ops/" + root.name + "_meta.h>");
  } else {
    env.set("extra_includes", Texts{});
  }
  env.set("native_function_declarations",
          get_native_function_declarations(root.grouped, run.backend_indices));
  return env;
}

void write_headers_of(const AtenRun& run,
                      const std::shared_ptr<const RootName>& shared) {
  const RootName& root = *shared;
  text::FileManager& ops = run.files.ops;
  ops.write_with_template(root.name + "_ops.h", "Operator.h", [&run, shared] {
    return operator_env(run, *shared);
  });
  ops.write_with_template(root.name + ".h", "Function.h", [&run, shared] {
    return function_env(run, *shared);
  });
  const auto structured = structured_of(root);
  if (!structured.empty()) {
    ops.write_with_template(
        root.name + "_meta.h", "NativeMetaFunction.h", [structured] {
          Texts texts;
          for (const NativeFunctionsGroup* g : structured) {
            if (auto made = compute_meta_function_declaration(*g)) {
              texts.push_back(std::move(*made));
            }
          }
          return env_of("meta_function_declarations", std::move(texts));
        });
  }
  const bool is_structured = !structured.empty();
  ops.write_with_template(root.name + "_native.h",
                          "NativeFunction.h",
                          [&run, shared, is_structured] {
                            return native_env(run, *shared, is_structured);
                          });
}

// Names in order, as lines that include one header of each.
Texts include_each(std::vector<std::string> names, const std::string& suffix) {
  std::sort(names.begin(), names.end());
  Texts lines;
  lines.reserve(names.size());
  for (const std::string& name : names) {
    lines.push_back("#include <ATen/ops/" + name + suffix + ".h>");
  }
  return lines;
}

void write_categories(const AtenRun& run,
                      const std::shared_ptr<const RootNames>& roots) {
  std::vector<std::string> names;
  for (const RootName& root : *roots) {
    names.push_back(root.name);
  }
  const std::pair<std::string, std::string> categories[] = {
      {"Functions", ""},
      {"Operators", "_ops"},
      {"NativeMetaFunctions", "_meta"},
      {"NativeFunctions", "_native"}};
  for (const auto& [category, suffix] : categories) {
    run.files.cpu.write(category + ".h",
                        [category = category, suffix = suffix, names] {
                          return env_of(category + "_includes",
                                        include_each(names, suffix),
                                        category + "_declarations",
                                        Texts{});
                        });
  }
  run.files.cpu.write("MethodOperators.h", [roots] {
    Texts lines;
    for (const RootName& root : *roots) {
      const auto& all = root.functions;
      if (std::any_of(all.begin(), all.end(), [](const NativeFunction* f) {
            return f->method_variant;
          })) {
        lines.push_back("#include <ATen/ops/" + root.name + "_ops.h>");
      }
    }
    std::sort(lines.begin(), lines.end());
    return env_of("MethodOperators_includes",
                  std::move(lines),
                  "MethodOperators_declarations",
                  Texts{});
  });
}

// The declarations of one key, per root name; decide which headers exist.
std::vector<Texts> dispatch_declarations(
    const AtenRun& run,
    DispatchKey key,
    const RootNames& roots,
    const std::vector<std::size_t>& root_of_item) {
  const RegisterDispatchKey emitter{.backend_index = &run.backend_index(key),
                                    .target = Target::kNamespacedDeclaration,
                                    .selector = &run.selector,
                                    .rocm = run.options.rocm,
                                    .symint = true,
                                    .class_method_name = std::nullopt,
                                    .skip_dispatcher_op_registration = false};
  std::vector<Texts> declarations(roots.size());
  for (const std::uint32_t item : run.items_of(key)) {
    emitter.generate(run.program.grouped_native_functions[item],
                     declarations[root_of_item[item]]);
  }
  return declarations;
}

void write_dispatch_headers(const AtenRun& run,
                            DispatchKey key,
                            const RootNames& roots,
                            std::vector<Texts> declarations) {
  const std::string dispatch_namespace = lower_name_of(key);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < roots.size(); ++i) {
    if (declarations[i].empty()) {
      continue;
    }
    names.push_back(roots[i].name);
    run.files.ops.write_with_template(
        roots[i].name + "_" + dispatch_namespace + "_dispatch.h",
        "DispatchKeyFunction.h",
        [dispatch_namespace, texts = std::move(declarations[i])] {
          return env_of("dispatch_namespace",
                        dispatch_namespace,
                        "dispatch_namespaced_declarations",
                        texts);
        });
  }
  const std::string name(name_of(key));
  text::FileManager& files = run.files.of(key);
  files.write_with_template(
      name + "Functions.h", "DispatchKeyFunctions.h", [name] {
        return env_of("dispatch_key",
                      name,
                      "inline_headers",
                      "#include <ATen/" + name + "Functions_inl.h>");
      });
  files.write_with_template(
      name + "Functions_inl.h",
      "DispatchKeyFunctions_inl.h",
      [dispatch_namespace, names] {
        return env_of(
            "dispatch_namespace",
            dispatch_namespace,
            "DispatchKeyFunctions_inl_includes",
            include_each(names, "_" + dispatch_namespace + "_dispatch"),
            "dispatch_namespaced_declarations",
            Texts{});
      });
}

}  // namespace

void gen_per_operator_headers(const AtenRun& run) {
  std::vector<std::size_t> root_of_item;
  const auto roots = std::make_shared<const RootNames>(
      by_root_name(run.program, root_of_item));
  for (const RootName& root : *roots) {
    // Shares the ownership of the whole list.
    write_headers_of(run, {roots, &root});
  }
  write_categories(run, roots);
  std::vector<DispatchKey> keys;
  for (const DispatchKey key : run.keys.dispatch_keys) {
    if (run.keys.functions_keys.contains(key)) {
      keys.push_back(key);
    }
  }
  std::vector<std::vector<Texts>> declarations(keys.size());
  text::parallel_for(keys.size(), run.threads, [&](std::size_t i) {
    declarations[i] = dispatch_declarations(run, keys[i], *roots, root_of_item);
  });
  for (std::size_t i = 0; i < keys.size(); ++i) {
    write_dispatch_headers(run, keys[i], *roots, std::move(declarations[i]));
  }
}

}  // namespace opgen::emit
