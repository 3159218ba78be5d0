#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "opgen/emit/aten.h"
#include "opgen/emit/aten_symbols.h"
#include "opgen/emit/backend_select.h"
#include "opgen/emit/env.h"
#include "opgen/emit/operators.h"
#include "opgen/emit/register_schema.h"
#include "opgen/emit/static_dispatch.h"

namespace opgen::emit {
namespace {

using model::NativeFunction;

using Texts = std::vector<std::string>;

void gen_backend_select(const AtenRun& run) {
  run.files.cpu.write("RegisterBackendSelect.cpp", [&run] {
    Texts headers;
    Texts definitions;
    Texts registrations;
    const ComputeBackendSelect define{Target::kDefinition, &run.selector};
    const ComputeBackendSelect enroll{Target::kRegistration, &run.selector};
    for (const auto& f : run.program.functions) {
      if (!needs_backend_select(*f, run.selector)) {
        continue;
      }
      headers.push_back("#include <ATen/ops/" + f->root_name() + "_ops.h>");
      if (auto made = define(*f)) {
        definitions.push_back(std::move(*made));
      }
      if (auto made = enroll(*f)) {
        registrations.push_back(std::move(*made));
      }
    }
    return env_of("ops_headers",
                  std::move(headers),
                  "backend_select_method_definitions",
                  std::move(definitions),
                  "backend_select_function_registrations",
                  std::move(registrations));
  });
}

void gen_register_schema(const AtenRun& run) {
  run.files.cpu.write("RegisterSchema.cpp", [&run] {
    const auto everything = model::SelectiveBuilder::get_nop_selector();
    SchemaRegistrations made;
    if (!run.options.skip_dispatcher_op_registration) {
      made = get_native_function_schema_registrations(
          run.program.functions,
          run.options.force_schema_registration ? everything : run.selector);
    }
    return env_of("aten_schema_registrations",
                  std::move(made.aten_schema_registrations),
                  "schema_registrations",
                  std::move(made.schema_registrations));
  });
}

void gen_operators_sources(const AtenRun& run) {
  text::FileManager::Sharded sharded;
  sharded.filename = "Operators.cpp";
  sharded.template_fn = "Operators.cpp";
  sharded.items = run.program.functions.size();
  sharded.key = [&run](std::size_t i) -> std::string_view {
    return run.program.functions[i]->root_name();
  };
  sharded.env = [&run](std::size_t i) {
    const NativeFunction& f = *run.program.functions[i];
    const ComputeOperators define{Target::kDefinition, run.static_dispatch_idx};
    return env_of("operator_headers",
                  Texts{"#include <ATen/ops/" + f.root_name() + ".h>"},
                  "definitions",
                  Texts{define(f)});
  };
  sharded.num_shards = 5;
  sharded.base_env =
      env_of("static_dispatch_extra_headers",
             static_dispatch_extra_headers(run.static_dispatch_idx));
  sharded.sharded_keys = {
      "operator_headers", "definitions", "static_dispatch_extra_headers"};
  run.files.cpu.write_sharded(std::move(sharded));
}

}  // namespace

void gen_source_files(const AtenRun& run) {
  gen_dispatch_key_sources(run);
  gen_backend_select(run);
  gen_register_schema(run);
  gen_operators_sources(run);
  run.files.cpu.write("Functions.cpp", [] { return text::Env(); });
  run.files.core.write("TensorMethods.cpp", [] { return text::Env(); });
  run.files.core.write("ATenOpList.cpp", [&run] {
    Texts texts;
    for (const auto& f : run.program.functions) {
      texts.push_back(compute_aten_op(*f));
    }
    return env_of("aten_ops", std::move(texts));
  });
  gen_functionalization_sources(run);
}

}  // namespace opgen::emit
