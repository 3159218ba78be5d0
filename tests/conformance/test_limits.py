"""What the seed leaves out fails clearly and never silently through the CPU."""

import warnings
from pathlib import Path

import pytest
import torch


def test_stream_priorities_are_not_exposed(infini):
    assert infini.api.Stream(priority=0).device.type == "infini"
    for make in (
        lambda: infini.api.Stream(priority=-1),
        lambda: infini.api.Stream(0, -1),
        lambda: torch.Stream("infini", priority=-1),
    ):
        with pytest.raises((NotImplementedError, RuntimeError), match=r"priorit"):
            make()


@pytest.mark.filterwarnings("ignore:torch.quantize_per_tensor:UserWarning")
@pytest.mark.parametrize(
    "make",
    [
        lambda x: torch.sparse_coo_tensor(
            torch.tensor([[0, 1]]),
            torch.tensor([1.0, 2.0]),
            (3,),
            device="infini",
            check_invariants=False,
        ),
        lambda x: torch.quantize_per_tensor(x, 0.1, 0, torch.qint8),
        lambda x: x.to_sparse(),
    ],
    ids=["sparse", "quantized", "to_sparse"],
)
def test_sparse_and_quantized_tensors_raise_clearly(infini, make):
    with pytest.raises((NotImplementedError, RuntimeError), match=r"(?i)infini"):
        make(infini.tensor([1.0, 0.0, 3.0]))
    assert torch.equal(infini.tensor([1.0]).cpu(), torch.tensor([1.0]))


def test_operator_without_a_kernel_names_operator_and_device(infini):
    library = torch.library.Library("conformance", "FRAGMENT")
    library.define("nowhere(Tensor x) -> Tensor")
    with pytest.raises(NotImplementedError) as caught:
        torch.ops.conformance.nowhere(infini.tensor([1.0]))
    assert "conformance::nowhere" in str(caught.value)
    assert "infini" in str(caught.value).lower()


def test_results_stay_on_the_device_without_a_warning(infini):
    first = infini.tensor([1.0, 2.0, 3.0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        results = [first + first, first * 2, first.exp(), first.sum(), first.flip(0)]
    assert {result.device.type for result in results} == {"infini"}


def test_numpy_of_device_memory_is_refused(infini):
    with pytest.raises(TypeError, match=r"infini"):
        infini.tensor([1.0]).numpy()


def test_runtime_backend_names_what_was_selected(infini):
    selected = infini.api.runtime_backend()
    assert selected["name"]
    for part in ("runtime", "operators"):
        assert Path(selected[part]["path"]).is_file()
    assert infini.api.runtime_backend() == selected
    assert infini.api.device_count() >= 1


def test_operators_tells_who_computes_add(infini):
    providers = dict(infini.api.operators())
    assert providers["aten::add.Tensor"] == "infiniops"
    assert set(providers.values()) <= {"native", "infiniops", "host", "composite"}


@pytest.mark.parametrize("switch", ["fallback", "numerics"])
def test_switches_keep_their_mode_and_refuse_others(infini, switch):
    read = getattr(infini.api, f"get_{switch}")
    write = getattr(infini.api, f"set_{switch}")
    before = read()
    modes = {"fallback": ("on", "warn", "off"), "numerics": ("fast", "exact")}[switch]
    try:
        for mode in modes:
            write(mode)
            assert read() == mode
            with pytest.raises(ValueError, match="sometimes"):
                write("sometimes")
            assert read() == mode
    finally:
        write(before)


def test_fallback_is_off_at_first(infini):
    assert infini.api.get_fallback() == "off"
    assert infini.api.fallback_counts() == {}
