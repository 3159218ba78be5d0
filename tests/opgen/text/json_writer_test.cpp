#include "opgen/text/json_writer.h"

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

namespace opgen::text {

namespace {

TEST(JsonWriter, WritesNestedValues) {
  JsonWriter json;
  json.begin_object().member("a", "x").member("n", std::uint64_t{7});
  json.key("list").begin_array().value(true).begin_object().end_object();
  json.begin_array().end_array().end_array().end_object();
  EXPECT_EQ(json.take(),
            "{\n  \"a\": \"x\",\n  \"n\": 7,\n  \"list\": [\n    true,\n    "
            "{},\n    []\n  ]\n}\n");
}

TEST(JsonWriter, EscapesStrings) {
  std::string out;
  append_json_string(out, "\"\\\n\t\r\x01\x7f\xC3\xA9\xFF");
  EXPECT_EQ(out, "\"\\\"\\\\\\n\\t\\r\\u0001\\u007f\xC3\xA9\xEF\xBF\xBD\"");
}

}  // namespace

}  // namespace opgen::text
