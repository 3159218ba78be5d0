// The InfiniOps library that this process runs on: which entry points it has
// and which it gets right.
//
// A library may hold only some operators (upstream's allowlist), so every entry
// point is referenced weakly by its mangled name, here and nowhere else, and
// called through this table.
#pragma once

#include <optional>
#include <string>

#include <c10/core/ScalarType.h>
#include <infini/ops.h>
#include <infini/rt.h>

#include "embedded/extension.h"

namespace torch_infini {

struct OpsTable {
  using Add = void (*)(const infini::ops::Handle&,
                       const infini::ops::Config&,
                       const infini::rt::TensorView&,
                       const infini::rt::TensorView&,
                       const infini::rt::TensorView&);

  // Null where the library lacks the operator.
  Add add;
};

const OpsTable& ops_table();

// True if the library's Add is correct for the type; see Note [Which results
// are right].
bool add_is_exact(infini::rt::DataType dtype);

// The type's InfiniRT counterpart; none for bool, complex, float8 and the rest.
std::optional<infini::rt::DataType> infini_dtype(c10::ScalarType dtype);

// Null on an upstream library.
const infini_extension::OpsTable* ops_extension() noexcept;

// Files that the runtime and the operators were loaded from; empty when the
// library is absent.
std::string runtime_library_path();
std::string ops_library_path();

// What is wrong with the loaded InfiniOps, or empty. Looks for marks of an
// incompatible layout.
std::string foreign_layout();

}  // namespace torch_infini
