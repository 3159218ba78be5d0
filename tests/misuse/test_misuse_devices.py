"""Devices that do not exist, and what is no device at all."""

import pytest
import torch

from misuse.attempts import each

OUT_OF_RANGE = "is out of range: there is 1 infini device (infini:0)"
NO_DEVICE = "Expected an infini device (an int, a string such as 'infini:0'"
OTHER = "Expected an infini device, but got: "
NO_INDEX = "Expected a torch.device with a specified index or an integer, but got: "
UNKNOWN = "device type at start of device string: "

ATTEMPTS = [
    ("torch.ones(1, device='infini:1')", RuntimeError, f"index 1 {OUT_OF_RANGE}"),
    ("torch.ones(1, device='infini:9')", RuntimeError, f"index 9 {OUT_OF_RANGE}"),
    ("torch.ones(1, device=5)", RuntimeError, f"index 5 {OUT_OF_RANGE}"),
    ("torch.empty(0, device='infini:9')", RuntimeError, f"index 9 {OUT_OF_RANGE}"),
    ("torch.ones(1, device=-1)", RuntimeError, "Device index must not be negative"),
    ("torch.ones(1, device=True)", TypeError, "must be torch.device, not bool"),
    ("torch.ones(1, device='infini:-1')", RuntimeError, "Invalid device string"),
    ("torch.ones(1, device='infini:1.5')", RuntimeError, "Invalid device string"),
    ("torch.ones(1, device='infini:')", RuntimeError, "Invalid device string"),
    ("torch.ones(1, device='infini:0:0')", RuntimeError, "Invalid device string"),
    ("torch.ones(1, device=' infini')", RuntimeError, "Invalid device string"),
    ("torch.ones(1, device='infni')", RuntimeError, f"{UNKNOWN}infni"),
    ("torch.ones(1, device='Infini')", RuntimeError, f"{UNKNOWN}Infini"),
    ("c.to('infini:3')", RuntimeError, f"index 3 {OUT_OF_RANGE}"),
    ("c.infini(1)", RuntimeError, f"index 1 {OUT_OF_RANGE}"),
    ("c.infini(-1)", RuntimeError, f"index -1 {OUT_OF_RANGE}"),
    ("c.infini(256)", RuntimeError, f"index 256 {OUT_OF_RANGE}"),
    ("c.infini(2**40)", RuntimeError, f"index 1099511627776 {OUT_OF_RANGE}"),
    ("c.infini(True)", TypeError, f"{NO_DEVICE}"),
    ("c.infini(1.5)", TypeError, "but got 1.5 of type float"),
    ("c.infini('cpu')", ValueError, f"{OTHER}cpu"),
    ("nn.Linear(1, 1).infini(256)", RuntimeError, f"index 256 {OUT_OF_RANGE}"),
    ("nn.Linear(1, 1).to('infini:3')", RuntimeError, f"index 3 {OUT_OF_RANGE}"),
    ("torch.infini.set_device(1)", RuntimeError, f"index 1 {OUT_OF_RANGE}"),
    ("torch.infini.set_device(256)", RuntimeError, f"index 256 {OUT_OF_RANGE}"),
    ("torch.infini.set_device(2**40)", RuntimeError, OUT_OF_RANGE),
    ("torch.infini.set_device('infini:9')", RuntimeError, f"index 9 {OUT_OF_RANGE}"),
    ("torch.infini.set_device(True)", TypeError, "but got True of type bool"),
    ("torch.infini.set_device(1.5)", TypeError, "but got 1.5 of type float"),
    ("torch.infini.set_device([0])", TypeError, "but got [0] of type list"),
    ("torch.infini.set_device('cpu')", ValueError, f"{OTHER}cpu"),
    ("torch.infini.set_device('cuda:0')", ValueError, f"{OTHER}cuda:0"),
    ("torch.infini.set_device(None)", ValueError, f"{NO_INDEX}None"),
    ("torch.infini.set_device('infini')", ValueError, f"{NO_INDEX}infini"),
    ("torch.infini.set_device('0')", RuntimeError, "Invalid device string: '0'"),
    ("torch.infini.synchronize(256)", RuntimeError, f"index 256 {OUT_OF_RANGE}"),
    ("torch.infini.synchronize('cpu')", ValueError, f"{OTHER}cpu"),
    ("torch.infini.current_stream(1)", RuntimeError, f"index 1 {OUT_OF_RANGE}"),
    ("torch.infini.default_stream(2**40)", RuntimeError, OUT_OF_RANGE),
    ("torch.infini.Stream(9)", RuntimeError, f"index 9 {OUT_OF_RANGE}"),
    ("torch.infini.Stream(device='cpu')", ValueError, f"{OTHER}cpu"),
    ("torch.Stream('infini:9')", RuntimeError, f"index 9 {OUT_OF_RANGE}"),
    ("torch.infini.get_device_name(3)", RuntimeError, f"index 3 {OUT_OF_RANGE}"),
    ("torch.infini.get_device_properties(-1)", RuntimeError, f"-1 {OUT_OF_RANGE}"),
    ("torch.infini.get_device_properties('cuda')", ValueError, f"{OTHER}cuda"),
    ("torch.infini.get_device_capability(99)", RuntimeError, f"99 {OUT_OF_RANGE}"),
    ("torch.infini.mem_get_info(4)", RuntimeError, f"index 4 {OUT_OF_RANGE}"),
    ("torch.infini.memory_stats(4)", RuntimeError, f"index 4 {OUT_OF_RANGE}"),
    ("torch.infini.reset_peak_memory_stats(4)", RuntimeError, OUT_OF_RANGE),
    ("torch.infini.can_device_access_peer(0, 7)", RuntimeError, OUT_OF_RANGE),
    ("torch.infini.get_rng_state(5)", RuntimeError, f"index 5 {OUT_OF_RANGE}"),
    ("torch.infini.device(7).__enter__()", RuntimeError, f"index 7 {OUT_OF_RANGE}"),
    ("torch.infini.device('cpu')", ValueError, f"{OTHER}cpu"),
    ("torch.accelerator.set_device_index(4)", RuntimeError, OUT_OF_RANGE),
    ("torch.accelerator.synchronize(4)", RuntimeError, OUT_OF_RANGE),
    ("torch.accelerator.current_stream(4)", RuntimeError, OUT_OF_RANGE),
    ("torch.accelerator.memory_allocated(4)", RuntimeError, OUT_OF_RANGE),
    (
        "torch.accelerator.set_device_index('cuda')",
        ValueError,
        "cuda doesn't match the current accelerator infini.",
    ),
    ("torch.infini.nothing", AttributeError, "has no attribute 'nothing'"),
    ("x.cuda()", AssertionError, "Torch not compiled with CUDA enabled"),
    (
        "torch.infini.set_fallback('yes')",
        ValueError,
        "fallback mode is 'yes', expected one of: off, warn, on",
    ),
    ("torch.infini.set_fallback(1)", TypeError, "but got 1 of type int"),
    ("torch.infini.set_numerics(None)", TypeError, "Expected a mode as a string"),
    (
        "torch.utils.rename_privateuse1_backend('other')",
        RuntimeError,
        "has already been set! Current backend: infini",
    ),
    (
        "torch._register_device_module('infini', torch.infini)",
        RuntimeError,
        "The runtime module of 'infini' has already been registered",
    ),
]


@each(ATTEMPTS)
def test_refused(refused, code, error, text):
    refused(code, error, text)


def test_default_device_that_does_not_exist():
    torch.set_default_device("infini:9")
    try:
        with pytest.raises(RuntimeError, match="index 9 is out of range"):
            torch.ones(1)
    finally:
        torch.set_default_device(None)


@pytest.mark.parametrize("index", [128, 256, 2**40])
def test_torch_narrows_the_index_of_a_device_itself(index):
    # torch.device keeps eight bits before any backend sees the number.
    assert torch.device("infini", index).index == torch.device("cuda", index).index


def test_load_to_a_device_that_does_not_exist(tmp_path):
    path = tmp_path / "x.pt"
    torch.save(torch.ones(3, device="infini"), path)
    with pytest.raises(RuntimeError, match="INFINI device 7 but"):
        torch.load(path, map_location="infini:7")
    assert torch.equal(torch.load(path, map_location="cpu"), torch.ones(3))


def test_an_exception_in_nested_contexts_brings_everything_back():
    side = torch.infini.Stream()
    with (
        pytest.raises(RuntimeError, match="size of tensor"),
        torch.infini.device(0),
        torch.infini.stream(side),
        torch.infini.device(0),
    ):
        torch.ones(3, device="infini") + torch.ones(4, device="infini")
    assert torch.infini.current_stream() == torch.infini.default_stream()


def test_a_context_that_is_dropped_half_way_brings_the_stream_back():
    def half_way():
        with torch.infini.stream(torch.infini.Stream()):
            yield

    generator = half_way()
    next(generator)
    assert torch.infini.current_stream() != torch.infini.default_stream()
    generator.close()
    assert torch.infini.current_stream() == torch.infini.default_stream()
