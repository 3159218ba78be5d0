#include "opgen/emit/aoti_c_shim_definition.h"

#include <set>
#include <string_view>

#include "opgen/emit/aoti_c_shim_types.h"
#include "opgen/emit/functionalization_text.h"
#include "opgen/text/python_text.h"

namespace opgen::emit {
namespace {

using model::FunctionSchema;

// Outputs come first.
std::vector<const model::Argument*> shim_arguments(
    const FunctionSchema& schema) {
  std::vector<const model::Argument*> arguments;
  const auto append = [&arguments](std::span<const model::Argument> part) {
    for (const model::Argument& a : part) {
      arguments.push_back(&a);
    }
  };
  append(schema.arguments.out());
  append(schema.arguments.flat_non_out());
  return arguments;
}

constexpr std::string_view kDefinition =
    R"text(
$declaration$ {
    AOTI_TORCH_CONVERT_EXCEPTION_TO_ERROR_CODE({
        $result$$call$(
$arguments$
        );
$assignments$
    });
}
)text";

// One version of the function.
std::optional<ShimFunction> gen_version(const FunctionSchema& schema,
                                        const std::string& function_name,
                                        const std::string& backend_call,
                                        const std::set<std::string>& skipped) {
  auto arguments = gen_arguments(shim_arguments(schema), skipped);
  if (!arguments) {
    return std::nullopt;
  }
  std::string assignments;
  if (!schema.is_out_fn() && !schema.name.name.inplace) {
    const auto returns = gen_returns(schema);
    if (!returns) {
      return std::nullopt;
    }
    arguments->declarations.insert(arguments->declarations.end(),
                                   returns->declarations.begin(),
                                   returns->declarations.end());
    for (const std::string& assignment : returns->callsite_exprs) {
      assignments.append(assignments.empty() ? "\t\t" : "\n\t\t");
      assignments.append(assignment);
    }
  }
  ShimFunction function;
  function.declaration = "AOTITorchError " + function_name + "(" +
                         text::join(", ", arguments->declarations) + ")";
  const std::string exprs = text::join(", ", arguments->callsite_exprs);
  function.definition =
      filled(kDefinition,
             {{"declaration", function.declaration},
              {"result", assignments.empty() ? "" : "auto tmp_result = "},
              {"call", backend_call},
              {"arguments", exprs.empty() ? exprs : "            " + exprs},
              {"assignments", assignments}});
  return function;
}

std::string exported(const std::string& declaration,
                     const std::optional<std::string>& since) {
  std::string text = "AOTI_TORCH_EXPORT " + declaration + ";";
  if (since) {
    text = filled(
        "#if TORCH_FEATURE_VERSION >= $since$\n$declaration$\n"
        "#endif // TORCH_FEATURE_VERSION >= $since$",
        {{"since", *since}, {"declaration", text}});
  }
  return text;
}

}  // namespace

std::optional<ShimFunction> gen_declaration_and_definition(
    const FunctionSchema& schema,
    const std::string& device,
    const std::string& backend_call,
    const PythonLiteral& op_metadata) {
  const std::string base_name = schema.name.unambiguous_name();
  const std::string name = "aoti_torch_" + device + "_" + base_name;
  ShimFunction all;
  std::set<std::string> skipped;
  for (const FallbackOpVersion& version :
       fallback_op_versions(base_name, op_metadata)) {
    const auto function = gen_version(
        schema,
        version.id == 1 ? name : name + "_v" + std::to_string(version.id),
        backend_call,
        skipped);
    if (!function) {
      return std::nullopt;
    }
    skipped.insert(version.new_args.begin(), version.new_args.end());
    all.declaration.append(all.declaration.empty() ? "" : "\n");
    all.declaration.append(exported(function->declaration, version.since));
    all.definition.append(all.definition.empty() ? "" : "\n");
    all.definition.append(function->definition);
  }
  return all;
}

}  // namespace opgen::emit
