#include <utility>

#include "opgen/backend/generate.h"
#include "opgen/backend/generation_errors.h"
#include "opgen/backend/host_operators_check.h"
#include "opgen/backend/load_program.h"
#include "opgen/emit/host_operators.h"
#include "opgen/text/file_manager.h"

namespace opgen::backend {

bool generate_backend(const emit::HostOperatorsOptions& options, Run& run) {
  const bool named = check_host_options(options, run.diagnostics);
  const auto loaded = load_program(options.source_path, run);
  if (loaded == nullptr ||
      !check_host_operators(
          *loaded->functions, loaded->sites, run.diagnostics) ||
      !named) {
    return false;
  }
  run.folders.push_back(options.install_dir);
  return make_or_report(*loaded, run, [&](Run& part) {
    for (text::OutputFile& file :
         emit::host_operator_files(options, *loaded->functions)) {
      part.files.push_back(std::move(file));
    }
    return true;
  });
}

}  // namespace opgen::backend
