"""torch.autocast("infini"): what it casts, to what, and that the bits are the CPU's."""

import re
import threading

import pytest
import torch
from torch.utils._pytree import tree_flatten, tree_map

from csrc.ops import autocast_cases as cases

LOWER = [torch.float16, torch.bfloat16]
# No CPU kernel exists for these.
FUSED = {
    "_scaled_dot_product_flash_attention",
    "_thnn_fused_lstm_cell",
    "_thnn_fused_gru_cell",
}
BY_HAND = {"norm.Scalar", "norm.ScalarOpt_dim", "binary_cross_entropy"}


def operator(name):
    packet, _, overload = name.partition(".")
    return getattr(getattr(torch.ops.aten, packet), overload or "default")


def cast(values, dtype):
    """What autocast does, by hand: floating-point tensors but float64."""

    def one(x):
        eligible = isinstance(x, torch.Tensor) and x.is_floating_point()
        return x.to(dtype) if eligible and x.dtype != torch.float64 else x

    return tree_map(one, values)


def call_both(name, ours, theirs, region, **keywords):
    """The results on the device in a region, and on the CPU without one."""
    ours = tree_map(
        lambda x: x.to("infini") if isinstance(x, torch.Tensor) else x, ours
    )
    with torch.autocast("infini", dtype=region):
        got = operator(name)(*ours)
    return tree_flatten(got)[0], tree_flatten(operator(name)(*theirs, **keywords))[0]


def assert_equal(got, expected, dtype):
    assert len(got) == len(expected)
    for a, b in zip(got, expected, strict=True):
        assert a.device.type == "infini"
        assert a.dtype == b.dtype
        assert not b.is_floating_point() or b.dtype == dtype
        torch.testing.assert_close(a.cpu(), b, rtol=0, atol=0, equal_nan=True)


def registered(key):
    names = set()
    for name in torch._C._dispatch_get_all_op_names():
        if name.startswith("aten::") and re.search(
            rf"^{key}(\[\w+\])?:", torch._C._dispatch_dump(name), re.MULTILINE
        ):
            names.add(name.removeprefix("aten::"))
    return names


def test_the_lists_are_those_of_cuda():
    torch.infini.init()
    ours, cuda = registered("AutocastPrivateUse1"), registered("AutocastCUDA")
    assert ours == {name for name in cuda if not name.startswith("cudnn_")}
    lists = [cases.lower_precision(), cases.float32(), cases.float32_output()]
    tried = {name for each in [*lists, cases.promoted()] for name, _ in each}
    assert ours == tried | FUSED | BY_HAND


@pytest.mark.parametrize("dtype", LOWER, ids=str)
@pytest.mark.parametrize(("name", "arguments"), cases.lower_precision())
def test_lower_precision(name, arguments, dtype):
    got, expected = call_both(name, arguments, cast(arguments, dtype), dtype)
    assert_equal(got, expected, dtype)


@pytest.mark.parametrize("dtype", LOWER, ids=str)
@pytest.mark.parametrize(("name", "arguments"), cases.float32())
def test_float32(name, arguments, dtype):
    arguments = cast(arguments, dtype)
    theirs = cast(arguments, torch.float32)
    got, expected = call_both(name, arguments, theirs, dtype)
    assert_equal(got, expected, torch.float32)


@pytest.mark.parametrize("dtype", LOWER, ids=str)
@pytest.mark.parametrize(("name", "arguments"), cases.float32_output())
def test_output_in_float32(name, arguments, dtype):
    arguments = cast(arguments, dtype)
    got, expected = call_both(name, arguments, arguments, dtype, dtype=torch.float32)
    assert_equal(got, expected, torch.float32)
    with torch.autocast("infini", dtype=dtype):
        ours = tree_map(
            lambda x: x.to("infini") if isinstance(x, torch.Tensor) else x, arguments
        )
        assert operator(name)(*ours, dtype=torch.float64).dtype == torch.float64


@pytest.mark.parametrize("dtype", LOWER, ids=str)
@pytest.mark.parametrize(("name", "arguments"), cases.promoted())
def test_promoted(name, arguments, dtype):
    lower = cast(arguments, dtype)
    assert_equal(*call_both(name, lower, lower, dtype), dtype)
    mixed = (*cast(arguments[:1], dtype), *arguments[1:])
    theirs = cast(mixed, torch.float32)
    assert_equal(*call_both(name, mixed, theirs, dtype), torch.float32)
    other = LOWER[dtype == LOWER[0]]
    with pytest.raises(RuntimeError, match="takes arguments of"):
        call_both(name, cast(arguments, other), (), dtype)


@pytest.mark.parametrize("dtype", LOWER, ids=str)
@pytest.mark.parametrize("arguments", [(3,), (3, [1]), (None, [0], True)])
def test_norm(arguments, dtype):
    x = torch.randn(3, 4).to(dtype)
    name = "norm.Scalar" if len(arguments) == 1 else "norm.ScalarOpt_dim"
    with torch.autocast("infini", dtype=dtype):
        got = operator(name)(x.to("infini"), *arguments)
        double = operator(name)(x.to("infini").double(), *arguments)
    dim, keepdim = [*arguments[1:], None, False][:2]
    expected = torch.norm(x, arguments[0], dim, bool(keepdim), dtype=torch.float32)
    assert_equal([got], [expected], torch.float32)
    assert double.dtype == torch.float64


def test_the_optional_bias_has_no_say():
    x, y, w = (torch.randn(s).half() for s in ((2, 3), (2, 4), (2, 3, 4)))
    bias = torch.randn(2)
    got, expected = call_both(
        "bilinear", (x, y, w, bias), (x, y, w, bias.half()), torch.float16
    )
    assert_equal(got, expected, torch.float16)


def test_binary_cross_entropy_is_refused(device):
    x = torch.rand(3, device=device)
    with torch.autocast(device, dtype=torch.bfloat16):
        loss = torch.nn.functional.binary_cross_entropy_with_logits(x, x)
        assert loss.dtype == torch.float32
        if device == "infini":
            with pytest.raises(RuntimeError, match=r"unsafe to autocast on infini.*Lo"):
                torch.nn.functional.binary_cross_entropy(x, x)
            with torch.autocast("infini", enabled=False):
                torch.nn.functional.binary_cross_entropy(x, x)


class TestRegions:
    def test_default_dtype_is_that_of_cuda(self):
        assert torch.get_autocast_dtype("infini") == torch.float16
        assert torch.get_autocast_dtype("cuda") == torch.float16
        x = torch.ones(2, 2, device="infini")
        with torch.autocast("infini"):
            assert (x @ x).dtype == torch.float16
        found = []

        def work():
            with torch.autocast("infini"):
                found.append((x @ x).dtype)

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        assert found == [torch.float16]

    def test_nested(self, device):
        x = torch.ones(2, 2, device=device)
        with torch.autocast(device, dtype=torch.bfloat16):
            y = x @ x
            with torch.autocast(device, enabled=False):
                assert not torch.is_autocast_enabled(device)
                assert (x @ x).dtype == torch.float32
                with pytest.raises(RuntimeError, match="dtype"):
                    x @ y
                assert (x @ y.float()).dtype == torch.float32
                with torch.autocast(device, dtype=torch.float16):
                    assert (x @ x).dtype == torch.float16
            assert torch.is_autocast_enabled(device)
            assert (x @ y).dtype == torch.bfloat16
        assert (x @ x).dtype == torch.float32
        assert not torch.is_autocast_enabled(device)

    def test_after_an_error(self, device):
        x = torch.ones(2, 3, device=device)
        with (
            pytest.raises(RuntimeError, match="cannot be multiplied"),
            torch.autocast(device, dtype=torch.bfloat16),
        ):
            x @ x
        assert not torch.is_autocast_enabled(device)
        assert (x @ x.t()).dtype == torch.float32

    def test_other_dtypes_are_refused(self):
        x = torch.ones(2, 2, device="infini")
        with pytest.warns(UserWarning, match=r"infini.*not supported"):  # noqa: SIM117
            with torch.autocast("infini", dtype=torch.float64):
                assert (x @ x).dtype == torch.float32

    def test_only_the_devices_own_tensors(self):
        x = torch.ones(2, 2)
        with torch.autocast("infini"):
            assert (x @ x).dtype == torch.float32
        y = x.to("infini")
        with torch.autocast("cpu", dtype=torch.bfloat16):
            assert (y @ y).dtype == torch.float32

    def test_what_is_left_alone(self, device):
        x = torch.ones(2, 2, device=device)
        with torch.autocast(device, dtype=torch.bfloat16):
            for dtype in (torch.float64, torch.int64, torch.complex64):
                assert torch.mm(x.to(dtype), x.to(dtype)).dtype == dtype
            assert (x + x).dtype == torch.float32
            assert (x.bfloat16() + x).dtype == torch.float32
            out = torch.empty_like(x)
            torch.mm(x, x, out=out)
            assert out.dtype == torch.float32

    def test_threads_have_their_own(self, device):
        x = torch.ones(2, 2, device=device)
        found = []
        with torch.autocast(device, dtype=torch.bfloat16):
            thread = threading.Thread(target=lambda: found.append((x @ x).dtype))
            thread.start()
            thread.join()
        assert found == [torch.float32]

    def test_decorator(self, device):
        @torch.autocast(device, dtype=torch.bfloat16)
        def square(x):
            return x @ x

        assert square(torch.ones(2, 2, device=device)).dtype == torch.bfloat16

    def test_casts_of_parameters_are_kept(self, device):
        weight = torch.ones(2, 2, device=device, requires_grad=True)
        x = torch.ones(2, 2, device=device, dtype=torch.bfloat16)

        def counted(cache_enabled):
            with (
                torch.autocast(
                    device, dtype=torch.bfloat16, cache_enabled=cache_enabled
                ),
                torch.profiler.profile() as profile,
            ):
                (x @ weight + x @ weight).sum().backward()
            return sum(
                e.count for e in profile.key_averages() if e.key == "aten::_to_copy"
            )

        kept, anew = counted(True), counted(False)
        assert kept < anew
        assert weight.grad.dtype == torch.float32
        with torch.autocast(device, dtype=torch.bfloat16):
            first = x @ weight
            with torch.no_grad():
                weight.mul_(2)
            assert torch.equal(x @ weight, first)  # the cast that was kept
            torch.clear_autocast_cache()
            assert torch.equal(x @ weight, 2 * first)


class TestCustomFunctions:
    def test_in_a_region(self, device):
        class Product(torch.autograd.Function):
            @staticmethod
            @torch.amp.custom_fwd(device_type=device)
            def forward(ctx, x, y):
                ctx.save_for_backward(x, y)
                return x @ y

            @staticmethod
            @torch.amp.custom_bwd(device_type=device)
            def backward(ctx, grad):
                x, y = ctx.saved_tensors
                assert torch.is_autocast_enabled(device)
                return grad @ y.t(), x.t() @ grad

        x = torch.randn(2, 2, device=device, requires_grad=True)
        with torch.autocast(device, dtype=torch.bfloat16):
            y = Product.apply(x, x)
        assert y.dtype == torch.bfloat16
        y.sum().backward()
        assert x.grad.dtype == torch.float32

    def test_cast_inputs(self, device):
        class Product(torch.autograd.Function):
            @staticmethod
            @torch.amp.custom_fwd(device_type=device, cast_inputs=torch.float32)
            def forward(ctx, x, y):
                assert not torch.is_autocast_enabled(device)
                assert x.dtype == y.dtype == torch.float32
                ctx.save_for_backward(x, y)
                return x @ y

            @staticmethod
            @torch.amp.custom_bwd(device_type=device)
            def backward(ctx, grad):
                x, y = ctx.saved_tensors
                assert not torch.is_autocast_enabled(device)
                return grad @ y.t(), x.t() @ grad

        x = torch.randn(2, 2, device=device, requires_grad=True)
        with torch.autocast(device, dtype=torch.bfloat16):
            y = Product.apply(x.bfloat16(), x)
        assert y.dtype == torch.float32
        y.sum().backward()


def test_compiled_regions(device):
    model = torch.nn.Linear(4, 4).to(device)

    def step(x):
        with torch.autocast(device, dtype=torch.bfloat16):
            return torch.softmax(model(x), -1)

    x = torch.randn(2, 4, device=device)
    for backend in ("eager", "aot_eager"):
        torch._dynamo.reset()
        assert torch.equal(torch.compile(step, backend=backend)(x), step(x))


def test_vmap(device):
    x = torch.randn(3, 2, 2, device=device)
    with torch.autocast(device, dtype=torch.bfloat16):
        y = torch.func.vmap(torch.mm)(x, x)
        assert y.dtype == torch.bfloat16
        assert torch.equal(y, torch.bmm(x, x))
