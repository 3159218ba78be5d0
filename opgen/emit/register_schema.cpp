#include "opgen/emit/register_schema.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "opgen/emit/cpp_string.h"
#include "opgen/emit/str_append.h"
#include "opgen/model/native_function.h"
#include "opgen/model/selective_builder.h"

namespace opgen::emit {

namespace {

// The library of these exists already; ours only adds to it.
bool is_fragment_namespace(std::string_view ns) {
  return ns == "quantized" || ns == "quantized_decomposed";
}

struct NamespaceFunctions {
  std::string_view name;
  std::vector<const model::NativeFunction*> functions;
};

std::vector<NamespaceFunctions> by_namespace(
    std::span<const std::unique_ptr<model::NativeFunction>> native_functions) {
  std::vector<NamespaceFunctions> result;
  std::unordered_map<std::string_view, std::size_t> positions;
  for (const auto& f : native_functions) {
    const auto [it, inserted] =
        positions.try_emplace(f->namespace_, result.size());
    if (inserted) {
      result.push_back({f->namespace_, {}});
    }
    result[it->second].functions.push_back(f.get());
  }
  return result;
}

}  // namespace

std::optional<std::string> RegisterSchema::operator()(
    const model::NativeFunction& f) {
  if (!selector_->is_native_function_selected(f)) {
    return std::nullopt;
  }
  std::string text;
  const std::string schema = cpp_string(f.func.str());
  if (f.tags.empty()) {
    str_append(text, "m.def(", schema, ", {});\n");
    return text;
  }
  std::string tags;
  for (const std::string& tag : f.tags) {
    str_append(tags, tags.empty() ? "{" : ", ", "at::Tag::", tag);
  }
  tags += '}';
  const auto [it, inserted] = known_tags_.try_emplace(tags, known_tags_.size());
  const std::string index = std::to_string(it->second);
  if (inserted) {
    str_append(
        text, "const std::vector<at::Tag> tags_", index, " = ", tags, ";\n");
  }
  str_append(text, "m.def(", schema, ", tags_", index, ");\n");
  return text;
}

SchemaRegistrations get_native_function_schema_registrations(
    std::span<const std::unique_ptr<model::NativeFunction>> native_functions,
    const model::SelectiveBuilder& schema_selector) {
  SchemaRegistrations result;
  for (const NamespaceFunctions& ns : by_namespace(native_functions)) {
    RegisterSchema register_schema(schema_selector);
    std::vector<std::string> body;
    for (const model::NativeFunction* f : ns.functions) {
      if (auto text = register_schema(*f)) {
        body.push_back(*std::move(text));
      }
    }
    if (ns.name == "aten") {
      result.aten_schema_registrations = std::move(body);
      continue;
    }
    std::string& text = result.schema_registrations;
    str_append(text,
               "\n",
               is_fragment_namespace(ns.name) ? "TORCH_LIBRARY_FRAGMENT"
                                              : "TORCH_LIBRARY",
               "(",
               ns.name,
               ", m) {\n  ");
    str_append_joined(text, body, "\t", [](const std::string& registration) {
      return std::string_view(registration);
    });
    text += "\n};";
  }
  return result;
}

}  // namespace opgen::emit
