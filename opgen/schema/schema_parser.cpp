#include "opgen/schema/schema_parser.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "opgen/schema/argument_parser.h"
#include "opgen/schema/operator_name_parser.h"
#include "opgen/schema/schema_check.h"

namespace opgen::schema {

namespace {

using text::DiagnosticId;

constexpr std::string_view kSeparator = ", ";
constexpr std::string_view kArrow = ") -> ";

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

// Takes the text up to the next separator; false where nothing is left.
class Splitter {
 public:
  explicit Splitter(std::string_view text) : rest_(text) {}

  bool next(std::string_view& part) {
    if (done_) {
      return false;
    }
    const std::size_t end = rest_.find(kSeparator);
    part = rest_.substr(0, end);
    if (end == std::string_view::npos) {
      done_ = true;
    } else {
      rest_.remove_prefix(end + kSeparator.size());
    }
    return true;
  }

 private:
  std::string_view rest_;
  bool done_ = false;
};

// The parts of a schema, not yet read.
struct Parts {
  std::string_view name;
  std::string_view arguments;
  std::string_view returns;
};

class SchemaParser {
 public:
  SchemaParser(std::string_view text,
               SchemaLanguage language,
               SchemaErrors& errors)
      : text_(text),
        language_(language),
        errors_(errors),
        reporter_(text, errors) {}

  std::optional<model::FunctionSchema> parse() {
    const std::size_t errors_before = errors_.size();
    Parts parts;
    if (!split(parts)) {
      return std::nullopt;
    }
    name_site_ = parts.name;
    returns_site_ = parts.returns;
    auto name = parse_operator_name(parts.name, reporter_);
    parse_arguments(parts.arguments);
    parse_returns(parts.returns);
    if (errors_.size() != errors_before) {
      return std::nullopt;
    }
    const std::size_t outputs = all_.size() - first_output_;
    model::FunctionSchema schema(std::move(*name),
                                 {std::move(all_), positional_, outputs},
                                 std::move(returns_));
    check(schema);
    if (errors_.size() != errors_before) {
      return std::nullopt;
    }
    return schema;
  }

 private:
  bool split(Parts& parts) {
    const auto* control = std::find_if(text_.begin(), text_.end(), is_control);
    if (control != text_.end()) {
      const auto at = static_cast<std::size_t>(control - text_.begin());
      reporter_.error(DiagnosticId::kSchemaControlCharacter,
                      text_.substr(at, 1));
      return false;
    }
    const std::size_t opening = text_.find('(');
    if (opening == std::string_view::npos || opening == 0) {
      reporter_.error(DiagnosticId::kSchemaNoName, text_);
      return false;
    }
    const std::size_t arrow = text_.rfind(kArrow);
    if (arrow == std::string_view::npos || arrow <= opening) {
      reporter_.error(DiagnosticId::kSchemaNoArrow, text_);
      return false;
    }
    parts.name = text_.substr(0, opening);
    parts.arguments = text_.substr(opening + 1, arrow - opening - 1);
    parts.returns = text_.substr(arrow + kArrow.size());
    if (parts.returns.empty()) {
      reporter_.error(DiagnosticId::kSchemaNoReturns, parts.returns);
      return false;
    }
    return true;
  }

  void parse_arguments(std::string_view text) {
    if (text.empty()) {
      return;
    }
    const auto commas =
        static_cast<std::size_t>(std::count(text.begin(), text.end(), ','));
    all_.reserve(commas + 1);
    sites_.reserve(commas + 1);
    Splitter splitter(text);
    std::string_view part;
    while (splitter.next(part)) {
      if (part.empty()) {
        reporter_.error(DiagnosticId::kArgumentEmpty, part);
      } else if (part == "*") {
        parse_star(part);
      } else if (auto argument = parse_argument(part, language_, reporter_)) {
        add_argument(std::move(*argument), part);
      } else {
        lost_argument_ = true;
      }
    }
    if (!star_) {
      positional_ = all_.size();
    } else if (all_.size() == positional_ && !lost_argument_) {
      reporter_.error(DiagnosticId::kStarLast, star_site_);
    }
    if (!has_output_) {
      first_output_ = all_.size();
    }
  }

  void parse_star(std::string_view part) {
    if (star_) {
      reporter_.error(DiagnosticId::kStarTwice, part);
      return;
    }
    star_ = true;
    star_site_ = part;
    lost_argument_ = false;
    positional_ = all_.size();
  }

  void add_argument(model::Argument argument, std::string_view part) {
    if (star_ && argument.is_write()) {
      if (!has_output_) {
        has_output_ = true;
        first_output_ = all_.size();
      }
    } else if (has_output_) {
      reporter_.error(
          DiagnosticId::kArgumentAfterOutput, part, {argument.name});
    }
    all_.push_back(std::move(argument));
    sites_.push_back(part);
  }

  void parse_returns(std::string_view text) {
    if (text == "()") {
      return;
    }
    const bool parentheses = text.starts_with('(') && text.ends_with(')');
    if (parentheses) {
      text = text.substr(1, text.size() - 2);
    }
    Splitter splitter(text);
    std::string_view part;
    std::size_t count = 0;
    while (splitter.next(part)) {
      ++count;
      if (auto result = parse_return(part, language_, reporter_)) {
        returns_.push_back(std::move(*result));
        return_sites_.push_back(part);
      }
    }
    if (parentheses && count == 1) {
      reporter_.error(DiagnosticId::kReturnParentheses, returns_site_);
    } else if (!parentheses && count > 1) {
      reporter_.error(DiagnosticId::kReturnNoParentheses, returns_site_);
    }
  }

  void check(const model::FunctionSchema& schema) {
    for (SchemaViolation& violation : check_schema(schema)) {
      reporter_.error(
          violation.id, site_of(violation), std::move(violation.args));
    }
  }

  std::string_view site_of(const SchemaViolation& violation) const {
    switch (violation.site) {
      case SchemaViolation::Site::kName:
        return name_site_;
      case SchemaViolation::Site::kArgument:
        return sites_.at(violation.index);
      case SchemaViolation::Site::kReturn:
        return return_sites_.at(violation.index);
      case SchemaViolation::Site::kReturns:
        return returns_site_;
    }
    return text_;
  }

  std::string_view text_;
  SchemaLanguage language_;
  SchemaErrors& errors_;
  SchemaReporter reporter_;

  std::vector<model::Argument> all_;
  std::size_t positional_ = 0;
  std::size_t first_output_ = 0;
  bool star_ = false;
  bool has_output_ = false;
  bool lost_argument_ = false;
  std::vector<model::Return> returns_;

  std::string_view name_site_;
  std::string_view star_site_;
  std::string_view returns_site_;
  std::vector<std::string_view> sites_;
  std::vector<std::string_view> return_sites_;
};

}  // namespace

std::optional<model::FunctionSchema> parse_function_schema(
    std::string_view text, SchemaLanguage language, SchemaErrors& errors) {
  return SchemaParser(text, language, errors).parse();
}

}  // namespace opgen::schema
