#include "opgen/emit/native_functions_namespace.h"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "opgen/emit/register_dispatch_key_error.h"
#include "opgen/model/native_function.h"
#include "opgen/model/native_functions_group.h"
#include "opgen/text/python_text.h"

namespace opgen::emit {
namespace {

// Every line gets a line break.
void append_without_empty_lines(std::string_view text, std::string& out) {
  while (!text.empty()) {
    const std::size_t size = std::min(text.find('\n'), text.size());
    if (size != 0) {
      out += text.substr(0, size);
      out += '\n';
    }
    text.remove_prefix(std::min(size + 1, text.size()));
  }
}

void append_each_once(const std::vector<std::string>& texts, std::string& out) {
  std::unordered_set<std::string_view> seen;
  for (const std::string& text : texts) {
    if (texts.size() == 1 || seen.insert(text).second) {
      append_without_empty_lines(text, out);
    }
  }
}

}  // namespace

NamespaceHelper::NamespaceHelper(std::string_view namespace_str,
                                 std::size_t max_level) {
  const std::vector<std::string_view> names = text::split(namespace_str, "::");
  if (names.size() > max_level) {
    throw std::runtime_error("namespace `" + std::string{namespace_str} +
                             "` has more than " + std::to_string(max_level) +
                             " levels");
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    prologue += i == 0 ? "namespace " : "\nnamespace ";
    prologue += names[i];
    prologue += " {";
    epilogue += i == 0 ? "} // namespace " : "\n} // namespace ";
    epilogue += names[names.size() - 1 - i];
  }
}

const model::NativeFunction& main_function(const model::FunctionOrGroup& item) {
  if (const auto* f = std::get_if<const model::NativeFunction*>(&item)) {
    return **f;
  }
  return *std::get<const model::NativeFunctionsGroup*>(item)->out;
}

std::size_t GroupedDeclarations::index_of(std::string_view namespace_str,
                                          const model::NativeFunction& f) {
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    if (groups_[i].namespace_str == namespace_str) {
      return i;
    }
  }
  groups_.push_back({std::string{namespace_str}, {}, &f});
  return groups_.size() - 1;
}

std::vector<std::string> GroupedDeclarations::declarations(
    std::size_t max_level, bool skip_empty) const {
  std::vector<std::string> result;
  for (const Group& group : groups_) {
    if (skip_empty && group.texts.empty()) {
      continue;
    }
    const NamespaceHelper helper = native_function_manager(*group.first, [&] {
      return NamespaceHelper{group.namespace_str, max_level};
    });
    std::string text = helper.prologue;
    text += '\n';
    append_each_once(group.texts, text);
    text += helper.epilogue;
    text += "\n        ";
    result.push_back(std::move(text));
  }
  return result;
}

}  // namespace opgen::emit
