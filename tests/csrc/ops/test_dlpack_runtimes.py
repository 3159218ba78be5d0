"""DLPack on discrete memory, on two devices, and between streams."""

import pytest
import torch
from torch.utils.dlpack import from_dlpack, to_dlpack

from csrc.fake_runtime import on_fake

DISCRETE = {"FAKE_RT_CAPABILITIES": "async_memcpy,host_allocation,events"}


@on_fake(**DISCRETE)
def test_memory_that_the_host_cannot_address(fake):
    x = torch.arange(6.0).to("infini")
    y = from_dlpack(to_dlpack(x))
    assert y.data_ptr() == x.data_ptr()
    assert y.cpu().tolist() == [0, 1, 2, 3, 4, 5]


@on_fake(FAKE_RT_DEVICES=2)
def test_the_index_is_kept(fake):
    x = torch.ones(3, device="infini:1")
    assert from_dlpack(to_dlpack(x)).device == x.device


@on_fake(FAKE_RT_LAZY=1)
@pytest.mark.parametrize("default_produces", [True, False])
def test_the_consumers_stream_waits(fake, default_produces):
    torch.infini.enable_dlpack()
    source = torch.arange(1 << 12).pin_memory()
    result = torch.zeros(1 << 12, dtype=torch.int64).pin_memory()
    x = torch.zeros(1 << 12, dtype=torch.int64, device="infini")
    torch.infini.synchronize()
    default, side = torch.infini.default_stream(), torch.infini.Stream()
    producer, consumer = (default, side) if default_produces else (side, default)
    with torch.infini.stream(producer):
        x.copy_(source, non_blocking=True)
        capsule = x.__dlpack__(stream=consumer.infini_stream)
    with torch.infini.stream(consumer):
        result.copy_(from_dlpack(capsule), non_blocking=True)
    consumer.synchronize()
    assert torch.equal(result, source)
    torch.infini.disable_dlpack()
