"""What the host provider reports of itself."""

import pytest
import torch
import torch_infini  # noqa: F401

pytestmark = pytest.mark.needs("host-access")


def test_an_operator_without_any_cpu_kernel_is_named():
    library = torch.library.Library("infini_test_none", "FRAGMENT")
    library.define("nothing(Tensor x) -> Tensor")
    library.impl("nothing", lambda x: x, "CUDA")
    with pytest.raises(NotImplementedError, match=r"infini_test_none::nothing.*infini"):
        torch.ops.infini_test_none.nothing(torch.ones(1, device="infini"))


def test_results_are_bit_equal_with_several_threads():
    """A large sum depends on the number of threads: host kernels take the caller's."""
    x = torch.rand(1 << 22)
    y = x.to("infini")
    before = torch.get_num_threads()
    try:
        for threads in (1, 2, 3):
            torch.set_num_threads(threads)
            assert y.sum().item() == x.sum().item()
            assert y.mean(0).item() == x.mean(0).item()
    finally:
        torch.set_num_threads(before)


def test_providers_are_listed():
    providers = dict(torch.infini.operators())
    assert len(providers) > 1000
    assert providers["aten::mm"] == "host"
    assert providers["aten::view"] == "native"
    # A CPU kernel beside a composite one: a backend fallback alone would miss it.
    assert providers["aten::native_layer_norm"] == "host"
    assert set(providers.values()) <= {"native", "infiniops", "host", "composite"}
