#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>

#include "opgen/backend/diff.h"
#include "opgen/cli/command.h"
#include "opgen/cli/run_options.h"

namespace opgen::cli {
namespace {

constexpr const char* kDiffDescription =
    "Shows which generated files change between two trees, and for which\n"
    "operators. Both are generated in memory; nothing is written.";
constexpr const char* kDiffFooter =
    "\nOLD and NEW are folders with native/ and templates/, as -s of `opgen "
    "aten`\n"
    "takes them, or files to take instead of native_functions.yaml; all else\n"
    "then comes from the folder that -s names.\n\n"
    "Examples:\n"
    "  opgen diff pytorch-2.12/aten/src/ATen pytorch-2.13/aten/src/ATen\n"
    "  opgen diff -s $INPUTS $INPUTS/native/native_functions.yaml mine.yaml\n"
    "  opgen diff --json OLD NEW\n\n"
    "The exit status is 0 if all generated files are equal, 1 if some differ "
    "and\n"
    "2 if there was an error.";

struct DiffArguments {
  backend::DiffRequest request;
  bool aggregated = false;
  bool json = false;
  std::size_t jobs = 0;
};

int run_diff(DiffArguments& arguments) {
  backend::Run run;
  run.threads = arguments.jobs != 0
                    ? arguments.jobs
                    : std::max(1U, std::thread::hardware_concurrency());
  arguments.request.aten.per_operator_headers = !arguments.aggregated;
  const backend::TreeDiff diff = backend::diff_trees(arguments.request, run);
  RunOptions report;
  report.format =
      arguments.json && run.diagnostics.has_errors() ? "json" : "text";
  print_diagnostics(report, run.diagnostics);
  if (run.diagnostics.has_errors()) {
    return 2;
  }
  const std::string text =
      arguments.json ? backend::diff_json(diff) : backend::diff_text(diff);
  std::fputs(text.c_str(), stdout);
  return diff.empty() ? 0 : 1;
}

}  // namespace

void add_diff_command(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<DiffArguments>();
  CLI::App* command = app.add_subcommand("diff", kDiffDescription);
  command->footer(kDiffFooter);
  emit::AtenOptions& options = arguments->request.aten;
  command->add_option("OLD", arguments->request.old_path, "a folder or a file")
      ->required();
  command->add_option("NEW", arguments->request.new_path, "a folder or a file")
      ->required();
  command
      ->add_option("-s,--source-path",
                   options.source_path,
                   "what goes with an OLD or NEW that is a file")
      ->capture_default_str();
  command->add_flag("--aggregated-headers",
                    arguments->aggregated,
                    "one header for all operators instead of ops/");
  command->add_flag("--rocm", options.rocm, "take CUDA for ROCm/HIP");
  command->add_flag("--mps", options.mps, "also generate for MPS");
  command->add_flag("--xpu", options.xpu, "also generate for XPU");
  command->add_flag("--mtia", options.mtia, "also generate for MTIA");
  command->add_flag("--json", arguments->json, "print JSON");
  command->add_option("-j,--jobs", arguments->jobs, "threads")
      ->check(CLI::Range(1, 1024));
  command->callback([arguments, &action] {
    action = [arguments] { return run_diff(*arguments); };
  });
}

}  // namespace opgen::cli
