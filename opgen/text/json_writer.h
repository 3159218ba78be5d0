// JSON text, indented by two spaces.
//
// The caller opens and closes objects and arrays in pairs and gives each value
// of an object a key; commas and line breaks come by themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace opgen::text {

// Quoted and escaped; bytes that are not UTF-8 become U+FFFD.
void append_json_string(std::string& out, std::string_view text);

class JsonWriter {
 public:
  JsonWriter& begin_object();
  JsonWriter& end_object();
  JsonWriter& begin_array();
  JsonWriter& end_array();
  JsonWriter& key(std::string_view name);
  JsonWriter& value(std::string_view text);
  JsonWriter& value(std::uint64_t number);
  JsonWriter& value(bool flag);

  JsonWriter& value(const char* text) { return value(std::string_view(text)); }

  template <class T>
  JsonWriter& member(std::string_view name, T content) {
    return key(name).value(content);
  }

  // With a line break at the end.
  std::string take();

 private:
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  void before_value();
  void new_line();

  std::string out_;
  std::vector<bool> filled_;  // of the objects and arrays that are open
  bool after_key_ = false;
};

}  // namespace opgen::text
