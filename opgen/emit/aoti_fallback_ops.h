// torchgen/aoti/fallback_ops.py: the operators that the AOTInductor C shim has
// functions for, and the versions of these functions. Read from the torchgen
// that belongs to the inputs.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "opgen/emit/aoti_fallback_ops_literal.h"

namespace opgen::emit {

// Operators by "NAMESPACE.NAME.OVERLOAD", where no overload is "default";
// sorted. The literals are checked when they are used.
using FallbackOpDict = std::map<std::string, PythonLiteral, std::less<>>;

struct FallbackOps {
  FallbackOpDict inductor_fallback_ops;
  // Those of the `aten` shim, which goes through the dispatcher.
  FallbackOpDict aten_shimified_ops;
};

// Where fallback_ops.py may lie for templates and yaml in `source_path`: beside
// torchgen/packaged/ATen, or in torchgen/ of the checkout whose aten/src/ATen
// it is; the first that exists counts.
std::vector<std::string> fallback_ops_candidates(
    const std::string& source_path);
std::optional<std::string> find_fallback_ops(const std::string& source_path);

// Returns the empty string or "PATH:LINE:COLUMN: error: ..." (without a
// position where there is none).
std::string parse_fallback_ops(std::string_view source,
                               const std::string& path,
                               FallbackOps& ops);
std::string load_fallback_ops(const std::string& path, FallbackOps& ops);

// One version of an operator's function.
struct FallbackOpVersion {
  int id = 1;
  // Arguments that older versions do not have.
  std::vector<std::string> new_args;
  // "TORCH_VERSION_2_12_0"; none if it is always declared.
  std::optional<std::string> since;
};

// The versions from the newest to 1. `metadata` is a dict of "vN" to a list of
// new arguments (PyTorch 2.12) or to a dict of new_args and since (2.13), and
// of "since" for version 1. Throws api::ApiError for anything else.
std::vector<FallbackOpVersion> fallback_op_versions(
    const std::string& base_name, const PythonLiteral& metadata);

}  // namespace opgen::emit
