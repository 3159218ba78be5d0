"""Device memory returns to where it was, also after errors."""

import gc

import pytest
import torch
import torch_infini
from torch import nn


def allocated():
    gc.collect()
    torch.infini.synchronize()
    return torch_infini._C.memory_stats(0)["allocated_bytes.all.current"]


@pytest.fixture
def keeps_memory():
    """Runs a function and expects the allocated bytes to return.

    The first runs may fill caches of libraries.
    """

    def check(function, repeats=20):
        for _ in range(2):
            function()
        before = allocated()
        for _ in range(repeats):
            function()
        assert allocated() == before

    return check


X = torch.rand(16, 16)

WORK = {
    "elementwise": lambda x: x.exp().log().add(1).mul_(2),
    "matmul": lambda x: x @ x @ x.t(),
    "reductions": lambda x: (x.sum(), x.max(1), x.var(), x.norm()),
    "views": lambda x: x.t()[1:].unfold(0, 2, 1).contiguous(),
    "convolution": lambda x: nn.functional.conv2d(x[None, None], x[None, None, :3, :3]),
    "linalg": lambda x: (torch.linalg.qr(x), torch.linalg.svd(x), torch.linalg.eig(x)),
    "fft": lambda x: torch.fft.ifft2(torch.fft.fft2(x)),
    "indexing": lambda x: (x[x > 0.5], x[[1, 2]], x.nonzero(), x.unique()),
    "lists": lambda x: (torch.cat([x, x]), x.split(3), torch._foreach_add([x, x], 1)),
    "out": lambda x: torch.add(x, 1, out=torch.empty(0, device=x.device)),
    "resize": lambda x: torch.empty(3, device=x.device).resize_(900),
    "random": lambda x: (
        torch.rand_like(x),
        nn.functional.dropout(x),
        x.multinomial(3),
    ),
    "dtypes": lambda x: (
        x.half(),
        x.to(torch.bfloat16) + 1,
        x.long().bincount() if x.dim() == 1 else x.int(),
    ),
    "numbers": lambda x: (x.sum().item(), x.tolist(), repr(x)),
    "copies": lambda x: (x.cpu().to(x.device), x.clone(), x.t().contiguous()),
    "lstm": lambda x: nn.LSTM(16, 4).to(x.device)(x),
    "empty": lambda x: (x[:0].sum(), torch.empty(0, device=x.device) + 1),
    "storage": lambda x: x.clone().untyped_storage().resize_(4096),
}


@pytest.mark.parametrize("name", WORK)
def test_operators(keeps_memory, name):
    x = X.to("infini")
    keeps_memory(lambda: WORK[name](x))


def test_training(keeps_memory):
    model = nn.Sequential(nn.Linear(16, 8), nn.ReLU(), nn.Linear(8, 1)).to("infini")
    optimizer = torch.optim.Adam(model.parameters())
    x = X.to("infini")

    def step():
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()

    keeps_memory(step)


FAILURES = {
    "shape": lambda x: x @ x[:3],
    "singular": lambda x: torch.linalg.inv(x * 0),
    "index": lambda x: x[torch.tensor([99], device=x.device)],
    "out_of_bounds_target": lambda x: nn.functional.nll_loss(
        x, torch.full((16,), 99, device=x.device)
    ),
    "mixed": lambda x: x + X,
    "unsupported": lambda x: x.to_sparse(),
    "dtype": lambda x: torch.bitwise_and(x, x),
    "out": lambda x: torch.add(
        x, 0.5, out=torch.empty(16, 16, dtype=torch.int64, device=x.device)
    ),
    "probabilities": lambda x: torch.multinomial(-x, 2),
    "huge": lambda x: x.resize_(1 << 60),
    "huge_result": lambda x: torch.cartesian_prod(*[x.flatten()] * 9),
    "list": lambda x: torch.cat([x, x[:, :3]]),
}


@pytest.mark.parametrize("name", FAILURES)
def test_failing_operators(keeps_memory, name):
    x = X.to("infini")

    def fail():
        with pytest.raises((RuntimeError, IndexError, NotImplementedError)):
            FAILURES[name](x)

    keeps_memory(fail)
    assert torch.equal((x + 1).cpu(), X + 1)


def test_results_are_counted():
    before = allocated()
    x = X.to("infini").exp()
    assert allocated() - before == X.nbytes
    del x
    assert allocated() == before


def test_results_may_outlive_their_inputs():
    x = X.to("infini")
    views = [x.exp().t(), x.sort()[0], x.split(4)[2]]
    del x
    gc.collect()
    trash = [torch.full((64, 64), 7.0, device="infini") for _ in range(20)]
    assert torch.equal(views[0].cpu(), X.exp().t())
    assert torch.equal(views[1].cpu(), X.sort()[0])
    assert torch.equal(views[2].cpu(), X.split(4)[2])
    del trash


def test_cpu_tensors_are_not_device_memory():
    before = allocated()
    x = X.to("infini")
    values = [x.cpu(), torch.rand(64, 64), x.tolist()]
    assert allocated() - before == X.nbytes
    del x
    assert allocated() == before
    assert torch.equal(values[0], X)
