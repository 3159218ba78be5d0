#include "opgen/emit/register_dispatch_key.h"

#include <string>
#include <variant>
#include <vector>

#include "opgen/emit/register_dispatch_key_error.h"
#include "opgen/emit/structured_register.h"
#include "opgen/emit/unstructured_register.h"
#include "opgen/model/backend_index.h"
#include "opgen/model/dispatch_key.h"
#include "opgen/model/native_function.h"
#include "opgen/model/native_functions_group.h"

namespace opgen::emit {
namespace {

using model::DispatchKey;
using model::NativeFunction;
using model::NativeFunctionsGroup;

// Calls `f` for each function of the group in the order of its functions().
template <class F>
void for_each_function(const NativeFunctionsGroup& g, F f) {
  for (const NativeFunction* function :
       {g.functional, g.out, g.inplace, g.mutable_}) {
    if (function != nullptr) {
      f(*function);
    }
  }
}

// Whether structured kernels of the key are made without being asked for.
bool generates_structured(DispatchKey key) {
  return key == DispatchKey::kMeta ||
         key == DispatchKey::kCompositeExplicitAutogradNonFunctional;
}

bool uses_structured(const model::BackendIndex& backend_index,
                     const NativeFunctionsGroup& g) {
  if (generates_structured(backend_index.dispatch_key)) {
    return g.structured();
  }
  const model::BackendMetadata* metadata = backend_index.get_kernel(g);
  return metadata != nullptr && metadata->structured && g.structured();
}

void gen_structured(const RegisterDispatchKey& settings,
                    const NativeFunctionsGroup& g,
                    std::vector<std::string>& out) {
  const model::BackendIndex& backend_index = *settings.backend_index;
  if (generates_structured(backend_index.dispatch_key) &&
      backend_index.has_kernel(*g.out)) {
    throw EmitError(
        "`" + g.out->func.name.str() + "` is structured: its kernel for " +
            std::string{model::name_of(backend_index.dispatch_key)} +
            " is generated and must not be named in the dispatch table",
        *g.out);
  }
  const StructuredRegisterDispatchKey structured_gen{settings, g};
  for_each_function(g, [&](const NativeFunction& f) {
    native_function_manager(f, [&] { structured_gen.gen_one(f, out); });
  });
}

}  // namespace

bool RegisterDispatchKey::may_generate(
    const model::FunctionOrGroup& item) const {
  if (const auto* f = std::get_if<const NativeFunction*>(&item)) {
    return wrapper_kind(*backend_index, **f, nullptr) != WrapperKind::kNone;
  }
  const auto& g = *std::get<const NativeFunctionsGroup*>(item);
  if (uses_structured(*backend_index, g)) {
    return true;
  }
  for (const NativeFunction* f : {g.functional, g.out, g.inplace, g.mutable_}) {
    if (f != nullptr &&
        wrapper_kind(*backend_index, *f, &g) != WrapperKind::kNone) {
      return true;
    }
  }
  return false;
}

void RegisterDispatchKey::generate(const model::FunctionOrGroup& item,
                                   std::vector<std::string>& out) const {
  const auto gen_one = [&](const NativeFunction& f,
                           const NativeFunctionsGroup* g) {
    native_function_manager(f, [&] { gen_unstructured(*this, f, g, out); });
  };
  if (const auto* f = std::get_if<const NativeFunction*>(&item)) {
    gen_one(**f, nullptr);
    return;
  }
  const auto& g = *std::get<const NativeFunctionsGroup*>(item);
  if (uses_structured(*backend_index, g)) {
    gen_structured(*this, g, out);
    return;
  }
  for_each_function(g, [&](const NativeFunction& f) { gen_one(f, &g); });
}

}  // namespace opgen::emit
