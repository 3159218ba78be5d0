// A folder in the place of an installed PyTorch: torchgen/ with templates of
// our own, whose holes are those of PyTorch's, and with what an input holds.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "opgen/backend/generate.h"

namespace opgen::fuzz {

class FuzzTree {
 public:
  // A new folder among the temporary ones. Ends the program if that fails.
  FuzzTree();
  ~FuzzTree();
  FuzzTree(const FuzzTree&) = delete;
  FuzzTree& operator=(const FuzzTree&) = delete;

  std::string torchgen() const { return path("torchgen"); }

  std::string aten() const { return path("torchgen/packaged/ATen"); }

  std::string path(std::string_view name) const;

  // `name` is relative to the folder.
  void write(std::string_view name, std::string_view contents) const;
  // native_functions.yaml and tags.yaml; tags of our own if `tags` is empty.
  void write_operators(std::string_view functions,
                       std::string_view tags = {}) const;

 private:
  std::filesystem::path folder_;
};

// What must hold after every generation, whatever its input; ends the program
// if something does not. `good` is what the generation returned. Prints the
// diagnostics where OPGEN_FUZZ_SHOW is set in the environment.
void check_run(bool good, backend::Run& run);

// Ends the program, so that libFuzzer keeps the input.
[[noreturn]] void fail(std::string_view what);

}  // namespace opgen::fuzz
