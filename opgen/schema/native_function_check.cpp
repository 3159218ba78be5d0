#include "opgen/schema/native_function_check.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "opgen/text/suggest.h"

namespace opgen::schema {

namespace {

using model::NativeFunction;
using model::SchemaKind;
using text::DiagnosticId;

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// Whether the names of the operator and its arguments say that its result is
// random.
bool sounds_random(const NativeFunction& f, const std::string& name) {
  if (contains(name, "rand") || f.func.arguments.has_generator_arg()) {
    return true;
  }
  if (contains(name, "backward") ||
      f.func.name.name.str() == "_cudnn_init_dropout_state") {
    return false;
  }
  const auto arguments = f.func.arguments.flat_all();
  return contains(name, "dropout") ||
         std::any_of(arguments.begin(),
                     arguments.end(),
                     [](const model::Argument& argument) {
                       return contains(argument.name, "dropout");
                     });
}

class FunctionChecker {
 public:
  FunctionChecker(const NativeFunction& f,
                  const EntryFields& fields,
                  const FunctionSite& site,
                  text::Diagnostics& diagnostics)
      : f_(f),
        fields_(fields),
        site_(site),
        diagnostics_(diagnostics),
        name_(f.func.name.str()) {}

  void check() {
    if (f_.func.is_out_fn() && (f_.method_variant || !f_.function_variant)) {
      error(DiagnosticId::kOutMethod, Field::kVariants);
    }
    check_structured();
    check_no_default_args();
    if (name_.starts_with("_foreach") &&
        f_.device_check != model::DeviceCheckType::kNoCheck) {
      diagnostics_.error(
          DiagnosticId::kForeachDeviceCheck, site_.name, {name_});
    }
    if (sounds_random(f_, name_) && !f_.has_tag("nondeterministic_seeded")) {
      diagnostics_.error(DiagnosticId::kNotSeeded, site_.name, {name_});
    }
  }

 private:
  void error(DiagnosticId id, Field field) {
    diagnostics_.error(id, fields_.range(field), {name_});
  }

  void check_structured() {
    const bool out = f_.func.kind() == SchemaKind::kOut;
    if (f_.structured && !out) {
      error(DiagnosticId::kStructuredNotOut, Field::kStructured);
    }
    if (f_.structured_delegate && out) {
      error(DiagnosticId::kDelegateOfOut, Field::kStructuredDelegate);
    }
    if (f_.part_of_structured_group() && !f_.device_guard) {
      error(DiagnosticId::kStructuredDeviceGuard, Field::kDeviceGuard);
    }
    if (f_.structured_inherits && !f_.structured) {
      error(DiagnosticId::kInheritsNotStructured, Field::kStructuredInherits);
    }
  }

  void check_no_default_args() {
    if (f_.cpp_no_default_args.empty()) {
      return;
    }
    std::vector<std::string_view> defaulted;
    for (const model::Argument& argument : f_.func.arguments.flat_all()) {
      if (argument.default_value) {
        defaulted.emplace_back(argument.name);
      }
    }
    for (const std::string& name : f_.cpp_no_default_args) {
      if (std::find(defaulted.begin(), defaulted.end(), name) ==
          defaulted.end()) {
        diagnostics_
            .error(DiagnosticId::kNoSuchDefault,
                   fields_.range(Field::kCppNoDefaultArgs),
                   {name})
            .did_you_mean(text::suggest(name, defaulted));
      }
    }
  }

  const NativeFunction& f_;
  const EntryFields& fields_;
  const FunctionSite& site_;
  text::Diagnostics& diagnostics_;
  std::string name_;
};

}  // namespace

void check_native_function(const NativeFunction& f,
                           const EntryFields& fields,
                           const FunctionSite& site,
                           text::Diagnostics& diagnostics) {
  FunctionChecker(f, fields, site, diagnostics).check();
}

}  // namespace opgen::schema
