#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "opgen/backend/generate.h"
#include "opgen/cli/command.h"
#include "opgen/cli/run_options.h"
#include "opgen/emit/options.h"

namespace opgen::cli {
namespace {

constexpr const char* kAtenDescription =
    "Writes what `python -m torchgen.gen` writes: headers, registrations and\n"
    "Declarations.yaml of every operator in native_functions.yaml. Takes the\n"
    "same flags; files whose text would not change are left alone.";

struct AtenArguments {
  emit::AtenOptions options;
  RunOptions run;
  std::string headeronly;
  std::vector<std::string> whitelist;
  std::string selection;
  std::vector<std::string> generate{"headers", "sources", "declarations_yaml"};
};

bool contains(const std::vector<std::string>& values, const char* value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

void add_places(CLI::App& command, emit::AtenOptions& options) {
  command
      .add_option("-s,--source-path",
                  options.source_path,
                  "folder with native/native_functions.yaml, native/tags.yaml "
                  "and templates/")
      ->capture_default_str();
  command
      .add_option("-d,--install-dir,--install_dir",
                  options.install_dir,
                  "folder to write to")
      ->capture_default_str();
  command
      .add_option("--aoti-install-dir,--aoti_install_dir",
                  options.aoti_install_dir,
                  "folder for the AOTInductor C shim")
      ->capture_default_str();
  command.add_option("-o,--output-dependencies",
                     options.output_dependencies,
                     "also write CMake lists of all outputs next to this file");
  command.add_flag("--dry-run",
                   options.dry_run,
                   "write nothing but the lists that -o asks for");
  command.add_flag("--per-operator-headers",
                   options.per_operator_headers,
                   "a header per operator in ops/");
}

void add_backends(CLI::App& command, emit::AtenOptions& options) {
  command.add_flag("--rocm", options.rocm, "take CUDA for ROCm/HIP");
  command.add_flag("--mps", options.mps, "also generate for MPS");
  command.add_flag("--xpu", options.xpu, "also generate for XPU");
  command.add_flag("--mtia", options.mtia, "also generate for MTIA");
  command
      .add_option("--backend-whitelist,--backend_whitelist",
                  options.backend_whitelist,
                  "only these dispatch keys and those that serve every backend")
      ->expected(0, -1);
  command
      .add_option("--static-dispatch-backend,--static_dispatch_backend",
                  options.static_dispatch_backend,
                  "call the kernels of these keys without the dispatcher")
      ->expected(0, -1);
}

void add_selection(CLI::App& command, AtenArguments& arguments) {
  command
      .add_option("--op-registration-whitelist,--op_registration_whitelist",
                  arguments.whitelist,
                  "register only these operators, given as aten::add")
      ->expected(0, -1);
  command.add_option("--op-selection-yaml-path,--op_selection_yaml_path",
                     arguments.selection,
                     "register only the operators that this file selects");
  command.add_flag(
      "--skip-dispatcher-op-registration,--skip_dispatcher_op_registration",
      arguments.options.skip_dispatcher_op_registration,
      "register no operator");
  command.add_flag("--force-schema-registration,--force_schema_registration",
                   arguments.options.force_schema_registration,
                   "register the schemas of all operators, selected or not");
  command.add_option("--generate", arguments.generate, "what to generate")
      ->expected(0, -1)
      ->check(CLI::IsMember({"headers", "sources", "declarations_yaml"}))
      ->capture_default_str();
  command.add_flag("--update-aoti-c-shim",
                   arguments.options.update_aoti_c_shim,
                   "rewrite the headers of the AOTInductor C shim");
  command.add_flag("--extend-aoti-c-shim",
                   arguments.options.extend_aoti_c_shim,
                   "make a C shim for operators of another tree");
}

int run_aten(const CLI::App& command, AtenArguments& arguments) {
  emit::AtenOptions& options = arguments.options;
  const auto given = [&](const char* name) { return command.count(name) > 0; };
  if (given("--headeronly-install-dir")) {
    options.headeronly_install_dir = arguments.headeronly;
  }
  if (given("--op-registration-whitelist")) {
    options.op_registration_whitelist = arguments.whitelist;
  }
  if (given("--op-selection-yaml-path")) {
    options.op_selection_yaml_path = arguments.selection;
  }
  options.generate_headers = contains(arguments.generate, "headers");
  options.generate_sources = contains(arguments.generate, "sources");
  options.generate_declarations_yaml =
      contains(arguments.generate, "declarations_yaml");
  arguments.run.default_manifest =
      options.dry_run ? "" : options.install_dir + "/.opgen-manifest";
  arguments.run.identity = identity_of(command);
  return run_generator(arguments.run, [&](backend::Run& run) {
    return backend::generate_aten(options, run);
  });
}

}  // namespace

void add_aten_command(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<AtenArguments>();
  CLI::App* command = app.add_subcommand("aten", kAtenDescription);
  add_places(*command, arguments->options);
  command->add_option("--headeronly-install-dir,--headeronly_install_dir",
                      arguments->headeronly,
                      "folder for enum_tag.h; <install-dir>/core by default");
  add_backends(*command, arguments->options);
  add_selection(*command, *arguments);
  add_run_options(*command, arguments->run);
  command->callback([command, arguments, &action] {
    action = [command, arguments] { return run_aten(*command, *arguments); };
  });
}

}  // namespace opgen::cli
