#include "opgen/text/yaml_writer.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <yaml.h>

#include "opgen/text/characters.h"
#include "opgen/text/utf8.h"
#include "opgen/text/yaml_block_writer.h"
#include "opgen/text/yaml_scalar.h"

namespace opgen::text {

namespace {

constexpr const char* kStringTag = "tag:yaml.org,2002:str";

// NOLINTNEXTLINE(misc-const-correctness): the type is libyaml's.
int append_output(void* data, unsigned char* buffer, size_t size) {
  static_cast<std::string*>(data)->append(reinterpret_cast<const char*>(buffer),
                                          size);
  return 1;
}

yaml_char_t* chars(const char* text) {
  // libyaml takes pointers to characters that it does not change.
  return reinterpret_cast<yaml_char_t*>(const_cast<char*>(text));
}

const char* tag_of(YamlType type) {
  switch (type) {
    case YamlType::kString:
      return kStringTag;
    case YamlType::kNull:
      return "tag:yaml.org,2002:null";
    case YamlType::kBool:
      return "tag:yaml.org,2002:bool";
    case YamlType::kInt:
      return "tag:yaml.org,2002:int";
    case YamlType::kFloat:
      return "tag:yaml.org,2002:float";
    case YamlType::kTimestamp:
      return "tag:yaml.org,2002:timestamp";
    case YamlType::kMerge:
      return "tag:yaml.org,2002:merge";
    case YamlType::kValue:
      return "tag:yaml.org,2002:value";
  }
  return kStringTag;
}

// Empty if the text is UTF-8 already.
std::string repaired(std::string_view text) {
  bool valid = true;
  std::string out;
  for (std::size_t pos = 0; pos < text.size();) {
    const CodePoint c = decode_utf8(text, pos);
    valid = valid && c.valid;
    append_utf8(out, c.valid ? c.value : 0xFFFD);
    pos += c.size;
  }
  return valid ? std::string() : out;
}

// The events of a document, given to libyaml one by one.
class Emitter {
 public:
  Emitter() {
    if (yaml_emitter_initialize(&emitter_) == 0) {
      throw std::bad_alloc();
    }
    yaml_emitter_set_output(&emitter_, append_output, &out_);
    yaml_emitter_set_width(&emitter_, 1'000'000'000);
    yaml_emitter_set_unicode(&emitter_, 0);
  }

  ~Emitter() { yaml_emitter_delete(&emitter_); }

  Emitter(const Emitter&) = delete;
  Emitter& operator=(const Emitter&) = delete;

  std::string write(const YamlEvents& document) {
    yaml_event_t event;
    emit(event, yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING));
    emit(event,
         yaml_document_start_event_initialize(
             &event, nullptr, nullptr, nullptr, 1));
    for (const YamlEvents::Event& part : document.events()) {
      const int ready = initialize(event, part, document.text(part));
      emit(event, ready);
    }
    emit(event, yaml_document_end_event_initialize(&event, 1));
    emit(event, yaml_stream_end_event_initialize(&event));
    return std::move(out_);
  }

 private:
  void emit(yaml_event_t& event, int ready) {
    if (ready == 0) {
      throw std::bad_alloc();
    }
    if (yaml_emitter_emit(&emitter_, &event) == 0) {
      throw std::logic_error(emitter_.problem == nullptr ? "libyaml"
                                                         : emitter_.problem);
    }
  }

  static int initialize(yaml_event_t& event,
                        const YamlEvents::Event& part,
                        std::string_view text) {
    switch (part.kind) {
      case YamlEvents::Kind::kBeginMapping:
        return yaml_mapping_start_event_initialize(
            &event, nullptr, nullptr, 1, YAML_BLOCK_MAPPING_STYLE);
      case YamlEvents::Kind::kEndMapping:
        return yaml_mapping_end_event_initialize(&event);
      case YamlEvents::Kind::kBeginSequence:
        return yaml_sequence_start_event_initialize(
            &event, nullptr, nullptr, 1, YAML_BLOCK_SEQUENCE_STYLE);
      case YamlEvents::Kind::kEndSequence:
        return yaml_sequence_end_event_initialize(&event);
      case YamlEvents::Kind::kScalar:
        break;
    }
    const bool plain = resolve_plain_scalar(text) == part.type;
    const bool quoted = part.type == YamlType::kString;
    return yaml_scalar_event_initialize(
        &event,
        nullptr,
        chars(tag_of(part.type)),
        // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage)
        chars(text.data()),
        static_cast<int>(text.size()),
        plain ? 1 : 0,
        quoted ? 1 : 0,
        YAML_PLAIN_SCALAR_STYLE);
  }

  yaml_emitter_t emitter_{};
  std::string out_;
};

}  // namespace

void YamlWriter::string(std::string_view text) {
  const std::string better = is_ascii(text) ? std::string() : repaired(text);
  events_.add_scalar(better.empty() ? text : better, YamlType::kString);
}

void YamlWriter::boolean(bool value) {
  events_.add_scalar(value ? "true" : "false", YamlType::kBool);
}

void YamlWriter::integer(std::int64_t value) {
  integer(std::to_string(value));
}

void YamlWriter::integer(std::string_view digits) {
  events_.add_scalar(digits, YamlType::kInt);
}

void YamlWriter::real(double value) {
  std::string text;
  if (std::isnan(value)) {
    text = ".nan";
  } else if (std::isinf(value)) {
    text = value < 0 ? "-.inf" : ".inf";
  } else {
    text = python_float_repr(value);
    const std::size_t exponent = text.find('e');
    if (exponent != std::string::npos && text.find('.') == std::string::npos) {
      text.insert(exponent, ".0");
    }
  }
  events_.add_scalar(text, YamlType::kFloat);
}

void YamlWriter::null() {
  events_.add_scalar("null", YamlType::kNull);
}

std::string YamlWriter::write() const {
  if (events_.complete()) {
    if (auto text = write_simple_block(events_)) {
      return std::move(*text);
    }
  }
  return write_with_libyaml();
}

std::string YamlWriter::write_with_libyaml() const {
  if (!events_.complete()) {
    throw std::logic_error("the calls do not make up one YAML document");
  }
  return Emitter().write(events_);
}

std::string python_float_repr(double value) {
  if (std::isnan(value)) {
    return "nan";
  }
  if (std::isinf(value)) {
    return value < 0 ? "-inf" : "inf";
  }
  std::array<char, 64> buffer{};
  const auto end = std::to_chars(buffer.data(),
                                 buffer.data() + buffer.size(),
                                 value,
                                 std::chars_format::scientific);
  const std::string_view text(
      buffer.data(), static_cast<std::size_t>(end.ptr - buffer.data()));
  const std::size_t mark = text.find('e');
  int exponent = 0;
  const std::size_t digits = mark + (text[mark + 1] == '+' ? 2 : 1);
  std::from_chars(text.data() + digits, text.data() + text.size(), exponent);
  if (exponent < -4 || exponent >= 16) {
    return std::string(text);
  }
  const auto fixed = std::to_chars(buffer.data(),
                                   buffer.data() + buffer.size(),
                                   value,
                                   std::chars_format::fixed);
  const std::string out(buffer.data(), fixed.ptr);
  return out.find('.') == std::string::npos ? out + ".0" : out;
}

}  // namespace opgen::text
