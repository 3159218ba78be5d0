#include "opgen/text/posix_path.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace opgen::text {

namespace {

TEST(PosixPath, NormalForm) {
  EXPECT_EQ(normal_path("a//b/./c"), "a/b/c");
  EXPECT_EQ(normal_path("./a/"), "a");
  EXPECT_EQ(normal_path("/"), "/");
  EXPECT_EQ(normal_path("//a"), "//a");
  EXPECT_EQ(normal_path("///a"), "/a");
  EXPECT_EQ(normal_path(""), ".");
  EXPECT_EQ(normal_path("a/../b"), "a/../b");
}

TEST(PosixPath, Join) {
  EXPECT_EQ(join_path("out/", "ops/add.h"), "out/ops/add.h");
  EXPECT_EQ(join_path(".", "a"), "a");
  EXPECT_EQ(join_path("", "a"), "a");
  EXPECT_EQ(join_path("out", "/a"), "/a");
  EXPECT_EQ(join_path("/", "a"), "/a");
}

TEST(PosixPath, Parts) {
  EXPECT_EQ(parent_path("a/b/c"), "a/b");
  EXPECT_EQ(parent_path("a"), ".");
  EXPECT_EQ(parent_path("/a"), "/");
  EXPECT_EQ(path_name("x/a.tar.gz"), "a.tar.gz");
  EXPECT_EQ(path_stem("x/a.tar.gz"), "a.tar");
  EXPECT_EQ(path_stem(".bashrc"), ".bashrc");
  EXPECT_EQ(path_stem("a."), "a.");
  EXPECT_EQ(path_stem("x.y/z"), "z");
  EXPECT_EQ(path_stem("..a"), ".");
  EXPECT_EQ(with_stem("x/Register.cpp", "Register_0"), "x/Register_0.cpp");
}

TEST(PosixPath, OrderIsThatOfComponents) {
  std::vector<std::string> paths = {"a/b", "a-b", "a/b-c", "a/b/c", "A"};
  std::sort(paths.begin(), paths.end(), path_less);
  EXPECT_EQ(paths,
            (std::vector<std::string>{"A", "a/b", "a/b/c", "a/b-c", "a-b"}));
}

}  // namespace

}  // namespace opgen::text
