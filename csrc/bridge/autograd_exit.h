// What autograd's device threads need before the interpreter ends.
#pragma once

namespace torch_infini {

// Waits until autograd's threads of this device have let go of everything that
// earlier backward passes left them with. Call it without the GIL, before the
// interpreter is finalized. Does nothing where the device was never used.
// See Note [Autograd at exit].
void finish_autograd() noexcept;

}  // namespace torch_infini
