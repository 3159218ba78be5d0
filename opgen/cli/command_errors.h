// What a wrong command line is answered with.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace opgen::cli {

// "error: ..." with a suggestion for a misspelt command or flag, and where to
// find help. For CLI::App::failure_message.
std::string command_error(const CLI::App* app, const CLI::Error& error);

}  // namespace opgen::cli
