// Errors and warnings of a run, with the places they are about.
//
// Work goes on after an error as far as it makes sense, so that a run reports
// all of them. Files must outlive the diagnostics that point into them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "opgen/text/diagnostic_ids.h"
#include "opgen/text/source.h"

namespace opgen::text {

// NOLINTNEXTLINE(performance-enum-size): the table grows.
enum class DiagnosticId : std::uint16_t {
#define OPGEN_DECLARE(name, message) name,
  OPGEN_DIAGNOSTICS(OPGEN_DECLARE)
#undef OPGEN_DECLARE
};

const std::vector<DiagnosticId>& all_diagnostic_ids();
// "yaml-duplicate-key".
std::string diagnostic_name(DiagnosticId id);
// With its holes.
std::string_view diagnostic_message(DiagnosticId id);

enum class Severity : std::uint8_t { kError, kWarning };

struct Diagnostic {
  struct Note {
    SourceRange range;
    std::string message;
  };

  DiagnosticId id = DiagnosticId::kFileCannotRead;
  Severity severity = Severity::kError;
  SourceRange range;
  std::string message;     // holes filled
  std::string suggestion;  // a name that may have been meant, or empty
  std::vector<Note> notes;

  // The other site of a conflict, or, without a range, what was being done.
  Diagnostic& note(SourceRange where, std::string text);
  Diagnostic& did_you_mean(std::string name);
  // The message with the suggestion.
  std::string text() const;
};

// What fills the holes of a message.
class Holes {
 public:
  Holes() = default;

  // NOLINTNEXTLINE(google-explicit-constructor): `{"a", "b"}` is an argument.
  Holes(std::initializer_list<std::string_view> texts) : texts_(texts) {}

  // NOLINTNEXTLINE(google-explicit-constructor)
  Holes(const std::vector<std::string>& texts)
      : texts_(texts.begin(), texts.end()) {}

  const std::vector<std::string_view>& texts() const { return texts_; }

 private:
  std::vector<std::string_view> texts_;
};

// Not for several threads at once; give each its own and merge them.
class Diagnostics {
 public:
  // The result stays valid as long as this object.
  Diagnostic& error(DiagnosticId id,
                    SourceRange range,
                    const Holes& holes = {});
  Diagnostic& warning(DiagnosticId id,
                      SourceRange range,
                      const Holes& holes = {});
  void merge(Diagnostics&& other);

  bool has_errors() const { return errors_ > 0; }

  std::size_t error_count() const { return errors_; }

  std::size_t warning_count() const { return entries_.size() - errors_; }

  bool empty() const { return entries_.empty(); }

  // As they came.
  const std::deque<Diagnostic>& entries() const { return entries_; }

  // By path and place, without repetitions; those without a place come last.
  std::vector<const Diagnostic*> sorted() const;

  // `file:line:column: error: message`, the line and a mark under the place.
  std::string to_text() const;
  // {"diagnostics": [{"id", "severity", "message", "file", "line", "column",
  // "endLine", "endColumn", "suggestion", "notes"}]}; the last column is the
  // one after the range.
  std::string to_json() const;
  // A SARIF 2.1.0 log of one run.
  std::string to_sarif(std::string_view program_version) const;

 private:
  Diagnostic& add(Severity severity,
                  DiagnosticId id,
                  SourceRange range,
                  const Holes& holes);

  std::deque<Diagnostic> entries_;
  std::size_t errors_ = 0;
};

}  // namespace opgen::text
