// A folder with a small PyTorch: operators, tags and templates for
// generate_stubs.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include <unistd.h>

#include "opgen/backend/backend_stubs.h"

namespace opgen::backend {

inline constexpr const char* kOperators = R"(
- func: abs(Tensor self) -> Tensor
  dispatch:
    CompositeExplicitAutograd: abs
- func: abs_(Tensor(a!) self) -> Tensor(a!)
  dispatch:
    CompositeExplicitAutograd: abs_
- func: abs.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  dispatch:
    CPU, CUDA: abs_out
- func: add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor
  structured_delegate: add.out
- func: add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)
  structured: True
  structured_inherits: TensorIteratorBase
  dispatch:
    CPU, CUDA: add_out
- func: grow(Tensor self, SymInt[] size) -> Tensor
  dispatch:
    CPU: grow
)";

inline constexpr const char* kRegisterTemplate =
    "$external_backend_headers\n$dispatch_headers\n$ops_headers\n"
    "$dispatch_helpers\n"
    "$dispatch_definitions\n";
inline constexpr const char* kDefinitionsTemplate =
    "$dispatch_anonymous_definitions\n$static_init_dispatch_registrations\n";
inline constexpr const char* kHeaderTemplate =
    "$namespace_prologue\nstruct ${class_name} {\n$dispatch_declarations\n};\n";

class StubsTree {
 public:
  StubsTree() {
    std::string name =
        (std::filesystem::temp_directory_path() / "stubs_XXXXXX").string();
    folder_ = mkdtemp(name.data());
    const std::string aten = "torchgen/packaged/ATen/";
    write(aten + "native/native_functions.yaml", kOperators);
    write(aten + "native/tags.yaml", "- tag: core\n  desc: d\n");
    write(aten + "templates/RegisterDispatchKey.cpp", kRegisterTemplate);
    write(aten + "templates/RegisterDispatchDefinitions.ini",
          kDefinitionsTemplate);
    write(aten + "templates/DispatchKeyNativeFunctions.h", kHeaderTemplate);
    options.source_yaml = path("be.yaml");
    options.output_dir = "out";
    options.torchgen = path("torchgen");
  }

  StubsTree(const StubsTree&) = delete;
  StubsTree& operator=(const StubsTree&) = delete;

  ~StubsTree() {
    std::error_code error;
    std::filesystem::remove_all(folder_, error);
  }

  std::string path(const std::string& name) const {
    return (folder_ / name).string();
  }

  void write(const std::string& name, const std::string& contents) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << contents;
  }

  // Generates for the description; `lists` follow its head.
  bool generate(const std::string& lists) {
    write("be.yaml", "backend: PrivateUse1\ncpp_namespace: my\n" + lists);
    run = Run();
    return generate_stubs(options, run);
  }

  // The contents of a file under out; "none" if there is no such file.
  std::string file(const std::string& name) const {
    for (const text::OutputFile& file : run.files) {
      if (file.path == "out/" + name) {
        return file.contents;
      }
    }
    return "none";
  }

  bool holds(const std::string& name, const std::string& text) const {
    return file(name).find(text) != std::string::npos;
  }

  StubsOptions options;
  Run run;

 private:
  std::filesystem::path folder_;
};

}  // namespace opgen::backend
