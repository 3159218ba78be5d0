// The dispatch keys that native_functions.yaml and the generated registrations
// name. Values and order are torchgen's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace opgen::model {

// clang-format off
#define OPGEN_BACKEND_COMPONENTS(V, prefix)                                    \
  V(prefix##CPU) V(prefix##CUDA) V(prefix##HIP) V(prefix##XLA) V(prefix##MTIA) \
  V(prefix##MPS) V(prefix##IPU) V(prefix##XPU) V(prefix##HPU) V(prefix##VE)    \
  V(prefix##Lazy) V(prefix##Meta) V(prefix##PrivateUse1)                       \
  V(prefix##PrivateUse2) V(prefix##PrivateUse3)

#define OPGEN_DISPATCH_KEYS(V)                                                 \
  V(Undefined) V(FPGA) V(MAIA) V(Vulkan) V(Metal) V(MKLDNN) V(OpenGL)          \
  V(OpenCL) V(IDEEP) V(CustomRNGKeyId) V(MkldnnCPU) V(Sparse) V(SparseCsr)     \
  V(NestedTensor) V(Dense) V(PythonTLSSnapshot) V(PreDispatch)                 \
  V(PythonDispatcher) V(Python) V(FuncTorchDynamicLayerBackMode) V(ZeroTensor) \
  V(Conjugate) V(Negative) V(BackendSelect) V(Named) V(AutogradOther)          \
  V(AutogradFunctionality) V(AutogradNestedTensor) V(Tracer) V(Autocast)       \
  V(AutocastCPU) V(AutocastCUDA) V(AutocastXPU) V(Batched) V(VmapMode)         \
  V(FuncTorchGradWrapper) V(FuncTorchBatched) V(BatchedNestedTensor)           \
  V(FuncTorchVmapMode) V(FuncTorchDynamicLayerFrontMode) V(Functionalize)      \
  V(TESTING_ONLY_GenericWrapper) V(TESTING_ONLY_GenericMode)                   \
  V(ADInplaceOrView) V(Autograd) V(CompositeImplicitAutograd)                  \
  V(CompositeImplicitAutogradNestedTensor) V(CompositeExplicitAutograd)        \
  V(CompositeExplicitAutogradNonFunctional) V(FuncTorchBatchedDecomposition)   \
  OPGEN_BACKEND_COMPONENTS(V, ) OPGEN_BACKEND_COMPONENTS(V, Quantized)         \
  OPGEN_BACKEND_COMPONENTS(V, Sparse) OPGEN_BACKEND_COMPONENTS(V, SparseCsr)   \
  OPGEN_BACKEND_COMPONENTS(V, NestedTensor)                                    \
  OPGEN_BACKEND_COMPONENTS(V, Autograd)
// clang-format on

// NOLINTBEGIN(readability-identifier-naming): k and the key's own name
enum class DispatchKey : std::uint8_t {
#define OPGEN_KEY(name) k##name,
  OPGEN_DISPATCH_KEYS(OPGEN_KEY)
#undef OPGEN_KEY
};
// NOLINTEND(readability-identifier-naming)

#define OPGEN_KEY(name) +1
inline constexpr std::size_t kDispatchKeyCount =
    0 OPGEN_DISPATCH_KEYS(OPGEN_KEY);
#undef OPGEN_KEY

// "CPU".
std::string_view name_of(DispatchKey key);

// The key as it stands in names of files and namespaces: "cpu".
std::string lower_name_of(DispatchKey key);
// Accepts every enumerator's name and CatchAll, which means Undefined.
std::optional<DispatchKey> parse_dispatch_key(std::string_view name);

// CompositeImplicitAutograd and the other keys whose kernels serve every
// backend.
bool is_generic_dispatch_key(DispatchKey key);
bool is_cuda_dispatch_key(DispatchKey key);
bool is_xpu_dispatch_key(DispatchKey key);
// Keys that structured kernels are generated for in PyTorch's own tree.
bool is_structured_dispatch_key(DispatchKey key);
bool is_ufunc_dispatch_key(DispatchKey key);

// The keys that registrations are generated for when every backend is built, in
// torchgen's order.
std::span<const DispatchKey> all_dispatch_keys();

}  // namespace opgen::model
