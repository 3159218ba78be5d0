#include "opgen/backend/host_operators_check.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "opgen/backend/cpp_names.h"
#include "opgen/emit/host_operators.h"
#include "opgen/model/function_schema.h"
#include "opgen/model/native_function.h"
#include "opgen/model/native_functions.h"
#include "opgen/schema/function_site.h"
#include "opgen/text/diagnostics.h"
#include "opgen/text/source.h"

namespace opgen::backend {
namespace {

using model::Argument;
using model::NativeFunction;
using text::DiagnosticId;

bool is_header(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 && byte != 0x7F && c != '"' && c != '\\';
  });
}

class OperatorCheck {
 public:
  OperatorCheck(const NativeFunction& f,
                text::SourceRange place,
                text::Diagnostics& diagnostics)
      : f_(f), place_(place), diagnostics_(diagnostics) {}

  bool run() {
    if (!is_identifier(f_.func.name.name.str())) {
      report(DiagnosticId::kHostOperatorName, f_.func.name.name.str());
    }
    if (!is_part_of_identifier(f_.func.name.overload_name)) {
      report(DiagnosticId::kHostOperatorName, f_.func.name.overload_name);
    }
    for (const Argument& argument : f_.func.arguments.flat_all()) {
      check(argument);
    }
    for (const model::Return& result : f_.func.returns) {
      const std::string name = result.name.value_or("");
      if (!is_part_of_identifier(name)) {
        report(DiagnosticId::kHostOperatorName, name);
      }
    }
    return valid_;
  }

 private:
  void check(const Argument& argument) {
    if (!is_identifier(argument.name)) {
      report(DiagnosticId::kHostOperatorName, argument.name);
    } else if (!take(argument.name)) {
      report(DiagnosticId::kHostArgumentName, argument.name);
    } else if (argument.type->is_tensor_like() && !take(argument.name + "_")) {
      report(DiagnosticId::kHostArgumentName, argument.name + "_");
    }
  }

  bool take(const std::string& name) { return taken_.insert(name).second; }

  void report(DiagnosticId id, const std::string& name) {
    diagnostics_.error(id, place_, {f_.func.name.str(), name});
    valid_ = false;
  }

  const NativeFunction& f_;
  text::SourceRange place_;
  text::Diagnostics& diagnostics_;
  // In the scope of the wrapper.
  std::set<std::string> taken_{"HostCall", "call_"};
  bool valid_ = true;
};

}  // namespace

bool check_host_options(const emit::HostOperatorsOptions& options,
                        text::Diagnostics& diagnostics) {
  const bool header = is_header(options.header);
  const bool name = is_qualified_identifier(options.cpp_namespace);
  if (!header) {
    diagnostics.error(
        DiagnosticId::kHostHeader, {}, {"--header", options.header});
  }
  if (!name) {
    diagnostics.error(DiagnosticId::kBackendNotIdentifier,
                      {},
                      {"--namespace", options.cpp_namespace});
  }
  return header && name;
}

bool check_host_operators(const model::NativeFunctions& program,
                          const schema::FunctionSites& sites,
                          text::Diagnostics& diagnostics) {
  bool valid = true;
  for (const NativeFunction* f : emit::host_operators(program)) {
    valid = OperatorCheck(*f, sites[f->id].name, diagnostics).run() && valid;
  }
  return valid;
}

}  // namespace opgen::backend
