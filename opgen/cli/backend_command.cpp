#include <memory>

#include "opgen/backend/generate.h"
#include "opgen/cli/command.h"
#include "opgen/cli/run_options.h"

namespace opgen::cli {
namespace {

struct BackendArguments {
  emit::HostOperatorsOptions options;
  RunOptions run;
};

int run_backend(const CLI::App& command, BackendArguments& arguments) {
  arguments.run.default_manifest =
      arguments.options.install_dir + "/.opgen-backend-manifest";
  arguments.run.identity = identity_of(command);
  return run_generator(arguments.run, [&](backend::Run& run) {
    return backend::generate_backend(arguments.options, run);
  });
}

}  // namespace

void add_backend_command(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<BackendArguments>();
  CLI::App* command = app.add_subcommand(
      "backend",
      "Writes the operator layer of a device whose memory the host can\n"
      "address: a wrapper for every operator with a CPU kernel, and a table "
      "of\n"
      "them.");
  emit::HostOperatorsOptions& options = arguments->options;
  command
      ->add_option(
          "-s,--source-path", options.source_path, "folder with native/")
      ->capture_default_str();
  command
      ->add_option(
          "-d,--install-dir", options.install_dir, "folder to write to")
      ->capture_default_str();
  command
      ->add_option("--header",
                   options.header,
                   "what the sources include; declares HostCall and HostEntry")
      ->required();
  command
      ->add_option("--namespace", options.cpp_namespace, "of what is generated")
      ->required();
  command->add_option("--files", options.shards, "to spread the wrappers over")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  add_run_options(*command, arguments->run);
  command->callback([command, arguments, &action] {
    action = [command, arguments] { return run_backend(*command, *arguments); };
  });
}

}  // namespace opgen::cli
