// From libyaml's events to nodes.
#pragma once

#include <cstddef>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <yaml.h>

#include "opgen/text/diagnostics.h"
#include "opgen/text/source.h"
#include "opgen/text/yaml.h"
#include "opgen/text/yaml_marks.h"

namespace opgen::text {

// Reads one document. Nodes live in the arena and point into the file.
class YamlBuilder {
 public:
  YamlBuilder(const SourceFile& file,
              const YamlMarks& marks,
              const YamlLimits& limits,
              std::pmr::memory_resource& arena,
              Diagnostics& diagnostics);
  ~YamlBuilder();
  YamlBuilder(const YamlBuilder&) = delete;
  YamlBuilder& operator=(const YamlBuilder&) = delete;

  // Null if reading had to stop.
  const YamlNode* build();

 private:
  struct Frame {
    YamlNode* node;
    std::size_t first_child;  // index in children_
  };

  // False if reading has to stop.
  bool handle(const yaml_event_t& event);
  bool add_scalar(const yaml_event_t& event);
  bool add_alias(const yaml_event_t& event);
  bool open(const yaml_event_t& event,
            YamlKind kind,
            bool flow,
            const yaml_char_t* anchor,
            const yaml_char_t* tag);
  void close(const yaml_event_t& event);
  bool add(const YamlNode* node, std::size_t size, SourceRange range);

  YamlNode* new_node(const yaml_event_t& event,
                     const yaml_char_t* anchor,
                     const yaml_char_t* tag);
  std::string_view keep_value(const yaml_event_t& event, std::size_t begin);
  std::span<const YamlNode::Entry> entries_of(
      std::span<const YamlNode* const> children);
  void check_duplicates(std::span<const YamlNode::Entry> entries);
  SourceRange range_of(const yaml_mark_t& begin, const yaml_mark_t& end) const;
  void report_syntax();

  template <class T>
  std::span<const T> keep(const std::vector<T>& items);

  const SourceFile& file_;
  const YamlMarks& marks_;
  YamlLimits limits_;
  std::pmr::memory_resource& arena_;
  Diagnostics& diagnostics_;
  yaml_parser_t parser_{};
  bool ready_ = false;

  std::vector<Frame> frames_;
  std::vector<const YamlNode*> children_;  // of all frames
  std::unordered_map<std::string, const YamlNode*> anchors_;
  const YamlNode* root_ = nullptr;
  std::size_t documents_ = 0;
  std::size_t nodes_ = 0;
  std::size_t last_end_ = 0;
};

// The entries after "<<" keys are resolved, in PyYAML's order: those merged
// first, each key once, later ones win. Null values of "<<" are reported.
std::vector<YamlNode::Entry> merge_entries(
    std::span<const YamlNode::Entry> entries, Diagnostics& diagnostics);

// Equal for keys that Python takes for the same one.
std::string yaml_key_identity(const YamlNode& key);

}  // namespace opgen::text
