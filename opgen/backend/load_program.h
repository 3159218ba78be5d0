// What every generation from a PyTorch tree begins with.
#pragma once

#include <memory>
#include <string>

#include "opgen/backend/generate.h"
#include "opgen/schema/load.h"

namespace opgen::backend {

// Reads native/native_functions.yaml and native/tags.yaml of the tree for all
// dispatch keys and notes them as inputs. Null, with diagnostics, if that
// fails.
std::shared_ptr<schema::LoadedFunctions> load_program(
    const std::string& source_path, Run& run);

// As above with keys that are chosen by the caller, who fills in all but paths.
std::shared_ptr<schema::LoadedFunctions> load_program(
    const std::string& source_path, schema::LoadOptions load, Run& run);

// Makes the files of all jobs and notes the templates they read.
void run_jobs(const text::JobList& jobs, Run& run);

}  // namespace opgen::backend
