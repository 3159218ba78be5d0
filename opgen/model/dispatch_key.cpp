#include "opgen/model/dispatch_key.h"

#include <array>
#include <unordered_map>

#include "opgen/text/characters.h"

namespace opgen::model {

namespace {

constexpr std::array<std::string_view, kDispatchKeyCount> kNames = {
#define OPGEN_KEY(name) #name,
    OPGEN_DISPATCH_KEYS(OPGEN_KEY)
#undef OPGEN_KEY
};

// clang-format off
constexpr std::array kAllDispatchKeys = {
    DispatchKey::kCPU,
    DispatchKey::kSparseCPU,
    DispatchKey::kSparseCsrCPU,
    DispatchKey::kMkldnnCPU,
    DispatchKey::kCUDA,
    DispatchKey::kMPS,
    DispatchKey::kXPU,
    DispatchKey::kSparseXPU,
    DispatchKey::kSparseCsrXPU,
    DispatchKey::kSparseCUDA,
    DispatchKey::kSparseCsrCUDA,
    DispatchKey::kSparseMPS,
    DispatchKey::kSparseCsrMPS,
    DispatchKey::kQuantizedCPU,
    DispatchKey::kQuantizedCUDA,
    DispatchKey::kCompositeImplicitAutograd,
    DispatchKey::kCompositeImplicitAutogradNestedTensor,
    DispatchKey::kCompositeExplicitAutograd,
    DispatchKey::kCompositeExplicitAutogradNonFunctional,
    DispatchKey::kNestedTensorCPU,
    DispatchKey::kNestedTensorCUDA,
    DispatchKey::kNestedTensorXPU,
    DispatchKey::kNestedTensorHPU,
    DispatchKey::kMeta,
    DispatchKey::kSparseMeta,
    DispatchKey::kSparseCsrMeta,
    DispatchKey::kQuantizedMeta,
    DispatchKey::kNestedTensorMeta,
    DispatchKey::kZeroTensor,
    DispatchKey::kMTIA,
};
// clang-format on

std::unordered_map<std::string_view, DispatchKey> make_keys_by_name() {
  std::unordered_map<std::string_view, DispatchKey> keys;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    keys.emplace(kNames[i], static_cast<DispatchKey>(i));
  }
  keys.emplace("CatchAll", DispatchKey::kUndefined);
  return keys;
}

}  // namespace

std::string_view name_of(DispatchKey key) {
  return kNames.at(static_cast<std::size_t>(key));
}

std::string lower_name_of(DispatchKey key) {
  return text::to_lower(name_of(key));
}

std::optional<DispatchKey> parse_dispatch_key(std::string_view name) {
  static const std::unordered_map<std::string_view, DispatchKey> keys =
      make_keys_by_name();
  const auto found = keys.find(name);
  if (found == keys.end()) {
    return std::nullopt;
  }
  return found->second;
}

bool is_generic_dispatch_key(DispatchKey key) {
  return key == DispatchKey::kCompositeExplicitAutograd ||
         key == DispatchKey::kCompositeExplicitAutogradNonFunctional ||
         key == DispatchKey::kCompositeImplicitAutograd ||
         key == DispatchKey::kCompositeImplicitAutogradNestedTensor;
}

bool is_cuda_dispatch_key(DispatchKey key) {
  return key == DispatchKey::kCUDA || key == DispatchKey::kQuantizedCUDA ||
         key == DispatchKey::kSparseCUDA ||
         key == DispatchKey::kSparseCsrCUDA ||
         key == DispatchKey::kNestedTensorCUDA ||
         key == DispatchKey::kAutogradCUDA;
}

bool is_xpu_dispatch_key(DispatchKey key) {
  return key == DispatchKey::kXPU || key == DispatchKey::kQuantizedXPU ||
         key == DispatchKey::kSparseXPU || key == DispatchKey::kSparseCsrXPU ||
         key == DispatchKey::kNestedTensorXPU ||
         key == DispatchKey::kAutogradXPU;
}

bool is_structured_dispatch_key(DispatchKey key) {
  return key == DispatchKey::kMPS || key == DispatchKey::kCUDA ||
         key == DispatchKey::kCPU || key == DispatchKey::kXPU ||
         key == DispatchKey::kMTIA;
}

bool is_ufunc_dispatch_key(DispatchKey key) {
  return key == DispatchKey::kCUDA || key == DispatchKey::kCPU;
}

std::span<const DispatchKey> all_dispatch_keys() {
  return kAllDispatchKeys;
}

}  // namespace opgen::model
