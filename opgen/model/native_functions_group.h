// Variants of one operator: functional, in-place, mutable and out=; and views
// with their copying twins. Groups point to functions that someone else owns.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "opgen/model/native_function.h"

namespace opgen::model {

struct NativeFunctionsGroup {
  const NativeFunction* functional = nullptr;  // never null
  const NativeFunction* inplace = nullptr;     // may be null
  const NativeFunction* mutable_ = nullptr;    // may be null
  const NativeFunction* out = nullptr;         // never null

  bool structured() const { return out->structured; }

  const std::string& root_name() const { return functional->root_name(); }

  // functional, out, inplace, mutable; those that exist.
  std::vector<const NativeFunction*> functions() const;
};

struct NativeFunctionsViewGroup {
  const NativeFunction* view = nullptr;          // never null
  const NativeFunction* view_copy = nullptr;     // may be null
  const NativeFunction* view_inplace = nullptr;  // may be null

  const std::string& root_name() const { return view->root_name(); }

  bool composite() const {
    return view->has_composite_implicit_autograd_kernel;
  }

  // view, view_inplace, view_copy; those that exist.
  std::vector<const NativeFunction*> functions(bool include_copy = true) const;
};

bool gets_generated_view_copy(const NativeFunction& f);
// The name of the copying twin of a view.
OperatorName get_view_copy_name(const NativeFunction& f);

// A function on its own or the group it belongs to.
using FunctionOrGroup =
    std::variant<const NativeFunction*, const NativeFunctionsGroup*>;
using FunctionOrViewGroup =
    std::variant<const NativeFunction*, const NativeFunctionsViewGroup*>;
using FunctionOrAnyGroup = std::variant<const NativeFunction*,
                                        const NativeFunctionsGroup*,
                                        const NativeFunctionsViewGroup*>;

const std::string& root_name(const FunctionOrGroup& item);

}  // namespace opgen::model
