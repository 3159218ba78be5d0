"""Limits and statistics of memory, and running out of it."""

import pytest
import torch

from misuse.attempts import each

FRACTION = "Invalid type for fraction argument, must be `float`"

ATTEMPTS = [
    ("torch.infini.set_per_process_memory_fraction(1)", TypeError, FRACTION),
    ("torch.infini.set_per_process_memory_fraction('half')", TypeError, FRACTION),
    (
        "torch.infini.set_per_process_memory_fraction(-0.1)",
        ValueError,
        "Invalid fraction value: -0.1. Allowed range: 0~1",
    ),
    (
        "torch.infini.set_per_process_memory_fraction(0.5, 3)",
        RuntimeError,
        "infini device index 3 is out of range",
    ),
    ("torch.infini.memory_allocated(5)", RuntimeError, "index 5 is out of range"),
    (
        "torch.infini.memory_stats('cuda')",
        ValueError,
        "Expected an infini device, but got: cuda",
    ),
    (
        "torch.infini.mem_get_info('cpu')",
        ValueError,
        "Expected an infini device, but got: cpu",
    ),
    (
        "torch.infini.empty_cache(0)",
        TypeError,
        "empty_cache() takes 0 positional arguments but 1 was given",
    ),
    (
        "torch.accelerator.memory_allocated(4)",
        RuntimeError,
        "infini device index 4 is out of range",
    ),
    (
        "torch.accelerator.memory_stats('cuda:0')",
        ValueError,
        "cuda doesn't match the current accelerator infini",
    ),
    (
        "torch.empty(10**15, device=D)",
        torch.OutOfMemoryError,
        "infini out of memory. Tried to allocate 4000000000000000 bytes on infini:0",
    ),
]


@each(ATTEMPTS)
def test_refused(refused, code, error, text):
    refused(code, error, text)


def test_a_limit_below_what_is_in_use():
    x = torch.ones(1 << 20, device="infini")
    try:
        torch.infini.set_per_process_memory_fraction(0.0)
        assert x.sum().item() == 1 << 20
        with pytest.raises(torch.OutOfMemoryError, match=r"of at most 0 \(set_per"):
            torch.empty(64 << 20, device="infini")
    finally:
        torch.infini.set_per_process_memory_fraction(1.0)
    assert torch.ones(64 << 20, dtype=torch.uint8, device="infini").min().item() == 1


def test_going_on_with_a_smaller_batch_after_running_out():
    total = torch.infini.mem_get_info()[1]
    torch.infini.empty_cache()
    torch.infini.set_per_process_memory_fraction(256 * (1 << 20) / total)
    sizes = []
    try:
        for batch in (1024, 512, 256, 128):
            try:
                x = torch.ones(batch, 1 << 18, device="infini")
                sizes.append(x.shape[0])
                break
            except torch.infini.OutOfMemoryError:
                torch.infini.empty_cache()
    finally:
        torch.infini.set_per_process_memory_fraction(1.0)
    assert sizes == [128]
