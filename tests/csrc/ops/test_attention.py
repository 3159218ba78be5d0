"""scaled_dot_product_attention chooses and computes what the CPU does, bit for bit."""

import itertools

import pytest
import torch
from torch import nn
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention as attention

from csrc.ops.conftest import assert_same

FLASH = "_scaled_dot_product_flash_attention_for_cpu"
FLOATS = [torch.float32, torch.float64, torch.bfloat16, torch.float16]


def qkv(*, batch=2, heads=4, kv_heads=None, length=17, kv_length=19, size=8, **options):
    """Three CPU tensors: (batch, heads, length, size) and twice the keys' shape."""
    options.setdefault("requires_grad", True)
    keys = (batch, kv_heads or heads, kv_length, size)
    return [
        torch.randn(batch, heads, length, size, **options),
        torch.randn(keys, **options),
        torch.randn(keys, **options),
    ]


def kernels(function, *arguments):
    """Names of the operators that a call runs."""
    with torch.profiler.profile() as profile:
        function(*arguments)
    return {event.key for event in profile.key_averages()}


@pytest.fixture(autouse=True)
def seeded():
    torch.manual_seed(5)


MASKS = {
    "none": lambda q, k: None,
    "bool": lambda q, k: torch.rand(q.shape[-2], k.shape[-2]) > 0.2,
    "float": lambda q, k: torch.randn(q.shape[-2], k.shape[-2]).to(q.dtype),
    "heads": lambda q, k: torch.randn(*q.shape[:3], k.shape[-2]).to(q.dtype),
    "batch": lambda q, k: torch.rand(q.shape[0], 1, q.shape[-2], k.shape[-2]) > 0.2,
    "row": lambda q, k: torch.rand(1, k.shape[-2]) > 0.2,
    "closed": lambda q, k: torch.zeros(q.shape[-2], k.shape[-2], dtype=torch.bool),
}


@pytest.mark.parametrize("requires_grad", [True, False], ids=["grad", "no_grad"])
@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_masks(agree, dtype, mask, requires_grad):
    q, k, v = qkv(dtype=dtype, requires_grad=requires_grad)
    agree(attention, q, k, v, MASKS[mask](q, k))


@pytest.mark.parametrize("causal", [True, False], ids=["causal", "full"])
@pytest.mark.parametrize("scale", [None, 0.3, 1.0])
@pytest.mark.parametrize("dropout", [0.0, 0.4])
@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_options(agree, dtype, dropout, scale, causal):
    q, k, v = qkv(dtype=dtype, kv_length=17)
    agree(lambda *x: attention(*x, None, dropout, causal, scale=scale), q, k, v)


@pytest.mark.parametrize("causal", [True, False], ids=["causal", "full"])
@pytest.mark.parametrize("dropout", [0.0, 0.4])
@pytest.mark.parametrize("kv_heads", [1, 2, 4])
@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_grouped_queries(agree, dtype, kv_heads, dropout, causal):
    q, k, v = qkv(dtype=dtype, kv_heads=kv_heads, kv_length=17)
    agree(lambda *x: attention(*x, None, dropout, causal, enable_gqa=True), q, k, v)


@pytest.mark.parametrize("size", [1, 3, 5, 16, 33, 64, 80])
@pytest.mark.parametrize("lengths", [(1, 1), (1, 40), (33, 7), (600, 530)])
def test_sizes(agree, size, lengths):
    q, k, v = qkv(batch=1, heads=2, length=lengths[0], kv_length=lengths[1], size=size)
    agree(attention, q, k, v)
    agree(lambda *x: attention(*x, is_causal=True), q, k, v)


LAYOUTS = {
    "heads_last": lambda x: x.transpose(1, 2).contiguous().transpose(1, 2),
    "columns": lambda x: x.transpose(2, 3).contiguous().transpose(2, 3),
    "part": lambda x: torch.cat([x, x], -1)[..., : x.shape[-1]],
    "every_second": lambda x: x.repeat_interleave(2, -1)[..., ::2],
    "expanded": lambda x: x[:1].expand_as(x),
}


@pytest.mark.parametrize("causal", [True, False], ids=["causal", "full"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts(agree, layout, causal):
    change = LAYOUTS[layout]
    agree(lambda *x: attention(*map(change, x), is_causal=causal), *qkv(kv_length=17))


@pytest.mark.parametrize(
    "shapes",
    [
        [(4, 8)] * 3,
        [(2, 4, 8)] * 3,
        [(2, 2, 2, 4, 8)] * 3,
        [(2, 2, 4, 8), (2, 2, 4, 8), (2, 2, 4, 3)],
        [(1, 2, 4, 8), (3, 2, 4, 8), (3, 2, 4, 8)],
        [(0, 2, 4, 8)] * 3,
        [(2, 2, 0, 8)] * 3,
        [(2, 2, 4, 0)] * 3,
    ],
    ids=str,
)
def test_shapes(agree, shapes):
    agree(attention, *[torch.randn(s, requires_grad=True) for s in shapes])


def test_a_causal_mask_beside_another(agree):
    q, k, v = qkv()
    agree(attention, q, k, v, torch.randn(17, 19), 0.0, True)


def test_a_mask_that_wants_a_gradient(agree):
    q, k, v = qkv()
    mask = torch.randn(17, 19, requires_grad=True)
    agree(attention, q, k, v, mask)


@pytest.mark.parametrize(
    ("change", "is_flash"),
    [
        ({}, True),
        ({"is_causal": True}, True),
        ({"dropout_p": 0.1}, False),
        ({"scale": 2.0}, True),
    ],
)
def test_the_choice(device, change, is_flash):
    q, k, v = (x.to(device) for x in qkv(requires_grad=False))
    assert torch._fused_sdp_choice(q, k, v, **change) == int(is_flash)
    names = kernels(lambda: attention(q, k, v, **change))
    assert (f"aten::{FLASH}" in names) == is_flash
    assert ("aten::_scaled_dot_product_attention_math" in names) != is_flash


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (lambda x: (x, x.double(), x), "to have the same dtype"),
        (lambda x: (x, x, x, x.double()), "attn_mask dtype to be bool"),
        (lambda x: (x[0, 0, 0], x, x), "at least 2 dimensional"),
        (lambda x: (x.long(), x.long(), x.long()), "."),
    ],
)
def test_errors_are_the_cpus(device, arguments, text):
    def message(where):
        x = torch.randn(1, 2, 4, 4).to(where)
        with pytest.raises(RuntimeError, match=text) as error:
            attention(*arguments(x))
        return str(error.value)

    assert message(device).replace("infini:0", "cpu") == message("cpu")


def test_mixed_devices_are_refused():
    q, k, v = qkv(requires_grad=False)
    with pytest.raises(RuntimeError, match="same device"):
        attention(q.to("infini"), k, v)
    with pytest.raises(RuntimeError, match="same device"):
        attention(q.to("infini"), k.to("infini"), v.to("infini"), torch.ones(17, 19))


class TestKernelContexts:
    @pytest.mark.parametrize("backend", [SDPBackend.MATH, SDPBackend.FLASH_ATTENTION])
    def test_one(self, agree, device, backend):
        q, k, v = qkv()

        def run(*x):
            with sdpa_kernel(backend):
                return attention(*x)

        agree(run, q, k, v)
        names = kernels(run, *(x.to(device) for x in (q, k, v)))
        assert (f"aten::{FLASH}" in names) == (backend == SDPBackend.FLASH_ATTENTION)

    def test_none_is_left(self, device):
        q, k, v = (x.to(device) for x in qkv())
        with (
            sdpa_kernel(SDPBackend.EFFICIENT_ATTENTION),
            pytest.raises(RuntimeError, match="No viable backend"),
        ):
            attention(q, k, v)
        with (
            sdpa_kernel(SDPBackend.FLASH_ATTENTION),
            pytest.warns(UserWarning, match="dropout"),
            pytest.raises(RuntimeError, match="No available kernel"),
        ):
            attention(q, k, v, dropout_p=0.5)

    def test_several_in_order(self, agree):
        def run(*x):
            order = [SDPBackend.MATH, SDPBackend.FLASH_ATTENTION]
            with sdpa_kernel(order, set_priority=True):
                return attention(*x)

        agree(run, *qkv())


class TestOverrideable:
    """PyTorch's entry for devices outside of its tree; the CPU has none."""

    CASES = tuple(itertools.product([False, True], [2, 4], [None, 0.3]))

    @pytest.mark.parametrize(("causal", "kv_heads", "scale"), CASES)
    def test_equals_flash(self, causal, kv_heads, scale):
        q, k, v = qkv(kv_heads=kv_heads, kv_length=17)
        ours = [x.detach().to("infini").requires_grad_() for x in (q, k, v)]
        options = {"is_causal": causal, "enable_gqa": kv_heads != 4, "scale": scale}
        with sdpa_kernel(SDPBackend.OVERRIDEABLE):
            got = attention(*ours, **options)
        expected = attention(q, k, v, **options)
        assert got.cpu().equal(expected)
        gradients = torch.autograd.grad(got, ours, torch.ones_like(got))
        wanted = torch.autograd.grad(expected, [q, k, v], torch.ones_like(expected))
        for a, b in zip(gradients, wanted, strict=True):
            assert_same(a, b, "infini")

    @pytest.mark.parametrize("causal", [True, False], ids=["causal", "full"])
    @pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
    @pytest.mark.parametrize("kv_heads", [2, 4])
    @pytest.mark.parametrize(
        "shape", [(17, 19), (1, 19), (2, 4, 17, 19), (2, 1, 1, 19)]
    )
    def test_gradient_of_the_bias(self, shape, kv_heads, dtype, causal):
        ours = [x.detach().to("infini").double() for x in qkv(kv_heads=kv_heads)]
        bias = torch.randn(shape, device="infini").double()

        def gradients(backend, to):
            leaves = [x.to(to).requires_grad_() for x in (*ours, bias)]
            mask = leaves[3]
            if causal and backend == SDPBackend.MATH:
                mask = mask + torch.full((17, 19), -torch.inf, device="infini").triu(1)
            is_causal = causal and backend != SDPBackend.MATH
            with sdpa_kernel(backend):
                out = attention(*leaves[:3], mask, is_causal=is_causal, enable_gqa=True)
            return torch.autograd.grad(out, leaves, out.detach())

        exact = gradients(SDPBackend.MATH, torch.float64)
        got = gradients(SDPBackend.OVERRIDEABLE, dtype)
        # The size of a rounding of sums that long.
        tolerance = 64 * torch.finfo(dtype).eps
        for a, b in zip(got, exact, strict=True):
            assert a.dtype == dtype
            assert (a.double() - b).abs().max() <= tolerance * b.abs().max()

    def test_what_it_cannot_do_is_said(self):
        q, k, v = (x.detach().to("infini") for x in qkv())
        with sdpa_kernel(SDPBackend.OVERRIDEABLE):
            with pytest.raises(RuntimeError, match="fused attention on infini has no"):
                attention(q, k, v, dropout_p=0.5)
            with pytest.raises(RuntimeError, match="of shape"):
                attention(q[0], k[0], v[0])
            with pytest.raises(RuntimeError, match="of shape"):
                attention(q, k, v[..., :3])

    def test_results(self):
        q, k, v = (x.detach().to("infini") for x in qkv())
        results = torch.ops.aten._scaled_dot_product_fused_attention_overrideable(
            q, k, v
        )
        output, logsumexp, sequence_q, sequence_k, max_q, max_k, *rest = results
        expected = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(
            q.cpu(), k.cpu(), v.cpu()
        )
        assert torch.equal(output.cpu(), expected[0])
        assert torch.equal(logsumexp.cpu(), expected[1])
        assert (sequence_q, sequence_k, max_q, max_k) == (None, None, 17, 19)
        assert [x.item() for x in rest[:2]] == [0, 0]
        assert rest[2] is None


class TestTransforms:
    @pytest.mark.parametrize("backend", ["eager", "aot_eager"])
    @pytest.mark.parametrize("dropout", [0.0, 0.3])
    def test_compiled(self, agree, backend, dropout):
        torch._dynamo.reset()
        compiled = torch.compile(
            lambda *x: attention(*x, dropout_p=dropout).sin(), backend=backend
        )
        agree(compiled, *qkv())

    def test_vmap(self, agree):
        agree(torch.func.vmap(attention), *qkv(requires_grad=False))
        stacked = [x.unsqueeze(0).expand(3, -1, -1, -1, -1) for x in qkv()]
        agree(torch.func.vmap(attention), *stacked)

    def test_gradients_of_vmap(self, agree):
        def loss(*x):
            return attention(*x).sum()

        agree(torch.func.grad(loss, argnums=(0, 1, 2)), *qkv(requires_grad=False))
        per_sample = torch.func.vmap(torch.func.grad(loss))
        agree(per_sample, *[x.unsqueeze(1) for x in qkv(requires_grad=False)])

    def test_forward_mode(self, agree):
        def run(*x):
            with sdpa_kernel(SDPBackend.MATH):
                return torch.func.jvp(attention, x, tuple(map(torch.ones_like, x)))

        agree(run, *qkv(requires_grad=False))

    def test_second_derivatives(self, agree):
        def run(q, k, v):
            with sdpa_kernel(SDPBackend.MATH):
                out = attention(q, k, v)
            (first,) = torch.autograd.grad(out.sin().sum(), q, create_graph=True)
            return first

        agree(run, *qkv())

    def test_checkpointing(self, agree):
        def run(*x):
            return torch.utils.checkpoint.checkpoint(
                lambda *y: attention(*y, dropout_p=0.2), *x, use_reentrant=False
            )

        agree(run, *qkv())


class TestModules:
    @pytest.mark.parametrize("training", [True, False], ids=["train", "eval"])
    @pytest.mark.parametrize("need_weights", [True, False])
    @pytest.mark.parametrize("mask", ["none", "bool", "float", "padding"])
    def test_multihead_attention(self, agree, training, need_weights, mask):
        torch.manual_seed(0)
        layer = nn.MultiheadAttention(16, 4, dropout=0.1, batch_first=True)
        state, x = layer.train(training).state_dict(), torch.randn(2, 6, 16)
        masks = {
            "none": {},
            "bool": {"attn_mask": torch.rand(6, 6) > 0.7},
            "float": {"attn_mask": torch.randn(6, 6)},
            "padding": {"key_padding_mask": torch.arange(6) > torch.tensor([[4], [5]])},
        }[mask]

        def run(x, parameters, masks):
            return torch.func.functional_call(
                layer, parameters, (x, x, x), {"need_weights": need_weights, **masks}
            )

        agree(run, x, state, masks)
        if not training:
            with torch.no_grad():
                agree(run, x, state, masks)

    @pytest.mark.parametrize("norm_first", [True, False])
    @pytest.mark.parametrize("padded", [True, False])
    @pytest.mark.parametrize("activation", ["relu", "gelu"])
    def test_encoder(self, device, same, norm_first, padded, activation):
        torch.manual_seed(0)
        layer = nn.TransformerEncoderLayer(
            16, 4, 32, activation=activation, batch_first=True, norm_first=norm_first
        )
        x = torch.randn(2, 6, 16)
        padding = torch.arange(6) > torch.tensor([[4], [5]]) if padded else None
        expected = [run_encoder(layer, x, padding, train) for train in (True, False)]
        layer.to(device)
        padding = padding.to(device) if padded else None
        got = [
            run_encoder(layer, x.to(device), padding, train) for train in (True, False)
        ]
        for a, b in zip(got, expected, strict=True):
            same(a, b)
        if not norm_first and not padded:
            layer.eval()
            with torch.no_grad():
                names = kernels(layer, x.to(device))
            assert "aten::_transformer_encoder_layer_fwd" in names

    def test_parts_of_the_fast_path(self, agree):
        weights = [torch.randn(48, 16), torch.randn(48), torch.randn(16, 16)]
        x, bias = torch.randn(2, 6, 16), torch.randn(16)
        agree(
            lambda x, *w: torch._native_multi_head_attention(x, x, x, 16, 4, *w),
            x,
            *weights,
            bias,
        )
        agree(
            lambda x, b: torch._transform_bias_rescale_qkv(x, b, 4),
            torch.randn(2, 6, 48),
            torch.randn(48),
        )

    @pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")
    def test_nested_inputs_are_refused_by_name(self):
        layer = nn.TransformerEncoderLayer(16, 4, 32, batch_first=True)
        model = nn.TransformerEncoder(layer, 2).eval().to("infini")
        x = torch.randn(2, 6, 16, device="infini")
        padding = torch.arange(6) > torch.tensor([[4], [5]])
        with (
            torch.no_grad(),
            pytest.raises(NotImplementedError, match=r"on infini.*nested"),
        ):
            model(x, src_key_padding_mask=padding.to("infini"))

    def test_an_encoder_that_would_nest_its_input(self, device, same):
        torch.manual_seed(0)
        layer = nn.TransformerEncoderLayer(16, 4, 32, batch_first=True)
        model = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False).eval()
        x, padding = torch.randn(2, 6, 16), torch.arange(6) > torch.tensor([[4], [5]])
        with torch.no_grad():
            expected = model(x, src_key_padding_mask=padding)
            model.to(device)
            got = model(x.to(device), src_key_padding_mask=padding.to(device))
        same(got, expected)


def run_encoder(layer, x, padding, train):
    torch.manual_seed(1)
    layer.train(train)
    with torch.set_grad_enabled(train):
        return layer(x, src_key_padding_mask=padding)


def test_autocast(device, same):
    q, k, v = qkv(requires_grad=False)
    expected = attention(*(x.bfloat16() for x in (q, k, v)), is_causal=True)
    with torch.autocast(device, dtype=torch.bfloat16):
        got = attention(*(x.to(device) for x in (q, k, v)), is_causal=True)
    same(got, expected)
