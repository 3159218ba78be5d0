#include "opgen/backend/backend_stubs.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "opgen/backend/backend_stubs_declarations.h"
#include "opgen/backend/backend_stubs_files.h"
#include "opgen/backend/backend_stubs_kernels.h"
#include "opgen/backend/backend_yaml.h"
#include "opgen/backend/generate.h"
#include "opgen/backend/kernel_check.h"
#include "opgen/backend/overlay.h"
#include "opgen/emit/register_dispatch_key_error.h"
#include "opgen/model/dispatch_key.h"
#include "opgen/model/native_function.h"
#include "opgen/model/native_functions.h"
#include "opgen/model/native_functions_group.h"
#include "opgen/schema/load.h"
#include "opgen/text/diagnostics.h"
#include "opgen/text/file_manager.h"
#include "opgen/text/posix_path.h"
#include "opgen/text/read_file.h"
#include "opgen/text/source.h"
#include "opgen/text/yaml.h"

namespace opgen::backend {
namespace {

using text::DiagnosticId;

// The folder that holds `native` and `templates`.
std::string aten_folder(const std::string& torchgen) {
  constexpr std::array kPlaces{"packaged/ATen",
                               "torchgen/packaged/ATen",
                               "aten/src/ATen",
                               "../aten/src/ATen"};
  for (const char* place : kPlaces) {
    std::string folder = text::join_path(torchgen, place);
    std::error_code error;
    if (std::filesystem::exists(folder + "/native/native_functions.yaml",
                                error)) {
      return folder;
    }
  }
  return text::join_path(torchgen, kPlaces[0]);
}

struct Paths {
  std::string native_functions;
  std::string tags;
  std::string templates;

  explicit Paths(const StubsOptions& options)
      : native_functions(options.native_functions_path),
        tags(options.tags_path),
        templates(options.template_dir) {
    if (!native_functions.empty() && !tags.empty() && !templates.empty()) {
      return;
    }
    const std::string folder = aten_folder(options.torchgen);
    for (const auto& [path, name] :
         {std::pair{&native_functions, "native/native_functions.yaml"},
          std::pair{&tags, "native/tags.yaml"},
          std::pair{&templates, "templates"}}) {
      if (path->empty()) {
        *path = text::join_path(folder, name);
      }
    }
  }
};

class Generation {
 public:
  Generation(const StubsOptions& options, Run& run)
      : options_(options), run_(run), paths_(options) {}

  bool generate() {
    generate_checked();
    if (run_.diagnostics.has_errors()) {
      run_.files.clear();
      return false;
    }
    return true;
  }

 private:
  bool has_errors() const { return run_.diagnostics.has_errors(); }

  void generate_checked() {
    const text::YamlDocument document =
        text::YamlDocument::read(options_.source_yaml, run_.diagnostics);
    run_.inputs.push_back(options_.source_yaml);
    run_.keep.push_back(document.shared_file());
    load_programs(document.root());
    if (document.root() == nullptr || program_.programs.empty()) {
      return;
    }
    const OperatorNames names(program_.programs, overlays_are_complete_);
    program_.yaml = parse_backend_yaml(*document.root(),
                                       *program_.programs[0],
                                       names,
                                       !overlays_.empty(),
                                       run_.diagnostics);
    program_.output_dir = options_.output_dir;
    if (has_errors() || !program_.yaml.backend_key) {
      return;
    }
    add_keys();
    check_kernels();
    if (!has_errors()) {
      make_files();
    }
  }

  void load_programs(const text::YamlNode* root) {
    schema::LoadOptions load;
    load.native_functions_path = paths_.native_functions;
    load.tags_path = paths_.tags;
    run_.inputs.push_back(paths_.native_functions);
    run_.inputs.push_back(paths_.tags);
    loaded_ = schema::load_native_functions(load, run_.diagnostics);
    run_.keep.push_back(loaded_.native_functions_file);
    run_.keep.push_back(loaded_.tags_file);
    if (!loaded_.functions) {
      return;
    }
    std::vector<const model::NativeFunctions*> programs{&*loaded_.functions};
    auto next_id =
        static_cast<std::uint32_t>(loaded_.functions->functions.size());
    for (const std::string& path : overlay_files(root)) {
      run_.inputs.push_back(path);
      auto overlay = std::make_unique<Overlay>(
          load_overlay(path, paths_.tags, next_id, programs, run_.diagnostics));
      run_.keep.insert(
          run_.keep.end(), overlay->files.begin(), overlay->files.end());
      if (overlay->functions) {
        programs.push_back(&*overlay->functions);
        next_id +=
            static_cast<std::uint32_t>(overlay->functions->functions.size());
        overlays_.push_back(std::move(overlay));
      } else {
        overlays_are_complete_ = false;
      }
    }
    program_.programs = std::move(programs);
  }

  std::vector<std::string> overlay_files(const text::YamlNode* root) const {
    std::vector<std::string> files;
    if (root != nullptr) {
      const std::string folder = text::parent_path(options_.source_yaml);
      for (const std::string& path : overlay_paths(*root)) {
        files.push_back(text::join_path(folder, path));
      }
    }
    files.insert(
        files.end(), options_.overlays.begin(), options_.overlays.end());
    return files;
  }

  KeyKernels& key_kernels(model::DispatchKey key) {
    for (KeyKernels& kernels : program_.keys) {
      if (kernels.key() == key) {
        return kernels;
      }
    }
    const bool on_device =
        key == program_.yaml.backend_key || key == program_.yaml.autograd_key;
    return program_.keys.emplace_back(key, program_.yaml, on_device);
  }

  void add_keys() {
    const BackendYaml& yaml = program_.yaml;
    if (yaml.backend_key) {
      KeyKernels& backend = key_kernels(*yaml.backend_key);
      add_kernels(backend, yaml.supported);
      for (const StructuredKernel& kernel : yaml.structured) {
        backend.add(kernel);
      }
    }
    if (yaml.autograd_key) {
      add_kernels(key_kernels(*yaml.autograd_key), yaml.autograd);
    }
    for (const auto& overlay : overlays_) {
      for (const OverlayKernel& kernel : overlay->kernels) {
        if (!kernel.implicit || !has_kernel(*kernel.kernel.function)) {
          add_kernel(key_kernels(kernel.key), kernel.kernel);
        }
      }
    }
  }

  bool has_kernel(const model::NativeFunction& f) const {
    return std::any_of(program_.keys.begin(),
                       program_.keys.end(),
                       [&f](const KeyKernels& kernels) {
                         return kernels.index().has_kernel(f);
                       });
  }

  void add_kernels(KeyKernels& kernels,
                   const std::vector<BackendKernel>& list) {
    for (const BackendKernel& kernel : list) {
      add_kernel(kernels, kernel);
    }
  }

  void add_kernel(KeyKernels& kernels, const BackendKernel& kernel) {
    if (!kernels.add(kernel)) {
      run_.diagnostics
          .warning(DiagnosticId::kBackendOperatorTwice,
                   kernel.where,
                   {operator_name(*kernel.function)})
          .note(kernels.where(*kernel.function), "first listed here");
    }
  }

  std::shared_ptr<const text::SourceFile> read(const std::string& path) {
    run_.inputs.push_back(path);
    std::string contents;
    const std::string error = text::read_file(path, contents);
    if (!error.empty()) {
      run_.diagnostics.error(DiagnosticId::kFileCannotRead, {}, {path, error});
      return nullptr;
    }
    auto file =
        std::make_shared<const text::SourceFile>(path, std::move(contents));
    run_.keep.push_back(file);
    return file;
  }

  void check_kernels() {
    if (options_.impl_path.empty() && options_.kernel_sources.empty()) {
      return;
    }
    try {
      if (!options_.impl_path.empty()) {
        check_impl_path();
      }
      if (!options_.kernel_sources.empty()) {
        SourceFiles sources;
        for (const std::string& path : options_.kernel_sources) {
          if (auto file = read(path)) {
            sources.push_back(std::move(file));
          }
        }
        if (sources.size() == options_.kernel_sources.size()) {
          backend::check_kernels(
              expected_kernels(program_.keys, program_.programs, program_.yaml),
              sources,
              run_.diagnostics);
        }
      }
    } catch (const emit::EmitError& error) {
      report(error);
    }
  }

  // Structured kernels are not part of what torchgen checks.
  void check_impl_path() {
    const auto file = read(options_.impl_path);
    if (file == nullptr) {
      return;
    }
    std::vector<ExpectedKernel> kernels;
    for (ExpectedKernel& kernel :
         expected_kernels(program_.keys, program_.programs, program_.yaml)) {
      if (kernel.path[0] == program_.yaml.class_name) {
        kernels.push_back(std::move(kernel));
      }
    }
    error_on_missing_kernels(kernels, *file, run_.diagnostics);
  }

  void make_files() {
    text::JobList jobs;
    EmitErrors errors;
    text::FileManager fm({options_.output_dir,
                          paths_.templates,
                          "torchgen/gen_backend_stubs.py",
                          false},
                         jobs);
    gen_dispatchkey_nativefunc_headers(fm, program_, errors);
    for (const KeyKernels& kernels : program_.keys) {
      gen_dispatcher_registrations(fm, program_, kernels, errors);
    }
    for (const char* name : {"DispatchKeyNativeFunctions.h",
                             "RegisterDispatchKey.cpp",
                             "RegisterDispatchDefinitions.ini"}) {
      run_.inputs.push_back(text::join_path(paths_.templates, name));
    }
    try {
      run_.files = jobs.run(run_.threads);
    } catch (const std::runtime_error& error) {
      run_.diagnostics.error(DiagnosticId::kBackendCannotGenerate,
                             {},
                             {options_.source_yaml, error.what()});
    }
    for (const emit::EmitError& error : errors.entries()) {
      report(error);
    }
    if (options_.dry_run) {
      run_.files.clear();
    }
  }

  void report(const emit::EmitError& error) {
    run_.diagnostics.error(DiagnosticId::kBackendCannotGenerate,
                           where(*error.function),
                           {operator_name(*error.function), error.what()});
  }

  // The function in the description, or another variant of the operator.
  text::SourceRange where(const model::NativeFunction& f) const {
    const OperatorNames names(program_.programs, true);
    const model::NativeFunctionsGroup* g = names.group_of(f);
    for (const KeyKernels& kernels : program_.keys) {
      text::SourceRange range = kernels.where(f);
      for (const StructuredKernel* kernel : kernels.structured()) {
        range = kernel->group == g && g != nullptr ? kernel->where : range;
      }
      if (range.file == nullptr && g != nullptr) {
        range = kernels.where(*g->functional);
      }
      if (range.file != nullptr) {
        return range;
      }
    }
    return {};
  }

  const StubsOptions& options_;
  Run& run_;
  Paths paths_;
  schema::LoadedFunctions loaded_;
  std::vector<std::unique_ptr<Overlay>> overlays_;
  bool overlays_are_complete_ = true;
  StubsProgram program_;
};

}  // namespace

bool generate_stubs(const StubsOptions& options, Run& run) {
  return Generation(options, run).generate();
}

}  // namespace opgen::backend
