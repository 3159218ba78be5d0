#include "opgen/text/sink.h"

#include <cstddef>
#include <filesystem>
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

TEST(DiskSink, ReportsEveryFailure) {
  const TemporaryFolder folder;
  folder.write("file", "");
  std::filesystem::create_directory(folder.path("taken"));
  Diagnostics diagnostics;
  const std::vector<OutputFile> files = {{folder.path("file/x/a"), ""},
                                         {folder.path("file/x/b"), ""},
                                         {folder.path("taken"), ""},
                                         {folder.path("fine"), "f"}};
  const Sink::Counts counts = DiskSink().write(files, 2, diagnostics);
  EXPECT_EQ(counts.failed, 3U);
  EXPECT_EQ(counts.written, 1U);
  ASSERT_EQ(diagnostics.entries().size(), 2U);
  EXPECT_EQ(diagnostics.entries()[0].id, DiagnosticId::kFileCannotCreateFolder);
  EXPECT_EQ(diagnostics.entries()[1].id, DiagnosticId::kFileCannotWrite);
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
