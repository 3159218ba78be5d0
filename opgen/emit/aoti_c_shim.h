// torchgen.gen_aoti_c_shim: the functions in C by which code that AOTInductor
// has compiled calls operators.
//
// The headers are an ABI and are kept with the sources; a plain run writes only
// c_shim_*.cpp and checks that the headers still hold.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "opgen/emit/aoti_c_shim_backend.h"
#include "opgen/emit/aoti_fallback_ops.h"
#include "opgen/model/native_functions.h"

namespace opgen::emit {

struct AotiShimSettings {
  // Keys that get a shim; `aten`, the shim of no key, always is made.
  std::set<model::DispatchKey> aoti_backends;
  std::string aoti_install_dir;
  bool rocm = false;
  bool update_aoti_c_shim = false;
  bool extend_aoti_c_shim = false;
};

struct AotiShimFile {
  std::string filename;  // within aoti_install_dir
  std::string contents;
};

struct AotiShim {
  AotiShimFile header;
  AotiShimFile source;
};

// What all shims of a run have in common.
struct AotiShimInputs {
  const model::NativeFunctions& program;
  const FallbackOps& ops;
  StructuredGroups groups;
  // The functions that `ops` names.
  std::unordered_map<std::string, const model::NativeFunction*> functions;

  // Both outlive this object.
  AotiShimInputs(const model::NativeFunctions& program, const FallbackOps& ops);
};

// One shim. Throws EmitError for metadata in `ops` that makes no sense and
// for an operator that cannot be called from C.
AotiShim gen_aoti_c_shim(const AotiShimInputs& inputs,
                         std::optional<model::DispatchKey> dispatch_key,
                         const AotiShimSettings& settings);

struct AotiShimResult {
  // What is to be written.
  std::vector<AotiShimFile> files;
  // "PATH not found": headers that there was nothing to compare with.
  std::vector<std::string> notes;
  // Headers that would change, with what changes in them. If there is one,
  // nothing may be written.
  std::vector<std::string> errors;
};

// All shims: aten first, then by key. Reads the headers in aoti_install_dir
// unless they are to be updated.
AotiShimResult gen_aoti_c_shim_files(const model::NativeFunctions& program,
                                     const FallbackOps& ops,
                                     const AotiShimSettings& settings);

}  // namespace opgen::emit
