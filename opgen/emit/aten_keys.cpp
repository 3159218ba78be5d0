#include "opgen/emit/aten_keys.h"

#include <algorithm>
#include <string>

namespace opgen::emit {
namespace {

using model::DispatchKey;

const std::set<DispatchKey> kMpsKeys = {
    DispatchKey::kMPS, DispatchKey::kSparseMPS, DispatchKey::kSparseCsrMPS};

bool is_listed(const std::vector<std::string>& names, DispatchKey key) {
  return std::find(names.begin(), names.end(), name_of(key)) != names.end();
}

}  // namespace

AtenKeys select_keys(const AtenOptions& options) {
  AtenKeys keys;
  keys.functions_keys = {DispatchKey::kCPU,
                         DispatchKey::kCUDA,
                         DispatchKey::kCompositeImplicitAutograd,
                         DispatchKey::kCompositeImplicitAutogradNestedTensor,
                         DispatchKey::kCompositeExplicitAutograd,
                         DispatchKey::kCompositeExplicitAutogradNonFunctional,
                         DispatchKey::kMeta,
                         DispatchKey::kMTIA};
  keys.aoti_backends = {DispatchKey::kCPU, DispatchKey::kCUDA};
  if (options.mps || options.update_aoti_c_shim) {
    keys.functions_keys.insert(kMpsKeys.begin(), kMpsKeys.end());
    keys.aoti_backends.insert(DispatchKey::kMPS);
  } else {
    keys.ignore_keys.insert(kMpsKeys.begin(), kMpsKeys.end());
  }
  if (options.xpu || options.update_aoti_c_shim) {
    keys.functions_keys.insert(DispatchKey::kXPU);
    keys.aoti_backends.insert(DispatchKey::kXPU);
  } else {
    keys.ignore_keys.insert(DispatchKey::kXPU);
  }
  if (!options.mtia) {
    keys.ignore_keys.insert(DispatchKey::kMTIA);
  }
  for (const DispatchKey key : model::all_dispatch_keys()) {
    if (!keys.ignore_keys.contains(key)) {
      keys.valid_keys.push_back(key);
    }
  }
  for (const DispatchKey key : keys.valid_keys) {
    if (options.backend_whitelist.empty() ||
        model::is_generic_dispatch_key(key) ||
        is_listed(options.backend_whitelist, key)) {
      keys.dispatch_keys.push_back(key);
    }
  }
  for (const std::string& name : options.static_dispatch_backend) {
    if (const auto key = model::parse_dispatch_key(name)) {
      keys.functions_keys.insert(*key);
    }
  }
  return keys;
}

}  // namespace opgen::emit
