#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "opgen/emit/aten.h"
#include "opgen/emit/aten_symbols.h"
#include "opgen/emit/env.h"
#include "opgen/emit/functions.h"
#include "opgen/emit/meta_functions.h"
#include "opgen/emit/native_functions.h"
#include "opgen/emit/operators.h"
#include "opgen/emit/redispatch_functions.h"
#include "opgen/emit/registration_declarations.h"
#include "opgen/emit/static_dispatch.h"
#include "opgen/emit/tensor_method.h"
#include "opgen/emit/vmap_plumbing.h"

namespace opgen::emit {
namespace {

using model::DispatchKey;
using model::NativeFunction;
using text::Env;

using Texts = std::vector<std::string>;

std::vector<const NativeFunction*> functions_where(const AtenRun& run,
                                                   bool method) {
  std::vector<const NativeFunction*> found;
  for (const auto& f : run.program.functions) {
    if (f->method_variant == method) {
      found.push_back(f.get());
    }
  }
  return found;
}

Texts operator_declarations(const AtenRun& run, bool method) {
  const ComputeOperators compute{Target::kDeclaration, run.static_dispatch_idx};
  Texts texts;
  for (const NativeFunction* f : functions_where(run, method)) {
    texts.push_back(compute(*f));
  }
  return texts;
}

// One text per function for which `compute` gives one.
template <class Compute>
Texts map_maybe(const AtenRun& run, const Compute& compute) {
  Texts texts;
  for (const auto& f : run.program.functions) {
    if (auto made = compute(*f)) {
      texts.push_back(std::move(*made));
    }
  }
  return texts;
}

void gen_operators_header(const AtenRun& run) {
  text::FileManager& cpu = run.files.cpu;
  cpu.write("NativeMetaFunctions.h", [&run] {
    Texts declarations;
    for (const auto* g : run.structured_native_functions) {
      if (auto made = compute_meta_function_declaration(*g)) {
        declarations.push_back(std::move(*made));
      }
    }
    return env_of("NativeMetaFunctions_includes",
                  Texts{},
                  "NativeMetaFunctions_declarations",
                  std::move(declarations));
  });
  cpu.write("MethodOperators.h", [&run] {
    return env_of("MethodOperators_includes",
                  Texts{},
                  "MethodOperators_declarations",
                  operator_declarations(run, true));
  });
  cpu.write("Operators.h", [&run] {
    return env_of("Operators_includes",
                  Texts{"#include <ATen/MethodOperators.h>"},
                  "Operators_declarations",
                  operator_declarations(run, false));
  });
  cpu.write("Functions.h", [&run] {
    return env_of("static_dispatch_extra_headers",
                  static_dispatch_extra_headers(run.static_dispatch_idx),
                  "Functions_includes",
                  Texts{"#include <ATen/Operators.h>"},
                  "Functions_declarations",
                  map_maybe(run, compute_function));
  });
  cpu.write("NativeFunctions.h", [&run] {
    return env_of(
        "NativeFunctions_includes",
        Texts{"#include <ATen/NativeMetaFunctions.h>"},
        "NativeFunctions_declarations",
        get_native_function_declarations(run.program.grouped_native_functions,
                                         run.backend_indices));
  });
}

}  // namespace

void gen_aggregated_headers(const AtenRun& run) {
  gen_operators_header(run);
  for (const DispatchKey key : run.keys.dispatch_keys) {
    if (!run.keys.functions_keys.contains(key)) {
      continue;
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
        name + "Functions_inl.h", "DispatchKeyFunctions_inl.h", [&run, key] {
          return env_of(
              "DispatchKeyFunctions_inl_includes",
              Texts{},
              "dispatch_namespace",
              lower_name_of(key),
              "dispatch_namespaced_declarations",
              get_namespaced_declaration(
                  run.program.grouped_native_functions,
                  run.backend_index(key),
                  {.selector = &run.selector, .rocm = run.options.rocm}));
        });
  }
}

void gen_headers(const AtenRun& run) {
  if (run.options.per_operator_headers) {
    gen_per_operator_headers(run);
  } else {
    gen_aggregated_headers(run);
  }
  run.files.core.write("TensorBody.h", [&run] {
    const auto methods = [&run](Target target) {
      const ComputeTensorMethod compute{target, run.static_dispatch_idx};
      return map_maybe(run, compute);
    };
    return env_of("tensor_method_declarations",
                  methods(Target::kDeclaration),
                  "tensor_method_definitions",
                  methods(Target::kDefinition));
  });
  run.files.cpu.write("RedispatchFunctions.h", [&run] {
    return env_of("function_redispatch_definitions",
                  map_maybe(run, compute_redispatch_function));
  });
  run.files.cpu.write("RegistrationDeclarations.h", [&run] {
    Texts texts;
    for (const auto& f : run.program.functions) {
      texts.push_back(
          compute_registration_declarations(*f, run.program.backend_indices));
    }
    return env_of("registration_declarations", std::move(texts));
  });
  run.files.cpu.write_text("VmapGeneratedPlumbing.h", [&run] {
    return gen_all_vmap_plumbing(run.program.functions);
  });
  run.files.core.write("aten_interned_strings.h", [&run] {
    return gen_aten_interned_strings(run.program);
  });
  run.files.headeronly.write("enum_tag.h",
                             [&run] { return gen_tags_enum(run.program); });
}

}  // namespace opgen::emit
