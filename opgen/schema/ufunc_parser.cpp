#include "opgen/schema/ufunc_parser.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "opgen/schema/schema_report.h"
#include "opgen/schema/split_list.h"
#include "opgen/text/suggest.h"

namespace opgen::schema {

namespace {

using model::ScalarType;
using model::UfuncKey;
using text::DiagnosticId;
using text::YamlNode;

constexpr std::array kAll = {
    ScalarType::kByte,
    ScalarType::kChar,
    ScalarType::kInt,
    ScalarType::kLong,
    ScalarType::kShort,
    ScalarType::kFloat,
    ScalarType::kDouble,
    ScalarType::kComplexFloat,
    ScalarType::kComplexDouble,
};
constexpr std::size_t kIntegralCount = 5;
constexpr std::size_t kFloatingCount = 2;
constexpr std::size_t kComplexCount = 2;

std::span<const ScalarType> dtype_class(std::string_view name) {
  const std::span<const ScalarType> all(kAll);
  if (name == "Integral") {
    return all.first(kIntegralCount);
  }
  if (name == "Floating") {
    return all.subspan(kIntegralCount, kFloatingCount);
  }
  if (name == "Complex") {
    return all.last(kComplexCount);
  }
  if (name == "All") {
    return all.first(kIntegralCount + kFloatingCount);
  }
  if (name == "AllAndComplex") {
    return all;
  }
  if (name == "FloatingAndComplex") {
    return all.subspan(kIntegralCount);
  }
  return {};
}

std::vector<std::string_view> dtype_names() {
  std::vector<std::string_view> names = {
      "Integral",
      "Floating",
      "Complex",
      "All",
      "AllAndComplex",
      "FloatingAndComplex",
  };
  for (std::size_t i = 0; i < model::kScalarTypeCount; ++i) {
    names.push_back(name_of(static_cast<ScalarType>(i)));
  }
  return names;
}

void add_dtype(std::vector<ScalarType>& dtypes, ScalarType dtype) {
  if (std::find(dtypes.begin(), dtypes.end(), dtype) == dtypes.end()) {
    dtypes.push_back(dtype);
  }
}

class UfuncParser {
 public:
  explicit UfuncParser(text::Diagnostics& diagnostics)
      : diagnostics_(diagnostics) {}

  UfuncInnerLoops parse(const YamlNode& node) {
    if (node.is_string()) {
      add(UfuncKey::kGeneric, node);
    }
    for (const YamlNode::Entry& entry : node.entries()) {
      if (entry.key->value() != "__line__") {
        parse_entry(entry);
      }
    }
    return std::move(loops_);
  }

 private:
  void parse_entry(const YamlNode::Entry& entry) {
    if (!entry.value->is_string()) {
      diagnostics_.error(DiagnosticId::kUfuncType,
                         entry.value->range(),
                         {entry.value->describe()});
      return;
    }
    const std::string_view name = entry.key->value();
    const auto key = model::parse_ufunc_key(name);
    if (!key || !entry.key->is_string()) {
      std::vector<std::string_view> names;
      for (std::size_t i = 0; i < model::kUfuncKeyCount; ++i) {
        names.push_back(name_of(static_cast<UfuncKey>(i)));
      }
      diagnostics_
          .error(DiagnosticId::kUnknownUfuncKey, entry.key->range(), {name})
          .did_you_mean(text::suggest(name, names));
      return;
    }
    add(*key, *entry.value);
  }

  void add(UfuncKey key, const YamlNode& node) {
    const std::string_view text = node.value();
    const std::size_t space = text.find(' ');
    const std::string_view list = space == std::string_view::npos
                                      ? std::string_view()
                                      : text.substr(space + 1);
    if (list.size() < 2 || !list.starts_with('(') || !list.ends_with(')')) {
      diagnostics_.error(DiagnosticId::kUfuncForm, node.range(), {text});
      return;
    }
    model::UfuncInnerLoop loop;
    loop.name = text.substr(0, space);
    loop.ufunc_key = key;
    for (const std::string_view part :
         split_list(list.substr(1, list.size() - 2), ", ")) {
      add_dtypes(node, part, loop.supported_dtypes);
    }
    loops_.emplace_back(key, std::move(loop));
  }

  void add_dtypes(const YamlNode& node,
                  std::string_view name,
                  std::vector<ScalarType>& dtypes) {
    if (const auto types = dtype_class(name); !types.empty()) {
      for (const ScalarType type : types) {
        add_dtype(dtypes, type);
      }
      return;
    }
    if (const auto type = model::parse_scalar_type(name)) {
      add_dtype(dtypes, *type);
      return;
    }
    diagnostics_
        .error(DiagnosticId::kUnknownDtype, range_of(node, name), {name})
        .did_you_mean(text::suggest(name, dtype_names()));
  }

  text::Diagnostics& diagnostics_;
  UfuncInnerLoops loops_;
};

}  // namespace

UfuncInnerLoops parse_ufunc_inner_loop(const YamlNode& node,
                                       text::Diagnostics& diagnostics) {
  return UfuncParser(diagnostics).parse(node);
}

}  // namespace opgen::schema
