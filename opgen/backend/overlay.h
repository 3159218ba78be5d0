// Operators that a backend adds to PyTorch's: a file in the format of
// native_functions.yaml whose schemas may have a namespace of their own
// (`func: my::swiglu(Tensor x) -> Tensor`).
//
// Dispatch tables name kernels in the backend's class: that of the backend's
// own key as well as those of keys that serve it, such as Meta or
// CompositeExplicitAutograd. An operator without a dispatch table is
// CompositeImplicitAutograd, unless the backend lists it. `autogen` makes
// nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "opgen/backend/backend_yaml.h"
#include "opgen/model/native_functions.h"
#include "opgen/schema/load.h"
#include "opgen/text/diagnostics.h"

namespace opgen::backend {

struct OverlayKernel {
  model::DispatchKey key;
  BackendKernel kernel;
  // There is no dispatch table that names it.
  bool implicit = false;
};

struct Overlay {
  // Their ids follow those of the programs that were loaded before. Nothing if
  // there was an error.
  std::optional<model::NativeFunctions> functions;
  // What dispatch tables name.
  std::vector<OverlayKernel> kernels;
  schema::FunctionSites sites;
  // What diagnostics point into.
  std::vector<std::shared_ptr<const text::SourceFile>> files;
};

// Functions get ids from `first_id` on. Operators that are in `before` already
// are errors.
Overlay load_overlay(const std::string& path,
                     const std::string& tags_path,
                     std::uint32_t first_id,
                     std::span<const model::NativeFunctions* const> before,
                     text::Diagnostics& diagnostics);

}  // namespace opgen::backend
