#include <memory>
#include <string>
#include <vector>

#include "opgen/backend/generate.h"
#include "opgen/cli/command.h"
#include "opgen/cli/run_options.h"

namespace opgen::cli {
namespace {

struct UnboxingArguments {
  backend::UnboxingRequest request;
  std::vector<std::string> whitelist;
  std::string selection;
  RunOptions run;
};

int run_unboxing(const CLI::App& command, UnboxingArguments& arguments) {
  if (command.count("--op-registration-allowlist") > 0) {
    arguments.request.op_registration_whitelist = arguments.whitelist;
  }
  if (command.count("--op-selection-yaml-path") > 0) {
    arguments.request.op_selection_yaml_path = arguments.selection;
  }
  const emit::UnboxingOptions& options = arguments.request.options;
  arguments.run.default_manifest =
      options.dry_run ? "" : options.install_dir + "/.opgen-unboxing-manifest";
  arguments.run.identity = identity_of(command);
  return run_generator(arguments.run, [&](backend::Run& run) {
    return backend::generate_unboxing(arguments.request, run);
  });
}

}  // namespace

void add_unboxing_command(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<UnboxingArguments>();
  CLI::App* command = app.add_subcommand(
      "unboxing",
      "Writes functions that take operators' arguments from the interpreter's\n"
      "stack: UnboxingFunctions and RegisterCodegenUnboxedKernels.");
  emit::UnboxingOptions& options = arguments->request.options;
  command
      ->add_option("-s,--source-path",
                   options.source_path,
                   "folder with native/ and templates/")
      ->capture_default_str();
  command
      ->add_option(
          "-d,--install-dir", options.install_dir, "folder to write to")
      ->capture_default_str();
  command->add_option("-o,--output-dependencies",
                      options.output_dependencies,
                      "also write a CMake list of all outputs to this file");
  command->add_flag("--dry-run", options.dry_run, "write nothing but the list");
  command
      ->add_option("--op-registration-allowlist",
                   arguments->whitelist,
                   "only these operators, given as aten::add")
      ->expected(0, -1);
  command->add_option("--op-selection-yaml-path",
                      arguments->selection,
                      "only the operators that this file selects");
  command->add_flag("--always-shard",
                    options.always_shard,
                    "several files even for a selection of few operators");
  add_run_options(*command, arguments->run);
  command->callback([command, arguments, &action] {
    action = [command, arguments] {
      return run_unboxing(*command, *arguments);
    };
  });
}

}  // namespace opgen::cli
