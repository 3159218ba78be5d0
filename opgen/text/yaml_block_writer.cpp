#include "opgen/text/yaml_block_writer.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "opgen/text/yaml_scalar.h"

namespace opgen::text {

namespace {

using Kind = YamlEvents::Kind;

constexpr std::size_t kLongestKey = 128;

bool is_begin(Kind kind) {
  return kind == Kind::kBeginMapping || kind == Kind::kBeginSequence;
}

bool is_end(Kind kind) {
  return kind == Kind::kEndMapping || kind == Kind::kEndSequence;
}

bool is_simple(std::string_view text) {
  unsigned odd = 0;
  for (const char c : text) {
    odd |= static_cast<unsigned>(static_cast<unsigned char>(c - 0x20) > 0x5E);
  }
  return odd == 0;
}

bool contains(std::string_view chars, char c) {
  return chars.find(c) != std::string_view::npos;
}

// Whether block context allows the simple text without quotes.
bool is_plain_allowed(std::string_view text) {
  if (text.empty()) {
    return true;
  }
  if (text.front() == ' ' || text.back() == ' ' || text.starts_with("---") ||
      text.starts_with("...") || contains("#,[]{}&*!|>'\"%@`", text.front())) {
    return false;
  }
  const auto ends_word = [&](std::size_t pos) {
    return pos == text.size() || text[pos] == ' ';
  };
  if (contains("?:-", text.front()) && ends_word(1)) {
    return false;
  }
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == ':' && ends_word(i + 1)) {
      return false;
    }
    if (text[i] == '#' && text[i - 1] == ' ') {
      return false;
    }
  }
  return true;
}

class BlockWriter {
 public:
  explicit BlockWriter(const YamlEvents& document) : document_(document) {
    out_.reserve(document.text_size() + document.text_size() / 2 +
                 8 * document.events().size());
  }

  bool write() {
    const auto& events = document_.events();
    for (std::size_t i = 0; i < events.size(); ++i) {
      const YamlEvents::Event& event = events[i];
      if (is_end(event.kind)) {
        levels_.pop_back();
        continue;
      }
      const bool empty = is_begin(event.kind) && is_end(events[i + 1].kind);
      if (event.kind == Kind::kScalar || empty) {
        const bool written =
            event.kind == Kind::kScalar
                ? scalar(event)
                : leaf(event.kind == Kind::kBeginMapping ? "{}" : "[]");
        if (!written) {
          return false;
        }
        i += empty ? 1 : 0;
      } else if (!begin(event.kind == Kind::kBeginMapping)) {
        return false;
      }
    }
    out_ += '\n';
    return true;
  }

  std::string take() { return std::move(out_); }

 private:
  struct Level {
    std::size_t indent;
    bool mapping;
    bool key_next;
    bool on_line;  // the next element goes on where the line has got to
  };

  // Goes to where the next element of the innermost collection begins.
  void next_line() {
    Level& level = levels_.back();
    if (!level.on_line) {
      out_ += '\n';
      out_.append(level.indent, ' ');
    }
    level.on_line = false;
  }

  bool begin(bool mapping) {
    if (levels_.empty()) {
      levels_.push_back({0, mapping, true, true});
      return true;
    }
    Level& parent = levels_.back();
    if (!parent.mapping) {
      next_line();
      out_ += "- ";
      levels_.push_back({parent.indent + 2, mapping, true, true});
      return true;
    }
    if (parent.key_next) {
      return false;
    }
    parent.key_next = true;
    const std::size_t indent = parent.indent + (mapping ? 2 : 0);
    levels_.push_back({indent, mapping, true, false});
    return true;
  }

  bool scalar(const YamlEvents::Event& event) {
    const std::string_view text = document_.text(event);
    if (!is_simple(text)) {
      return false;
    }
    const bool key =
        !levels_.empty() && levels_.back().mapping && levels_.back().key_next;
    const bool plain = is_plain_allowed(text) && (!text.empty() || !key) &&
                       resolve_plain_scalar(text) == event.type;
    if (plain) {
      return leaf(text);
    }
    quoted_ = '\'';
    for (const char c : text) {
      quoted_.append(c == '\'' ? 2 : 1, c);
    }
    quoted_ += '\'';
    return leaf(quoted_);
  }

  bool leaf(std::string_view text) {
    if (levels_.empty()) {
      return false;
    }
    Level& level = levels_.back();
    if (!level.mapping) {
      next_line();
      out_ += "- ";
    } else if (level.key_next) {
      if (text.size() > kLongestKey || text == "{}" || text == "[]") {
        return false;
      }
      next_line();
      out_ += text;
      out_ += ':';
      level.key_next = false;
      return true;
    } else {
      out_ += ' ';
      level.key_next = true;
    }
    out_ += text;
    return true;
  }

  const YamlEvents& document_;
  std::string out_;
  std::string quoted_;
  std::vector<Level> levels_;
};

}  // namespace

void YamlEvents::add_scalar(std::string_view text, YamlType type) {
  events_.push_back({Kind::kScalar,
                     type,
                     static_cast<std::uint32_t>(text.size()),
                     texts_.size()});
  texts_ += text;
}

bool YamlEvents::complete() const {
  struct Level {
    bool mapping;
    std::size_t elements;
  };

  std::vector<Level> levels;
  std::size_t roots = 0;
  for (const Event& event : events_) {
    if (is_end(event.kind)) {
      const bool mapping = event.kind == Kind::kEndMapping;
      if (levels.empty() || levels.back().mapping != mapping ||
          (mapping && levels.back().elements % 2 != 0)) {
        return false;
      }
      levels.pop_back();
      continue;
    }
    ++(levels.empty() ? roots : levels.back().elements);
    if (is_begin(event.kind)) {
      levels.push_back({event.kind == Kind::kBeginMapping, 0});
    }
  }
  return roots == 1 && levels.empty();
}

std::optional<std::string> write_simple_block(const YamlEvents& document) {
  BlockWriter writer(document);
  if (!writer.write()) {
    return std::nullopt;
  }
  return writer.take();
}

}  // namespace opgen::text
