#include "opgen/text/yaml_builder.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory_resource>
#include <new>
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
#include "opgen/text/yaml_scalar.h"

namespace opgen::text {

namespace {

// Frees what libyaml has put into an event.
class Event {
 public:
  Event() = default;

  ~Event() { yaml_event_delete(&event_); }

  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  yaml_event_t* get() { return &event_; }

 private:
  yaml_event_t event_{};
};

std::string_view view_of(const yaml_char_t* text) {
  return text == nullptr ? "" : reinterpret_cast<const char*>(text);
}

YamlStyle style_of(yaml_scalar_style_t style) {
  switch (style) {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE:
      return YamlStyle::kSingleQuoted;
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE:
      return YamlStyle::kDoubleQuoted;
    case YAML_LITERAL_SCALAR_STYLE:
      return YamlStyle::kLiteral;
    case YAML_FOLDED_SCALAR_STYLE:
      return YamlStyle::kFolded;
    case YAML_ANY_SCALAR_STYLE:
    case YAML_PLAIN_SCALAR_STYLE:
      break;
  }
  return YamlStyle::kPlain;
}

// Moves the start of a scalar's range past its anchor and tag, and the white
// space and comments that follow each. An anchor ends with its last letter; the
// value may follow at once.
void skip_properties(SourceRange& range) {
  constexpr std::string_view kSpace = " \t\r\n";
  constexpr std::string_view kAnchor =
      "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-";
  const std::string_view text = range.file->contents();
  std::size_t& at = range.begin;
  const auto move = [&](std::size_t to) { at = std::min(to, range.end); };
  while (at < range.end && (text[at] == '&' || text[at] == '!')) {
    move(text[at] == '&' ? text.find_first_not_of(kAnchor, at + 1)
                         : text.find_first_of(kSpace, at));
    move(text.find_first_not_of(kSpace, at));
    while (at < range.end && text[at] == '#') {
      move(text.find_first_of("\r\n", at));
      move(text.find_first_not_of(kSpace, at));
    }
  }
}

bool is_merge_key(const YamlNode& key) {
  return key.is_scalar() && key.type() == YamlType::kMerge;
}

}  // namespace

YamlBuilder::YamlBuilder(const SourceFile& file,
                         const YamlMarks& marks,
                         const YamlLimits& limits,
                         std::pmr::memory_resource& arena,
                         Diagnostics& diagnostics)
    : file_(file),
      marks_(marks),
      limits_(limits),
      arena_(arena),
      diagnostics_(diagnostics),
      ready_(yaml_parser_initialize(&parser_) != 0) {
  if (!ready_) {
    throw std::bad_alloc();
  }
  const std::string_view text = file.contents().substr(marks.start());
  yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(
      &parser_,
      reinterpret_cast<const unsigned char*>(text.data()),
      text.size());
}

YamlBuilder::~YamlBuilder() {
  yaml_parser_delete(&parser_);
}

const YamlNode* YamlBuilder::build() {
  for (;;) {
    Event event;
    if (yaml_parser_parse(&parser_, event.get()) == 0) {
      report_syntax();
      return nullptr;
    }
    if (event.get()->type == YAML_STREAM_END_EVENT) {
      break;
    }
    if (!handle(*event.get())) {
      return nullptr;
    }
  }
  if (root_ == nullptr) {
    auto* node = new (arena_.allocate(sizeof(YamlNode))) YamlNode();
    const std::size_t end = file_.contents().size();
    node->range_ = {&file_, end, end};
    node->value_ = file_.contents().substr(end);
    node->type_ = YamlType::kNull;
    root_ = node;
  }
  return root_;
}

bool YamlBuilder::handle(const yaml_event_t& event) {
  switch (event.type) {
    case YAML_DOCUMENT_START_EVENT:
      if (++documents_ > 1) {
        diagnostics_.error(DiagnosticId::kYamlSeveralDocuments,
                           range_of(event.start_mark, event.end_mark));
        return false;
      }
      return true;
    case YAML_SCALAR_EVENT:
      return add_scalar(event);
    case YAML_ALIAS_EVENT:
      return add_alias(event);
    case YAML_SEQUENCE_START_EVENT: {
      const auto& start = event.data.sequence_start;
      const bool flow = start.style == YAML_FLOW_SEQUENCE_STYLE;
      return open(event, YamlKind::kSequence, flow, start.anchor, start.tag);
    }
    case YAML_MAPPING_START_EVENT: {
      const auto& start = event.data.mapping_start;
      const bool flow = start.style == YAML_FLOW_MAPPING_STYLE;
      return open(event, YamlKind::kMapping, flow, start.anchor, start.tag);
    }
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
      close(event);
      return true;
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_STREAM_END_EVENT:
    case YAML_DOCUMENT_END_EVENT:
      break;
  }
  return true;
}

bool YamlBuilder::add_scalar(const yaml_event_t& event) {
  const auto& scalar = event.data.scalar;
  YamlNode* node = new_node(event, scalar.anchor, scalar.tag);
  node->style_ = style_of(scalar.style);
  if (scalar.length > 0 &&
      (scalar.anchor != nullptr || scalar.tag != nullptr)) {
    skip_properties(node->range_);
  }
  node->value_ = keep_value(event, node->range_.begin);
  if (node->style_ == YamlStyle::kPlain && scalar.plain_implicit != 0) {
    node->type_ = resolve_plain_scalar(node->value_);
    if (node->type_ == YamlType::kInt && !yaml_int_has_digits(node->value_)) {
      diagnostics_.error(
          DiagnosticId::kYamlBadNumber, node->range_, {node->value_});
    }
  }
  return add(node, 1, node->range_);
}

bool YamlBuilder::add_alias(const yaml_event_t& event) {
  const std::string name(view_of(event.data.alias.anchor));
  const SourceRange range = range_of(event.start_mark, event.end_mark);
  const auto found = anchors_.find(name);
  if (found == anchors_.end()) {
    diagnostics_.error(DiagnosticId::kYamlUnknownAnchor, range, {name});
    return false;
  }
  const YamlNode* target = found->second;
  const bool inside =
      std::any_of(frames_.begin(), frames_.end(), [&](const Frame& frame) {
        return frame.node == target;
      });
  if (inside) {
    diagnostics_.error(DiagnosticId::kYamlRecursiveAlias, range, {name})
        .note(target->range_, "the anchor stands here");
    return false;
  }
  return add(target, target->expanded_size_, range);
}

bool YamlBuilder::open(const yaml_event_t& event,
                       YamlKind kind,
                       bool flow,
                       const yaml_char_t* anchor,
                       const yaml_char_t* tag) {
  YamlNode* node = new_node(event, anchor, tag);
  node->kind_ = kind;
  node->style_ = flow ? YamlStyle::kFlow : YamlStyle::kBlock;
  if (frames_.size() >= limits_.depth) {
    diagnostics_.error(DiagnosticId::kYamlTooDeep,
                       node->range_,
                       {std::to_string(limits_.depth)});
    return false;
  }
  const bool fits = add(node, 1, node->range_);
  frames_.push_back({node, children_.size()});
  return fits;
}

bool YamlBuilder::add(const YamlNode* node,
                      std::size_t size,
                      SourceRange range) {
  nodes_ += size;
  if (nodes_ > limits_.nodes) {
    diagnostics_.error(DiagnosticId::kYamlTooManyNodes,
                       range,
                       {std::to_string(limits_.nodes)});
    return false;
  }
  last_end_ = range.end;
  if (frames_.empty()) {
    root_ = node;
  } else {
    children_.push_back(node);
    frames_.back().node->expanded_size_ += size;
  }
  return true;
}

void YamlBuilder::close(const yaml_event_t& event) {
  const Frame frame = frames_.back();
  frames_.pop_back();
  YamlNode& node = *frame.node;
  if (node.style_ == YamlStyle::kFlow) {
    last_end_ = marks_.offset(event.end_mark.index);
  }
  node.range_.end = std::max(node.range_.begin, last_end_);
  const std::vector<const YamlNode*> children(
      children_.begin() + static_cast<std::ptrdiff_t>(frame.first_child),
      children_.end());
  children_.resize(frame.first_child);
  if (node.kind_ == YamlKind::kSequence) {
    node.items_ = keep(children);
  } else {
    node.entries_ = entries_of(children);
  }
  if (!frames_.empty()) {
    // Its own node was counted when it was opened.
    frames_.back().node->expanded_size_ += node.expanded_size_ - 1;
  }
}

YamlNode* YamlBuilder::new_node(const yaml_event_t& event,
                                const yaml_char_t* anchor,
                                const yaml_char_t* tag) {
  auto* node = new (arena_.allocate(sizeof(YamlNode))) YamlNode();
  node->range_ = range_of(event.start_mark, event.end_mark);
  if (tag != nullptr) {
    diagnostics_.error(DiagnosticId::kYamlTag, node->range_, {view_of(tag)});
  }
  if (anchor != nullptr) {
    anchors_.insert_or_assign(std::string(view_of(anchor)), node);
  }
  return node;
}

std::string_view YamlBuilder::keep_value(const yaml_event_t& event,
                                         std::size_t begin) {
  const auto& scalar = event.data.scalar;
  const std::string_view value(reinterpret_cast<const char*>(scalar.value),
                               scalar.length);
  const bool quoted = scalar.style == YAML_SINGLE_QUOTED_SCALAR_STYLE ||
                      scalar.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE;
  const std::string_view contents = file_.contents();
  begin = std::min(begin + (quoted ? 1 : 0), contents.size());
  const std::string_view there = contents.substr(begin, value.size());
  if (there == value) {
    return there;
  }
  auto* copy = static_cast<char*>(arena_.allocate(value.size(), 1));
  std::memcpy(copy, value.data(), value.size());
  return {copy, value.size()};
}

std::span<const YamlNode::Entry> YamlBuilder::entries_of(
    std::span<const YamlNode* const> children) {
  std::vector<YamlNode::Entry> entries;
  bool merges = false;
  for (std::size_t i = 0; i + 1 < children.size(); i += 2) {
    if (!children[i]->is_scalar()) {
      diagnostics_.error(DiagnosticId::kYamlKeyNotScalar, children[i]->range());
      continue;
    }
    merges = merges || is_merge_key(*children[i]);
    entries.push_back({children[i], children[i + 1]});
  }
  check_duplicates(entries);
  return keep(merges ? merge_entries(entries, diagnostics_) : entries);
}

void YamlBuilder::check_duplicates(std::span<const YamlNode::Entry> entries) {
  constexpr std::size_t kFew = 12;
  const auto report = [this](const YamlNode& key, const YamlNode& first) {
    diagnostics_
        .error(DiagnosticId::kYamlDuplicateKey, key.range(), {key.value()})
        .note(first.range(), "the key stands here already");
  };
  if (entries.size() <= kFew) {
    for (std::size_t i = 1; i < entries.size(); ++i) {
      const YamlNode& key = *entries[i].key;
      for (std::size_t j = 0; j < i; ++j) {
        const YamlNode& first = *entries[j].key;
        const bool strings = key.is_string() && first.is_string();
        if (strings ? key.value() == first.value()
                    : yaml_key_identity(key) == yaml_key_identity(first)) {
          report(key, first);
          break;
        }
      }
    }
    return;
  }
  std::unordered_map<std::string, const YamlNode*> seen;
  for (const YamlNode::Entry& entry : entries) {
    const auto [first, added] =
        seen.try_emplace(yaml_key_identity(*entry.key), entry.key);
    if (!added) {
      report(*entry.key, *first->second);
    }
  }
}

SourceRange YamlBuilder::range_of(const yaml_mark_t& begin,
                                  const yaml_mark_t& end) const {
  const std::size_t first = marks_.offset(begin.index);
  return {&file_, first, std::max(first, marks_.offset(end.index))};
}

void YamlBuilder::report_syntax() {
  const std::string_view problem =
      parser_.problem == nullptr ? "cannot be read" : parser_.problem;
  const bool reader = parser_.error == YAML_READER_ERROR;
  const std::size_t at = reader ? marks_.start() + parser_.problem_offset
                                : marks_.offset(parser_.problem_mark.index);
  Diagnostic& error = diagnostics_.error(
      DiagnosticId::kYamlSyntax, {&file_, at, at}, {problem});
  if (problem == "mapping values are not allowed in this context") {
    error.note({}, "a text that contains ': ' must be in quotes");
  }
  if (!reader && parser_.context != nullptr) {
    const std::size_t context = marks_.offset(parser_.context_mark.index);
    error.note({&file_, context, context}, parser_.context);
  }
}

template <class T>
std::span<const T> YamlBuilder::keep(const std::vector<T>& items) {
  if (items.empty()) {
    return {};
  }
  auto* copy =
      static_cast<T*>(arena_.allocate(sizeof(T) * items.size(), alignof(T)));
  std::uninitialized_copy(items.begin(), items.end(), copy);
  return {copy, items.size()};
}

}  // namespace opgen::text
