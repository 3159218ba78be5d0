// The program opgen.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <sstream>

#include <CLI/CLI.hpp>

#include "opgen/cli/command.h"
#include "opgen/cli/command_errors.h"

namespace {

// The exit status where neither 0 nor 1 says what happened.
constexpr int kTrouble = 2;

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

// A person or a program that asked for something on standard output and does
// not get it has to be told.
int with_output_checked(int status) {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) {
    return status;
  }
  const char* const reason =
      errno == 0 ? "an earlier write failed" : std::strerror(errno);
  std::fprintf(stderr, "error: cannot write standard output: %s\n", reason);
  return kTrouble;
}

int run(int argc, char** argv) {
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
    std::ostringstream out;
    const int status = app.exit(error, out, std::cerr);
    std::fputs(out.str().c_str(), stdout);
    return status == 0 ? 0 : kTrouble;
  }
  return action();
}

}  // namespace

int main(int argc, char** argv) {
  return with_output_checked(run(argc, argv));
}
