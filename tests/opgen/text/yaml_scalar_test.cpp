#include "opgen/text/yaml_scalar.h"

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

#include <gtest/gtest.h>

namespace opgen::text {

namespace {

void expect_type(YamlType type, std::initializer_list<std::string_view> texts) {
  for (const std::string_view text : texts) {
    EXPECT_EQ(resolve_plain_scalar(text), type) << text;
  }
}

TEST(YamlScalar, Types) {
  expect_type(YamlType::kNull, {"", "~", "null", "Null", "NULL"});
  expect_type(YamlType::kBool, {"yes", "No", "ON", "off", "True", "FALSE"});
  expect_type(YamlType::kInt,
              {"0",
               "-1",
               "+12",
               "017",
               "0b101",
               "0x1F",
               "1_000",
               "190:20:30",
               "0_",
               "0x_",
               "-0"});
  expect_type(YamlType::kFloat,
              {"1.",
               "1.5",
               "-1.5e+3",
               ".5",
               ".5e-3",
               "190:20:30.15",
               ".inf",
               "-.INF",
               ".nan",
               "1_0.5"});
  expect_type(YamlType::kTimestamp,
              {"2001-12-14",
               "2001-1-1 1:02:03",
               "2001-12-14t21:59:43.10-05:00",
               "2001-12-15 2:59:43.1Z",
               "2001-12-14 21:59:43.10 -5"});
  expect_type(YamlType::kMerge, {"<<"});
  expect_type(YamlType::kValue, {"="});
  expect_type(YamlType::kString,
              {"y",           "n",      "nul", "yEs",   "08",  "1e5", "1.5e3",
               "1:60",        "0o7",    "-",   "+.nan", "9:.", "-.5", "1:",
               "2001-1-1",    "a",      "0b2", "0xg",   "--1", ".",   "<",
               "2001-12-14x", "truely", "12a", "1.5.2", "+"});
}

TEST(YamlScalar, Integers) {
  EXPECT_EQ(yaml_int("-017"), -15);
  EXPECT_EQ(yaml_int("0b1_01"), 5);
  EXPECT_EQ(yaml_int("+0x1F"), 31);
  EXPECT_EQ(yaml_int("1:30:00"), 5400);
  EXPECT_EQ(yaml_int("-1:30"), -90);
  EXPECT_EQ(yaml_int("-9223372036854775808"), INT64_MIN);
  EXPECT_EQ(yaml_int("9223372036854775808"), std::nullopt);
  EXPECT_EQ(yaml_int("99999999999999:30:30:30:30"), std::nullopt);
  EXPECT_EQ(yaml_int("0x_"), std::nullopt);
  EXPECT_FALSE(yaml_int_has_digits("0x_"));
  EXPECT_FALSE(yaml_int_has_digits("-0b__"));
  EXPECT_TRUE(yaml_int_has_digits("0x_b"));
  EXPECT_TRUE(yaml_int_has_digits("0_"));
}

TEST(YamlScalar, Floats) {
  EXPECT_EQ(yaml_float("-1_0.5"), -10.5);
  EXPECT_EQ(yaml_float("1:30.5"), 90.5);
  EXPECT_EQ(yaml_float("+.5e+3"), 500.0);
  EXPECT_EQ(yaml_float("-.inf"), -INFINITY);
  EXPECT_TRUE(std::isnan(yaml_float(".NaN").value_or(0)));
}

TEST(YamlScalar, Booleans) {
  for (const std::string_view text : {"yes", "On", "TRUE", "Yes", "on"}) {
    EXPECT_TRUE(yaml_bool(text)) << text;
  }
  for (const std::string_view text : {"no", "Off", "FALSE", "off", "NO"}) {
    EXPECT_FALSE(yaml_bool(text)) << text;
  }
}

}  // namespace

}  // namespace opgen::text
