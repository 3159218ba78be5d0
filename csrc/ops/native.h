// The hand-written kernels and how they reach the dispatcher.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <torch/library.h>

namespace torch_infini {

// A library of implementations for one key. Never freed: a library withdraws
// its registrations when it dies.
torch::Library& new_library(const char* name, c10::DispatchKey key);

// Each registers one family for the PrivateUse1 key.
void register_factories(torch::Library& library);
void register_views(torch::Library& library);
void register_copies(torch::Library& library);
void register_storage_kernels(torch::Library& library);
void register_recurrent_cells(torch::Library& library);
void register_recurrent_layers(torch::Library& library);
void register_dropout(torch::Library& library);
void register_composites(torch::Library& library);
void register_attention(torch::Library& library);
void register_add(torch::Library& library);

// What torch.autocast("infini") does to operators. Once, when the device
// starts.
void register_autocast();

// Registers all of them and the host provider for everything else. Once.
void register_operators();

// What importing need not pay for; once, when the device starts: the generated
// wrappers where the host can address device memory, the host provider for
// operators that a backend's fallback never sees, autocast, and an error that
// names infini for sparse, quantized and nested tensors.
void register_at_start();

// Each operator that infini serves and the provider: "native", "infiniops",
// "host" or "composite" (made of operators that are served).
std::vector<std::pair<std::string, std::string>> operator_providers();

}  // namespace torch_infini
