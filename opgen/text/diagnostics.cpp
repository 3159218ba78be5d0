#include "opgen/text/diagnostics.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "opgen/text/characters.h"
#include "opgen/text/diagnostic_ids.h"
#include "opgen/text/source.h"

namespace opgen::text {

namespace {

struct Entry {
  std::string_view name;
  std::string_view message;
};

constexpr auto kEntries = std::to_array<Entry>({
#define OPGEN_ENTRY(name, message) {#name, message},
    OPGEN_DIAGNOSTICS(OPGEN_ENTRY)
#undef OPGEN_ENTRY
});

const Entry& entry_of(DiagnosticId id) {
  return kEntries.at(static_cast<std::size_t>(id));
}

// "{0}" becomes the first of the holes, and so on.
std::string fill(std::string_view message,
                 const std::vector<std::string_view>& holes) {
  std::string out;
  for (std::size_t pos = 0; pos < message.size(); ++pos) {
    const bool hole = message[pos] == '{' && pos + 2 < message.size() &&
                      message[pos + 2] == '}';
    const auto index =
        hole ? static_cast<std::size_t>(message[pos + 1] - '0') : holes.size();
    if (index < holes.size()) {
      out += holes[index];
      pos += 2;
    } else {
      out += message[pos];
    }
  }
  return out;
}

// What the order of the report goes by.
auto order_of(const Diagnostic& entry) {
  const SourceFile* file = entry.range.file;
  return std::make_tuple(
      file == nullptr,
      file == nullptr ? std::string_view() : std::string_view(file->path()),
      entry.range.begin,
      entry.range.end,
      entry.severity,
      entry.id,
      std::string_view(entry.message));
}

}  // namespace

const std::vector<DiagnosticId>& all_diagnostic_ids() {
  static const std::vector<DiagnosticId> ids = {
#define OPGEN_ID(name, message) DiagnosticId::name,
      OPGEN_DIAGNOSTICS(OPGEN_ID)
#undef OPGEN_ID
  };
  return ids;
}

std::string diagnostic_name(DiagnosticId id) {
  std::string out;
  for (const char c : entry_of(id).name.substr(1)) {
    if (is_upper(c) && !out.empty()) {
      out += '-';
    }
    out += to_lower(c);
  }
  return out;
}

std::string_view diagnostic_message(DiagnosticId id) {
  return entry_of(id).message;
}

Diagnostic& Diagnostic::note(SourceRange where, std::string text) {
  notes.push_back({where, std::move(text)});
  return *this;
}

Diagnostic& Diagnostic::did_you_mean(std::string name) {
  suggestion = std::move(name);
  return *this;
}

std::string Diagnostic::text() const {
  return suggestion.empty() ? message
                            : message + "; did you mean '" + suggestion + "'?";
}

Diagnostic& Diagnostics::error(DiagnosticId id,
                               SourceRange range,
                               const Holes& holes) {
  ++errors_;
  return add(Severity::kError, id, range, holes);
}

Diagnostic& Diagnostics::warning(DiagnosticId id,
                                 SourceRange range,
                                 const Holes& holes) {
  return add(Severity::kWarning, id, range, holes);
}

Diagnostic& Diagnostics::add(Severity severity,
                             DiagnosticId id,
                             SourceRange range,
                             const Holes& holes) {
  Diagnostic entry;
  entry.id = id;
  entry.severity = severity;
  entry.range = range;
  entry.message = fill(diagnostic_message(id), holes.texts());
  return entries_.emplace_back(std::move(entry));
}

void Diagnostics::merge(Diagnostics&& other) {
  std::move(other.entries_.begin(),
            other.entries_.end(),
            std::back_inserter(entries_));
  errors_ += std::exchange(other.errors_, 0);
  other.entries_.clear();
}

std::vector<const Diagnostic*> Diagnostics::sorted() const {
  std::vector<const Diagnostic*> order;
  order.reserve(entries_.size());
  for (const Diagnostic& entry : entries_) {
    order.push_back(&entry);
  }
  std::stable_sort(
      order.begin(), order.end(), [](const Diagnostic* a, const Diagnostic* b) {
        return order_of(*a) < order_of(*b);
      });
  const auto same = [](const Diagnostic* a, const Diagnostic* b) {
    return order_of(*a) == order_of(*b);
  };
  order.erase(std::unique(order.begin(), order.end(), same), order.end());
  return order;
}

}  // namespace opgen::text
