#include "opgen/text/json_writer.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "opgen/text/utf8.h"

namespace opgen::text {

namespace {

void append_escape(std::string& out, char32_t c) {
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\t':
      out += "\\t";
      return;
    case '\r':
      out += "\\r";
      return;
    default:
      break;
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  out += "\\u00";
  out += kDigits[(c >> 4U) & 0xFU];
  out += kDigits[c & 0xFU];
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t pos = 0; pos < text.size();) {
    const CodePoint c = decode_utf8(text, pos);
    if (!c.valid) {
      append_utf8(out, 0xFFFD);
    } else if (c.value < 0x20 || c.value == '"' || c.value == '\\' ||
               c.value == 0x7F) {
      append_escape(out, c.value);
    } else {
      out += text.substr(pos, c.size);
    }
    pos += c.size;
  }
  out += '"';
}

JsonWriter& JsonWriter::begin_object() {
  return open('{');
}

JsonWriter& JsonWriter::end_object() {
  return close('}');
}

JsonWriter& JsonWriter::begin_array() {
  return open('[');
}

JsonWriter& JsonWriter::end_array() {
  return close(']');
}

JsonWriter& JsonWriter::key(std::string_view name) {
  before_value();
  append_json_string(out_, name);
  out_ += ": ";
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  before_value();
  append_json_string(out_, text);
  return *this;
}

JsonWriter& JsonWriter::value(std::uint64_t number) {
  before_value();
  out_ += std::to_string(number);
  return *this;
}

JsonWriter& JsonWriter::value(bool flag) {
  before_value();
  out_ += flag ? "true" : "false";
  return *this;
}

std::string JsonWriter::take() {
  out_ += '\n';
  return std::exchange(out_, {});
}

JsonWriter& JsonWriter::open(char bracket) {
  before_value();
  out_ += bracket;
  filled_.push_back(false);
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  const bool filled = filled_.back();
  filled_.pop_back();
  if (filled) {
    new_line();
  }
  out_ += bracket;
  return *this;
}

void JsonWriter::before_value() {
  if (std::exchange(after_key_, false) || filled_.empty()) {
    return;
  }
  if (filled_.back()) {
    out_ += ',';
  }
  filled_.back() = true;
  new_line();
}

void JsonWriter::new_line() {
  out_ += '\n';
  out_.append(2 * filled_.size(), ' ');
}

}  // namespace opgen::text
