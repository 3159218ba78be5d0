#include <cstddef>
#include <string>
#include <string_view>

#include "opgen/text/diagnostics.h"
#include "opgen/text/source.h"
#include "opgen/text/utf8.h"

namespace opgen::text {

namespace {

// Longer lines are shown in part.
constexpr std::size_t kLongestLine = 240;
constexpr std::size_t kBeforeMark = 120;

// The character as a terminal can show it in one column.
void append_visible(std::string& out, const CodePoint& c) {
  const bool control = c.value < 0x20 || (c.value >= 0x7F && c.value < 0xA0);
  if (c.valid && (!control || c.value == '\t')) {
    append_utf8(out, c.value);
  } else {
    append_utf8(out, 0xFFFD);
  }
}

void append_excerpt(std::string& out, const SourceRange& range) {
  const Position at = range.file->position(range.begin);
  const std::string_view line = range.file->line(at.line);
  const std::size_t start = range.file->line_start(at.line);
  const bool cut = count_characters(line) > kLongestLine;
  const std::size_t first =
      cut && at.column > kBeforeMark ? at.column - kBeforeMark : 1;
  const std::size_t last = cut ? first + kLongestLine : std::string::npos;
  std::string shown = first > 1 ? "..." : "";
  std::string mark(shown.size(), ' ');
  std::size_t column = 1;
  for (std::size_t pos = 0; pos < line.size(); ++column) {
    const CodePoint c = decode_utf8(line, pos);
    const std::size_t offset = start + pos;
    pos += c.size;
    if (column < first || column >= last) {
      continue;
    }
    append_visible(shown, c);
    if (column < at.column) {
      mark += c.value == '\t' ? '\t' : ' ';
    } else if (column == at.column) {
      mark += '^';
    } else if (offset < range.end) {
      mark += '~';
    }
  }
  if (column <= at.column) {
    mark += '^';
  }
  shown += column > last ? "..." : "";
  out += shown + "\n" + mark + "\n";
}

void append_entry(std::string& out,
                  const SourceRange& range,
                  std::string_view kind,
                  std::string_view message) {
  if (range.file != nullptr) {
    const Position at = range.file->position(range.begin);
    out += range.file->path() + ":" + std::to_string(at.line) + ":" +
           std::to_string(at.column) + ": ";
  }
  out += kind;
  out += ": ";
  out += message;
  out += '\n';
  if (range.file != nullptr) {
    append_excerpt(out, range);
  }
}

}  // namespace

std::string Diagnostics::to_text() const {
  std::string out;
  for (const Diagnostic* entry : sorted()) {
    const bool error = entry->severity == Severity::kError;
    append_entry(out, entry->range, error ? "error" : "warning", entry->text());
    for (const Diagnostic::Note& note : entry->notes) {
      append_entry(out, note.range, "note", note.message);
    }
  }
  return out;
}

}  // namespace opgen::text
