#include "opgen/backend/generate.h"
#include "opgen/backend/generate_program.h"
#include "opgen/backend/generation_errors.h"
#include "opgen/backend/load_program.h"
#include "opgen/schema/selective_build.h"

namespace opgen::backend {

void make_unboxing_files(const emit::UnboxingOptions& options,
                         const model::NativeFunctions& program,
                         const model::SelectiveBuilder& selector,
                         Run& run) {
  text::JobList jobs;
  text::FileManager files = emit::make_unboxing_file_manager(options, jobs);
  emit::gen_unboxing(options, program, selector, files);
  run_jobs(jobs, run);
}

bool generate_unboxing(const UnboxingRequest& request, Run& run) {
  const auto loaded = load_program(request.options.source_path, run);
  if (request.op_selection_yaml_path) {
    run.inputs.push_back(*request.op_selection_yaml_path);
  }
  const auto selector =
      schema::get_custom_build_selector(request.op_registration_whitelist,
                                        request.op_selection_yaml_path,
                                        run.diagnostics,
                                        run.keep);
  if (loaded == nullptr || !selector) {
    return false;
  }
  run.folders.push_back(request.options.install_dir);
  return make_or_report(*loaded, run, [&](Run& part) {
    make_unboxing_files(request.options, *loaded->functions, *selector, part);
    return true;
  });
}

}  // namespace opgen::backend
