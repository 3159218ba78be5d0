#include "opgen/cli/command_errors.h"

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "opgen/text/characters.h"
#include "opgen/text/suggest.h"

namespace opgen::cli {
namespace {

// The command that was chosen, or the program itself.
const CLI::App* chosen(const CLI::App* app) {
  const auto commands = app->get_subcommands();
  return commands.empty() ? app : commands.front();
}

std::vector<std::string> flags_of(const CLI::App* app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app->get_options()) {
    for (const std::string& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
  }
  return names;
}

std::vector<std::string> commands_of(const CLI::App* app) {
  std::vector<std::string> names;
  for (const CLI::App* command :
       app->get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

std::string with_suggestion(const std::string& message,
                            const std::string& near) {
  return near.empty() ? message : message + "; did you mean '" + near + "'?";
}

// For an argument that nothing takes.
std::string unexpected(const CLI::App* app, const std::string& argument) {
  if (argument.starts_with('-')) {
    const std::string flag = argument.substr(0, argument.find('='));
    return with_suggestion("unknown flag '" + flag + "'",
                           text::suggest(flag, flags_of(app)));
  }
  return "unexpected argument '" + argument + "'";
}

std::string lower_first(std::string text) {
  // "FILES is required" begins with a name.
  const bool name = text.size() > 1 && text::is_upper(text[1]);
  if (!text.empty() && !name) {
    text[0] = text::to_lower(text[0]);
  }
  return text;
}

}  // namespace

std::string command_error(const CLI::App* app, const CLI::Error& error) {
  const CLI::App* command = chosen(app);
  const std::vector<std::string> rest = app->remaining(true);
  std::string message = lower_first(error.what());
  if (command == app && !rest.empty() && !rest.front().starts_with('-')) {
    message = with_suggestion("unknown command '" + rest.front() + "'",
                              text::suggest(rest.front(), commands_of(app)));
  } else if (!rest.empty()) {
    message = unexpected(command, rest.front());
  } else if (command == app && app->count_all() == 0) {
    message = "a command is missing";
  }
  const std::string name =
      command == app ? "opgen" : "opgen " + command->get_name();
  return "error: " + message + "\nRun '" + name + " --help'.\n";
}

}  // namespace opgen::cli
