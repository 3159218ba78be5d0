"""LSTM, GRU and RNN train on the device as on the CPU, bit for bit."""

import pytest
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

OPTIONS = [
    {},
    {"bias": False},
    {"num_layers": 2},
    {"num_layers": 3, "dropout": 0.3},
    {"bidirectional": True},
    {"bidirectional": True, "num_layers": 2, "batch_first": True},
    {"batch_first": True},
]
KINDS = {
    "LSTM": nn.LSTM,
    "LSTM projected": lambda *sizes, **options: nn.LSTM(*sizes, proj_size=3, **options),
    "GRU": nn.GRU,
    "RNN": nn.RNN,
    "RNN relu": lambda *sizes, **options: nn.RNN(
        *sizes, nonlinearity="relu", **options
    ),
}


def run(module, *inputs):
    """Outputs and last states as one list."""
    results = module(*inputs)
    return [
        leaf
        for leaf in torch.utils._pytree.tree_leaves(results)
        if isinstance(leaf, torch.Tensor)
    ]


def through(kind, options, dtype=torch.float32):
    """A function of an input and the weights; the module only tells the layout."""
    torch.manual_seed(3)
    module = KINDS[kind](5, 7, **options).to(dtype)
    names = [name for name, _ in module.named_parameters()]
    weights = [p.detach().clone().requires_grad_() for p in module.parameters()]

    def function(x, *weights):
        named = dict(zip(names, weights, strict=True))
        return torch.func.functional_call(module, named, (x,))

    return function, weights


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_layer(agree, kind, options):
    function, weights = through(kind, options)
    agree(function, torch.randn(4, 3, 5).requires_grad_(), *weights)


@pytest.mark.parametrize(
    "dtype", [torch.float64, torch.bfloat16, torch.float16], ids=str
)
@pytest.mark.parametrize("kind", ["LSTM", "GRU", "RNN"])
def test_dtypes(agree, kind, dtype):
    function, weights = through(kind, {"num_layers": 2}, dtype)
    agree(function, torch.randn(4, 3, 5).to(dtype).requires_grad_(), *weights)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
@pytest.mark.parametrize("kind", ["LSTM", "GRU"])
def test_inference(agree, kind, dtype):
    function, weights = through(kind, {"bidirectional": True}, dtype)
    with torch.inference_mode():
        agree(function, torch.randn(4, 3, 5).to(dtype), *[w.detach() for w in weights])


def with_gaps(tensor, place):
    """The values on `place` with something else between them."""
    return torch.stack([tensor, -tensor], -1).to(place)[..., 0]


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("batch_first", [False, True])
@pytest.mark.parametrize("kind", ["LSTM", "LSTM projected", "GRU"])
def test_given_states(device, same, kind, batch_first, gaps):
    torch.manual_seed(0)
    module = KINDS[kind](5, 7, num_layers=2, batch_first=batch_first)
    sizes = (7,) if kind == "GRU" else (3 if "projected" in kind else 7, 7)
    x = torch.randn(*((3, 4) if batch_first else (4, 3)), 5)
    states = [torch.randn(2, 3, size) for size in sizes]

    def gradients(place):
        leaves = [
            (with_gaps(t, place) if gaps else t.clone().to(place)).requires_grad_()
            for t in (x, *states)
        ]
        state = leaves[1] if len(states) == 1 else tuple(leaves[1:])
        results = run(module.to(place), leaves[0], state)
        sum((i + 1) * r.square().sum() for i, r in enumerate(results)).backward()
        return [*results, *(leaf.grad for leaf in leaves)]

    expected = gradients("cpu")
    for got, want in zip(gradients(device), expected, strict=True):
        same(got, want)


def test_projections_warn_as_on_the_cpu(device):
    module = KINDS["LSTM projected"](5, 7).to(device)
    always = torch.is_warn_always_enabled()
    torch.set_warn_always(True)
    try:
        with pytest.warns(UserWarning, match="^LSTM with projections is not supported"):
            module(torch.randn(4, 3, 5, device=device))
    finally:
        torch.set_warn_always(always)


def test_without_onednn(agree):
    function, weights = through("LSTM", {"num_layers": 2})
    with torch.backends.mkldnn.flags(enabled=False):
        agree(function, torch.randn(4, 3, 5).requires_grad_(), *weights)


def test_one_sequence(agree):
    """Without a batch."""
    function, weights = through("LSTM", {})
    agree(function, torch.randn(4, 5).requires_grad_(), *weights)


@pytest.mark.parametrize("both_ways", [False, True])
@pytest.mark.parametrize("lengths", [[5, 3, 3], [2, 5, 1]])
@pytest.mark.parametrize("kind", KINDS)
def test_packed_sequences(agree, kind, lengths, both_ways):
    options = {"bidirectional": both_ways, "num_layers": 2}
    function, weights = through(kind, options)

    def packed(x, *weights):
        sequences = pack_padded_sequence(x, lengths, enforce_sorted=False)
        output, state = function(sequences, *weights)
        return pad_packed_sequence(output)[0], state

    agree(packed, torch.randn(5, 3, 5).requires_grad_(), *weights)


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("kind", ["LSTMCell", "GRUCell", "RNNCell"])
def test_cell(agree, kind, bias):
    torch.manual_seed(0)
    cell = getattr(nn, kind)(3, 4, bias=bias)
    names = [name for name, _ in cell.named_parameters()]

    def function(x, *weights):
        named = dict(zip(names, weights, strict=True))
        state = None
        for step in x.unbind(0):
            state = torch.func.functional_call(cell, named, (step, state))
        return state

    weights = [p.detach().clone().requires_grad_() for p in cell.parameters()]
    agree(function, torch.randn(3, 2, 3).requires_grad_(), *weights)


def test_second_derivatives(device):
    torch.manual_seed(0)
    x = torch.randn(3, 2, dtype=torch.double, device=device, requires_grad=True)
    cell = nn.GRUCell(2, 2).double().to(device)
    assert torch.autograd.gradgradcheck(cell, (x,))
    layer = nn.LSTM(2, 2).double().to(device)
    assert torch.autograd.gradgradcheck(lambda x: layer(x)[0], (x,))


def weights_of(device, kind=nn.LSTM, **options):
    return list(kind(3, 4, **options).to(device).parameters())


REFUSED = {
    "hidden on the CPU": lambda d: torch.gru(
        torch.ones(2, 1, 3, device=d),
        torch.zeros(1, 1, 4, device="cpu" if d == "infini" else "meta"),
        weights_of(d, nn.GRU),
        True,
        1,
        0.0,
        False,
        False,
        False,
    ),
    "one state": lambda d: torch.lstm(
        torch.ones(2, 1, 3, device=d),
        [torch.zeros(1, 1, 4, device=d)],
        weights_of(d),
        True,
        1,
        0.0,
        False,
        False,
        False,
    ),
    "a weight is missing": lambda d: torch.lstm(
        torch.ones(2, 1, 3, device=d),
        [torch.zeros(1, 1, 4, device=d)] * 2,
        weights_of(d)[:3],
        True,
        1,
        0.0,
        False,
        False,
        False,
    ),
    "no layer": lambda d: torch.gru(
        torch.ones(2, 1, 3, device=d),
        torch.zeros(0, 1, 4, device=d),
        [],
        True,
        0,
        0.0,
        False,
        False,
        False,
    ),
    "two states of one batch": lambda d: torch.gru_cell(
        torch.ones(2, 3, device=d),
        torch.zeros(1, 4, device=d),
        *weights_of(d, nn.GRU),
    ),
    "another width": lambda d: torch.lstm_cell(
        torch.ones(2, 5, device=d),
        [torch.zeros(2, 4, device=d)] * 2,
        *weights_of(d),
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_bad_input_raises(device, name):
    with pytest.raises(RuntimeError):
        REFUSED[name](device)


@pytest.mark.parametrize(
    "name", ["one state", "another width", "two states of one batch"]
)
def test_error_texts_are_the_cpus(device, name):
    texts = []
    for place in ("cpu", device):
        with pytest.raises(RuntimeError) as error:
            REFUSED[name](place)
        texts.append(str(error.value).splitlines()[0])
    assert texts[0] == texts[1]


def test_mixed_devices_are_named(device):
    with pytest.raises(
        RuntimeError, match="Input and hidden tensors are not at the same device"
    ):
        REFUSED["hidden on the CPU"](device)


def test_batch_sizes_belong_on_the_cpu():
    import torch_infini  # noqa: F401

    module = nn.GRU(3, 4).to("infini")
    packed = pack_padded_sequence(torch.ones(2, 1, 3, device="infini"), [2])
    arguments = [torch.zeros(1, 1, 4, device="infini"), list(module.parameters())]
    with pytest.raises(RuntimeError, match="batch_sizes"):
        torch.gru(
            packed.data,
            packed.batch_sizes.to("infini"),
            *arguments,
            True,
            1,
            0.0,
            False,
            False,
        )
