#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "opgen/backend/diff.h"
#include "opgen/text/json_writer.h"

namespace opgen::backend {
namespace {

void append_padded(std::string& out, std::string_view word) {
  constexpr std::size_t kWidth = 9;
  out.append("  ").append(word).append(kWidth - word.size(), ' ');
}

void append_operator(std::string& out, const OperatorChange& change) {
  append_padded(out, name_of(change.kind));
  out.append(change.name);
  const char* separator = ": ";
  for (const std::string& field : change.fields) {
    out.append(separator).append(field);
    separator = ", ";
  }
  if (change.kind == ChangeKind::kChanged && change.fields.empty()) {
    out.append(": generated text only");
  }
  out.append("\n");
  for (const std::string& file : change.files) {
    out.append("             ").append(file).append("\n");
  }
}

void append_file(std::string& out, const FileChange& change) {
  append_padded(out, name_of(change.kind));
  out.append(change.path).append(" (");
  out.append("+").append(std::to_string(change.lines_added));
  out.append(" -").append(std::to_string(change.lines_removed)).append(")\n");
}

void write_list(text::JsonWriter& json,
                std::string_view name,
                const std::vector<std::string>& values) {
  json.key(name).begin_array();
  for (const std::string& value : values) {
    json.value(std::string_view(value));
  }
  json.end_array();
}

}  // namespace

std::string diff_text(const TreeDiff& diff) {
  std::string out;
  if (!diff.inputs.empty()) {
    out += "Other inputs that differ:\n";
    for (const std::string& path : diff.inputs) {
      out.append("  ").append(path).append("\n");
    }
  }
  if (!diff.operators.empty()) {
    out += "Operators:\n";
    for (const OperatorChange& change : diff.operators) {
      append_operator(out, change);
    }
  }
  if (!diff.files.empty()) {
    out += "Files:\n";
    for (const FileChange& change : diff.files) {
      append_file(out, change);
    }
  }
  return out;
}

std::string diff_json(const TreeDiff& diff) {
  text::JsonWriter json;
  json.begin_object();
  write_list(json, "inputs", diff.inputs);
  json.key("operators").begin_array();
  for (const OperatorChange& change : diff.operators) {
    json.begin_object()
        .member("change", name_of(change.kind))
        .member("name", std::string_view(change.name));
    write_list(json, "fields", change.fields);
    write_list(json, "files", change.files);
    json.end_object();
  }
  json.end_array().key("files").begin_array();
  for (const FileChange& change : diff.files) {
    json.begin_object()
        .member("change", name_of(change.kind))
        .member("path", std::string_view(change.path))
        .member("linesAdded", change.lines_added)
        .member("linesRemoved", change.lines_removed)
        .end_object();
  }
  json.end_array().end_object();
  return json.take();
}

}  // namespace opgen::backend
