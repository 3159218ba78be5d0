#include "opgen/text/code_template.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "opgen/text/characters.h"
#include "opgen/text/python_text.h"

namespace opgen::text {

namespace {

using Lines = std::vector<std::string_view>;

// The bytes of the hole after its "$", 0 if there is none.
std::size_t hole_size(std::string_view text) {
  std::size_t pos = 0;
  const auto at = [&](char c) { return pos < text.size() && text[pos] == c; };
  const bool braced = at('{');
  if (braced) {
    ++pos;
    pos += at(',') ? 1 : 0;
  }
  if (pos >= text.size() || !is_name_start(text[pos])) {
    return 0;
  }
  while (pos < text.size() && is_name_char(text[pos])) {
    ++pos;
  }
  if (braced) {
    pos += at(',') ? 1 : 0;
    return at('}') ? pos + 1 : 0;
  }
  return pos;
}

// Where the line begins if nothing but white space stands before `pos` in it.
std::size_t blank_line_start(std::string_view text, std::size_t pos) {
  while (pos > 0 && text[pos - 1] != '\n') {
    const std::size_t size = space_size_before(text, pos);
    if (size == 0) {
      return std::string_view::npos;
    }
    pos -= size;
  }
  return pos;
}

// Writes the lines of a block: no white space at their ends, none at the end of
// the block, an indent before those that are not empty.
class BlockWriter {
 public:
  BlockWriter(std::string& out, std::string_view indent, std::size_t breaks)
      : out_(out), indent_(indent), breaks_(breaks) {}

  void add(std::string_view element) {
    const TextTraits traits = scan(element);
    if (indent_.empty() && breaks_ == 0 && traits.plain &&
        !traits.trailing_space) {
      add_as_it_is(element);
      return;
    }
    for_each_line(element, traits.plain, [this](std::string_view line) {
      next_line();
      line = rstrip(line);
      if (!line.empty()) {
        flush(breaks_);
        out_ += indent_;
        out_ += line;
      }
    });
  }

 private:
  void next_line() {
    pending_ += started_ ? 1 : 0;
    started_ = true;
  }

  void flush(std::size_t more) {
    out_.append(pending_ + more, '\n');
    pending_ = 0;
  }

  void add_as_it_is(std::string_view element) {
    if (element.empty()) {
      return;
    }
    next_line();
    const std::string_view body = rstrip(element);
    const std::string_view tail = element.substr(body.size());
    if (!body.empty()) {
      flush(0);
      out_ += body;
    }
    const auto newlines =
        static_cast<std::size_t>(std::count(tail.begin(), tail.end(), '\n'));
    pending_ += newlines - (element.back() == '\n' ? 1 : 0);
  }

  std::string& out_;
  std::string_view indent_;
  std::size_t breaks_;
  std::size_t pending_ = 0;
  bool started_ = false;
};

struct Filler {
  bool list = false;
  const std::string_view* begin = nullptr;
  const std::string_view* end = nullptr;
};

Filler filler_of(const EnvView::Entry& entry, Lines& /*scratch*/) {
  if (const auto* list = std::get_if<EnvView::List>(&entry)) {
    return {true, list->data(), list->data() + list->size()};
  }
  const auto* text = std::get_if<std::string_view>(&entry);
  return {false, text, text + 1};
}

Filler filler_of(const Value& value, Lines& scratch) {
  scratch.clear();
  const auto* list = std::get_if<std::vector<std::string>>(&value);
  if (list != nullptr) {
    scratch.assign(list->begin(), list->end());
  } else {
    scratch.assign(1, *std::get_if<std::string>(&value));
  }
  return {list != nullptr, scratch.data(), scratch.data() + scratch.size()};
}

void append_joined(std::string& out, const Filler& filler) {
  for (const std::string_view* text = filler.begin; text != filler.end;
       ++text) {
    if (text != filler.begin) {
      out += ", ";
    }
    out += *text;
  }
}

// About what the value takes in the output; mostly somewhat more.
std::size_t expected_size(const Filler& filler, std::size_t indent) {
  constexpr std::size_t kLineSize = 24;
  std::size_t size = 4;
  for (const std::string_view* text = filler.begin; text != filler.end;
       ++text) {
    const std::size_t lines = 1 + text->size() / kLineSize;
    size += text->size() + lines * indent + 2;
  }
  return size;
}

}  // namespace

Env& Env::set(std::string key, Value value) {
  values_.insert_or_assign(std::move(key), std::move(value));
  return *this;
}

const Value* Env::find(std::string_view key) const {
  const auto found = values_.find(key);
  return found == values_.end() ? nullptr : &found->second;
}

Value* Env::find(std::string_view key) {
  const auto found = values_.find(key);
  return found == values_.end() ? nullptr : &found->second;
}

EnvView::EnvView(const Env& env) {
  for (const auto& [key, value] : env.values()) {
    if (const auto* list = std::get_if<std::vector<std::string>>(&value)) {
      set(key, List(list->begin(), list->end()));
    } else {
      set(key, std::string_view(std::get<std::string>(value)));
    }
  }
}

EnvView& EnvView::set(std::string_view key, Entry entry) {
  entries_.insert_or_assign(key, std::move(entry));
  return *this;
}

const EnvView::Entry* EnvView::find(std::string_view key) const {
  const auto found = entries_.find(key);
  return found == entries_.end() ? nullptr : &found->second;
}

EnvView::Entry* EnvView::find(std::string_view key) {
  const auto found = entries_.find(key);
  return found == entries_.end() ? nullptr : &found->second;
}

CodeTemplate::CodeTemplate(std::string_view text) {
  std::size_t done = 0;
  std::size_t pos = text.find('$');
  while (pos != std::string_view::npos) {
    const std::size_t size = hole_size(text.substr(pos + 1));
    if (size == 0) {
      pos = text.find('$', pos + 1);
      continue;
    }
    add_hole(text.substr(done, pos - done), text.substr(pos + 1, size));
    done = pos + 1 + size;
    pos = text.find('$', done);
  }
  segments_.emplace_back();
  segments_.back().literal = text.substr(done);
}

namespace {

template <class Environment>
std::vector<std::string> names_in(const Environment& env) {
  std::vector<std::string> names;
  for (const auto& [key, value] : env.values()) {
    names.emplace_back(key);
  }
  return names;
}

}  // namespace

void CodeTemplate::add_hole(std::string_view before, std::string_view name) {
  Segment segment;
  const bool first = segments_.empty();
  const std::size_t start = blank_line_start(before, before.size());
  // With nothing but white space back to the hole before, it is on that line.
  const bool on_line_of_hole = !first && start == 0;
  segment.block = start != std::string_view::npos && !on_line_of_hole;
  if (segment.block) {
    std::string_view indent = before.substr(start);
    for (std::size_t i = 0; i < indent.size();) {
      const std::size_t size = line_break_size(indent, i);
      segment.indent_breaks += size > 0 ? 1 : 0;
      i += size > 0 ? size : 1;
      if (size > 0) {
        indent.remove_prefix(i);
        i = 0;
      }
    }
    segment.indent = indent;
    before = before.substr(0, start);
  }
  segment.literal = before;
  if (name.front() == '{') {
    name = name.substr(1, name.size() - 2);
    segment.comma_before = name.front() == ',';
    name.remove_prefix(segment.comma_before ? 1 : 0);
    segment.comma_after = name.back() == ',';
    name.remove_suffix(segment.comma_after ? 1 : 0);
  }
  segment.key = name;
  segments_.push_back(std::move(segment));
}

MissingValueError::MissingValueError(const std::string& hole,
                                     std::vector<std::string> known)
    : std::runtime_error("nothing fills the hole '" + hole + "'"),
      hole_(hole),
      known_(std::move(known)) {}

template <class Environment>
std::string CodeTemplate::fill(const Environment& env, Places* places) const {
  Lines scratch;
  std::size_t size = 0;
  for (const Segment& segment : segments_) {
    size += segment.literal.size();
    if (segment.key.empty()) {
      continue;
    }
    const auto* value = env.find(segment.key);
    if (value == nullptr) {
      throw MissingValueError(segment.key, names_in(env));
    }
    const std::size_t indent = segment.indent.size() + segment.indent_breaks;
    size += expected_size(filler_of(*value, scratch), indent);
  }
  std::string out;
  out.reserve(size);
  for (const Segment& segment : segments_) {
    out += segment.literal;
    if (segment.key.empty()) {
      continue;
    }
    const Filler filler = filler_of(*env.find(segment.key), scratch);
    if (places != nullptr && segment.key == places->key) {
      const std::size_t before = segment.indent.size() + segment.indent_breaks;
      places->offsets.push_back(out.size() + (segment.block ? before : 0));
    }
    if (segment.block) {
      BlockWriter writer(out, segment.indent, segment.indent_breaks);
      std::for_each(filler.begin, filler.end, [&](std::string_view element) {
        writer.add(element);
      });
      continue;
    }
    const bool commas = filler.list && filler.begin != filler.end;
    out += commas && segment.comma_before ? ", " : "";
    append_joined(out, filler);
    out += commas && segment.comma_after ? ", " : "";
  }
  return out;
}

std::string CodeTemplate::substitute(const Env& env) const {
  return fill(env, nullptr);
}

std::string CodeTemplate::substitute(const EnvView& env) const {
  return fill(env, nullptr);
}

std::string CodeTemplate::substitute(const EnvView& env, Places& places) const {
  return fill(env, &places);
}

}  // namespace opgen::text
