#include <algorithm>
#include <deque>
#include <exception>
#include <filesystem>
#include <string>
#include <utility>

#include "opgen/backend/generate.h"
#include "opgen/backend/generation_errors.h"
#include "opgen/backend/load_program.h"
#include "opgen/emit/autograd_files_derivatives.h"
#include "opgen/emit/autograd_files_derivatives_load.h"
#include "opgen/text/yaml.h"

namespace opgen::backend {
namespace {

using text::DiagnosticId;

// Where an installed PyTorch has tools/autograd, and where a checkout has it.
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

emit::Derivatives load_derivatives(const std::string& path,
                                   const model::NativeFunctions& program,
                                   Run& run) {
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

// PyTorch 2.13 made ten shards of five, and brought the tag out.
std::size_t trace_shards(const model::NativeFunctions& program) {
  return std::any_of(program.valid_tags.begin(),
                     program.valid_tags.end(),
                     [](const auto& tag) { return tag.first == "out"; })
             ? 10
             : 5;
}

}  // namespace

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
  request.options.trace_shards = trace_shards(program);
  run.folders.push_back(request.options.install_dir);
  try {
    emit::Derivatives derivatives;
    if (request.options.inplace_or_view) {
      derivatives =
          load_derivatives(folder + "/derivatives.yaml", program, run);
      if (run.diagnostics.has_errors()) {
        return false;
      }
    }
    const auto selector = model::SelectiveBuilder::get_nop_selector();
    text::JobList jobs;
    text::FileManager files =
        emit::make_autograd_file_manager(request.options, jobs);
    emit::gen_autograd(
        {request.options, program, selector, derivatives, files});
    run_jobs(jobs, run);
    return true;
  } catch (const std::exception& error) {
    report_generation_error(error, loaded->sites, run.diagnostics);
    run.files.clear();
    return false;
  }
}

}  // namespace opgen::backend
