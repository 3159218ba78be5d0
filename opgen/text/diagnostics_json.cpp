#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "opgen/text/diagnostics.h"
#include "opgen/text/json_writer.h"
#include "opgen/text/source.h"

namespace opgen::text {

namespace {

std::string_view severity_name(Severity severity) {
  return severity == Severity::kError ? "error" : "warning";
}

void write_place(JsonWriter& json, const SourceRange& range) {
  if (range.file == nullptr) {
    return;
  }
  const Position begin = range.file->position(range.begin);
  const Position end = range.file->position(std::max(range.begin, range.end));
  json.member("file", std::string_view(range.file->path()))
      .member("line", begin.line)
      .member("column", begin.column)
      .member("endLine", end.line)
      .member("endColumn", end.column);
}

// A relative reference or file URI.
std::string uri_of(std::string_view path) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/+,";
  std::string out = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (kPlain.find(c) != std::string_view::npos) {
      out += c;
    } else {
      out += '%';
      out += kDigits[byte >> 4U];
      out += kDigits[byte & 0xFU];
    }
  }
  return out;
}

void write_text_member(JsonWriter& json,
                       std::string_view name,
                       std::string_view text) {
  json.key(name).begin_object().member("text", text).end_object();
}

void write_physical_location(JsonWriter& json, const SourceRange& range) {
  const Position begin = range.file->position(range.begin);
  const Position end = range.file->position(std::max(range.begin, range.end));
  json.key("physicalLocation").begin_object();
  json.key("artifactLocation")
      .begin_object()
      .member("uri", std::string_view(uri_of(range.file->path())))
      .end_object();
  json.key("region")
      .begin_object()
      .member("startLine", begin.line)
      .member("startColumn", begin.column)
      .member("endLine", end.line)
      .member("endColumn", end.column)
      .end_object();
  json.end_object();
}

void write_result(JsonWriter& json, const Diagnostic& entry) {
  json.begin_object()
      .member("ruleId", std::string_view(diagnostic_name(entry.id)))
      .member("ruleIndex", static_cast<std::size_t>(entry.id))
      .member("level", severity_name(entry.severity));
  std::string message = entry.text();
  for (const Diagnostic::Note& note : entry.notes) {
    message += note.range.file == nullptr ? "\n" + note.message : "";
  }
  write_text_member(json, "message", message);
  if (entry.range.file != nullptr) {
    json.key("locations").begin_array().begin_object();
    write_physical_location(json, entry.range);
    json.end_object().end_array();
  }
  const bool related =
      std::any_of(entry.notes.begin(), entry.notes.end(), [](const auto& note) {
        return note.range.file != nullptr;
      });
  if (related) {
    json.key("relatedLocations").begin_array();
    for (const Diagnostic::Note& note : entry.notes) {
      if (note.range.file != nullptr) {
        json.begin_object();
        write_physical_location(json, note.range);
        write_text_member(json, "message", note.message);
        json.end_object();
      }
    }
    json.end_array();
  }
  json.end_object();
}

}  // namespace

std::string Diagnostics::to_json() const {
  JsonWriter json;
  json.begin_object().key("diagnostics").begin_array();
  for (const Diagnostic* entry : sorted()) {
    json.begin_object()
        .member("id", std::string_view(diagnostic_name(entry->id)))
        .member("severity", severity_name(entry->severity))
        .member("message", std::string_view(entry->message));
    write_place(json, entry->range);
    if (!entry->suggestion.empty()) {
      json.member("suggestion", std::string_view(entry->suggestion));
    }
    json.key("notes").begin_array();
    for (const Diagnostic::Note& note : entry->notes) {
      json.begin_object().member("message", std::string_view(note.message));
      write_place(json, note.range);
      json.end_object();
    }
    json.end_array().end_object();
  }
  json.end_array().end_object();
  return json.take();
}

std::string Diagnostics::to_sarif(std::string_view program_version) const {
  JsonWriter json;
  json.begin_object()
      .member("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
      .member("version", "2.1.0");
  json.key("runs").begin_array().begin_object();
  json.key("tool").begin_object().key("driver").begin_object();
  json.member("name", "opgen").member("version", program_version);
  json.key("rules").begin_array();
  for (const DiagnosticId id : all_diagnostic_ids()) {
    json.begin_object().member("id", std::string_view(diagnostic_name(id)));
    write_text_member(json, "shortDescription", diagnostic_message(id));
    json.end_object();
  }
  json.end_array().end_object().end_object();
  json.member("columnKind", "unicodeCodePoints");
  json.key("results").begin_array();
  for (const Diagnostic* entry : sorted()) {
    write_result(json, *entry);
  }
  json.end_array().end_object().end_array().end_object();
  return json.take();
}

}  // namespace opgen::text
