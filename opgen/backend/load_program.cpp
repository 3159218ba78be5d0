#include "opgen/backend/load_program.h"

#include <utility>

namespace opgen::backend {

std::shared_ptr<schema::LoadedFunctions> load_program(
    const std::string& source_path, Run& run) {
  return load_program(source_path, schema::LoadOptions{}, run);
}

std::shared_ptr<schema::LoadedFunctions> load_program(
    const std::string& source_path, schema::LoadOptions load, Run& run) {
  load.native_functions_path = source_path + "/native/native_functions.yaml";
  load.tags_path = source_path + "/native/tags.yaml";
  run.inputs.push_back(load.native_functions_path);
  run.inputs.push_back(load.tags_path);
  auto loaded = std::make_shared<schema::LoadedFunctions>(
      schema::load_native_functions(load, run.diagnostics));
  run.keep.push_back(loaded);
  return loaded->functions ? loaded : nullptr;
}

void run_jobs(const text::JobList& jobs, Run& run) {
  for (text::OutputFile& file : jobs.run(run.threads)) {
    run.files.push_back(std::move(file));
  }
  for (std::string& path : jobs.templates()->paths()) {
    run.inputs.push_back(std::move(path));
  }
}

}  // namespace opgen::backend
