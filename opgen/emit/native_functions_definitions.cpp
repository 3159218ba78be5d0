#include <cstddef>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "opgen/emit/native_functions.h"
#include "opgen/emit/native_functions_namespace.h"
#include "opgen/emit/register_dispatch_key.h"
#include "opgen/emit/register_dispatch_key_error.h"
#include "opgen/emit/target.h"
#include "opgen/model/backend_index.h"
#include "opgen/model/dispatch_key.h"
#include "opgen/model/native_function.h"
#include "opgen/model/native_functions_group.h"
#include "opgen/text/code_template.h"
#include "opgen/text/python_text.h"

namespace opgen::emit {
namespace {

using model::BackendIndex;
using model::FunctionOrGroup;
using model::NativeFunction;
using model::NativeFunctionsGroup;

const std::string kAtNative{model::kDefaultKernelNamespace};

// Of a group the functional variant, whose namespace holds for all.
const NativeFunction& functional_of(const FunctionOrGroup& item) {
  if (const auto* f = std::get_if<const NativeFunction*>(&item)) {
    return **f;
  }
  return *std::get<const NativeFunctionsGroup*>(item)->functional;
}

struct Registrations {
  std::string namespace_;
  std::vector<std::string> texts;
};

// What goes into one namespace of kernels.
struct Definitions {
  std::string kernel_namespace;
  std::vector<std::string> namespaced;
  std::vector<std::string> anonymous;
  std::vector<Registrations> registrations;
  const NativeFunction* first;

  std::vector<std::string>& registrations_of(std::string_view namespace_str) {
    for (Registrations& r : registrations) {
      if (r.namespace_ == namespace_str) {
        return r.texts;
      }
    }
    return registrations.emplace_back(std::string{namespace_str}, Texts{})
        .texts;
  }

  using Texts = std::vector<std::string>;
};

Definitions& definitions_of(std::vector<Definitions>& all,
                            const std::string& kernel_namespace,
                            const NativeFunction& f) {
  for (Definitions& d : all) {
    if (d.kernel_namespace == kernel_namespace) {
      return d;
    }
  }
  return all.emplace_back(Definitions{kernel_namespace, {}, {}, {}, &f});
}

std::string registration_body(const std::vector<Registrations>& registrations,
                              std::string_view dispatch_key) {
  std::string text;
  for (const Registrations& r : registrations) {
    if (r.texts.empty()) {
      continue;
    }
    text += "\nTORCH_LIBRARY_IMPL(";
    text += r.namespace_;
    text += ", ";
    text += dispatch_key;
    text += ", m) {\n    ";
    text += text::join("\n", r.texts);
    text += "\n}";
  }
  return text;
}

text::EnvView::List view_of(const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

void remove_empty_lines(std::string& text) {
  std::size_t kept = 0;
  char last = '\n';
  for (const char c : text) {
    if (c == '\n' && last == '\n') {
      continue;
    }
    text[kept++] = c;
    last = c;
  }
  text.resize(kept);
}

std::string substitute(const Definitions& d,
                       model::DispatchKey key,
                       const RegistrationSettings& settings) {
  const NamespaceHelper helper = native_function_manager(
      *d.first, [&] { return NamespaceHelper{d.kernel_namespace}; });
  const std::string registrations =
      settings.skip_dispatcher_op_registration
          ? ""
          : registration_body(d.registrations, model::name_of(key));
  const std::string dispatch_namespace = lower_name_of(key);
  text::EnvView env;
  env.set("ns_prologue", std::string_view{helper.prologue});
  env.set("ns_epilogue", std::string_view{helper.epilogue});
  env.set("dispatch_anonymous_definitions", view_of(d.anonymous));
  env.set("static_init_dispatch_registrations",
          std::string_view{registrations});
  env.set("deferred_dispatch_registrations", std::string_view{});
  env.set("dispatch_namespace", std::string_view{dispatch_namespace});
  env.set("dispatch_namespaced_definitions", view_of(d.namespaced));
  std::string text = settings.definitions_template->substitute(env);
  remove_empty_lines(text);
  return text;
}

RegisterDispatchKey generator(const BackendIndex& backend_index,
                              Target target,
                              const RegistrationSettings& settings) {
  return {.backend_index = &backend_index,
          .target = target,
          .selector = settings.selector,
          .rocm = settings.rocm,
          .symint = settings.symint,
          .class_method_name = std::nullopt,
          .skip_dispatcher_op_registration =
              settings.skip_dispatcher_op_registration,
          .named_tensors = settings.named_tensors};
}

}  // namespace

const std::string& get_kernel_namespace(const FunctionOrGroup& item,
                                        const BackendIndex& backend_index) {
  const model::BackendMetadata* metadata = backend_index.get_kernel(item);
  if (metadata == nullptr) {
    return kAtNative;
  }
  if (metadata->cpp_namespace.find("::native") == std::string::npos) {
    const NativeFunction& f = functional_of(item);
    throw EmitError("the kernel of `" + f.func.name.str() + "` for " +
                        std::string{name_of(backend_index.dispatch_key)} +
                        " is in namespace `" + metadata->cpp_namespace +
                        "`, which does not end with `::native`",
                    f);
  }
  return metadata->cpp_namespace;
}

std::vector<std::string> get_native_function_definitions(
    std::span<const FunctionOrGroup> grouped_native_functions,
    const BackendIndex& backend_index,
    const RegistrationSettings& settings) {
  if (settings.definitions_template == nullptr) {
    throw std::logic_error("definitions_template is not set");
  }
  const auto ns_gen =
      generator(backend_index, Target::kNamespacedDefinition, settings);
  const auto anonymous_gen =
      generator(backend_index, Target::kAnonymousDefinition, settings);
  const auto reg_gen =
      generator(backend_index, Target::kRegistration, settings);
  if (grouped_native_functions.size() == 1 &&
      !ns_gen.may_generate(grouped_native_functions[0])) {
    return {};
  }
  std::vector<Definitions> all;
  for (const FunctionOrGroup& item : grouped_native_functions) {
    Definitions& d = definitions_of(
        all,
        text::replace_all(
            get_kernel_namespace(item, backend_index), "::native", ""),
        functional_of(item));
    std::vector<std::string>& registrations =
        d.registrations_of(functional_of(item).namespace_);
    if (!ns_gen.may_generate(item)) {
      continue;
    }
    ns_gen.generate(item, d.namespaced);
    anonymous_gen.generate(item, d.anonymous);
    reg_gen.generate(item, registrations);
  }
  std::vector<std::string> result;
  for (const Definitions& d : all) {
    if (!d.namespaced.empty()) {
      result.push_back(substitute(d, backend_index.dispatch_key, settings));
    }
  }
  return result;
}

std::vector<std::string> get_namespaced_declaration(
    std::span<const FunctionOrGroup> grouped_native_functions,
    const BackendIndex& backend_index,
    const RegistrationSettings& settings) {
  RegisterDispatchKey func =
      generator(backend_index, Target::kNamespacedDeclaration, settings);
  func.skip_dispatcher_op_registration = false;
  const std::string dispatch_namespace =
      lower_name_of(backend_index.dispatch_key);
  GroupedDeclarations grouped;
  const std::string* last_namespace = nullptr;
  std::size_t index = 0;
  for (const FunctionOrGroup& item : grouped_native_functions) {
    const std::string& kernel_namespace =
        get_kernel_namespace(item, backend_index);
    if (last_namespace == nullptr || *last_namespace != kernel_namespace) {
      index = grouped.index_of(
          text::replace_all(kernel_namespace, "native", dispatch_namespace),
          functional_of(item));
      last_namespace = &kernel_namespace;
    }
    func.generate(item, grouped.texts(index));
  }
  return grouped.declarations(3, true);
}

}  // namespace opgen::emit
