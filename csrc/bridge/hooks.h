// PyTorch's PrivateUse1 hooks: what autograd, torch.accelerator and storages
// ask of a backend.
#pragma once

namespace torch_infini {

// Once, at registration.
void register_hooks();

}  // namespace torch_infini
