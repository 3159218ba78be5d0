#include "opgen/backend/backend_stubs_files.h"

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "opgen/backend/backend_stubs_declarations.h"
#include "opgen/backend/backend_stubs_kernels.h"
#include "opgen/backend/backend_stubs_structured.h"
#include "opgen/backend/backend_yaml.h"
#include "opgen/emit/env.h"
#include "opgen/emit/native_functions_namespace.h"
#include "opgen/emit/register_dispatch_key.h"
#include "opgen/emit/register_dispatch_key_error.h"
#include "opgen/emit/register_schema.h"
#include "opgen/emit/target.h"
#include "opgen/model/dispatch_key.h"
#include "opgen/model/native_functions.h"
#include "opgen/model/native_functions_group.h"
#include "opgen/model/selective_builder.h"
#include "opgen/text/code_template.h"
#include "opgen/text/file_manager.h"
#include "opgen/text/python_text.h"

namespace opgen::backend {
namespace {

constexpr std::string_view kAten = "aten";

std::string name_of(const KeyKernels& kernels) {
  return std::string(model::name_of(kernels.key()));
}

template <class F>
void collecting_errors(EmitErrors& errors, F f) {
  try {
    f();
  } catch (const emit::EmitError& error) {
    errors.add(error);
  }
}

// Of one namespace; overlays may have several.
std::vector<std::string> generate(const StubsProgram& program,
                                  const KeyKernels& kernels,
                                  emit::Target target,
                                  std::string_view only_namespace,
                                  EmitErrors& errors) {
  const model::SelectiveBuilder selector =
      model::SelectiveBuilder::get_nop_selector();
  std::vector<std::string> texts;
  const bool without_kernels = program.is_backend_key(kernels.key());
  for (const model::NativeFunctions* functions : program.programs) {
    for (const model::FunctionOrGroup& item :
         functions->grouped_native_functions) {
      const bool is_other_namespace =
          !only_namespace.empty() &&
          emit::main_function(item).namespace_ != only_namespace;
      if (is_other_namespace ||
          !(without_kernels || kernels.has_kernel(item))) {
        continue;
      }
      collecting_errors(
          errors, [&] { kernels.generate(target, selector, item, texts); });
    }
  }
  return texts;
}

std::string registrations_of(const StubsProgram& program,
                             const KeyKernels& kernels,
                             const std::string& namespace_name,
                             EmitErrors& errors) {
  static const text::CodeTemplate pattern(
      "TORCH_LIBRARY_IMPL($namespace, $dispatch_key, m) {\n"
      "    $dispatch_registrations_body\n"
      "}");
  return pattern.substitute(emit::env_of("namespace",
                                         namespace_name,
                                         "dispatch_key",
                                         name_of(kernels),
                                         "dispatch_registrations_body",
                                         generate(program,
                                                  kernels,
                                                  emit::Target::kRegistration,
                                                  namespace_name,
                                                  errors)));
}

// The schemas of overlays' operators.
std::string schema_registrations(const StubsProgram& program) {
  static const text::CodeTemplate pattern(
      "TORCH_LIBRARY_FRAGMENT($namespace, m) {\n"
      "    $schemas\n"
      "}\n\n");
  const model::SelectiveBuilder selector =
      model::SelectiveBuilder::get_nop_selector();
  std::vector<std::pair<std::string, std::vector<const model::NativeFunction*>>>
      namespaces;
  for (std::size_t i = 1; i < program.programs.size(); ++i) {
    for (const auto& f : program.programs[i]->functions) {
      auto found = std::find_if(
          namespaces.begin(), namespaces.end(), [&f](const auto& entry) {
            return entry.first == f->namespace_;
          });
      if (found == namespaces.end()) {
        found = namespaces.insert(found, {f->namespace_, {}});
      }
      found->second.push_back(f.get());
    }
  }
  std::string text;
  for (const auto& [name, functions] : namespaces) {
    emit::RegisterSchema register_schema(selector);
    std::vector<std::string> schemas;
    for (const model::NativeFunction* f : functions) {
      if (std::optional<std::string> schema = register_schema(*f)) {
        schemas.push_back(std::move(*schema));
      }
    }
    text += pattern.substitute(
        emit::env_of("namespace", name, "schemas", std::move(schemas)));
  }
  return text;
}

std::string static_init_registrations(const StubsProgram& program,
                                      const KeyKernels& kernels,
                                      EmitErrors& errors) {
  const bool is_first = &kernels == program.keys.data();
  std::string text = is_first ? schema_registrations(program) : "";
  std::vector<std::string> namespaces = kernels.namespaces();
  if (program.is_backend_key(kernels.key()) &&
      (namespaces.empty() || namespaces[0] != kAten)) {
    namespaces.insert(namespaces.begin(), std::string(kAten));
  }
  for (std::size_t i = 0; i < namespaces.size(); ++i) {
    text += i == 0 ? "" : "\n\n";
    text += registrations_of(program, kernels, namespaces[i], errors);
  }
  return text;
}

std::vector<std::string> dispatch_definitions(const text::FileManager& fm,
                                              const StubsProgram& program,
                                              const KeyKernels& kernels,
                                              EmitErrors& errors) {
  const emit::NamespaceHelper ns_helper("at");
  const std::string text = fm.substitute_with_template(
      "RegisterDispatchDefinitions.ini",
      emit::env_of("ns_prologue",
                   ns_helper.prologue,
                   "ns_epilogue",
                   ns_helper.epilogue,
                   "static_init_dispatch_registrations",
                   static_init_registrations(program, kernels, errors),
                   "deferred_dispatch_registrations",
                   std::string(),
                   "dispatch_namespace",
                   model::lower_name_of(kernels.key()),
                   "dispatch_namespaced_definitions",
                   std::string(),
                   "dispatch_anonymous_definitions",
                   generate(program,
                            kernels,
                            emit::Target::kAnonymousDefinition,
                            {},
                            errors)));
  std::vector<std::string> lines;
  for (const std::string_view line : text::split(text, "\n")) {
    lines.emplace_back(line);
  }
  return lines;
}

std::string external_backend_headers(const StubsProgram& program) {
  std::string text = "#include \"" + program.output_dir + '/' +
                     name_of(program.keys[0]) + "NativeFunctions.h\"";
  if (!program.yaml.extra_headers.empty()) {
    text += '\n' + program.yaml.extra_headers;
  }
  return text;
}

text::Env registration_env(const text::FileManager& fm,
                           const StubsProgram& program,
                           const KeyKernels& kernels,
                           EmitErrors& errors) {
  std::vector<std::string> helpers =
      emit::gen_registration_helpers(kernels.index());
  if (!kernels.structured().empty()) {
    add_structured_helpers(program.yaml, helpers);
  }
  const bool per_operator = program.yaml.per_operator_headers;
  return emit::env_of(
      "extra_cuda_headers",
      std::string(),
      "external_backend_headers",
      external_backend_headers(program),
      "ops_headers",
      std::string(per_operator ? "" : "#include <ATen/Functions.h>"),
      "DispatchKey",
      name_of(kernels),
      "dispatch_namespace",
      model::lower_name_of(kernels.key()),
      "dispatch_headers",
      emit::gen_registration_headers(kernels.index(), per_operator, false),
      "dispatch_helpers",
      std::move(helpers),
      "dispatch_definitions",
      dispatch_definitions(fm, program, kernels, errors));
}

// The backend's declarations, sorted, then those for autograd, sorted, then
// what other keys add.
std::vector<std::string> dispatch_declarations(const StubsProgram& program,
                                               EmitErrors& errors) {
  std::vector<std::string> declarations;
  std::unordered_set<std::string> known;
  collecting_errors(errors, [&] {
    const auto by_key =
        gen_kernel_declarations(program.keys, program.yaml.default_arguments);
    for (std::size_t i = 0; i < by_key.size(); ++i) {
      for (const std::string& text : by_key[i]) {
        const bool is_new = known.insert(text).second;
        if (is_new || program.is_backend_key(program.keys[i].key())) {
          declarations.push_back(text);
        }
      }
    }
  });
  return declarations;
}

// Opens the namespace; the classes of structured kernels come first in it.
std::string namespace_prologue(const StubsProgram& program,
                               const std::string& prologue,
                               EmitErrors& errors) {
  std::set<std::string> headers;
  std::string classes;
  for (const StructuredKernel& kernel : program.yaml.structured) {
    collecting_errors(errors, [&] {
      headers.insert(structured_header(kernel));
      classes += "\n\n" + gen_structured_declaration(kernel);
    });
  }
  std::string text;
  for (const std::string& header : headers) {
    text += header + '\n';
  }
  text += text.empty() ? "" : "\n";
  return text + prologue + classes;
}

}  // namespace

void EmitErrors::add(const emit::EmitError& error) {
  const std::scoped_lock lock(mutex_);
  const std::string_view what = error.what();
  const bool is_known = std::any_of(
      errors_.begin(), errors_.end(), [&](const emit::EmitError& other) {
        return other.function == error.function && what == other.what();
      });
  if (!is_known) {
    errors_.push_back(error);
  }
}

void gen_dispatchkey_nativefunc_headers(text::FileManager& fm,
                                        const StubsProgram& program,
                                        EmitErrors& errors) {
  const std::string key = name_of(program.keys[0]);
  fm.write_with_template(
      key + "NativeFunctions.h", "DispatchKeyNativeFunctions.h", [&, key] {
        const emit::NamespaceHelper ns_helper(program.yaml.cpp_namespace);
        return emit::env_of(
            "generated_comment",
            std::string(
                "Autogenerated file by gen_backend_stubs.py. Do not edit "
                "directly!"),
            "namespace_prologue",
            namespace_prologue(program, ns_helper.prologue, errors),
            "class_name",
            program.yaml.class_name,
            "namespace_epilogue",
            ns_helper.epilogue,
            "dispatch_declarations",
            dispatch_declarations(program, errors),
            "BackendName",
            std::string(),
            "DispatchKey",
            key);
      });
}

void gen_dispatcher_registrations(text::FileManager& fm,
                                  const StubsProgram& program,
                                  const KeyKernels& kernels,
                                  EmitErrors& errors) {
  fm.write_with_template(
      "Register" + name_of(kernels) + ".cpp", "RegisterDispatchKey.cpp", [&] {
        return registration_env(fm, program, kernels, errors);
      });
}

}  // namespace opgen::backend
