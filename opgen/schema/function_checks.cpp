#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "opgen/schema/grouping.h"
#include "opgen/text/source.h"
#include "opgen/text/suggest.h"

namespace opgen::schema {

namespace {

using model::NativeFunction;
using text::DiagnosticId;

// Python's, sorted.
constexpr std::array<std::string_view, 35> kPythonKeywords = {
    "False",  "None",   "True",    "and",      "as",       "assert", "async",
    "await",  "break",  "class",   "continue", "def",      "del",    "elif",
    "else",   "except", "finally", "for",      "from",     "global", "if",
    "import", "in",     "is",      "lambda",   "nonlocal", "not",    "or",
    "pass",   "raise",  "return",  "try",      "while",    "with",   "yield",
};

// Older than the rule that no argument may be called like a keyword.
bool may_use_keyword(const std::string& name, const std::string& argument) {
  return argument == "from" && (name == "_has_compatible_shallow_copy_type" ||
                                name == "random_.from" || name == "uniform_");
}

void check_delegate(const NativeFunction& f, FunctionRegistry& registry) {
  if (!f.structured_delegate) {
    return;
  }
  const std::string name = f.structured_delegate->str();
  const NativeFunction* delegate = registry.functions().find(name);
  const text::SourceRange site = registry.site(f).structured_delegate;
  if (delegate == nullptr) {
    std::vector<std::string_view> names;
    for (const auto& [other, function] : registry.functions().by_name) {
      if (function->structured) {
        names.push_back(other);
      }
    }
    std::sort(names.begin(), names.end());
    registry.diagnostics()
        .error(DiagnosticId::kNoDelegate, site, {f.func.name.str(), name})
        .did_you_mean(text::suggest(name, names));
  } else if (!delegate->structured && !registry.site(*delegate).broken) {
    registry.diagnostics()
        .error(DiagnosticId::kDelegateNotStructured,
               site,
               {f.func.name.str(), name})
        .note(registry.site(*delegate).name, "'" + name + "' is here");
  }
}

// The name of an argument in a schema; the whole schema if it is not found.
text::SourceRange find_argument(std::string_view name,
                                const text::SourceRange& schema) {
  if (schema.file == nullptr) {
    return schema;
  }
  const std::string_view text =
      schema.file->contents().substr(schema.begin, schema.end - schema.begin);
  for (std::size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if (at > 0 && text[at - 1] == ' ' && end < text.size() &&
        (text[end] == ',' || text[end] == ')' || text[end] == '=')) {
      return {schema.file, schema.begin + at, schema.begin + end};
    }
  }
  return schema;
}

void check_keywords(const NativeFunction& f, FunctionRegistry& registry) {
  for (const model::Argument& argument : f.func.arguments.flat_all()) {
    if (!std::binary_search(
            kPythonKeywords.begin(), kPythonKeywords.end(), argument.name)) {
      continue;
    }
    const std::string name = f.func.name.str();
    if (!may_use_keyword(name, argument.name)) {
      registry.diagnostics().error(
          DiagnosticId::kPythonKeyword,
          find_argument(argument.name, registry.site(f).schema),
          {argument.name, name});
    }
  }
}

void check_inplace_view(const NativeFunction& f,
                        const std::unordered_set<std::string>& base_names,
                        FunctionRegistry& registry) {
  const std::string name = f.func.name.str();
  const model::BaseOperatorName& base = f.func.name.name;
  if (name == "resize_" || name == "resize_as_" || base.str() == "set_") {
    return;
  }
  const FunctionSite& site = registry.site(f);
  if (!base.inplace) {
    registry.diagnostics().error(
        DiagnosticId::kInplaceViewName, site.name, {name});
    return;
  }
  const std::string twin = f.func.name.remove_inplace().name.str();
  if (!base_names.contains(twin)) {
    registry.diagnostics().error(
        DiagnosticId::kInplaceViewWithoutView, site.name, {name, twin});
  }
}

}  // namespace

void error_check_native_functions(FunctionRegistry& registry) {
  const auto& functions = registry.functions().functions;
  std::unordered_set<std::string> base_names;
  base_names.reserve(functions.size());
  for (const auto& f : functions) {
    base_names.insert(f->func.name.name.str());
  }
  for (const auto& f : functions) {
    check_delegate(*f, registry);
    check_keywords(*f, registry);
    if (f->has_tag("inplace_view")) {
      check_inplace_view(*f, base_names, registry);
    }
  }
}

}  // namespace opgen::schema
