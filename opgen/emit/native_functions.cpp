#include "opgen/emit/native_functions.h"

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "opgen/api/context.h"
#include "opgen/api/meta.h"
#include "opgen/api/structured.h"
#include "opgen/api/types/binding.h"
#include "opgen/api/types/signatures.h"
#include "opgen/emit/native_functions_namespace.h"
#include "opgen/emit/register_dispatch_key_error.h"
#include "opgen/model/backend_index.h"
#include "opgen/model/dispatch_key.h"
#include "opgen/model/native_function.h"
#include "opgen/model/native_functions_group.h"

namespace opgen::emit {
namespace {

using model::BackendIndex;
using model::BackendMetadata;
using model::FunctionOrGroup;
using model::NativeFunction;
using model::NativeFunctionsGroup;

std::string gen_unstructured(const NativeFunction& f,
                             const BackendIndex& backend_index,
                             const BackendMetadata& metadata) {
  std::string text = backend_index.external ? "static " : "TORCH_API ";
  text += api::kernel_signature(f, backend_index, api::locals_of(f))
              .decl(metadata.kernel);
  text += ';';
  return text;
}

std::string_view torch_api_key_word_prefix(const BackendIndex& backend_index) {
  return backend_index.dispatch_key == model::DispatchKey::kXPU
             ? "TORCH_XPU_API "
             : "TORCH_API ";
}

std::string gen_structured(const NativeFunctionsGroup& g,
                           const BackendIndex& backend_index,
                           const BackendMetadata& metadata) {
  if (backend_index.external) {
    throw EmitError(
        "structured kernels of a backend out of PyTorch's tree are "
        "not supported",
        *g.out);
  }
  std::string text = "struct ";
  text += torch_api_key_word_prefix(backend_index);
  text += "structured_" + metadata.kernel + " : public at::meta::structured_" +
          api::meta::name(g) + " {\nvoid impl(";
  std::string_view separator;
  for (const api::Binding& a : api::structured::impl_arguments(g)) {
    text += separator;
    text += a.decl();
    separator = ", ";
  }
  text += ");\n};\n";
  return text;
}

// Calls on_structured(g, metadata) or on_function(f, metadata) for each kernel
// that is to be declared.
template <class OnStructured, class OnFunction>
void for_each_kernel(const FunctionOrGroup& item,
                     const BackendIndex& backend_index,
                     OnStructured on_structured,
                     OnFunction on_function) {
  const auto visit = [&](const NativeFunction* f) {
    const BackendMetadata* metadata =
        f == nullptr ? nullptr : backend_index.get_kernel(*f);
    if (metadata != nullptr &&
        metadata->kernel.find("legacy::") == std::string::npos) {
      on_function(*f, *metadata);
    }
  };
  if (const auto* f = std::get_if<const NativeFunction*>(&item)) {
    visit(*f);
    return;
  }
  const auto& g = *std::get<const NativeFunctionsGroup*>(item);
  const BackendMetadata* metadata = backend_index.get_kernel(g);
  if (metadata != nullptr && metadata->structured) {
    on_structured(g, *metadata);
    return;
  }
  for (const NativeFunction* f : {g.functional, g.out, g.inplace, g.mutable_}) {
    visit(f);
  }
}

// A kernel whose declaration has been made. Keys that share a kernel share its
// declaration.
struct Declared {
  const void* item;
  std::string_view kernel;
  std::string_view prefix;
  std::size_t namespace_index;

  bool operator==(const Declared&) const = default;
};

class KernelGrouping {
 public:
  void add(const FunctionOrGroup& item,
           std::span<const BackendIndex* const> backend_indices) {
    declared_.clear();
    const std::string* only_namespace = nullptr;
    for (const BackendIndex* backend_index : backend_indices) {
      const BackendMetadata* metadata = backend_index->get_kernel(item);
      if (metadata != nullptr) {
        if (only_namespace != nullptr &&
            *only_namespace != metadata->cpp_namespace) {
          throw EmitError("kernels of one operator are in two namespaces, `" +
                              *only_namespace + "` and `" +
                              metadata->cpp_namespace + "`",
                          main_function(item));
        }
        only_namespace = &metadata->cpp_namespace;
      }
      add_kernels(
          item,
          *backend_index,
          grouped_.index_of(metadata != nullptr
                                ? std::string_view{metadata->cpp_namespace}
                                : model::kDefaultKernelNamespace,
                            main_function(item)));
    }
  }

  std::vector<std::string> declarations() const {
    return grouped_.declarations(4, false);
  }

 private:
  void add_kernels(const FunctionOrGroup& item,
                   const BackendIndex& backend_index,
                   std::size_t namespace_index) {
    const std::string_view prefix =
        backend_index.external ? "static "
                               : torch_api_key_word_prefix(backend_index);
    for_each_kernel(
        item,
        backend_index,
        [&](const NativeFunctionsGroup& g, const BackendMetadata& metadata) {
          if (is_new({&g, metadata.kernel, prefix, namespace_index})) {
            grouped_.texts(namespace_index)
                .push_back(gen_structured(g, backend_index, metadata));
          }
        },
        [&](const NativeFunction& f, const BackendMetadata& metadata) {
          if (is_new({&f, metadata.kernel, prefix, namespace_index})) {
            grouped_.texts(namespace_index)
                .push_back(gen_unstructured(f, backend_index, metadata));
          }
        });
  }

  bool is_new(const Declared& declared) {
    for (const Declared& other : declared_) {
      if (other == declared) {
        return false;
      }
    }
    declared_.push_back(declared);
    return true;
  }

  GroupedDeclarations grouped_;
  std::vector<Declared> declared_;
};

}  // namespace

std::vector<std::string> compute_native_function_declaration(
    const FunctionOrGroup& item, const BackendIndex& backend_index) {
  std::vector<std::string> result;
  native_function_manager(main_function(item), [&] {
    for_each_kernel(
        item,
        backend_index,
        [&](const NativeFunctionsGroup& g, const BackendMetadata& metadata) {
          result.push_back(gen_structured(g, backend_index, metadata));
        },
        [&](const NativeFunction& f, const BackendMetadata& metadata) {
          result.push_back(gen_unstructured(f, backend_index, metadata));
        });
  });
  return result;
}

std::vector<std::string> get_native_function_declarations(
    std::span<const FunctionOrGroup> grouped_native_functions,
    std::span<const BackendIndex* const> backend_indices) {
  KernelGrouping grouping;
  for (const FunctionOrGroup& item : grouped_native_functions) {
    native_function_manager(main_function(item),
                            [&] { grouping.add(item, backend_indices); });
  }
  return grouping.declarations();
}

std::vector<std::string> get_native_function_declarations(
    std::span<const FunctionOrGroup> grouped_native_functions,
    const std::map<model::DispatchKey, BackendIndex>& backend_indices) {
  std::vector<const BackendIndex*> indices;
  indices.reserve(backend_indices.size());
  for (const auto& [key, index] : backend_indices) {
    indices.push_back(&index);
  }
  return get_native_function_declarations(grouped_native_functions, indices);
}

}  // namespace opgen::emit
