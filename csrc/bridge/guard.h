// c10's device guard for infini: what DeviceGuard, torch.Stream, torch.Event
// and torch.accelerator call. Forwards to csrc/runtime.
#pragma once

namespace torch_infini {

// Once, at registration.
void register_guard();

}  // namespace torch_infini
