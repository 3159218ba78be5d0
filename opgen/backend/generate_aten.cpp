#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "opgen/backend/generate.h"
#include "opgen/backend/generate_program.h"
#include "opgen/backend/generation_errors.h"
#include "opgen/backend/load_program.h"
#include "opgen/emit/aoti_c_shim.h"
#include "opgen/emit/aoti_fallback_ops.h"
#include "opgen/emit/aten.h"
#include "opgen/schema/load.h"
#include "opgen/schema/selective_build.h"
#include "opgen/text/read_file.h"
#include "opgen/text/source.h"
#include "opgen/text/suggest.h"

namespace opgen::backend {
namespace {

using text::DiagnosticId;

// Whether every key exists; reports those that do not.
bool check_static_dispatch(const emit::AtenOptions& options,
                           text::Diagnostics& diagnostics) {
  bool good = true;
  for (const std::string& name : options.static_dispatch_backend) {
    if (model::parse_dispatch_key(name)) {
      continue;
    }
    std::vector<std::string_view> names;
    for (const model::DispatchKey key : model::all_dispatch_keys()) {
      names.push_back(model::name_of(key));
    }
    diagnostics.error(DiagnosticId::kStaticDispatchKey, {}, {name})
        .did_you_mean(text::suggest(name, names));
    good = false;
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

// `text` is "PATH: error: MESSAGE" with the difference on the lines below.
void report_changed_header(const std::string& text,
                           text::Diagnostics& diagnostics) {
  constexpr std::string_view kSeparator = ": error: ";
  const std::size_t middle = text.find(kSeparator);
  const std::size_t begin =
      middle == std::string::npos ? 0 : middle + kSeparator.size();
  const std::size_t end = text.find('\n', begin);
  diagnostics
      .error(DiagnosticId::kAotiShimChanged,
             {},
             {std::string_view(text).substr(0, middle),
              std::string_view(text).substr(begin, end - begin)})
      .note({},
            "what would change:\n" +
                (end == std::string::npos ? "" : text.substr(end + 1)));
}

// `text` is "PATH:LINE:COLUMN: error: MESSAGE", about the file at `path`.
void report_located(DiagnosticId id,
                    const std::string& path,
                    const std::string& text,
                    Run& run) {
  std::size_t line = 0;
  std::size_t column = 0;
  int size = 0;
  std::string contents;
  const bool located = text.starts_with(path + ":") &&
                       std::sscanf(text.c_str() + path.size(),
                                   ":%zu:%zu: error: %n",
                                   &line,
                                   &column,
                                   &size) == 2 &&
                       size > 0 && text::read_file(path, contents).empty();
  if (!located) {
    run.diagnostics.error(id, {}, {text});
    return;
  }
  const auto file =
      std::make_shared<const text::SourceFile>(path, std::move(contents));
  run.keep.push_back(file);
  line = std::clamp<std::size_t>(line, 1, file->line_count());
  const std::size_t at =
      file->line_start(line) + std::max<std::size_t>(column, 1) - 1;
  run.diagnostics.error(id,
                        {file.get(), at, at},
                        {std::string_view(text).substr(
                            path.size() + static_cast<std::size_t>(size))});
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
    report_located(DiagnosticId::kFallbackOps, *path, problem, run);
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
    report_changed_header(error, run.diagnostics);
  }
  if (!options.dry_run) {
    for (emit::AotiShimFile& file : made.files) {
      run.files.push_back({options.aoti_install_dir + "/" + file.filename,
                           std::move(file.contents)});
    }
  }
  return made.errors.empty();
}

}  // namespace

bool make_aten_files(const emit::AtenOptions& options,
                     const emit::AtenKeys& keys,
                     const model::NativeFunctions& program,
                     const model::SelectiveBuilder& selector,
                     Run& run) {
  // Whoever is in a hurry keeps the run: to take the jobs apart costs time.
  const auto kept = std::make_shared<text::JobList>();
  run.keep.push_back(kept);
  text::JobList& jobs = *kept;
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
                                        run.diagnostics,
                                        run.keep);
  if (loaded == nullptr || !selector ||
      !check_static_dispatch(options, run.diagnostics)) {
    return false;
  }
  run.folders = {
      options.install_dir + "/core",
      options.install_dir + "/ops",
      options.aoti_install_dir,
      options.headeronly_install_dir.value_or(options.install_dir + "/core")};
  return make_or_report(*loaded, run, [&](Run& part) {
    return make_aten_files(options, keys, *loaded->functions, *selector, part);
  });
}

}  // namespace opgen::backend
