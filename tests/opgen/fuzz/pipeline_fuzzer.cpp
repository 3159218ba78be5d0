// Any text as native_functions.yaml, through `opgen aten`, and through
// `unboxing` and `autograd` if the first line asks for them.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz_tree.h"
#include "opgen/backend/generate.h"
#include "opgen/emit/options.h"
#include "sections.h"

namespace {

using namespace opgen;

emit::AtenOptions aten_options(const fuzz::FuzzTree& tree,
                               const fuzz::Sections& input) {
  emit::AtenOptions options;
  options.source_path = tree.aten();
  options.install_dir = "out";
  options.aoti_install_dir = "aoti";
  options.per_operator_headers = !input.asks_for("aggregated");
  options.rocm = input.asks_for("rocm");
  options.mps = input.asks_for("mps");
  options.xpu = input.asks_for("xpu");
  options.mtia = input.asks_for("mtia");
  options.skip_dispatcher_op_registration = input.asks_for("skip");
  options.force_schema_registration = input.asks_for("force");
  options.extend_aoti_c_shim = input.asks_for("extend");
  options.static_dispatch_backend = input.values("static");
  options.backend_whitelist = input.values("backend");
  if (input.asks_for("whitelist")) {
    options.op_registration_whitelist = input.values("operator");
  }
  if (input.asks_for("dependencies")) {
    options.output_dependencies = "out/list.cmake";
  }
  if (input.asks_for("selection")) {
    tree.write("selection.yaml", input.part("selection.yaml"));
    options.op_selection_yaml_path = tree.path("selection.yaml");
  }
  return options;
}

void run_aten(const fuzz::FuzzTree& tree, const fuzz::Sections& input) {
  backend::Run run;
  const emit::AtenOptions options = aten_options(tree, input);
  const bool good = backend::generate_aten(options, run);
  fuzz::check_run(good, run);
}

void run_unboxing(const fuzz::FuzzTree& tree) {
  backend::Run run;
  backend::UnboxingRequest request;
  request.options.source_path = tree.aten();
  request.options.install_dir = "out";
  const bool good = backend::generate_unboxing(request, run);
  fuzz::check_run(good, run);
}

void run_autograd(const fuzz::FuzzTree& tree, const fuzz::Sections& input) {
  tree.write("torchgen/packaged/autograd/derivatives.yaml",
             input.part("derivatives.yaml", "[]"));
  backend::Run run;
  backend::AutogradRequest request;
  request.source_path = tree.aten();
  const bool good = backend::generate_autograd(request, run);
  fuzz::check_run(good, run);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  static const fuzz::FuzzTree kTree;
  const fuzz::Sections input(
      std::string_view(reinterpret_cast<const char*>(data), size));
  kTree.write_operators(input.head(), input.part("tags.yaml"));
  if (input.asks_for("unboxing")) {
    run_unboxing(kTree);
  } else if (input.asks_for("autograd")) {
    run_autograd(kTree, input);
  } else {
    run_aten(kTree, input);
  }
  return 0;
}
