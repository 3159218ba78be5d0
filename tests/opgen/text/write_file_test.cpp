#include "opgen/text/write_file.h"

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "opgen/text/read_file.h"
#include "temporary_folder.h"

namespace opgen::text {

namespace {

ino_t inode(const std::string& path) {
  struct stat status{};
  EXPECT_EQ(::stat(path.c_str(), &status), 0);
  return status.st_ino;
}

std::size_t entries_in(const std::string& path) {
  const std::filesystem::directory_iterator begin(path);
  return static_cast<std::size_t>(
      std::distance(begin, std::filesystem::directory_iterator()));
}

TEST(WriteFile, CreatesKeepsAndReplaces) {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.h");
  EXPECT_TRUE(write_file_if_changed(path, "one").changed);
  const ino_t first = inode(path);
  EXPECT_FALSE(write_file_if_changed(path, "one").changed);
  EXPECT_EQ(inode(path), first);
  ::chmod(path.c_str(), 0640);
  EXPECT_TRUE(write_file_if_changed(path, "two").changed);
  EXPECT_NE(inode(path), first);
  EXPECT_EQ(folder.read("a.h"), "two");
  struct stat status{};
  ::stat(path.c_str(), &status);
  EXPECT_EQ(status.st_mode & 0777U, 0640U);
  EXPECT_EQ(entries_in(folder.path("")), 1U);
}

TEST(WriteFile, ComparesLargeContents) {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.h");
  std::string text(300'000, 'x');
  EXPECT_TRUE(write_file_if_changed(path, text).changed);
  EXPECT_FALSE(write_file_if_changed(path, text).changed);
  text.back() = 'y';
  EXPECT_TRUE(write_file_if_changed(path, text).changed);
  EXPECT_EQ(folder.read("a.h"), text);
}

TEST(WriteFile, FollowsALink) {
  const TemporaryFolder folder;
  folder.write("target.h", "one");
  std::filesystem::create_symlink("target.h", folder.path("link.h"));
  EXPECT_TRUE(write_file_if_changed(folder.path("link.h"), "two").changed);
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path("link.h")));
  EXPECT_EQ(folder.read("target.h"), "two");
}

TEST(WriteFile, ReportsWhatIsInTheWay) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path("a"));
  EXPECT_FALSE(write_file_if_changed(folder.path("a"), "x").error.empty());
  EXPECT_FALSE(write_file_if_changed(folder.path("b/c"), "x").error.empty());
  EXPECT_FALSE(
      write_file_if_changed("/dev/full", std::string(9, 'x')).error.empty());
  EXPECT_TRUE(write_file_if_changed("/dev/null", "x").error.empty());
}

TEST(WriteFile, ReplacesAFileWithTheLongestName) {
  const TemporaryFolder folder;
  const std::string path = folder.path(std::string(255, 'n'));
  EXPECT_TRUE(write_file_if_changed(path, "one").changed);
  EXPECT_TRUE(write_file_if_changed(path, "two").changed);
  EXPECT_EQ(entries_in(folder.path("")), 1U);
}

TEST(WriteFile, DoesNotWaitForAPipe) {
  const TemporaryFolder folder;
  const std::string path = folder.path("pipe");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const PlannedWrite planned = plan_write(path, "x");
  EXPECT_EQ(planned.kind, PlannedWrite::Kind::kOverwrite);
  EXPECT_EQ(planned.error, 0);
}

TEST(WriteFile, PlansWithoutChangingAnything) {
  const TemporaryFolder folder;
  folder.write("a", "one");
  const auto kind = [&](const char* name, std::string_view contents) {
    return plan_write(folder.path(name), contents).kind;
  };
  EXPECT_EQ(kind("a", "one"), PlannedWrite::Kind::kNone);
  EXPECT_EQ(kind("a", "two"), PlannedWrite::Kind::kReplace);
  EXPECT_EQ(kind("b", ""), PlannedWrite::Kind::kCreate);
  EXPECT_EQ(kind("no/b", ""), PlannedWrite::Kind::kCreate);
  EXPECT_EQ(plan_write("/dev/null", "x").kind, PlannedWrite::Kind::kOverwrite);
  EXPECT_EQ(plan_write(folder.path("a/b"), "").error, ENOTDIR);
  EXPECT_EQ(plan_write(folder.path(""), "").error, EISDIR);
  EXPECT_EQ(entries_in(folder.path("")), 1U);
  EXPECT_EQ(folder.read("a"), "one");
}

TEST(ReadFile, ReadsOrSaysWhyNot) {
  const TemporaryFolder folder;
  const std::string text = std::string(100'000, 'a') + std::string(1, '\0');
  folder.write("a", text);
  std::string contents = "old";
  EXPECT_EQ(read_file(folder.path("a"), contents), "");
  EXPECT_EQ(contents, text);
  EXPECT_NE(read_file(folder.path("b"), contents), "");
  EXPECT_EQ(contents, "");
  EXPECT_NE(read_file(folder.path(""), contents), "");
}

}  // namespace

}  // namespace opgen::text
