// The subcommands of the program.
#pragma once

#include <functional>
#include <string>

#include <CLI/CLI.hpp>

namespace opgen::cli {

// What a subcommand does once its arguments are known; returns the exit status:
// 0 done, 1 the input has errors, 2 the command line has.
using Action = std::function<int()>;

// Each adds its subcommand to `app` and sets `action` when it is chosen.
void add_aten_command(CLI::App& app, Action& action);
void add_autograd_command(CLI::App& app, Action& action);
void add_unboxing_command(CLI::App& app, Action& action);
void add_stubs_command(CLI::App& app, Action& action);
void add_backend_command(CLI::App& app, Action& action);
void add_check_command(CLI::App& app, Action& action);
void add_explain_command(CLI::App& app, Action& action);
void add_diff_command(CLI::App& app, Action& action);

}  // namespace opgen::cli
