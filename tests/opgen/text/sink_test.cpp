#include "opgen/text/sink.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "opgen/text/diagnostics.h"
#include "opgen/text/file_manager.h"
#include "temporary_folder.h"

namespace opgen::text {

namespace {

std::vector<OutputFile> some_files(const TemporaryFolder& folder) {
  std::vector<OutputFile> files;
  for (int i = 0; i < 100; ++i) {
    const std::string name = std::to_string(i);
    files.push_back({folder.path("out/" + std::to_string(i % 3) + "/" + name),
                     "contents of " + name});
  }
  return files;
}

TEST(DiskSink, CountsWhatItWrites) {
  const TemporaryFolder folder;
  Diagnostics diagnostics;
  DiskSink sink;
  auto files = some_files(folder);
  EXPECT_EQ(sink.write(files, 4, diagnostics).written, 100U);
  EXPECT_EQ(folder.read("out/1/1"), "contents of 1");
  EXPECT_EQ(sink.write(files, 1, diagnostics).unchanged, 100U);
  files[7].contents = "new";
  const Sink::Counts counts = sink.write(files, 2, diagnostics);
  EXPECT_EQ(counts.written, 1U);
  EXPECT_EQ(counts.unchanged, 99U);
  EXPECT_EQ(folder.read("out/1/7"), "new");
  EXPECT_TRUE(diagnostics.empty());
}

std::vector<std::string> entries_below(const TemporaryFolder& folder) {
  std::vector<std::string> paths;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(folder.path(""))) {
    paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

TEST(DiskSink, ReportsEveryFailureAndWritesNothing) {
  const TemporaryFolder folder;
  folder.write("file", "");
  folder.write("old", "old");
  std::filesystem::create_directory(folder.path("taken"));
  const auto before = entries_below(folder);
  Diagnostics diagnostics;
  const std::vector<OutputFile> files = {
      {folder.path("fine"), "f"},
      {folder.path("new/fine"), "f"},
      {folder.path("old"), "new"},
      {folder.path("file/x/a"), ""},
      {folder.path("file/x/b"), ""},
      {folder.path("taken"), ""},
      {folder.path(std::string(256, 'n')), ""}};
  const Sink::Counts counts = DiskSink().write(files, 2, diagnostics);
  EXPECT_EQ(counts.failed, files.size());
  EXPECT_EQ(counts.written, 0U);
  ASSERT_EQ(diagnostics.entries().size(), 3U);
  EXPECT_EQ(diagnostics.entries()[0].id, DiagnosticId::kFileCannotCreateFolder);
  EXPECT_EQ(diagnostics.entries()[1].id, DiagnosticId::kFileCannotWrite);
  EXPECT_EQ(diagnostics.entries()[2].id, DiagnosticId::kFileCannotWrite);
  EXPECT_EQ(entries_below(folder), before);
  EXPECT_EQ(folder.read("old"), "old");
}

// What is in the way of the last file of a run.
struct Obstacle {
  const char* what;
  std::function<void(const TemporaryFolder&)> make;
  const char* path;
};

TEST(DiskSink, LooksAtEverythingBeforeTheFirstWrite) {
  const auto nothing = [](const TemporaryFolder&) {};
  const auto folder_called = [](const char* name) {
    return [name](const TemporaryFolder& folder) {
      std::filesystem::create_directory(folder.path(name));
    };
  };
  const auto link_to = [](const char* target) {
    return [target](const TemporaryFolder& folder) {
      std::filesystem::create_symlink(target, folder.path("last"));
    };
  };
  const std::vector<Obstacle> obstacles = {
      {"a folder", folder_called("last"), "last"},
      {"a file of the run is its folder", nothing, "first/last"},
      {"a folder of the run is its place", nothing, "new"},
      {"a link to nothing", link_to("nothing"), "last"},
      {"a link to itself", link_to("last"), "last"},
      {"a link to a folder", link_to("."), "last"},
      {"a link as a folder to nothing", link_to("nothing"), "last/x"},
      {"a folder that cannot be made", nothing, "/proc/nothing/last"},
      {"a file that cannot be made", nothing, "/proc/self/mem/last"}};
  for (const Obstacle& obstacle : obstacles) {
    const TemporaryFolder folder;
    obstacle.make(folder);
    const auto before = entries_below(folder);
    const std::string last = obstacle.path[0] == '/'
                                 ? std::string(obstacle.path)
                                 : folder.path(obstacle.path);
    const std::vector<OutputFile> files = {
        {folder.path("first"), "1"}, {folder.path("new/x/y/second"), "2"}};
    const std::vector<OutputFile> all = {files[0], files[1], {last, "3"}};
    Diagnostics diagnostics;
    EXPECT_EQ(DiskSink().write(all, 1, diagnostics).failed, 3U)
        << obstacle.what;
    EXPECT_GE(diagnostics.error_count(), 1U) << obstacle.what;
    EXPECT_EQ(entries_below(folder), before) << obstacle.what;
    Diagnostics later;
    DiskSink({.folders = {}, .later_files = {last}}).write(files, 1, later);
    EXPECT_GE(later.error_count(), 1U) << obstacle.what;
    EXPECT_EQ(entries_below(folder), before) << obstacle.what;
    Diagnostics fine;
    EXPECT_EQ(DiskSink().write(files, 1, fine).written, 2U) << obstacle.what;
    EXPECT_TRUE(fine.empty()) << obstacle.what;
  }
}

TEST(DiskSink, MakesFoldersThatStayEmpty) {
  const TemporaryFolder folder;
  Diagnostics diagnostics;
  DiskSink({.folders = {folder.path("a/../b/c")},
            .later_files = {folder.path("d/later")}})
      .write({}, 1, diagnostics);
  EXPECT_TRUE(diagnostics.empty());
  EXPECT_TRUE(std::filesystem::is_directory(folder.path("b/c")));
  EXPECT_TRUE(std::filesystem::is_directory(folder.path("d")));
  EXPECT_FALSE(std::filesystem::exists(folder.path("d/later")));
}

TEST(DiskSink, WritesNothingIfAPathComesTwice) {
  const TemporaryFolder folder;
  Diagnostics diagnostics;
  const std::string path = folder.path("a");
  const auto counts =
      DiskSink().write({{path, "1"}, {path, "2"}}, 1, diagnostics);
  EXPECT_EQ(counts.failed, 2U);
  ASSERT_EQ(diagnostics.error_count(), 1U);
  EXPECT_EQ(diagnostics.entries()[0].id, DiagnosticId::kFileWrittenTwice);
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(MemorySink, KeepsTheFiles) {
  Diagnostics diagnostics;
  MemorySink sink;
  sink.write({{"a", "1"}, {"b", "2"}}, 1, diagnostics);
  ASSERT_EQ(sink.files().size(), 2U);
  EXPECT_EQ(sink.files()[1].path, "b");
  EXPECT_EQ(sink.files()[1].contents, "2");
}

TEST(HashSink, DependsOnPathsContentsAndNothingElse) {
  const TemporaryFolder folder;
  const auto hash = [](const std::vector<OutputFile>& files,
                       std::size_t threads) {
    Diagnostics diagnostics;
    HashSink sink;
    sink.write(files, threads, diagnostics);
    return sink.hash();
  };
  const auto files = some_files(folder);
  EXPECT_EQ(hash(files, 1), hash(files, 8));
  auto other = files;
  other[3].contents += ' ';
  EXPECT_NE(hash(files, 1), hash(other, 1));
  other = files;
  other[3].path += 'x';
  EXPECT_NE(hash(files, 1), hash(other, 1));
}

}  // namespace

}  // namespace opgen::text
