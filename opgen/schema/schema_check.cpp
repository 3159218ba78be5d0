#include "opgen/schema/schema_check.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace opgen::schema {

namespace {

using model::Annotation;
using model::Argument;
using model::BaseTy;
using model::FunctionSchema;
using model::Return;
using model::SchemaKind;
using text::DiagnosticId;
using Site = SchemaViolation::Site;

class SchemaChecker {
 public:
  explicit SchemaChecker(const FunctionSchema& schema) : schema_(schema) {}

  std::vector<SchemaViolation> check() {
    check_tensor_options();
    check_mutable_positionals();
    check_aliased_returns();
    check_returned_outputs();
    if (violations_.empty()) {
      check_output_count();
    }
    check_inplace();
    check_kind();
    check_bernoulli();
    return std::move(violations_);
  }

 private:
  void violation(DiagnosticId id,
                 Site site,
                 std::size_t index = 0,
                 std::vector<std::string> args = {}) {
    violations_.push_back({id, site, index, std::move(args)});
  }

  std::size_t index_of(const Argument& argument) const {
    return static_cast<std::size_t>(&argument -
                                    schema_.arguments.flat_all().data());
  }

  bool is_returned(const Argument& argument) const {
    return std::any_of(
        schema_.returns.begin(), schema_.returns.end(), [&](const Return& r) {
          return r.annotation == argument.annotation;
        });
  }

  void check_tensor_options() {
    const auto rest = schema_.arguments.post_tensor_options_kwarg_only();
    if (!schema_.arguments.tensor_options()) {
      return;
    }
    if (const auto again = model::find_tensor_options(rest)) {
      violation(DiagnosticId::kTensorOptionsTwice,
                Site::kArgument,
                index_of(rest[*again]));
    }
  }

  void check_mutable_positionals() {
    for (const Argument& argument : schema_.arguments.pre_self_positional()) {
      if (argument.is_write()) {
        violation(DiagnosticId::kMutableBeforeSelf,
                  Site::kArgument,
                  index_of(argument),
                  {argument.name});
      }
    }
    for (const Argument& argument : schema_.arguments.post_self_positional()) {
      if (argument.is_write() && is_returned(argument)) {
        violation(DiagnosticId::kMutableArgumentReturned,
                  Site::kArgument,
                  index_of(argument),
                  {argument.name});
      }
    }
  }

  void check_aliased_returns() {
    std::size_t index = 0;
    for (const Return& r : schema_.returns) {
      const auto all = schema_.arguments.flat_all();
      const auto aliased =
          std::count_if(all.begin(), all.end(), [&](const Argument& argument) {
            return argument.annotation && argument.annotation == r.annotation;
          });
      if (aliased > 1) {
        violation(DiagnosticId::kReturnAliasesSeveral,
                  Site::kReturn,
                  index,
                  {r.annotation->str()});
      }
      ++index;
    }
  }

  // Every mutable return must be an output or self.
  void check_returned_outputs() {
    const auto& returns = schema_.returns;
    const auto is_write = [](const Return& r) { return r.is_write(); };
    const auto writes = std::count_if(returns.begin(), returns.end(), is_write);
    if (writes == 0) {
      return;
    }
    if (static_cast<std::size_t>(writes) != returns.size()) {
      violation(DiagnosticId::kMixedReturns, Site::kReturns);
      return;
    }
    for (std::size_t i = 0; i < returns.size(); ++i) {
      if (!is_output_or_self(returns[i].annotation)) {
        violation(DiagnosticId::kReturnOfNoOutput,
                  Site::kReturn,
                  i,
                  {returns[i].annotation->str()});
      }
    }
  }

  bool is_output_or_self(const std::optional<Annotation>& annotation) const {
    const auto outputs = schema_.arguments.out();
    const auto positional = schema_.arguments.flat_positional();
    return std::any_of(outputs.begin(),
                       outputs.end(),
                       [&](const Argument& argument) {
                         return argument.annotation == annotation;
                       }) ||
           std::any_of(positional.begin(),
                       positional.end(),
                       [&](const Argument& argument) {
                         return argument.name == "self" &&
                                argument.annotation == annotation;
                       });
  }

  void check_output_count() {
    const auto outputs = schema_.arguments.out();
    const auto& returns = schema_.returns;
    if (outputs.empty()) {
      return;
    }
    const bool all_tensors =
        std::all_of(outputs.begin(), outputs.end(), [](const Argument& a) {
          return a.type->is(BaseTy::kTensor);
        });
    if (!all_tensors) {
      if (!returns.empty()) {
        violation(DiagnosticId::kListOutputReturned, Site::kReturns);
      }
      return;
    }
    const auto expected = static_cast<std::size_t>(
        std::count_if(outputs.begin(), outputs.end(), [](const Argument& a) {
          return !a.name.starts_with("_scratch_");
        }));
    if (expected != returns.size()) {
      violation(DiagnosticId::kOutputCount,
                Site::kReturns,
                0,
                {std::to_string(expected), std::to_string(returns.size())});
      return;
    }
    for (std::size_t i = 0; i < std::min(outputs.size(), returns.size()); ++i) {
      if (outputs[i].annotation != returns[i].annotation) {
        violation(
            DiagnosticId::kOutputOrder, Site::kReturn, i, {outputs[i].name});
      }
    }
  }

  void check_inplace() {
    if (!schema_.name.name.inplace) {
      return;
    }
    if (!schema_.arguments.out().empty()) {
      violation(DiagnosticId::kOutputOfInplace,
                Site::kArgument,
                index_of(schema_.arguments.out().front()),
                {schema_.name.str()});
      return;
    }
    const Argument* self = schema_.arguments.self_arg();
    if (self == nullptr || !self->is_write()) {
      violation(
          DiagnosticId::kInplaceSelf, Site::kName, 0, {schema_.name.str()});
      return;
    }
    const auto& returns = schema_.returns;
    if (!self->type->is(BaseTy::kTensor)) {
      if (!returns.empty()) {
        violation(DiagnosticId::kInplaceListReturn,
                  Site::kReturns,
                  0,
                  {schema_.name.str()});
      }
      return;
    }
    if (returns.size() != 1 || returns[0].annotation != self->annotation) {
      violation(DiagnosticId::kInplaceReturn,
                Site::kReturns,
                0,
                {schema_.name.str(), self->annotation->str()});
    }
  }

  void check_kind() {
    if (schema_.kind() == SchemaKind::kFunctional) {
      return;
    }
    if (const auto options = schema_.arguments.tensor_options()) {
      violation(DiagnosticId::kTensorOptionsOfMutable,
                Site::kArgument,
                index_of(options->dtype()));
    }
    if (schema_.is_functional_fn()) {
      violation(DiagnosticId::kFunctionalOverload,
                Site::kName,
                0,
                {schema_.name.overload_name});
    }
  }

  void check_bernoulli() {
    if (!has_bernoulli_p_schema(schema_.name)) {
      return;
    }
    for (const Argument& argument : schema_.arguments.flat_non_out()) {
      if (argument.type->is(BaseTy::kFloat) && argument.name.starts_with('p') &&
          argument.default_value) {
        violation(DiagnosticId::kBernoulliDefault,
                  Site::kArgument,
                  index_of(argument),
                  {argument.name});
      }
    }
  }

  const FunctionSchema& schema_;
  std::vector<SchemaViolation> violations_;
};

}  // namespace

std::vector<SchemaViolation> check_schema(const FunctionSchema& schema) {
  return SchemaChecker(schema).check();
}

}  // namespace opgen::schema
