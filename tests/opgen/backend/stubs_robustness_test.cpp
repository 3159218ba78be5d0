// Mutated descriptions, overlays and kernel sources either generate or fail
// with a diagnostic; nothing throws.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "opgen/backend/backend_stubs.h"
#include "opgen/model/dispatch_key.h"
#include "tests/opgen/backend/stubs_tree.h"

namespace opgen::backend {
namespace {

constexpr std::string_view kBackend =
    "backend: PrivateUse1\n"
    "cpp_namespace: my::backend\n"
    "class_name: K\n"
    "device_guard: true\n"
    "default_arguments: true\n"
    "overlay: own.yaml\n"
    "structured:\n"
    "- func: add.Tensor\n"
    "  device_guard: false\n"
    "supported:\n"
    "- func: abs\n"
    "  device_check: true\n"
    "- grow\n"
    "- my::norm_\n"
    "symint:\n"
    "- grow\n";

constexpr std::string_view kOverlay =
    "- func: my::glu(Tensor x, Tensor? gate) -> Tensor\n"
    "  dispatch:\n"
    "    Meta: glu_meta\n"
    "    PrivateUse1: glu\n"
    "- func: my::glu.scaled(Tensor x, *, float scale=1.0) -> Tensor\n"
    "  dispatch:\n"
    "    CPU, CUDA: my::glu_scaled\n"
    "- func: my::norm_(Tensor(a!) self, *, SymInt[]? shape=None) -> "
    "Tensor(a!)\n"
    "  variants: function\n"
    "  tags: core\n"
    "- func: my::split(Tensor(a -> *) x, int n=2) -> Tensor(a)[]\n"
    "- func: your::norm.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)\n"
    "  device_check: NoCheck\n";

constexpr std::string_view kKernels =
    "namespace my::backend {\n"
    "at::Tensor K::abs(const at::Tensor& self) { return self; }\n"
    "at::Tensor K::grow_symint(const at::Tensor&, c10::SymIntArrayRef);\n"
    "TORCH_IMPL_FUNC(add_Tensor)(const Tensor& a, const Tensor& b,\n"
    "                            const Scalar& c, const Tensor& out) {}\n"
    "#if 0\n"
    "Tensor& K::norm_(Tensor& self) {}\n"
    "#endif\n"
    "}  // namespace my::backend\n";

constexpr std::array<std::string_view, 30> kPieces{
    "Tensor",
    "Tensor(a!)",
    "Tensor? x=None",
    "SymInt[2] s",
    "Tensor[] l",
    " -> ()",
    "()",
    "(a, b)",
    "*",
    ".out",
    "_",
    "my::",
    "a::b::",
    "\n  structured: True",
    "\n  structured_delegate: my::glu",
    "\n  structured_inherits: TensorIteratorBase",
    "\n  autogen: my::norm.out, my::norm",
    "\n  variants: method, function",
    "\n  tags: [core, core]",
    "\n  ufunc_inner_loop:\n    Generic: add (AllAndComplex)",
    "\n  manual_kernel_registration: True",
    "\n  precomputed:\n  - n -> int m",
    "\n  cpp_no_default_args: [scale]",
    "\n  python_module: nn",
    "\n  category_override: factory",
    "\n- ",
    ": ",
    "{",
    "]",
    "\xff",
};

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  std::size_t below(std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_);
  }

  std::string mutate(std::string_view original) {
    std::string text(original);
    const std::size_t changes = below(2);
    for (std::size_t i = 0; i <= changes; ++i) {
      change(text);
    }
    return text;
  }

 private:
  void change(std::string& text) {
    const std::size_t place = below(text.size() + 1);
    switch (below(9)) {
      case 0:
        text.erase(place, below(20));
        break;
      case 1:
        text.insert(place, text.substr(below(text.size() + 1), below(30)));
        break;
      case 2:
        text.insert(place, kPieces.at(below(kPieces.size())));
        break;
      case 3:
        text.insert(end_of_line(text, place),
                    kPieces.at(below(kPieces.size())));
        break;
      case 4:
        text.insert(end_of_line(text, place), "\n    " + key() + ": kernel");
        break;
      case 5:
        text.insert(end_of_line(text, place),
                    "\n  dispatch:\n    " + key() + ", " + key() + ": kernel");
        break;
      case 6:
        erase_line(text, place);
        break;
      default:
        copy_line(text, place);
    }
  }

  std::string key() {
    return std::string(model::name_of(
        static_cast<model::DispatchKey>(below(model::kDispatchKeyCount))));
  }

  static std::size_t end_of_line(const std::string& text, std::size_t place) {
    return std::min(text.find('\n', place), text.size());
  }

  // With the newline before it.
  static std::string line_at(const std::string& text, std::size_t place) {
    const std::size_t newline = text.rfind('\n', place);
    const std::size_t begin = newline == std::string::npos ? 0 : newline;
    return text.substr(begin, end_of_line(text, begin + 1) - begin);
  }

  static void erase_line(std::string& text, std::size_t place) {
    const std::string line = line_at(text, place);
    text.erase(text.find(line), line.size());
  }

  void copy_line(std::string& text, std::size_t place) {
    const std::string line = line_at(text, place);
    text.insert(end_of_line(text, below(text.size() + 1)), line);
  }

  std::mt19937 random_;
};

// What may be mutated: each alone, so that the others stay whole.
enum class Part : std::uint8_t { kBackend, kOverlay, kKernels };

void expect_answers(Part part, unsigned seeds) {
  StubsTree tree;
  std::size_t accepted = 0;
  for (unsigned seed = 0; seed < seeds; ++seed) {
    Mutator mutator(seed);
    const auto text = [&](Part which, std::string_view original) {
      return which == part ? mutator.mutate(original) : std::string(original);
    };
    tree.write("own.yaml", text(Part::kOverlay, kOverlay));
    tree.write("k.cpp", text(Part::kKernels, kKernels));
    tree.options.impl_path = part == Part::kKernels ? tree.path("k.cpp") : "";
    tree.options.kernel_sources.clear();
    if (part == Part::kKernels) {
      tree.options.kernel_sources.push_back(tree.path("k.cpp"));
    }
    tree.write("be.yaml", text(Part::kBackend, kBackend));
    tree.run = Run();
    const bool ok = generate_stubs(tree.options, tree.run);
    accepted += ok ? 1 : 0;
    ASSERT_EQ(ok, !tree.run.diagnostics.has_errors()) << "seed " << seed;
    ASSERT_TRUE(ok || tree.run.files.empty()) << "seed " << seed;
    tree.run.diagnostics.to_text();
  }
  // Mutations that nothing survives would leave generation untried.
  EXPECT_TRUE(part == Part::kKernels || accepted > seeds / 50) << accepted;
}

TEST(GenerateStubs, AnswersToMutatedDescriptions) {
  expect_answers(Part::kBackend, 200);
}

TEST(GenerateStubs, AnswersToMutatedOverlays) {
  expect_answers(Part::kOverlay, 400);
}

TEST(GenerateStubs, AnswersToMutatedKernels) {
  expect_answers(Part::kKernels, 150);
}

}  // namespace
}  // namespace opgen::backend
