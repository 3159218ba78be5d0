// Text with holes: `$name` and `${name}`, as torchgen's CodeTemplate.
//
// A hole at the start of a line that holds a list puts each element on lines of
// its own, indented like the hole; elsewhere a list is joined by ", ".
// `${,name}` and `${name,}` add a comma before or after a list that is not
// empty. Names are of ASCII letters, digits and "_".
#pragma once

#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace opgen::text {

// What fills a hole.
using Value = std::variant<std::string, std::vector<std::string>>;

class Env {
 public:
  Env& set(std::string key, Value value);
  // Null if nothing was set.
  const Value* find(std::string_view key) const;
  Value* find(std::string_view key);

  using Map = std::map<std::string, Value, std::less<>>;

  const Map& values() const { return values_; }

 private:
  Map values_;
};

// Like Env, of text that belongs to someone else and must outlive it.
class EnvView {
 public:
  using List = std::vector<std::string_view>;
  using Entry = std::variant<std::string_view, List>;

  EnvView() = default;
  explicit EnvView(const Env& env);

  EnvView& set(std::string_view key, Entry entry);
  // Null if nothing was set.
  const Entry* find(std::string_view key) const;
  Entry* find(std::string_view key);

  using Map = std::map<std::string_view, Entry, std::less<>>;

  const Map& values() const { return entries_; }

 private:
  Map entries_;
};

// A hole that nothing fills.
class MissingValueError : public std::runtime_error {
 public:
  // `known`: the names that could be filled.
  MissingValueError(const std::string& hole, std::vector<std::string> known);

  const std::string& hole() const { return hole_; }

  const std::vector<std::string>& known() const { return known_; }

  // The template's file, where it is known.
  std::string path;

 private:
  std::string hole_;
  std::vector<std::string> known_;
};

class CodeTemplate {
 public:
  explicit CodeTemplate(std::string_view text);

  // Throws MissingValueError.
  std::string substitute(const Env& env) const;
  std::string substitute(const EnvView& env) const;

  // Where the values of one key begin in a text that substitute made.
  struct Places {
    std::string_view key;
    std::vector<std::size_t> offsets;
  };

  // The same; `places` gets the offsets of the values of places.key, which must
  // be single words without a line break.
  std::string substitute(const EnvView& env, Places& places) const;

 private:
  struct Segment {
    std::string literal;  // comes before the hole
    std::string key;      // empty in the last segment
    bool block = false;   // at the start of a line
    std::string indent;
    bool comma_before = false;
    bool comma_after = false;
    // A form feed, say, in the white space before the hole ends a line, and
    // only what follows it is `indent`.
    std::size_t indent_breaks = 0;
  };

  template <class Environment>
  std::string fill(const Environment& env, Places* places) const;
  void add_hole(std::string_view before, std::string_view name);

  std::vector<Segment> segments_;
};

}  // namespace opgen::text
