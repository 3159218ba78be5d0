#include "opgen/emit/unboxing.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "opgen/api/cpp.h"
#include "opgen/api/translate.h"
#include "opgen/api/types/binding.h"
#include "opgen/api/types/signatures.h"
#include "opgen/api/unboxing.h"
#include "opgen/emit/cpp_string.h"
#include "opgen/emit/env.h"
#include "opgen/emit/register_dispatch_key_error.h"
#include "opgen/emit/str_append.h"
#include "opgen/model/function_schema.h"
#include "opgen/text/posix_path.h"

namespace opgen::emit {
namespace {

using model::NativeFunction;

using Texts = std::vector<std::string>;
using TextOf = std::string (*)(const NativeFunction&);

constexpr std::size_t kShardingThreshold = 100;

void append_argument(std::string& text, const api::Binding& arg) {
  const auto& argument = *std::get<const model::Argument*>(arg.argument);
  str_append(
      text, "c10::Argument(\"", arg.name, "\", nullptr, ::std::nullopt, ");
  if (!argument.default_value || argument.default_value->empty()) {
    text.append("c10::IValue(::std::nullopt))");
    return;
  }
  const std::string value =
      api::cpp::default_expr(*argument.default_value, argument.type, false);
  const bool list = value.starts_with('{');
  str_append(text, list ? "c10::IntArrayRef(" : "c10::IValue(", value, "))");
}

bool is_selected(const NativeFunction& f,
                 const model::SelectiveBuilder& selector) {
  return selector.include_all_operators ||
         selector.is_root_operator("aten::" + f.func.name.str());
}

text::FileManager::Sharded sharded_by_root_name(
    std::string filename,
    std::string key,
    TextOf text_of,
    const model::NativeFunctions& program,
    const model::SelectiveBuilder& selector) {
  text::FileManager::Sharded sharded;
  sharded.filename = filename;
  sharded.template_fn = std::move(filename);
  sharded.items = program.functions.size();
  sharded.key = [&program](std::size_t i) -> std::string_view {
    return program.functions[i]->root_name();
  };
  sharded.sharded_keys = {key};
  sharded.env =
      [&program, &selector, text_of, key = std::move(key)](std::size_t i) {
        const NativeFunction& f = *program.functions[i];
        return env_of(
            key,
            is_selected(f, selector)
                ? Texts{native_function_manager(f, [&] { return text_of(f); })}
                : Texts{});
      };
  return sharded;
}

}  // namespace

text::FileManager make_unboxing_file_manager(const UnboxingOptions& options,
                                             text::JobList& jobs) {
  return {{.install_dir = options.install_dir,
           .template_dir = options.source_path + "/templates",
           .generator = "tools/jit/gen_unboxing.py",
           .dry_run = options.dry_run},
          jobs};
}

std::string unboxing_declaration(const NativeFunction& f) {
  std::string text;
  str_append(text,
             "\n// aten::",
             f.func.str(),
             "\nTORCH_API void ",
             api::unboxing::name(f),
             "(Stack & stack);\n");
  return text;
}

std::string unboxing_definition(const NativeFunction& f) {
  const auto group =
      api::CppSignatureGroup::from_native_function(f, f.method_variant);
  const api::CppSignature& sig = group.most_faithful_signature();
  const auto converted = api::unboxing::convert_arguments(f);
  std::string text;
  text.reserve(1024);
  str_append(text,
             "\n// aten::",
             f.func.str(),
             "\nTORCH_API void ",
             api::unboxing::name(f),
             "(Stack & stack) {\n    ");
  str_append_joined(
      text, converted.code, "\n\t", [](const auto& line) -> const auto& {
        return line;
      });
  const bool returns = !f.func.returns.empty();
  str_append(text,
             "\n\n    drop(stack, ",
             std::to_string(converted.bindings.size()),
             ");\n\n    ",
             returns ? "auto result_ = " : "",
             sig.method ? "self_base." : "at::",
             sig.name(),
             "(");
  api::append_translated(
      text, converted.bindings, sig.arguments(), {.method = sig.method});
  text.append(");\n\n");
  text.append(returns ? "    pack(stack, std::move(result_));\n\n}\n" : "}\n");
  return text;
}

std::string unboxed_kernel_registration(const NativeFunction& f) {
  const auto group = api::CppSignatureGroup::from_native_function(f, false);
  const api::CppSignature& sig = group.most_faithful_signature();
  const std::string schema = cpp_string(f.func.str());
  std::string text;
  text.reserve(1024);
  str_append(text,
             "\n// aten::",
             std::string_view(schema).substr(1, schema.size() - 2),
             "\nOperatorGenerator(\n    \"aten::",
             f.func.name.name.str(),
             "\",\n    \"",
             f.func.name.overload_name,
             "\",\n    {\n        ");
  constexpr std::string_view kConnector = ",\n\t\t";
  bool first = true;
  for (const api::Binding& arg : sig.arguments()) {
    text.append(first ? "" : kConnector);
    append_argument(text, arg);
    first = false;
  }
  text.append("\n    },\n    {\n        ");
  first = true;
  for (const model::Return& r : f.func.returns) {
    text.append(first ? "" : kConnector);
    str_append(text, "c10::Argument(\"", r.name.value_or(""), "\")");
    first = false;
  }
  str_append(text,
             "\n    },\n    [](Stack & stack) {\n        RECORD_FUNCTION(\"",
             sig.name(),
             "\", std::vector<c10::IValue>());\n        at::unboxing::",
             api::unboxing::name(f),
             "(stack);\n    },\n    aliasAnalysisFromSchema()\n),\n");
  return text;
}

void gen_unboxing(const UnboxingOptions& options,
                  const model::NativeFunctions& program,
                  const model::SelectiveBuilder& selector,
                  text::FileManager& files) {
  const bool shard =
      options.always_shard || selector.operators.size() >= kShardingThreshold;
  auto definitions = sharded_by_root_name("UnboxingFunctions.cpp",
                                          "definitions",
                                          unboxing_definition,
                                          program,
                                          selector);
  definitions.num_shards = shard ? 5 : 1;
  files.write_sharded(std::move(definitions));
  files.write("UnboxingFunctions.h", [&program, &selector] {
    Texts declarations;
    for (const auto& f : program.functions) {
      if (is_selected(*f, selector)) {
        declarations.push_back(unboxing_declaration(*f));
      }
    }
    return env_of("declarations", std::move(declarations));
  });
  auto registrations = sharded_by_root_name("RegisterCodegenUnboxedKernels.cpp",
                                            "unboxed_ops",
                                            unboxed_kernel_registration,
                                            program,
                                            selector);
  registrations.num_shards = shard ? 10 : 1;
  files.write_sharded(std::move(registrations));
  if (!options.output_dependencies.empty()) {
    const std::string path = text::normal_path(options.output_dependencies);
    files.write_outputs(std::string(text::path_stem(path)), path);
  }
}

}  // namespace opgen::emit
