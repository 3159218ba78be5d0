// Any text as the description of a backend, through `opgen stubs`; parts are an
// overlay and the C++ in which its kernels are looked for.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz_tree.h"
#include "opgen/backend/backend_stubs.h"
#include "opgen/backend/generate.h"
#include "sections.h"

namespace {

using namespace opgen;

constexpr std::string_view kOperators = R"(
- func: scale.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor
  structured_delegate: scale.out
  variants: function, method
- func: scale_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)
  structured_delegate: scale.out
  variants: method
- func: scale.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)
  structured: True
  structured_inherits: TensorIteratorBase
  dispatch:
    CPU, CUDA: scale_out
- func: grow(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor
  dispatch:
    CPU: grow
  autogen: grow.out
- func: twice(Tensor self) -> Tensor
- func: pair.out(Tensor self, int[2] dim, *, Tensor(a!) low, Tensor(b!) high) -> (Tensor(a!), Tensor(b!))
  dispatch:
    CPU: pair_out
- func: pair(Tensor self, int[2] dim) -> (Tensor, Tensor)
  dispatch:
    CPU: pair
- func: window(Tensor(a) self, SymInt? begin=None) -> Tensor(a)
  device_check: NoCheck
  device_guard: False
  dispatch:
    CompositeExplicitAutograd: window
- func: window_copy(Tensor self, SymInt? begin=None) -> Tensor
  dispatch:
    CompositeExplicitAutogradNonFunctional: window_copy
  tags: view_copy
)";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  static const fuzz::FuzzTree kTree;
  const fuzz::Sections input(
      std::string_view(reinterpret_cast<const char*>(data), size));
  kTree.write_operators(kOperators);
  kTree.write("backend.yaml", input.head());
  kTree.write("overlay.yaml", input.part("overlay.yaml"));
  kTree.write("kernels.cpp", input.part("kernels.cpp"));
  backend::StubsOptions options;
  options.source_yaml = kTree.path("backend.yaml");
  options.output_dir = "out";
  options.torchgen = kTree.torchgen();
  if (input.asks_for("count")) {
    options.impl_path = kTree.path("kernels.cpp");
  }
  if (input.asks_for("kernels")) {
    options.kernel_sources.push_back(kTree.path("kernels.cpp"));
  }
  if (input.asks_for("overlay")) {
    options.overlays.push_back(kTree.path("overlay.yaml"));
  }
  backend::Run run;
  const bool good = backend::generate_stubs(options, run);
  fuzz::check_run(good, run);
  return 0;
}
