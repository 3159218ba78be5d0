"""Pinned host memory: copies that return early, and a loader that prepares them.

A copy with `non_blocking=True` returns before it is complete only if the CPU side is
pinned memory and the runtime can copy asynchronously; otherwise it waits. The result is
read only after a synchronise, which is right in both cases.
"""

import torch
import torch_infini  # noqa: F401  makes the device "infini"
from torch.utils.data import DataLoader, TensorDataset


def copy_there_and_back() -> None:
    """Copies a pinned tensor to the device and into another pinned tensor."""
    source = torch.arange(1 << 20, dtype=torch.float32).pin_memory()
    result = torch.empty_like(source).pin_memory()
    assert source.is_pinned()

    on_device = source.to("infini", non_blocking=True)
    result.copy_(on_device + 1, non_blocking=True)
    torch.infini.synchronize()

    torch.testing.assert_close(result, source + 1, rtol=0, atol=0)
    print(f"{source.nbytes >> 20} MiB copied to {on_device.device} and back")


def load_batches() -> None:
    """Lets a DataLoader pin its batches."""
    data = TensorDataset(torch.arange(64.0), torch.arange(64))
    total = 0.0
    for values, labels in DataLoader(data, batch_size=16, pin_memory=True):
        assert values.is_pinned()
        values = values.to("infini", non_blocking=True)
        labels = labels.to("infini", non_blocking=True)
        total += (values + labels).sum().item()
    assert total == 2 * sum(range(64))
    print(f"4 pinned batches summed on the device: {total:.0f}")


if __name__ == "__main__":
    capabilities = torch.infini.runtime_backend()["capabilities"]
    print(f"the runtime offers: {', '.join(capabilities)}")
    copy_there_and_back()
    load_batches()
