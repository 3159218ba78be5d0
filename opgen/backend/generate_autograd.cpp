#include <algorithm>
#include <deque>
#include <filesystem>
#include <string>
#include <utility>

#include "opgen/backend/generate.h"
#include "opgen/backend/generate_program.h"
#include "opgen/backend/generation_errors.h"
#include "opgen/backend/load_program.h"
#include "opgen/emit/autograd_files_derivatives.h"
#include "opgen/emit/autograd_files_derivatives_load.h"
#include "opgen/text/yaml.h"

namespace opgen::backend {
namespace {

using text::DiagnosticId;

// PyTorch 2.13 made ten shards of five, and brought the tag out.
std::size_t trace_shards(const model::NativeFunctions& program) {
  return std::any_of(program.valid_tags.begin(),
                     program.valid_tags.end(),
                     [](const auto& tag) { return tag.first == "out"; })
             ? 10
             : 5;
}

}  // namespace

std::string find_autograd(const std::string& source_path) {
  for (const char* place : {"/../autograd", "/../../../tools/autograd"}) {
    const std::string path = source_path + place;
    std::error_code ignored;
    if (std::filesystem::exists(path + "/derivatives.yaml", ignored)) {
      return path;
    }
  }
  return "";
}

emit::Derivatives load_derivatives(const std::string& folder,
                                   const model::NativeFunctions& program,
                                   Run& run) {
  const std::string path = folder + "/derivatives.yaml";
  run.inputs.push_back(path);
  const auto document = std::make_shared<text::YamlDocument>(
      text::YamlDocument::read(path, run.diagnostics));
  run.keep.push_back(document);
  const auto entries =
      emit::read_derivatives(document->root(), run.diagnostics);
  auto infos =
      emit::create_differentiability_infos(entries, program, run.diagnostics);
  if (run.diagnostics.has_errors()) {
    return {};
  }
  return emit::Derivatives::match(std::move(infos), program);
}

void make_autograd_files(emit::AutogradOptions options,
                         const model::NativeFunctions& program,
                         const emit::Derivatives& derivatives,
                         Run& run) {
  options.trace_shards = trace_shards(program);
  const auto selector = model::SelectiveBuilder::get_nop_selector();
  text::JobList jobs;
  text::FileManager files = emit::make_autograd_file_manager(options, jobs);
  const emit::AutogradRun autograd{
      options, program, selector, derivatives, files};
  emit::gen_autograd(autograd);
  run_jobs(jobs, run);
}

bool generate_autograd(AutogradRequest request, Run& run) {
  const std::string folder = request.autograd_path.empty()
                                 ? find_autograd(request.source_path)
                                 : request.autograd_path;
  if (folder.empty()) {
    run.diagnostics.error(
        DiagnosticId::kAutogradMissing, {}, {request.source_path});
    return false;
  }
  const auto loaded = load_program(request.source_path, run);
  if (loaded == nullptr) {
    return false;
  }
  const model::NativeFunctions& program = *loaded->functions;
  request.options.template_dir = folder + "/templates";
  run.folders.push_back(request.options.install_dir);
  emit::Derivatives derivatives;
  if (request.options.inplace_or_view) {
    derivatives = load_derivatives(folder, program, run);
    if (run.diagnostics.has_errors()) {
      return false;
    }
  }
  return make_or_report(*loaded, run, [&](Run& part) {
    make_autograd_files(request.options, program, derivatives, part);
    return true;
  });
}

}  // namespace opgen::backend
