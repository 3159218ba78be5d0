// A file that was read, and places in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace opgen::text {

// Counted from 1; the column in characters. A tab is one character.
struct Position {
  std::size_t line = 1;
  std::size_t column = 1;

  bool operator==(const Position&) const = default;
};

// Immutable and at a fixed address, because ranges and nodes point to it. Lines
// end with "\n", "\r\n" or "\r".
class SourceFile {
 public:
  SourceFile(std::string path, std::string contents);
  ~SourceFile() = default;
  SourceFile(const SourceFile&) = delete;
  SourceFile& operator=(const SourceFile&) = delete;

  // As messages show it.
  const std::string& path() const { return path_; }

  std::string_view contents() const { return contents_; }

  // Offsets past the end count as the end.
  Position position(std::size_t offset) const;

  std::size_t line_count() const { return line_starts_.size(); }

  // A line without its end, `number` from 1 to line_count().
  std::string_view line(std::size_t number) const;
  std::size_t line_start(std::size_t number) const;

 private:
  std::string path_;
  std::string contents_;
  std::vector<std::uint32_t> line_starts_;
};

// The bytes [begin, end) of a file. No file: no place is known.
struct SourceRange {
  const SourceFile* file = nullptr;
  std::size_t begin = 0;
  std::size_t end = 0;

  bool operator==(const SourceRange&) const = default;
};

}  // namespace opgen::text
