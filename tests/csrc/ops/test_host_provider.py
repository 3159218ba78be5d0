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


def test_an_operator_may_be_defined_again():
    """What is known of an operator does not outlive it."""
    x = torch.ones(2, device="infini")
    schemas = ("first(Tensor x, float by)", "second(Tensor x)", "first(Tensor x)")
    for schema in schemas:
        library = torch.library.Library("infini_test_again", "FRAGMENT")
        name = library.define(f"{schema} -> Tensor")
        operator = getattr(torch.ops.infini_test_again, name)
        arguments = (x, 3.0) if "by" in schema else (x,)
        with pytest.raises(NotImplementedError):
            operator(*arguments)
        library.impl(name, lambda t, by=3.0: t * by, "CPU")
        assert operator(*arguments).tolist() == [3, 3]
        library._destroy()
        del library, operator
        vars(torch.ops.infini_test_again).pop(name, None)


def test_zero_tensors_have_no_memory():
    zeros = torch._efficientzerotensor((2, 3), device="infini")
    x = torch.ones(2, 3, device="infini")
    assert zeros.device == x.device
    assert zeros._is_zerotensor()
    assert (zeros + x).tolist() == x.tolist()
    assert (zeros * x).cpu().tolist() == [[0, 0, 0]] * 2
    assert zeros.sum().item() == 0
    assert x.copy_(zeros).tolist() == [[0, 0, 0]] * 2


def test_lazy_clones_are_written_apart():
    x = torch.ones(3, device="infini")
    y = torch._lazy_clone(x)
    y.mul_(2)
    assert (x.tolist(), y.tolist()) == ([1, 1, 1], [2, 2, 2])


def test_results_that_share_memory():
    x = torch.arange(4.0, device="infini")
    first, second = torch.ops.aten.split(x + 1, 2)
    first.zero_()
    assert second.tolist() == [3, 4]
    assert x.tolist() == [0, 1, 2, 3]


def test_mode_into_outputs(device):
    x = torch.tensor([[1.0, 2.0, 2.0], [3.0, 3.0, 1.0]], device=device)
    values = torch.empty(2, device=device)
    indices = torch.empty(2, dtype=torch.long, device=device)
    result = torch.mode(x, 1, out=(values, indices))
    assert result[0] is values
    assert values.tolist() == [2, 3]


@pytest.fixture
def define():
    """define(schema, function) makes an operator with a CPU kernel in Python."""
    library = torch.library.Library("infini_host_test", "FRAGMENT")

    def operator(schema, function):
        name = library.define(schema).partition("(")[0]
        library.impl(name, function, "CPU")
        return getattr(torch.ops.infini_host_test, name.rpartition("::")[2])

    yield operator
    library._destroy()


def test_a_result_returned_twice_is_one_tensor(device, define):
    def twice(x):
        y = x * 2
        return y, y, [y, x.sum()]

    function = define("twice(Tensor x) -> (Tensor, Tensor, Tensor[])", twice)
    first, second, third = function(torch.ones(3, device=device))
    assert first is second
    assert third[0] is first
    assert first.device.type == device
    assert torch.equal(first.cpu(), torch.full((3,), 2.0))


def test_a_kernel_in_python_may_use_autograd(device, define):
    def slope(x):
        with torch.enable_grad():
            y = x.detach().requires_grad_()
            return torch.autograd.grad((y**3).sum(), y)[0]

    function = define("slope(Tensor x) -> Tensor", slope)
    result = function(torch.tensor([1.0, 2.0], device=device))
    assert result.device.type == device
    assert not result.requires_grad
    assert torch.equal(result.cpu(), torch.tensor([3.0, 12.0]))
