// Generations on many threads, and many generations at a time. The sanitizer
// for threads watches this test.
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "fuzz_tree.h"
#include "opgen/backend/generate.h"
#include "opgen/emit/options.h"
#include "opgen/text/file_manager.h"
#include "sections.h"

namespace opgen::fuzz {
namespace {

using Contents = std::vector<std::pair<std::string, std::string>>;

std::string read(const char* name) {
  std::ifstream file(std::filesystem::path(OPGEN_CORPUS) / "pipeline" / name,
                     std::ios::binary);
  EXPECT_TRUE(file) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

Contents contents_of(const backend::Run& run) {
  EXPECT_EQ(run.diagnostics.to_text(), "");
  Contents contents;
  for (const text::OutputFile& file : run.files) {
    contents.emplace_back(file.path, file.contents);
  }
  return contents;
}

Contents aten(const FuzzTree& tree, std::size_t threads) {
  backend::Run run;
  run.threads = threads;
  emit::AtenOptions options;
  options.source_path = tree.aten();
  options.per_operator_headers = true;
  options.install_dir = "out";
  options.aoti_install_dir = "aoti";
  options.mps = true;
  options.static_dispatch_backend = {"CPU"};
  backend::generate_aten(options, run);
  return contents_of(run);
}

Contents autograd(const FuzzTree& tree, std::size_t threads) {
  backend::Run run;
  run.threads = threads;
  backend::AutogradRequest request;
  request.source_path = tree.aten();
  backend::generate_autograd(request, run);
  return contents_of(run);
}

Contents unboxing(const FuzzTree& tree, std::size_t threads) {
  backend::Run run;
  run.threads = threads;
  backend::UnboxingRequest request;
  request.options.source_path = tree.aten();
  request.options.install_dir = "out";
  backend::generate_unboxing(request, run);
  return contents_of(run);
}

void write_input(const FuzzTree& tree, const char* name) {
  const std::string text = read(name);
  const Sections input(text);
  tree.write_operators(input.head(), input.part("tags.yaml"));
  tree.write("torchgen/packaged/autograd/derivatives.yaml",
             input.part("derivatives.yaml", "[]"));
}

TEST(Threads, ChangeNothing) {
  for (const char* name : {"all_kinds", "per_operator", "autograd"}) {
    SCOPED_TRACE(name);
    const FuzzTree tree;
    write_input(tree, name);
    for (const auto& generate : {aten, autograd, unboxing}) {
      const Contents one = generate(tree, 1);
      EXPECT_FALSE(one.empty());
      EXPECT_EQ(generate(tree, 2), one);
      EXPECT_EQ(generate(tree, 8), one);
    }
  }
}

TEST(Threads, GenerationsDoNotMeet) {
  const FuzzTree tree;
  write_input(tree, "autograd");
  std::vector<Contents> results(6);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < results.size(); ++i) {
    threads.emplace_back([&, i] {
      results[i] = i % 3 == 0   ? aten(tree, 2)
                   : i % 3 == 1 ? autograd(tree, 2)
                                : unboxing(tree, 2);
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_FALSE(results[i].empty());
    EXPECT_EQ(results[i], results[i + 3]);
  }
}

}  // namespace
}  // namespace opgen::fuzz
