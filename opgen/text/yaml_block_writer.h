// libyaml's block style for documents of simple scalars, many times faster.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "opgen/text/yaml_scalar.h"

namespace opgen::text {

// A document as a list of events.
class YamlEvents {
 public:
  enum class Kind : std::uint8_t {
    kScalar,
    kBeginMapping,
    kEndMapping,
    kBeginSequence,
    kEndSequence,
  };

  struct Event {
    Kind kind;
    YamlType type;  // of a scalar
    std::uint32_t size;
    std::size_t offset;
  };

  void add(Kind kind) { events_.push_back({kind, YamlType::kNull, 0, 0}); }

  void add_scalar(std::string_view text, YamlType type);

  void clear() {
    events_.clear();
    texts_.clear();
  }

  const std::vector<Event>& events() const { return events_; }

  std::string_view text(const Event& event) const {
    return std::string_view(texts_).substr(event.offset, event.size);
  }

  std::size_t text_size() const { return texts_.size(); }

  // One collection or scalar, mappings with a value for each key.
  bool complete() const;

 private:
  std::vector<Event> events_;
  std::string texts_;
};

// Nothing if the document has a scalar that is not of printable ASCII in one
// line, a key that is long or no scalar, or is no collection with elements.
// `document` is complete.
std::optional<std::string> write_simple_block(const YamlEvents& document);

}  // namespace opgen::text
