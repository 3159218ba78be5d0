#include <memory>

#include <CLI/App.hpp>

#include "opgen/backend/backend_stubs.h"
#include "opgen/backend/generate.h"
#include "opgen/cli/command.h"
#include "opgen/cli/run_options.h"

namespace opgen::cli {
namespace {

struct StubsArguments {
  backend::StubsOptions options;
  RunOptions run;
};

void add_places(CLI::App& command, backend::StubsOptions& options) {
  command
      .add_option("--torchgen",
                  options.torchgen,
                  "folder torchgen of an installed PyTorch, or a checkout")
      ->required();
  command.add_option("--native-functions",
                     options.native_functions_path,
                     "another native_functions.yaml");
  command.add_option("--tags", options.tags_path, "another tags.yaml");
  command.add_option(
      "--templates", options.template_dir, "another folder of templates");
}

int run_stubs(const CLI::App& command, StubsArguments& arguments) {
  const backend::StubsOptions& options = arguments.options;
  arguments.run.default_manifest =
      options.dry_run ? "" : options.output_dir + "/.opgen-stubs-manifest";
  arguments.run.identity = identity_of(command);
  return run_generator(arguments.run, [&options](backend::Run& run) {
    return backend::generate_stubs(options, run);
  });
}

}  // namespace

void add_stubs_command(CLI::App& app, Action& action) {
  const auto arguments = std::make_shared<StubsArguments>();
  CLI::App* command = app.add_subcommand(
      "stubs",
      "Writes the header and the registrations of a backend outside of "
      "PyTorch's\n"
      "tree, as `python -m torchgen.gen_backend_stubs` does.");
  backend::StubsOptions& options = arguments->options;
  command
      ->add_option("-s,--source-yaml,--source_yaml",
                   options.source_yaml,
                   "the description of the backend")
      ->required();
  command
      ->add_option("-o,--output-dir,--output_dir",
                   options.output_dir,
                   "folder to write to")
      ->required();
  command->add_flag("--dry-run,--dry_run",
                    options.dry_run,
                    "check everything, write nothing");
  command->add_option("--impl-path,--impl_path",
                      options.impl_path,
                      "a C++ file that must name every kernel");
  command->add_option(
      "--kernel-sources",
      options.kernel_sources,
      "C++ files that must define every kernel with the expected "
      "parameters");
  command->add_option(
      "--overlay", options.overlays, "files with operators of your own");
  add_places(*command, options);
  add_run_options(*command, arguments->run);
  command->callback([command, arguments, &action] {
    action = [command, arguments] { return run_stubs(*command, *arguments); };
  });
}

}  // namespace opgen::cli
