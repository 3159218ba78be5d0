#include "fuzz_tree.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <ios>
#include <string>
#include <string_view>
#include <system_error>

#include <unistd.h>

#include "opgen/backend/generate.h"
#include "opgen/text/diagnostic_ids.h"
#include "opgen/text/diagnostics.h"
#include "opgen/text/sink.h"

namespace opgen::fuzz {
namespace {

struct TemplateFile {
  const char* name;
  const char* holes;
};

constexpr TemplateFile kAtenTemplates[] = {
    {"ATenOpList.cpp", "aten_ops"},
    {"CompositeViewCopyKernels.cpp",
     "ops_headers CompositeViewCopyKernel_Definitions "
     "GeneratedCompositeFunctional_Definitions "
     "GeneratedCompositeOut_Definitions"},
    {"DispatchKeyFunction.h",
     "dispatch_namespace dispatch_namespaced_declarations"},
    {"DispatchKeyFunctions.h", "inline_headers"},
    {"DispatchKeyFunctions_inl.h",
     "DispatchKeyFunctions_inl_includes dispatch_namespace "
     "dispatch_namespaced_declarations"},
    {"DispatchKeyNativeFunctions.h",
     "namespace_prologue class_name dispatch_declarations namespace_epilogue"},
    {"Function.h",
     "operator_includes static_dispatch_ops_headers function_definitions"},
    {"FunctionalInverses.h", "view_inverse_declarations"},
    {"Functions.cpp", ""},
    {"Functions.h", "Functions_includes Functions_declarations"},
    {"MethodOperators.h",
     "MethodOperators_includes MethodOperators_declarations"},
    {"NativeFunction.h", "extra_includes native_function_declarations"},
    {"NativeFunctions.h",
     "NativeFunctions_includes NativeFunctions_declarations"},
    {"NativeMetaFunction.h", "meta_function_declarations"},
    {"NativeMetaFunctions.h",
     "NativeMetaFunctions_includes NativeMetaFunctions_declarations"},
    {"Operator.h", "declarations"},
    {"Operators.cpp",
     "operator_headers static_dispatch_extra_headers definitions"},
    {"Operators.h", "Operators_includes Operators_declarations"},
    {"RedispatchFunctions.cpp", "function_redispatch_definitions"},
    {"RedispatchFunctions.h", "function_redispatch_definitions"},
    {"RegisterBackendSelect.cpp",
     "ops_headers backend_select_method_definitions "
     "backend_select_function_registrations"},
    {"RegisterCodegenUnboxedKernels.cpp", "unboxed_ops"},
    {"RegisterDispatchDefinitions.ini",
     "ns_prologue dispatch_namespace dispatch_anonymous_definitions "
     "static_init_dispatch_registrations deferred_dispatch_registrations "
     "dispatch_namespaced_definitions ns_epilogue"},
    {"RegisterDispatchKey.cpp",
     "extra_cuda_headers external_backend_headers dispatch_headers ops_headers "
     "dispatch_helpers dispatch_definitions"},
    {"RegisterFunctionalization.cpp",
     "ops_headers func_definitions func_registrations"},
    {"RegisterSchema.cpp", "schema_registrations aten_schema_registrations"},
    {"RegistrationDeclarations.h", "registration_declarations"},
    {"TensorBody.h", "tensor_method_declarations tensor_method_definitions"},
    {"TensorMethods.cpp", ""},
    {"UfuncCPU.cpp", "meta_declaration native_declaration native_definitions"},
    {"UfuncCPUKernel.cpp", "name native_definitions"},
    {"UfuncCUDA.cu",
     "name cuda_headers meta_declaration native_declaration "
     "native_definitions"},
    {"UnboxingFunctions.cpp", "definitions"},
    {"UnboxingFunctions.h", "declarations"},
    {"ViewMetaClasses.cpp", "op_headers view_meta_implementations"},
    {"ViewMetaClasses.h", "view_meta_declarations"},
    {"ViewMetaClassesPythonBinding.cpp", "view_meta_bindings"},
    {"aten_interned_strings.h", "aten_symbols attr_symbols"},
    {"enum_tag.h", "enum_of_valid_tags"},
};
constexpr TemplateFile kAutogradTemplates[] = {
    {"ADInplaceOrViewType.cpp",
     "ops_headers inplace_or_view_method_definitions "
     "inplace_or_view_wrapper_registrations"},
    {"TraceType.cpp",
     "ops_headers trace_method_definitions trace_wrapper_registrations"},
    {"variable_factories.h", "ops_headers function_definitions"},
};
constexpr std::string_view kTags = R"(
- tag: core
  desc: in the core
- tag: generated
  desc: not written by hand
- tag: inplace
  desc: writes to self
- tag: inplace_view
  desc: makes self a view
- tag: nondeterministic_seeded
  desc: random
- tag: out
  desc: writes to its outputs
- tag: pt2_compliant_tag
  desc: works with the compiler
- tag: view_copy
  desc: copies what a view views
)";
constexpr std::string_view kFallbackOps = R"(
inductor_fallback_ops: dict[str, dict[str, list[str]]] = {
    "aten.add.Tensor": {},
    "aten.addmm.out": {"v2": ["alpha"]},
    "aten.slice.Tensor": {"v2": {"new_args": ["step"], "since": "TORCH_VERSION_2_12_0"}},
}
aten_shimified_ops: dict[str, dict[str, list[str]]] = {
    "aten.fill_.Scalar": {},
}
)";

// Every hole fills a line of its own, so that lists are indented.
std::string template_text(const TemplateFile& file) {
  // The one template that becomes a part of a file.
  const bool part = std::string_view(file.name).ends_with(".ini");
  std::string text = part ? "" : "// ${generated_comment}\n";
  std::string_view holes = file.holes;
  while (!holes.empty()) {
    const std::string_view hole = holes.substr(0, holes.find(' '));
    holes.remove_prefix(hole.size() + (hole.size() < holes.size() ? 1 : 0));
    text.append("  ${").append(hole).append("}\n");
  }
  return text;
}

}  // namespace

void fail(std::string_view what) {
  std::fprintf(stderr,
               "property violated: %.*s\n",
               static_cast<int>(what.size()),
               what.data());
  std::abort();
}

FuzzTree::FuzzTree() {
  std::string name =
      (std::filesystem::temp_directory_path() / "opgen_fuzz_XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    fail("no temporary folder");
  }
  folder_ = name;
  for (const TemplateFile& file : kAtenTemplates) {
    write(std::string("torchgen/packaged/ATen/templates/") + file.name,
          template_text(file));
  }
  for (const TemplateFile& file : kAutogradTemplates) {
    write(std::string("torchgen/packaged/autograd/templates/") + file.name,
          template_text(file));
  }
  write("torchgen/aoti/fallback_ops.py", kFallbackOps);
}

FuzzTree::~FuzzTree() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string FuzzTree::path(std::string_view name) const {
  return (folder_ / name).string();
}

void FuzzTree::write(std::string_view name, std::string_view contents) const {
  const std::filesystem::path file = folder_ / name;
  std::error_code ignored;
  std::filesystem::create_directories(file.parent_path(), ignored);
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out.write(contents.data(), static_cast<std::streamsize>(contents.size()));
  if (!out.flush()) {
    fail("cannot write " + file.string());
  }
}

void FuzzTree::write_operators(std::string_view functions,
                               std::string_view tags) const {
  write("torchgen/packaged/ATen/native/native_functions.yaml", functions);
  write("torchgen/packaged/ATen/native/tags.yaml", tags.empty() ? kTags : tags);
}

void check_run(bool good, backend::Run& run) {
  if (good == run.diagnostics.has_errors()) {
    fail(good ? "a good run has errors" : "a bad run has no errors");
  }
  if (!good && !run.files.empty()) {
    fail("a bad run has files");
  }
  for (const text::Diagnostic& entry : run.diagnostics.entries()) {
    if (entry.id == text::DiagnosticId::kGenerationFailed) {
      fail("an exception without a place: " + entry.message);
    }
  }
  const std::string report = run.diagnostics.to_text();
  if (std::getenv("OPGEN_FUZZ_SHOW") != nullptr) {
    std::fputs(report.c_str(), stderr);
  }
  run.diagnostics.to_json();
  run.diagnostics.to_sarif("0");
  if (good) {
    text::HashSink().write(run.files, 1, run.diagnostics);
    if (run.diagnostics.has_errors()) {
      fail("the files cannot be written: " + run.diagnostics.to_text());
    }
  }
}

}  // namespace opgen::fuzz
