#include "opgen/schema/selective_build.h"

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/opgen/text/temporary_folder.h"

namespace opgen::schema {
namespace {

std::optional<model::SelectiveBuilder> parse(std::string yaml,
                                             text::Diagnostics& diagnostics) {
  const text::YamlDocument document{
      std::make_shared<text::SourceFile>("ops.yaml", std::move(yaml)),
      diagnostics};
  return selective_builder_from_yaml(document, diagnostics);
}

// The messages for a selection that is wrong.
std::vector<std::string> errors_of(std::string yaml) {
  text::Diagnostics diagnostics;
  EXPECT_EQ(parse(std::move(yaml), diagnostics), std::nullopt);
  std::vector<std::string> messages;
  for (const text::Diagnostic& diagnostic : diagnostics.entries()) {
    messages.push_back(diagnostic.text());
  }
  return messages;
}

using Messages = std::vector<std::string>;

TEST(SelectiveBuild, ReadsEveryKey) {
  text::Diagnostics diagnostics;
  const auto selector = parse(
      "include_all_non_op_selectives: true\n"
      "debug_info: [a, 1]\n"
      "operators:\n"
      "  aten::add.Tensor: {}\n"
      "  aten::mul:\n"
      "    name: aten::mul\n"
      "    is_root_operator: false\n"
      "    is_used_for_training: false\n"
      "    include_all_overloads: false\n"
      "    debug_info: [x]\n"
      "kernel_metadata:\n"
      "  add_kernel: [float, int]\n"
      "et_kernel_metadata: {}\n"
      "custom_classes: [B, A]\n"
      "build_features: []\n",
      diagnostics);
  EXPECT_TRUE(diagnostics.empty()) << diagnostics.to_text();
  ASSERT_TRUE(selector);
  EXPECT_FALSE(selector->include_all_operators);
  EXPECT_TRUE(selector->include_all_non_op_selectives);
  EXPECT_TRUE(selector->operators.at("aten::add.Tensor").is_root_operator);
  EXPECT_TRUE(selector->operators.at("aten::add.Tensor").include_all_overloads);
  EXPECT_FALSE(selector->operators.at("aten::mul").is_root_operator);
  EXPECT_FALSE(selector->operators.at("aten::mul").is_used_for_training);
  EXPECT_FALSE(selector->operators.at("aten::mul").include_all_overloads);
  EXPECT_EQ(selector->kernel_metadata.at("add_kernel"),
            (std::vector<std::string>{"float", "int"}));
  EXPECT_EQ(selector->custom_classes, (std::set<std::string>{"A", "B"}));
}

TEST(SelectiveBuild, ReportsUnknownKeys) {
  EXPECT_EQ(errors_of("operator: {}\n"),
            Messages{"unexpected key 'operator'; did you mean 'operators'?"});
  EXPECT_EQ(errors_of("operators: {aten::add: {x: 1}}\n"),
            Messages{"unexpected key 'x'"});
}

TEST(SelectiveBuild, ReportsWrongKindsOfValues) {
  EXPECT_EQ(errors_of("[]\n"),
            Messages{"an operator selection must be a mapping, not a list"});
  EXPECT_EQ(
      errors_of("include_all_operators: 1\noperators: []\n"),
      (Messages{"'include_all_operators' must be a boolean, not an integer",
                "'operators' must be a mapping, not a list"}));
  EXPECT_EQ(errors_of("operators: {aten::add: null}\n"),
            Messages{"'aten::add' must be a mapping, not null"});
  EXPECT_EQ(errors_of("custom_classes: A\n"),
            Messages{"'custom_classes' must be a list, not a string"});
  EXPECT_EQ(errors_of("build_features: [[]]\n"),
            Messages{"an element of 'build_features' must be a scalar, not a "
                     "list"});
  EXPECT_EQ(errors_of("kernel_metadata: {k: 1}\n"),
            Messages{"'k' must be a list, not an integer"});
  EXPECT_EQ(errors_of("debug_info: {}\n"),
            Messages{"'debug_info' must be a list, not a mapping"});
}

TEST(SelectiveBuild, ReportsNamesThatDiffer) {
  EXPECT_EQ(errors_of("operators: {aten::add: {name: aten::mul}}\n"),
            Messages{"the name must be that of the entry, 'aten::add'"});
}

TEST(SelectiveBuild, ChoosesTheSelector) {
  text::Diagnostics diagnostics;
  std::vector<std::shared_ptr<const void>> keep;
  const auto everything =
      get_custom_build_selector(std::nullopt, std::nullopt, diagnostics, keep);
  ASSERT_TRUE(everything);
  EXPECT_TRUE(everything->include_all_operators);
  const auto some = get_custom_build_selector(
      std::vector<std::string>{"aten::add"}, std::nullopt, diagnostics, keep);
  ASSERT_TRUE(some);
  EXPECT_TRUE(some->is_root_operator("aten::add.Tensor"));
  EXPECT_FALSE(some->is_operator_selected_for_training("aten::add.Tensor"));
  EXPECT_TRUE(diagnostics.empty());
}

TEST(SelectiveBuild, RefusesTwoSelections) {
  text::Diagnostics diagnostics;
  std::vector<std::shared_ptr<const void>> keep;
  EXPECT_EQ(get_custom_build_selector(
                std::vector<std::string>{}, "ops.yaml", diagnostics, keep),
            std::nullopt);
  EXPECT_EQ(diagnostics.error_count(), 1);
}

TEST(SelectiveBuild, ReportsAFileThatCannotBeRead) {
  text::Diagnostics diagnostics;
  std::vector<std::shared_ptr<const void>> keep;
  EXPECT_EQ(get_custom_build_selector(
                std::nullopt, "no/such/file.yaml", diagnostics, keep),
            std::nullopt);
  EXPECT_EQ(diagnostics.error_count(), 1);
}

TEST(SelectiveBuild, KeepsTheFileThatErrorsAreIn) {
  const text::TemporaryFolder folder;
  folder.write("selection.yaml", "operatrs: {}\n");
  const std::string path = folder.path("selection.yaml");
  text::Diagnostics diagnostics;
  std::vector<std::shared_ptr<const void>> keep;
  EXPECT_EQ(get_custom_build_selector(std::nullopt, path, diagnostics, keep),
            std::nullopt);
  EXPECT_NE(
      diagnostics.to_text().find(":1:1: error: unexpected key 'operatrs'"),
      std::string::npos);
}

}  // namespace
}  // namespace opgen::schema
