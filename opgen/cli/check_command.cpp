#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "opgen/cli/command.h"
#include "opgen/cli/run_options.h"
#include "opgen/schema/load.h"

namespace opgen::cli {
namespace {

struct CheckArguments {
  std::vector<std::string> files;
  std::string tags;
  RunOptions run;
};

std::string tags_beside(const std::string& file) {
  const std::size_t slash = file.rfind('/');
  return (slash == std::string::npos ? "" : file.substr(0, slash + 1)) +
         "tags.yaml";
}

int check(const CheckArguments& arguments) {
  text::Diagnostics diagnostics;
  std::vector<schema::LoadedFunctions> keep;
  std::size_t functions = 0;
  for (const std::string& file : arguments.files) {
    schema::LoadOptions load;
    load.native_functions_path = file;
    load.tags_path =
        arguments.tags.empty() ? tags_beside(file) : arguments.tags;
    keep.push_back(schema::load_native_functions(load, diagnostics));
    if (keep.back().functions) {
      functions += keep.back().functions->functions.size();
    }
  }
  print_diagnostics(arguments.run, diagnostics);
  if (arguments.run.format == "text" && !diagnostics.has_errors()) {
    std::printf("%zu functions, no errors\n", functions);
  }
  return diagnostics.has_errors() ? 1 : 0;
}

}  // namespace

void add_check_command(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<CheckArguments>();
  CLI::App* command = app.add_subcommand(
      "check", "Reads operator descriptions and reports every error in them.");
  command->add_option("FILES", arguments->files, "native_functions.yaml, ...")
      ->required();
  command->add_option(
      "--tags",
      arguments->tags,
      "the tags that may be used; tags.yaml beside each file by "
      "default");
  command
      ->add_option("--format", arguments->run.format, "how errors are reported")
      ->check(CLI::IsMember({"text", "json", "sarif"}))
      ->capture_default_str();
  command->add_flag_callback(
      "--json",
      [arguments] { arguments->run.format = "json"; },
      "the same as --format json");
  command->callback([arguments, &action] {
    action = [arguments] { return check(*arguments); };
  });
}

}  // namespace opgen::cli
