#include "opgen/backend/explain_generation.h"

#include <array>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "opgen/backend/generate.h"
#include "opgen/backend/generate_program.h"
#include "opgen/backend/generation_errors.h"
#include "opgen/emit/aten_keys.h"
#include "opgen/emit/autograd_files.h"
#include "opgen/emit/unboxing.h"
#include "opgen/model/native_functions.h"
#include "opgen/model/selective_builder.h"
#include "opgen/schema/load.h"
#include "opgen/text/file_manager.h"

namespace opgen::backend {
namespace {

// A real folder might hold headers of the C shim, which would be compared.
constexpr const char* kShimFolder = "torch/csrc/inductor/aoti_torch/generated";

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

bool is_shim_header(std::string_view path) {
  return path.starts_with(kShimFolder) && path.ends_with(".h");
}

struct Kind {
  std::string_view part;  // of the path
  std::string_view name;
};

// The first whose part is in the path holds.
constexpr auto kKinds = std::to_array<Kind>({
    {"/core/ATenOpList", "names of operators"},
    {"/core/", "methods of Tensor"},
    {"/ops/", "headers per operator"},
    {"RegisterSchema", "schemas"},
    {"RegisterFunctionalization", "functionalization"},
    {"FunctionalInverses", "functionalization"},
    {"ViewMetaClasses", "functionalization"},
    {"CompositeViewCopyKernels", "functionalization"},
    {"RegisterBackendSelect", "backend selection"},
    {"RegisterCodegenUnboxed", "unboxing"},
    {"UnboxingFunctions", "unboxing"},
    {"Ufunc", "element-wise kernels"},
    {"aoti_torch", "C shim of AOTInductor"},
    {"autograd/generated", "autograd"},
    {"/Operators", "operators"},
    {"RedispatchFunctions", "functions"},
    {"NativeFunctions", "kernel declarations"},
    {"NativeMetaFunctions", "kernel declarations"},
    {"VmapGeneratedPlumbing", "vmap"},
    {"/Register", "kernel registrations"},
    {"RegistrationDeclarations", "lists"},
    {"Declarations.yaml", "lists"},
    {"Functions", "functions"},
});

// The order in which they are shown.
constexpr auto kOrder = std::to_array<std::string_view>({
    "schemas",
    "operators",
    "functions",
    "methods of Tensor",
    "headers per operator",
    "kernel declarations",
    "kernel registrations",
    "element-wise kernels",
    "backend selection",
    "functionalization",
    "vmap",
    "autograd",
    "unboxing",
    "C shim of AOTInductor",
    "names of operators",
    "lists",
});

}  // namespace

WholeGeneration::WholeGeneration(const Inputs& inputs, Run& run)
    : options_(inputs.aten),
      keys_(emit::select_keys(inputs.aten)),
      selector_(model::SelectiveBuilder::get_nop_selector()) {
  const std::string& source_path = options_.source_path;
  const std::string& autograd_path = inputs.autograd_path;
  schema::LoadOptions load;
  load.native_functions_path =
      inputs.native_functions_path.empty()
          ? source_path + "/native/native_functions.yaml"
          : inputs.native_functions_path;
  load.tags_path = source_path + "/native/tags.yaml";
  load.valid_keys = keys_.valid_keys;
  load.ignore_keys = keys_.ignore_keys;
  loaded_ = std::make_shared<schema::LoadedFunctions>(
      schema::load_native_functions(load, run.diagnostics));
  run.keep.push_back(loaded_);
  if (!loaded_->functions) {
    loaded_ = nullptr;
  }
  options_.install_dir = "build/aten/src/ATen";
  options_.aoti_install_dir = kShimFolder;
  options_.update_aoti_c_shim = true;
  has_unboxing_ = exists(source_path + "/templates/UnboxingFunctions.h");
  autograd_path_ =
      autograd_path.empty() ? find_autograd(source_path) : autograd_path;
  if (loaded_ != nullptr && !autograd_path_.empty()) {
    derivatives_ =
        load_derivatives(autograd_path_, loaded_->functions.value(), run);
    if (run.diagnostics.has_errors()) {
      loaded_ = nullptr;
    }
  }
}

model::NativeFunctions* WholeGeneration::program() const {
  return loaded_ == nullptr ? nullptr : &loaded_->functions.value();
}

void WholeGeneration::add_files(Run& run) const {
  const model::NativeFunctions& program = loaded_->functions.value();
  make_aten_files(options_, keys_, program, selector_, run);
  if (derivatives_) {
    emit::AutogradOptions autograd;
    autograd.template_dir = autograd_path_ + "/templates";
    make_autograd_files(autograd, program, *derivatives_, run);
  }
  if (has_unboxing_) {
    emit::UnboxingOptions unboxing;
    unboxing.source_path = options_.source_path;
    unboxing.install_dir = options_.install_dir;
    make_unboxing_files(unboxing, program, selector_, run);
  }
}

namespace {

FileTexts texts_of(std::vector<text::OutputFile>& files) {
  FileTexts texts;
  for (text::OutputFile& file : files) {
    if (!is_shim_header(file.path)) {
      texts[file.path] = std::move(file.contents);
    }
  }
  return texts;
}

}  // namespace

std::optional<FileTexts> WholeGeneration::make(Run& run) const {
  const bool good = make_or_report(*loaded_, run, [&](Run& part) {
    add_files(part);
    return !part.diagnostics.has_errors();
  });
  if (!good || run.diagnostics.has_errors()) {
    return std::nullopt;
  }
  return texts_of(run.files);
}

FileTexts WholeGeneration::make_or_throw(std::size_t threads) const {
  Run run;
  run.threads = threads;
  add_files(run);
  return texts_of(run.files);
}

OutputKind kind_of_output(std::string_view path) {
  std::string_view name = "lists";
  for (const Kind& kind : kKinds) {
    if (path.find(kind.part) != std::string_view::npos) {
      name = kind.name;
      break;
    }
  }
  int order = 0;
  for (const std::string_view candidate : kOrder) {
    if (candidate == name) {
      break;
    }
    ++order;
  }
  return {order, name};
}

}  // namespace opgen::backend
