#include "opgen/backend/backend_stubs_declarations.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "opgen/api/context.h"
#include "opgen/api/cpp.h"
#include "opgen/api/structured.h"
#include "opgen/api/types/binding.h"
#include "opgen/api/types/signatures.h"
#include "opgen/backend/backend_stubs_kernels.h"
#include "opgen/backend/backend_yaml.h"
#include "opgen/backend/kernel_check.h"
#include "opgen/emit/register_dispatch_key_error.h"
#include "opgen/model/backend_index.h"
#include "opgen/model/function_schema.h"
#include "opgen/model/native_function.h"
#include "opgen/model/native_functions.h"

namespace opgen::backend {
namespace {

using model::NativeFunction;

bool keeps_no_default(const NativeFunction& f, const std::string& name) {
  return std::find(f.cpp_no_default_args.begin(),
                   f.cpp_no_default_args.end(),
                   name) != f.cpp_no_default_args.end();
}

std::vector<std::string> types_of(const std::vector<api::Binding>& bindings) {
  std::vector<std::string> types;
  types.reserve(bindings.size());
  for (const api::Binding& binding : bindings) {
    types.push_back(binding.type());
  }
  return types;
}

std::string signature_text(const std::string& kernel,
                           const std::string& returns,
                           const std::vector<api::Binding>& arguments) {
  std::string text = "static " + returns + ' ' + kernel + '(';
  api::append_decls(text, arguments);
  text += ");";
  return text;
}

// A kernel with the defaults that its last arguments could have.
struct Declaration {
  std::string kernel;
  std::string returns;
  std::vector<api::Binding> arguments;
  std::vector<std::string> types;
  std::size_t first_default = 0;

  Declaration(const NativeFunction& f,
              const model::BackendIndex& index,
              std::string kernel_name,
              bool default_arguments)
      : kernel(std::move(kernel_name)) {
    const api::KernelSignature sig =
        api::kernel_signature(f, index, api::locals_of(f));
    const bool symint = index.get_kernel(f)->supports_symint();
    returns = sig.returns_type()->cpp_type();
    arguments = sig.arguments();
    types = types_of(arguments);
    first_default = arguments.size();
    while (default_arguments && first_default > 0) {
      api::Binding& binding = arguments[first_default - 1];
      const auto* a = std::get_if<const model::Argument*>(&binding.argument);
      if (a == nullptr || !(*a)->default_value ||
          keeps_no_default(f, (*a)->name)) {
        break;
      }
      binding.default_value =
          api::cpp::default_expr(*(*a)->default_value, (*a)->type, symint);
      --first_default;
    }
  }

  // Whether a call with the other's arguments could mean this one.
  bool hides(const Declaration& other) const {
    return other.types.size() >= first_default &&
           other.types.size() < types.size() &&
           std::equal(other.types.begin(), other.types.end(), types.begin());
  }

  std::string text(bool defaults) const {
    std::vector<api::Binding> shown = arguments;
    const std::size_t end = defaults ? first_default : shown.size();
    for (std::size_t i = 0; i < end; ++i) {
      shown[i].default_value = std::nullopt;
    }
    return signature_text(kernel, returns, shown);
  }
};

void keep_calls_apart(std::vector<std::vector<Declaration>>& keys) {
  std::unordered_map<std::string, std::vector<Declaration*>> overloads;
  for (std::vector<Declaration>& declarations : keys) {
    for (Declaration& declaration : declarations) {
      overloads[declaration.kernel].push_back(&declaration);
    }
  }
  for (auto& [name, declarations] : overloads) {
    for (Declaration* declaration : declarations) {
      for (const Declaration* other : declarations) {
        if (declaration->hides(*other)) {
          declaration->first_default = other->types.size() + 1;
        }
      }
    }
  }
}

}  // namespace

std::vector<std::vector<std::string>> gen_kernel_declarations(
    std::span<const KeyKernels> keys, bool default_arguments) {
  std::vector<std::vector<Declaration>> declarations;
  for (const KeyKernels& key : keys) {
    std::vector<Declaration>& of_key = declarations.emplace_back();
    for (const BackendKernel& kernel : key.kernels()) {
      const NativeFunction& f = *kernel.function;
      emit::native_function_manager(f, [&] {
        of_key.emplace_back(f, key.index(), kernel.kernel, default_arguments);
      });
    }
  }
  keep_calls_apart(declarations);
  std::vector<std::vector<std::string>> result;
  for (const std::vector<Declaration>& of_key : declarations) {
    // Operators may share a kernel; what tells declarations apart is their text
    // without defaults.
    std::map<std::string, std::string> texts;
    for (const Declaration& declaration : of_key) {
      texts.emplace(declaration.text(false),
                    declaration.text(default_arguments));
    }
    std::vector<std::string>& shown = result.emplace_back();
    for (auto& [key, text] : texts) {
      shown.push_back(std::move(text));
    }
  }
  return result;
}

std::vector<ExpectedKernel> expected_kernels(
    std::span<const KeyKernels> keys,
    std::span<const model::NativeFunctions* const> programs,
    const BackendYaml& yaml) {
  std::vector<ExpectedKernel> result;
  for (const model::NativeFunctions* program : programs) {
    for (const auto& f : program->functions) {
      for (const KeyKernels& key : keys) {
        const model::BackendMetadata* metadata = key.index().get_kernel(*f);
        if (metadata == nullptr) {
          continue;
        }
        emit::native_function_manager(*f, [&] {
          const api::KernelSignature sig =
              api::kernel_signature(*f, key.index(), api::locals_of(*f));
          result.push_back({{yaml.class_name, metadata->kernel},
                            types_of(sig.arguments()),
                            sig.decl(metadata->kernel),
                            operator_name(*f),
                            key.where(*f)});
        });
      }
    }
  }
  for (const StructuredKernel& kernel : yaml.structured) {
    const NativeFunction& f = *kernel.group->out;
    emit::native_function_manager(f, [&] {
      const std::vector<api::Binding> arguments =
          api::structured::impl_arguments(*kernel.group);
      std::string text = "void impl(";
      api::append_decls(text, arguments);
      text += ')';
      result.push_back({{"structured_" + kernel.kernel, "impl"},
                        types_of(arguments),
                        std::move(text),
                        operator_name(f),
                        kernel.where});
    });
  }
  return result;
}

}  // namespace opgen::backend
