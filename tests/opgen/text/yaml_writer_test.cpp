#include "opgen/text/yaml_writer.h"

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace opgen::text {

namespace {

// The text after "a: " or "- ".
std::string scalar(std::string_view text) {
  YamlWriter yaml;
  yaml.begin_sequence();
  yaml.string(text);
  yaml.end_sequence();
  const std::string out = yaml.write();
  EXPECT_EQ(out, yaml.write_with_libyaml());
  EXPECT_EQ(out.substr(0, 2), "- ");
  return out.substr(2, out.size() - 3);
}

TEST(YamlWriter, Structure) {
  YamlWriter yaml;
  yaml.begin_sequence();
  yaml.begin_mapping();
  yaml.string("name");
  yaml.string("add");
  yaml.string("list");
  yaml.begin_sequence();
  yaml.begin_mapping();
  yaml.string("b");
  yaml.boolean(true);
  yaml.string("n");
  yaml.null();
  yaml.end_mapping();
  yaml.begin_sequence();
  yaml.integer(1);
  yaml.begin_sequence();
  yaml.end_sequence();
  yaml.end_sequence();
  yaml.end_sequence();
  yaml.string("map");
  yaml.begin_mapping();
  yaml.string("x");
  yaml.begin_mapping();
  yaml.end_mapping();
  yaml.end_mapping();
  yaml.end_mapping();
  yaml.real(0.5);
  yaml.end_sequence();
  EXPECT_EQ(yaml.write(),
            "- name: add\n  list:\n  - b: true\n    n: null\n  - - 1\n    - "
            "[]\n  map:\n    x: {}\n- 0.5\n");
  EXPECT_EQ(yaml.write(), yaml.write_with_libyaml());
}

TEST(YamlWriter, IntegersHaveAnySize) {
  const std::string digits(4300, '9');
  YamlWriter yaml;
  yaml.begin_sequence();
  yaml.integer(std::int64_t{INT64_MIN});
  yaml.integer("18446744073709551616");
  yaml.integer("-" + digits);
  yaml.string(digits);
  yaml.end_sequence();
  EXPECT_EQ(yaml.write(),
            "- -9223372036854775808\n- 18446744073709551616\n- -" + digits +
                "\n- '" + digits + "'\n");
  EXPECT_EQ(yaml.write(), yaml.write_with_libyaml());
}

TEST(YamlWriter, QuotesWhatWouldBeSomethingElse) {
  EXPECT_EQ(scalar("aten::add(Tensor a) -> Tensor"),
            "aten::add(Tensor a) -> Tensor");
  EXPECT_EQ(scalar(""), "''");
  EXPECT_EQ(scalar("yes"), "'yes'");
  EXPECT_EQ(scalar("1.5"), "'1.5'");
  EXPECT_EQ(scalar("9:."), "9:.");
  EXPECT_EQ(scalar("2001-01-01"), "'2001-01-01'");
  EXPECT_EQ(scalar("a: b"), "'a: b'");
  EXPECT_EQ(scalar("a:b"), "a:b");
  EXPECT_EQ(scalar("a #b"), "'a #b'");
  EXPECT_EQ(scalar("- a"), "'- a'");
  EXPECT_EQ(scalar("-a"), "-a");
  EXPECT_EQ(scalar("?"), "'?'");
  EXPECT_EQ(scalar("[a]"), "'[a]'");
  EXPECT_EQ(scalar("it's"), "it's");
  EXPECT_EQ(scalar("'s"), "'''s'");
  EXPECT_EQ(scalar(" a"), "' a'");
  EXPECT_EQ(scalar("---a"), "'---a'");
  EXPECT_EQ(scalar(std::string(500, 'x')), std::string(500, 'x'));
}

TEST(YamlWriter, LeavesTheRestToLibyaml) {
  EXPECT_EQ(scalar("a\tb"), "\"a\\tb\"");
  EXPECT_EQ(scalar("\xC3\xA9"), "\"\\xE9\"");
  EXPECT_EQ(scalar("a\nb"), "'a\n\n  b'");
  EXPECT_EQ(scalar("\xFF"), "\"\\uFFFD\"");
  YamlWriter root;
  root.string("text");
  EXPECT_EQ(root.write(), "text\n");
  YamlWriter key;
  key.begin_mapping();
  key.string(std::string(129, 'k'));
  key.integer(1);
  key.end_mapping();
  EXPECT_EQ(key.write(), "? " + std::string(129, 'k') + "\n: 1\n");
}

TEST(YamlWriter, AListIsTheSumOfItsParts) {
  YamlWriter all;
  std::string parts;
  all.begin_sequence();
  for (int i = 0; i < 3; ++i) {
    YamlWriter part;
    part.begin_sequence();
    for (YamlWriter* yaml : {&all, &part}) {
      yaml->begin_mapping();
      yaml->string("i");
      yaml->integer(i);
      yaml->end_mapping();
    }
    part.end_sequence();
    parts += part.write();
  }
  all.end_sequence();
  EXPECT_EQ(all.write(), parts);
}

TEST(YamlWriter, RefusesHalfADocument) {
  YamlWriter yaml;
  EXPECT_THROW(yaml.write(), std::logic_error);
  yaml.begin_mapping();
  EXPECT_THROW(yaml.write(), std::logic_error);
  yaml.string("key");
  yaml.end_mapping();
  EXPECT_THROW(yaml.write(), std::logic_error);
  yaml.clear();
  yaml.begin_sequence();
  yaml.end_mapping();
  EXPECT_THROW(yaml.write(), std::logic_error);
}

TEST(PythonFloatRepr, IsShortest) {
  EXPECT_EQ(python_float_repr(0.1), "0.1");
  EXPECT_EQ(python_float_repr(1e-5), "1e-05");
  EXPECT_EQ(python_float_repr(1e-4), "0.0001");
  EXPECT_EQ(python_float_repr(1e16), "1e+16");
  EXPECT_EQ(python_float_repr(1e15), "1000000000000000.0");
  EXPECT_EQ(python_float_repr(123456.0), "123456.0");
  EXPECT_EQ(python_float_repr(-0.0), "-0.0");
  EXPECT_EQ(python_float_repr(5e-324), "5e-324");
  EXPECT_EQ(python_float_repr(1.5e300), "1.5e+300");
  EXPECT_EQ(python_float_repr(-INFINITY), "-inf");
}

}  // namespace

}  // namespace opgen::text
