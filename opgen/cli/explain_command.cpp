#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "opgen/backend/explain.h"
#include "opgen/cli/command.h"
#include "opgen/cli/run_options.h"

namespace opgen::cli {
namespace {

constexpr const char* kExplainDescription =
    "Shows what is generated for an operator: its entry, its kernels, its "
    "group,\n"
    "and every file and line that it lands in. A line is listed if it would "
    "not\n"
    "be there without the operator; lines marked * belong to its whole group.";
constexpr const char* kExplainFooter =
    "\nNAME is an operator as aten::add.Tensor or add.Tensor; a name without\n"
    "overload, as add, means all overloads.\n\n"
    "Examples:\n"
    "  opgen explain -s $INPUTS aten::add.Tensor\n"
    "  opgen explain -s $INPUTS add.out --lines     with the text of the "
    "lines\n"
    "  opgen explain -s $INPUTS add --json          for programs\n\n"
    "$INPUTS is a checkout's aten/src/ATen, or an installed PyTorch's\n"
    "torchgen/packaged/ATen. Files are named as a build of PyTorch names "
    "them;\n"
    "nothing is written.";

struct ExplainArguments {
  backend::ExplainRequest request;
  bool aggregated = false;
  bool json = false;
  std::size_t jobs = 0;
};

int run_explain(ExplainArguments& arguments) {
  backend::Run run;
  run.threads = arguments.jobs != 0
                    ? arguments.jobs
                    : std::max(1U, std::thread::hardware_concurrency());
  arguments.request.aten.per_operator_headers = !arguments.aggregated;
  const auto explanations = backend::explain(arguments.request, run);
  RunOptions report;
  report.format =
      arguments.json && run.diagnostics.has_errors() ? "json" : "text";
  print_diagnostics(report, run.diagnostics);
  if (run.diagnostics.has_errors()) {
    return 1;
  }
  const std::string text = arguments.json
                               ? backend::explanations_json(explanations)
                               : backend::explanations_text(explanations);
  std::fputs(text.c_str(), stdout);
  return 0;
}

}  // namespace

void add_explain_command(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<ExplainArguments>();
  CLI::App* command = app.add_subcommand("explain", kExplainDescription);
  command->footer(kExplainFooter);
  emit::AtenOptions& options = arguments->request.aten;
  command->add_option("NAME", arguments->request.name, "the operator")
      ->required();
  command
      ->add_option("-s,--source-path",
                   options.source_path,
                   "folder with native/ and templates/")
      ->capture_default_str();
  command->add_option("--autograd",
                      arguments->request.autograd_path,
                      "folder with derivatives.yaml and templates/; found from "
                      "the source path if not given");
  command->add_flag("--aggregated-headers",
                    arguments->aggregated,
                    "one header for all operators instead of ops/");
  command->add_flag("--rocm", options.rocm, "take CUDA for ROCm/HIP");
  command->add_flag("--mps", options.mps, "also generate for MPS");
  command->add_flag("--xpu", options.xpu, "also generate for XPU");
  command->add_flag("--mtia", options.mtia, "also generate for MTIA");
  command->add_flag(
      "--lines", arguments->request.with_lines, "show the text of the lines");
  command->add_flag("--json", arguments->json, "print JSON");
  command->add_option("-j,--jobs", arguments->jobs, "threads")
      ->check(CLI::Range(1, 1024));
  command->callback([arguments, &action] {
    action = [arguments] { return run_explain(*arguments); };
  });
}

}  // namespace opgen::cli
