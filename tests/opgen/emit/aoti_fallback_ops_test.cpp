#include "opgen/emit/aoti_fallback_ops.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "opgen/api/error.h"
#include "tests/opgen/text/temporary_folder.h"

namespace opgen::emit {
namespace {

namespace fs = std::filesystem;

PythonLiteral metadata_of(const std::string& source) {
  PythonModule module;
  EXPECT_EQ(read_python_module("m = " + source, module).message, "");
  return *module.find("m");
}

TEST(FallbackOps, reads_both_dicts) {
  FallbackOps ops;
  EXPECT_EQ(parse_fallback_ops("inductor_fallback_ops = {'b': {}, 'a': {}}\n"
                               "aten_shimified_ops = {'c'}\n",
                               "f.py",
                               ops),
            "");
  EXPECT_EQ(ops.inductor_fallback_ops.begin()->first, "a");
  EXPECT_EQ(ops.aten_shimified_ops.at("c").kind, PythonLiteral::Kind::kDict);
}

TEST(FallbackOps, errors_name_the_file) {
  FallbackOps ops;
  EXPECT_EQ(parse_fallback_ops("x = 1", "f.py", ops),
            "f.py:1:5: error: expected a string, a list, a set, a tuple or a "
            "dict");
  EXPECT_EQ(parse_fallback_ops("inductor_fallback_ops = {}", "f.py", ops),
            "f.py: error: no dict aten_shimified_ops");
  EXPECT_EQ(parse_fallback_ops("inductor_fallback_ops = [['a']]", "f.py", ops),
            "f.py: error: inductor_fallback_ops holds something other than "
            "names");
  EXPECT_NE(load_fallback_ops("/nonexistent/f.py", ops), "");
}

TEST(FallbackOps, lies_beside_the_packaged_inputs_or_in_the_checkout) {
  const text::TemporaryFolder folder;
  const fs::path root = folder.path("tree");
  fs::create_directories(root / "torchgen/packaged/ATen");
  fs::create_directories(root / "torchgen/aoti");
  fs::create_directories(root / "aten/src/ATen");
  EXPECT_EQ(find_fallback_ops((root / "aten/src/ATen").string()), std::nullopt);
  std::ofstream(root / "torchgen/aoti/fallback_ops.py") << "# nothing\n";
  for (const char* source : {"torchgen/packaged/ATen", "aten/src/ATen"}) {
    const auto found = find_fallback_ops((root / source).string());
    ASSERT_TRUE(found) << source;
    EXPECT_TRUE(fs::equivalent(*found, root / "torchgen/aoti/fallback_ops.py"));
  }
}

TEST(FallbackOpVersions, are_listed_from_the_newest) {
  const auto versions = fallback_op_versions(
      "f",
      metadata_of("{'since': 'TORCH_VERSION_2_1_0', 'v2': ['a'], 'v10': "
                  "{'new_args': ['b'], 'since': 'TORCH_VERSION_2_12_0'}}"));
  ASSERT_EQ(versions.size(), 3U);
  EXPECT_EQ(versions[0].id, 10);
  EXPECT_THAT(versions[0].new_args, ::testing::ElementsAre("b"));
  EXPECT_EQ(versions[0].since, "TORCH_VERSION_2_12_0");
  EXPECT_EQ(versions[1].id, 2);
  EXPECT_THAT(versions[1].new_args, ::testing::ElementsAre("a"));
  EXPECT_EQ(versions[1].since, std::nullopt);
  EXPECT_EQ(versions[2].id, 1);
  EXPECT_EQ(versions[2].since, "TORCH_VERSION_2_1_0");
}

TEST(FallbackOpVersions, refuse_what_makes_no_sense) {
  for (const char* source : {"'x'",
                             "{'x2': []}",
                             "{'': []}",
                             "{'v': []}",
                             "{'v2x': []}",
                             "{'v1': []}",
                             "{'v2': [], 'v02': []}",
                             "{'v2': 'a'}",
                             "{'v2': [['a']]}",
                             "{'v2': {'new_args': 'a'}}",
                             "{'since': []}",
                             "{'since': 'TORCH_VERSION_2_1'}",
                             "{'since': 'TORCH_VERSION_2_1_0_'}",
                             "{'since': '2.1.0'}"}) {
    EXPECT_THROW(fallback_op_versions("f", metadata_of(source)), api::ApiError)
        << source;
  }
}

}  // namespace
}  // namespace opgen::emit
