#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "opgen/backend/generate.h"
#include "opgen/cli/command.h"
#include "opgen/cli/run_options.h"

namespace opgen::cli {
namespace {

struct AutogradArguments {
  backend::AutogradRequest request;
  std::vector<std::string> only{
      "trace", "inplace_or_view", "variable_factories"};
  RunOptions run;
};

int run_autograd(const CLI::App& command, AutogradArguments& arguments) {
  emit::AutogradOptions& options = arguments.request.options;
  const auto wants = [&](const char* name) {
    return std::find(arguments.only.begin(), arguments.only.end(), name) !=
           arguments.only.end();
  };
  options.trace = wants("trace");
  options.inplace_or_view = wants("inplace_or_view");
  options.variable_factories = wants("variable_factories");
  arguments.run.default_manifest =
      options.dry_run ? "" : options.install_dir + "/.opgen-autograd-manifest";
  arguments.run.identity = identity_of(command);
  return run_generator(arguments.run, [&](backend::Run& run) {
    return backend::generate_autograd(arguments.request, run);
  });
}

}  // namespace

void add_autograd_command(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<AutogradArguments>();
  CLI::App* command = app.add_subcommand(
      "autograd",
      "Writes the files of PyTorch's tools/autograd that need few formulas:\n"
      "TraceType, ADInplaceOrViewType and variable_factories.h.");
  backend::AutogradRequest& request = arguments->request;
  command
      ->add_option("-s,--source-path",
                   request.source_path,
                   "folder with native/native_functions.yaml and "
                   "native/tags.yaml")
      ->capture_default_str();
  command->add_option("--autograd",
                      request.autograd_path,
                      "folder with derivatives.yaml and templates/; found from "
                      "the source path if not given");
  command
      ->add_option(
          "-d,--install-dir", request.options.install_dir, "folder to write to")
      ->capture_default_str();
  command->add_option("--only", arguments->only, "what to write")
      ->delimiter(',')
      ->check(CLI::IsMember({"trace", "inplace_or_view", "variable_factories"}))
      ->capture_default_str();
  command->add_flag("--dry-run", request.options.dry_run, "write nothing");
  add_run_options(*command, arguments->run);
  command->callback([command, arguments, &action] {
    action = [command, arguments] {
      return run_autograd(*command, *arguments);
    };
  });
}

}  // namespace opgen::cli
