// Which dispatch keys a run of `opgen aten` generates for, from its flags.
#pragma once

#include <set>
#include <vector>

#include "opgen/emit/options.h"
#include "opgen/model/dispatch_key.h"

namespace opgen::emit {

struct AtenKeys {
  // What a dispatch table may name.
  std::vector<model::DispatchKey> valid_keys;
  // Entries of dispatch tables that are dropped while reading.
  std::set<model::DispatchKey> ignore_keys;
  // What registrations are generated for.
  std::vector<model::DispatchKey> dispatch_keys;
  // Keys with functions of their own, `at::cpu::add`.
  std::set<model::DispatchKey> functions_keys;
  // Keys that the AOTInductor shim is generated for; `aten`, the shim of no
  // key, always is.
  std::set<model::DispatchKey> aoti_backends;
};

// Entries of static_dispatch_backend must be names of keys.
AtenKeys select_keys(const AtenOptions& options);

}  // namespace opgen::emit
