#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "opgen/backend/generate.h"
#include "opgen/backend/generation_errors.h"
#include "opgen/backend/load_program.h"
#include "opgen/emit/aoti_c_shim.h"
#include "opgen/emit/aoti_fallback_ops.h"
#include "opgen/emit/aten.h"
#include "opgen/schema/load.h"
#include "opgen/schema/selective_build.h"
#include "opgen/text/read_file.h"

namespace opgen::backend {
namespace {

using text::DiagnosticId;

// Whether every key exists; reports those that do not.
bool check_static_dispatch(const emit::AtenOptions& options,
                           const model::NativeFunctions& program,
                           text::Diagnostics& diagnostics) {
  bool good = true;
  for (const std::string& name : options.static_dispatch_backend) {
    const auto key = model::parse_dispatch_key(name);
    if (!key || !program.backend_indices.contains(*key)) {
      diagnostics.error(DiagnosticId::kStaticDispatchKey, {}, {name});
      good = false;
    }
  }
  return good;
}

bool includes_named_tensors(const emit::AtenOptions& options) {
  std::string text;
  return text::read_file(
             options.source_path + "/templates/RegisterDispatchKey.cpp", text)
             .empty() &&
         text.find("ATen/NamedTensorUtils.h") != std::string::npos;
}

bool gen_aoti_c_shim(const emit::AtenRun& aten, Run& run) {
  const emit::AtenOptions& options = aten.options;
  const auto path = emit::find_fallback_ops(options.source_path);
  if (!path) {
    std::string tried;
    for (const std::string& candidate :
         emit::fallback_ops_candidates(options.source_path)) {
      tried += (tried.empty() ? "" : ", ") + candidate;
    }
    run.diagnostics.error(DiagnosticId::kFallbackOpsMissing, {}, {tried});
    return false;
  }
  run.inputs.push_back(*path);
  emit::FallbackOps ops;
  const std::string problem = emit::load_fallback_ops(*path, ops);
  if (!problem.empty()) {
    run.diagnostics.error(DiagnosticId::kFallbackOps, {}, {problem});
    return false;
  }
  auto made = emit::gen_aoti_c_shim_files(
      aten.program,
      ops,
      {.aoti_backends = aten.keys.aoti_backends,
       .aoti_install_dir = options.aoti_install_dir,
       .rocm = options.rocm,
       .update_aoti_c_shim = options.update_aoti_c_shim,
       .extend_aoti_c_shim = options.extend_aoti_c_shim});
  for (const std::string& error : made.errors) {
    run.diagnostics.error(DiagnosticId::kAotiShimChanged, {}, {error});
  }
  if (!options.dry_run) {
    for (emit::AotiShimFile& file : made.files) {
      run.files.push_back({options.aoti_install_dir + "/" + file.filename,
                           std::move(file.contents)});
    }
  }
  return made.errors.empty();
}

// Declares and makes all files. Throws what emitters throw.
bool generate(const emit::AtenOptions& options,
              const emit::AtenKeys& keys,
              const model::NativeFunctions& program,
              const model::SelectiveBuilder& selector,
              Run& run) {
  text::JobList jobs;
  emit::AtenFileManagers files(options, jobs);
  emit::AtenRun aten(options, keys, program, selector, jobs, files);
  aten.threads = run.threads;
  aten.named_tensors = includes_named_tensors(options);
  if (options.generate_sources) {
    emit::gen_source_files(aten);
    if (!gen_aoti_c_shim(aten, run)) {
      return false;
    }
  }
  if (options.generate_headers) {
    emit::gen_headers(aten);
  }
  if (options.generate_declarations_yaml) {
    emit::gen_declarations_yaml(aten);
  }
  emit::gen_output_dependencies(aten);
  run_jobs(jobs, run);
  return true;
}

}  // namespace

bool generate_aten(const emit::AtenOptions& options, Run& run) {
  const emit::AtenKeys keys = emit::select_keys(options);
  schema::LoadOptions load;
  load.valid_keys = keys.valid_keys;
  load.ignore_keys = keys.ignore_keys;
  const auto loaded = load_program(options.source_path, std::move(load), run);
  if (options.op_selection_yaml_path) {
    run.inputs.push_back(*options.op_selection_yaml_path);
  }
  const auto selector =
      schema::get_custom_build_selector(options.op_registration_whitelist,
                                        options.op_selection_yaml_path,
                                        run.diagnostics);
  if (loaded == nullptr || !selector ||
      !check_static_dispatch(options, *loaded->functions, run.diagnostics)) {
    return false;
  }
  run.folders = {
      options.install_dir + "/core",
      options.install_dir + "/ops",
      options.aoti_install_dir,
      options.headeronly_install_dir.value_or(options.install_dir + "/core")};
  try {
    return generate(options, keys, *loaded->functions, *selector, run);
  } catch (const std::exception& error) {
    report_generation_error(error, loaded->sites, run.diagnostics);
    run.files.clear();
    return false;
  }
}

}  // namespace opgen::backend
