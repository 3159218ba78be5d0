// The program opgen.
#include <cstdio>

#include <CLI/CLI.hpp>

#include "opgen/cli/command.h"
#include "opgen/cli/command_errors.h"

namespace {

constexpr const char* kDescription =
    "opgen makes PyTorch's generated operator code, byte for byte, from the "
    "same\n"
    "inputs as torchgen: native_functions.yaml, tags.yaml and the templates of "
    "an\n"
    "installed PyTorch or of a checkout.";
constexpr const char* kFooter =
    "\nStart with the inputs that an installed PyTorch carries:\n"
    "  opgen aten -s .../site-packages/torchgen/packaged/ATen -d out "
    "--per-operator-headers\n";

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(kDescription, "opgen");
  app.footer(kFooter);
  app.set_version_flag("--version", OPGEN_VERSION);
  app.require_subcommand(1);
  app.failure_message(opgen::cli::command_error);
  opgen::cli::Action action;
  opgen::cli::add_aten_command(app, action);
  opgen::cli::add_autograd_command(app, action);
  opgen::cli::add_unboxing_command(app, action);
  opgen::cli::add_stubs_command(app, action);
  opgen::cli::add_backend_command(app, action);
  opgen::cli::add_check_command(app, action);
  opgen::cli::add_explain_command(app, action);
  opgen::cli::add_diff_command(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return action();
}
