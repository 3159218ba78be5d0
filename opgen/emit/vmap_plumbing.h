// torchgen.gen_vmap_plumbing: VmapGeneratedPlumbing.h, the templates that take
// the batch dimension off the arguments of an operator and put it back on its
// results.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "opgen/model/native_function.h"

namespace opgen::emit {

// None for an operator that vmap has to be told about by hand: one without
// tensors, with results that are no tensors, that writes to more than its first
// argument, ...
std::optional<std::string> gen_vmap_plumbing(const model::NativeFunction& f);

// The whole header. Throws EmitError.
std::string gen_all_vmap_plumbing(
    std::span<const std::unique_ptr<model::NativeFunction>> native_functions);

}  // namespace opgen::emit
