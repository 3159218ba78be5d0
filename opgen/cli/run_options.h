// What every generating subcommand can be told about how it runs.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include <CLI/CLI.hpp>

#include "opgen/backend/generate.h"

namespace opgen::cli {

struct RunOptions {
  std::size_t jobs = 0;  // 0: one per processor
  std::string sink = "disk";
  std::string manifest;  // empty: `default_manifest`
  bool no_manifest = false;
  std::string depfile;
  std::string depfile_target;  // empty: all outputs
  bool list = false;
  std::string format = "text";
  bool verbose = false;

  // Set by the subcommand before it runs.
  std::string default_manifest;
  // See identity_of.
  std::string identity;
};

// The command line as far as it decides what is written.
std::string identity_of(const CLI::App& command);

void add_run_options(CLI::App& command, RunOptions& options);

// To stdout for programs, to stderr for people.
void print_diagnostics(const RunOptions& options,
                       const text::Diagnostics& diagnostics);

// Generates, reports, and writes the files if there were no errors. Does
// nothing but write the depfile if the manifest says that everything is there
// already. With `list` it only says what it would read and write. Returns the
// exit status.
int run_generator(const RunOptions& options,
                  const std::function<bool(backend::Run&)>& generate);

}  // namespace opgen::cli
