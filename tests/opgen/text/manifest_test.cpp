#include "opgen/text/manifest.h"

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "temporary_folder.h"

namespace opgen::text {

namespace {

class ManifestTest : public testing::Test {
 protected:
  ManifestTest() {
    folder_.write("in.yaml", "input");
    folder_.write("out.h", "output");
    age("in.yaml", 10);
    manifest_.add_input(folder_.path("in.yaml"), "input");
    manifest_.add_output(folder_.path("out.h"), "output");
  }

  void age(const std::string& name, int seconds) {
    const auto time = std::filesystem::file_time_type::clock::now() -
                      std::chrono::seconds(seconds);
    std::filesystem::last_write_time(folder_.path(name), time);
  }

  bool up_to_date() const {
    const auto again = Manifest::parse(manifest_.text());
    return again && again->up_to_date("1.0", "-d out\n\\x");
  }

  TemporaryFolder folder_;
  Manifest manifest_{"1.0", "-d out\n\\x"};
};

TEST_F(ManifestTest, NothingToDoAfterARun) {
  EXPECT_TRUE(up_to_date());
  EXPECT_FALSE(manifest_.up_to_date("1.1", "-d out\n\\x"));
  EXPECT_FALSE(manifest_.up_to_date("1.0", "-d other"));
}

TEST_F(ManifestTest, AChangeIsSeen) {
  folder_.write("in.yaml", "INPUT");
  EXPECT_FALSE(up_to_date());
  folder_.write("in.yaml", "longer input");
  EXPECT_FALSE(up_to_date());
  folder_.write("in.yaml", "input");
  EXPECT_TRUE(up_to_date());
  folder_.write("out.h", "edited");
  age("out.h", 5);
  EXPECT_FALSE(up_to_date());
  std::filesystem::remove(folder_.path("out.h"));
  EXPECT_FALSE(up_to_date());
}

TEST_F(ManifestTest, ANewTimeAloneIsNoChange) {
  age("in.yaml", 3);
  age("out.h", 3);
  EXPECT_TRUE(up_to_date());
}

TEST_F(ManifestTest, AnInputChangedDuringTheRunIsReadAgain) {
  Manifest manifest("1.0", "");
  folder_.write("in.yaml", "after");
  manifest.add_input(folder_.path("in.yaml"), "befor");
  EXPECT_FALSE(manifest.up_to_date("1.0", ""));
}

TEST_F(ManifestTest, StaleOutputs) {
  Manifest earlier("1.0", "");
  earlier.add_output("z.h", "");
  earlier.add_output("gone.h", "");
  earlier.add_output(folder_.path("out.h"), "output");
  EXPECT_EQ(manifest_.stale_outputs(earlier),
            (std::vector<std::string>{"gone.h", "z.h"}));
}

TEST_F(ManifestTest, RoundTrip) {
  const auto again = Manifest::parse(manifest_.text());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->text(), manifest_.text());
  EXPECT_EQ(again->inputs()[0].path, folder_.path("in.yaml"));
  EXPECT_EQ(again->outputs()[0].size, 6U);
}

TEST_F(ManifestTest, EveryCutAndOtherTextIsRefused) {
  const std::string text = manifest_.text();
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_FALSE(Manifest::parse(text.substr(0, size))) << size;
  }
  EXPECT_FALSE(Manifest::parse("opgen-manifest 1\nversion\n"));
  EXPECT_FALSE(Manifest::read(folder_.path("none")));
  EXPECT_FALSE(Manifest::read(folder_.path("in.yaml")));
}

}  // namespace

}  // namespace opgen::text
