#include <exception>

#include "opgen/backend/generate.h"
#include "opgen/backend/generation_errors.h"
#include "opgen/backend/load_program.h"
#include "opgen/schema/selective_build.h"

namespace opgen::backend {

bool generate_unboxing(const UnboxingRequest& request, Run& run) {
  const auto loaded = load_program(request.options.source_path, run);
  if (request.op_selection_yaml_path) {
    run.inputs.push_back(*request.op_selection_yaml_path);
  }
  const auto selector =
      schema::get_custom_build_selector(request.op_registration_whitelist,
                                        request.op_selection_yaml_path,
                                        run.diagnostics);
  if (loaded == nullptr || !selector) {
    return false;
  }
  run.folders.push_back(request.options.install_dir);
  try {
    text::JobList jobs;
    text::FileManager files =
        emit::make_unboxing_file_manager(request.options, jobs);
    emit::gen_unboxing(request.options, *loaded->functions, *selector, files);
    run_jobs(jobs, run);
    return true;
  } catch (const std::exception& error) {
    report_generation_error(error, loaded->sites, run.diagnostics);
    run.files.clear();
    return false;
  }
}

}  // namespace opgen::backend
