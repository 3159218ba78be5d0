#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "opgen/backend/explain.h"
#include "opgen/text/json_writer.h"

namespace opgen::backend {
namespace {

std::string joined(const std::vector<std::string>& values) {
  std::string text;
  for (const std::string& value : values) {
    text += (text.empty() ? "" : ", ") + value;
  }
  return text;
}

void append_row(std::string& out,
                std::string_view name,
                const std::string& value) {
  constexpr std::size_t kWidth = 12;
  if (value.empty()) {
    return;
  }
  out.append("  ").append(name);
  out.append(kWidth - std::min(kWidth, name.size()), ' ');
  out.append(value).append("\n");
}

std::string place_of(const Explanation& e) {
  if (e.file.empty()) {
    return "";
  }
  const std::string place = e.file + ":" + std::to_string(e.line);
  return e.generated_from.empty()
             ? place
             : "generated from " + e.generated_from + ", " + place;
}

void append_file(std::string& out, const ExplainedFile& file) {
  out.append("    ").append(file.path).append(":");
  const char* separator = "";
  for (const LineRange& range : file.ranges) {
    out.append(separator).append(std::to_string(range.first));
    if (range.last != range.first) {
      out.append("-").append(std::to_string(range.last));
    }
    out.append(range.shared ? "*" : "");
    separator = ",";
  }
  out += '\n';
  for (const std::string& line : file.lines) {
    out.append("      | ").append(line).append("\n");
  }
}

void append_explanation(std::string& out, const Explanation& e) {
  out.append(e.name).append("\n");
  append_row(out, "schema", e.schema);
  append_row(out, "defined", place_of(e));
  append_row(out, "variants", joined(e.variants));
  append_row(out, "structured", e.structured);
  append_row(out, "group", joined(e.group));
  append_row(out, "autogen", joined(e.autogen));
  append_row(out, "tags", joined(e.tags));
  for (const auto& [key, kernel] : e.dispatch) {
    append_row(out,
               &key == &e.dispatch.front().first ? "kernels" : "",
               std::string(key).append(": ").append(kernel));
  }
  std::string_view kind;
  bool shared = false;
  for (const ExplainedFile& file : e.files) {
    if (file.kind != kind) {
      kind = file.kind;
      out.append("  ").append(kind).append("\n");
    }
    append_file(out, file);
    shared = shared ||
             std::any_of(file.ranges.begin(),
                         file.ranges.end(),
                         [](const LineRange& range) { return range.shared; });
  }
  if (shared) {
    out.append("  * shared by ").append(joined(e.family)).append("\n");
  }
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

void write_file(text::JsonWriter& json, const ExplainedFile& file) {
  json.begin_object()
      .member("kind", std::string_view(file.kind))
      .member("path", std::string_view(file.path));
  json.key("ranges").begin_array();
  for (const LineRange& range : file.ranges) {
    json.begin_object()
        .member("first", range.first)
        .member("last", range.last)
        .member("shared", range.shared)
        .end_object();
  }
  json.end_array();
  if (!file.lines.empty()) {
    write_list(json, "lines", file.lines);
  }
  json.end_object();
}

void write_explanation(text::JsonWriter& json, const Explanation& e) {
  json.begin_object()
      .member("name", std::string_view(e.name))
      .member("schema", std::string_view(e.schema))
      .member("file", std::string_view(e.file))
      .member("line", e.line)
      .member("generatedFrom", std::string_view(e.generated_from))
      .member("structured", std::string_view(e.structured));
  write_list(json, "variants", e.variants);
  json.key("dispatch").begin_object();
  for (const auto& [key, kernel] : e.dispatch) {
    json.member(key, std::string_view(kernel));
  }
  json.end_object();
  write_list(json, "group", e.group);
  write_list(json, "family", e.family);
  write_list(json, "autogen", e.autogen);
  write_list(json, "tags", e.tags);
  json.key("files").begin_array();
  for (const ExplainedFile& file : e.files) {
    write_file(json, file);
  }
  json.end_array().end_object();
}

}  // namespace

std::string explanations_text(const std::vector<Explanation>& explanations) {
  std::string out;
  for (const Explanation& e : explanations) {
    out += out.empty() ? "" : "\n";
    append_explanation(out, e);
  }
  return out;
}

std::string explanations_json(const std::vector<Explanation>& explanations) {
  text::JsonWriter json;
  json.begin_object().key("operators").begin_array();
  for (const Explanation& e : explanations) {
    write_explanation(json, e);
  }
  json.end_array().end_object();
  return json.take();
}

}  // namespace opgen::backend
