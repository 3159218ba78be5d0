// Any text as YAML: every node lies in the file, and what was read is the same
// after it was written in block style and read again.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "fuzz_tree.h"
#include "opgen/text/diagnostics.h"
#include "opgen/text/source.h"
#include "opgen/text/yaml.h"
#include "opgen/text/yaml_writer.h"

namespace {

using namespace opgen;

void check_range(const text::SourceRange& range, std::size_t size) {
  if (range.begin > range.end || range.end > size) {
    fuzz::fail("a place outside of the file");
  }
}

void check_places(const text::YamlNode& node, std::size_t size) {
  check_range(node.range(), size);
  node.describe();
  if (node.is_scalar()) {
    const std::size_t length = node.value().size();
    check_range(text::range_in(node, 0, length), size);
    // Every place of a short value, some of a long one.
    for (std::size_t i = 0; i <= length; i += 1 + length / 64) {
      if (text::location_in(node, i) > size) {
        fuzz::fail("a location outside of the file");
      }
    }
    node.as_int();
    node.as_float();
    node.as_bool();
  }
  for (const text::YamlNode* item : node.items()) {
    check_places(*item, size);
  }
  for (const auto& [key, value] : node.entries()) {
    check_places(*key, size);
    check_places(*value, size);
    node.find(key->value());
  }
}

void write_node(const text::YamlNode& node, text::YamlWriter& writer) {
  if (node.is_sequence()) {
    writer.begin_sequence();
    for (const text::YamlNode* item : node.items()) {
      write_node(*item, writer);
    }
    writer.end_sequence();
  } else if (node.is_mapping()) {
    writer.begin_mapping();
    for (const auto& [key, value] : node.entries()) {
      write_node(*key, writer);
      write_node(*value, writer);
    }
    writer.end_mapping();
  } else if (node.is_null()) {
    writer.null();
  } else if (node.is_bool()) {
    writer.boolean(node.as_bool());
  } else if (node.as_int()) {
    writer.integer(*node.as_int());
  } else {
    writer.string(node.value());
  }
}

std::string written(const text::YamlNode& root) {
  text::YamlWriter writer;
  write_node(root, writer);
  std::string text = writer.write();
  if (text != writer.write_with_libyaml()) {
    fuzz::fail("the writer and libyaml differ on\n" + text);
  }
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const text::YamlLimits limits{.nodes = 20'000};
  text::Diagnostics diagnostics;
  const text::YamlDocument document(
      std::make_shared<text::SourceFile>(
          "input.yaml", std::string(reinterpret_cast<const char*>(data), size)),
      diagnostics,
      limits);
  diagnostics.to_text();
  diagnostics.to_json();
  diagnostics.to_sarif("0");
  if (document.root() == nullptr && diagnostics.empty()) {
    fuzz::fail("nothing was read, and nothing is wrong");
  }
  if (document.root() == nullptr) {
    return 0;
  }
  check_places(*document.root(), size);
  if (diagnostics.has_errors()) {
    return 0;
  }
  const std::string text = written(*document.root());
  const text::YamlDocument again(
      std::make_shared<text::SourceFile>("written.yaml", text),
      diagnostics,
      limits);
  if (diagnostics.has_errors()) {
    fuzz::fail("what was written has errors: " + diagnostics.to_text());
  }
  if (written(*again.root()) != text) {
    fuzz::fail("what was written is read as something else:\n" + text);
  }
  return 0;
}
