#include "opgen/schema/type_parser.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "opgen/text/characters.h"
#include "opgen/text/suggest.h"

namespace opgen::schema {

namespace {

using model::BaseTy;
using model::Type;
using text::DiagnosticId;

constexpr std::string_view kCustomClassPrefix = "__torch__.torch.classes.";
constexpr std::size_t kDeepestType = 16;

bool is_class_name_char(char c) {
  return text::is_name_char(c) || c == '.';
}

std::vector<std::string_view> type_names(SchemaLanguage language) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < model::kBaseTyCount; ++i) {
    const auto base = static_cast<BaseTy>(i);
    if (base != BaseTy::kDimname || language.dimname) {
      names.push_back(name_of(base));
    }
  }
  return names;
}

void report_unknown_type(std::string_view type,
                         SchemaLanguage language,
                         const SchemaReporter& reporter) {
  if (type.find(',') != std::string_view::npos) {
    reporter.error(DiagnosticId::kCommaWithoutSpace, type, {std::string(type)});
    return;
  }
  if (type.find('(') != std::string_view::npos) {
    reporter.error(DiagnosticId::kAnnotationPlace, type, {std::string(type)});
    return;
  }
  const std::vector<std::string_view> names = type_names(language);
  reporter.error(DiagnosticId::kUnknownType,
                 type,
                 {std::string(type)},
                 text::suggest(type, names));
}

const Type* parse_unsuffixed_type(std::string_view text,
                                  SchemaLanguage language,
                                  const SchemaReporter& reporter) {
  if (text.starts_with(kCustomClassPrefix)) {
    const std::string_view name = text.substr(kCustomClassPrefix.size());
    if (!name.empty() &&
        std::all_of(name.begin(), name.end(), is_class_name_char)) {
      return Type::custom_class(name);
    }
    reporter.error(DiagnosticId::kCustomClassName, text, {std::string(text)});
    return nullptr;
  }
  const auto base = model::parse_base_ty(text);
  if (base && (*base != BaseTy::kDimname || language.dimname)) {
    return Type::base(*base);
  }
  report_unknown_type(text, language, reporter);
  return nullptr;
}

// What stands behind an element's type: `?`, `[]` or `[2]`.
struct Suffix {
  bool optional = false;
  std::optional<std::int64_t> size;
};

// Takes the last suffix off; false where there is none.
bool take_suffix(std::string_view& text, std::string_view& digits, bool& list) {
  if (text.size() < 2) {
    return false;
  }
  if (text.ends_with('?')) {
    text.remove_suffix(1);
    list = false;
    return true;
  }
  if (!text.ends_with(']')) {
    return false;
  }
  std::size_t begin = text.size() - 1;
  while (begin > 0 && text::is_digit(text[begin - 1])) {
    --begin;
  }
  if (begin < 2 || text[begin - 1] != '[') {
    return false;
  }
  digits = text.substr(begin, text.size() - 1 - begin);
  text = text.substr(0, begin - 1);
  list = true;
  return true;
}

bool parse_size(std::string_view digits,
                const SchemaReporter& reporter,
                Suffix& suffix) {
  if (digits.empty()) {
    return true;
  }
  std::int64_t size = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), size);
  if (error != std::errc()) {
    reporter.error(
        DiagnosticId::kListSizeTooLarge, digits, {std::string(digits)});
    return false;
  }
  if (digits.front() == '0') {
    reporter.error(DiagnosticId::kListSize, digits, {std::string(digits)});
    return false;
  }
  suffix.size = size;
  return true;
}

// Takes one letter, or several with `|` between.
std::vector<std::string> take_alias_set(std::string_view& text) {
  std::vector<std::string> letters;
  while (!text.empty() && text::is_lower(text.front())) {
    letters.emplace_back(1, text.front());
    text.remove_prefix(1);
    if (text.size() < 2 || text.front() != '|' || !text::is_lower(text[1])) {
      break;
    }
    text.remove_prefix(1);
  }
  return letters;
}

bool check_annotation(const model::Annotation& annotation,
                      std::string_view text,
                      const SchemaReporter& reporter) {
  DiagnosticId id = DiagnosticId::kAnnotationTwoSets;
  if (annotation.is_write && annotation.alias_set.size() > 1) {
    id = DiagnosticId::kAnnotationWritesSet;
  } else if (annotation.alias_set.size() > 2) {
    id = DiagnosticId::kAnnotationLargeSet;
  } else if (annotation.alias_set.size() == 1 ||
             annotation.alias_set_after.size() < 2) {
    return true;
  }
  reporter.error(id, text, {std::string(text)});
  return false;
}

}  // namespace

const Type* parse_type(std::string_view text,
                       SchemaLanguage language,
                       const SchemaReporter& reporter) {
  std::array<Suffix, kDeepestType> suffixes;
  std::size_t count = 0;
  const std::string_view whole = text;
  std::string_view digits;
  bool list = false;
  while (take_suffix(text, digits, list)) {
    if (count == suffixes.size()) {
      reporter.error(DiagnosticId::kTypeTooDeep, whole);
      return nullptr;
    }
    Suffix& suffix = suffixes.at(count++);
    suffix.optional = !list;
    if (list && !parse_size(digits, reporter, suffix)) {
      return nullptr;
    }
  }
  const Type* type = parse_unsuffixed_type(text, language, reporter);
  while (type != nullptr && count > 0) {
    const Suffix& suffix = suffixes.at(--count);
    type =
        suffix.optional ? Type::optional(type) : Type::list(type, suffix.size);
  }
  return type;
}

std::optional<model::Annotation> parse_annotation(
    std::string_view text, const SchemaReporter& reporter) {
  constexpr std::string_view kArrow = " -> ";
  model::Annotation annotation;
  std::string_view rest = text;
  annotation.alias_set = take_alias_set(rest);
  if (rest.starts_with('!')) {
    annotation.is_write = true;
    rest.remove_prefix(1);
  }
  if (rest.starts_with(kArrow)) {
    rest.remove_prefix(kArrow.size());
    if (rest == "*") {
      annotation.alias_set_after.emplace_back(rest);
      rest = {};
    } else {
      annotation.alias_set_after = take_alias_set(rest);
    }
    if (annotation.alias_set_after.empty()) {
      reporter.error(
          DiagnosticId::kAnnotationAfterArrow, text, {std::string(text)});
      return std::nullopt;
    }
  }
  if (annotation.alias_set.empty() || !rest.empty()) {
    reporter.error(DiagnosticId::kAnnotationSyntax, text, {std::string(text)});
    return std::nullopt;
  }
  if (!check_annotation(annotation, text, reporter)) {
    return std::nullopt;
  }
  return annotation;
}

AnnotatedType parse_annotated_type(std::string_view text,
                                   SchemaLanguage language,
                                   const SchemaReporter& reporter) {
  constexpr std::string_view kOpening = "Tensor(";
  AnnotatedType result;
  const std::size_t closing = text.rfind(')');
  if (!text.starts_with(kOpening) || closing == std::string_view::npos ||
      closing <= kOpening.size()) {
    result.type = parse_type(text, language, reporter);
    return result;
  }
  const std::string_view suffix = text.substr(closing + 1);
  const Type* tensor = Type::base(BaseTy::kTensor);
  if (suffix.empty()) {
    result.type = tensor;
  } else if (suffix == "?") {
    result.type = Type::optional(tensor);
  } else if (suffix == "[]") {
    result.type = Type::list(tensor, std::nullopt);
  } else {
    reporter.error(DiagnosticId::kAnnotatedTypeForm, text, {std::string(text)});
    return result;
  }
  result.annotation = parse_annotation(
      text.substr(kOpening.size(), closing - kOpening.size()), reporter);
  if (!result.annotation) {
    result.type = nullptr;
  }
  return result;
}

}  // namespace opgen::schema
