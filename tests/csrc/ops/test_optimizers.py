"""foreach operators and optimizers compute what they compute on the CPU."""

import pytest
import torch
from torch import nn

LISTS = [torch.arange(3.0), torch.ones(2, 2), torch.zeros(0), torch.tensor(5.0)]


@pytest.mark.parametrize(
    "function",
    [
        lambda x: torch._foreach_add(x, 1),
        lambda x: torch._foreach_add(x, x, alpha=2),
        lambda x: torch._foreach_mul(x, [1.0, 2.0, 3.0, 4.0]),
        lambda x: torch._foreach_addcdiv(x, x, torch._foreach_add(x, 1), value=2),
        lambda x: torch._foreach_norm(x),
        lambda x: torch._foreach_sqrt(x),
        lambda x: torch._foreach_lerp(x, x, 0.5),
        lambda x: torch._foreach_zero_(x),
        lambda x: torch._foreach_mul_(x, torch.tensor(2.0, device=x[0].device)),
        lambda x: torch._foreach_copy_(x, torch._foreach_add(x, 1)),
        lambda x: torch._foreach_clamp_min(x, 1),
        lambda x: nn.utils.get_total_norm(x),
        lambda x: torch._foreach_max(x[:2]),
    ],
)
def test_foreach(agree, function):
    agree(lambda *x: function(list(x)), *LISTS)


def test_foreach_in_place_returns_nothing_new(device):
    x = [torch.ones(2, device=device), torch.zeros(2, device=device)]
    result = torch._foreach_add_(x, 1)
    assert result is None or all(a is b for a, b in zip(result, x, strict=True))
    assert [t.tolist() for t in x] == [[2, 2], [1, 1]]


OPTIMIZERS = {
    "SGD": (torch.optim.SGD, {"lr": 0.1}),
    "SGD_momentum": (torch.optim.SGD, {"lr": 0.1, "momentum": 0.9, "nesterov": True}),
    "Adam": (torch.optim.Adam, {}),
    "AdamW_amsgrad": (torch.optim.AdamW, {"amsgrad": True}),
    "RMSprop": (torch.optim.RMSprop, {}),
    "Adagrad": (torch.optim.Adagrad, {}),
    "Adadelta": (torch.optim.Adadelta, {}),
    "Adamax": (torch.optim.Adamax, {}),
    "NAdam": (torch.optim.NAdam, {}),
    "RAdam": (torch.optim.RAdam, {}),
    "Rprop": (torch.optim.Rprop, {}),
    "ASGD": (torch.optim.ASGD, {}),
    "LBFGS": (torch.optim.LBFGS, {"max_iter": 3}),
}


def train(kind, device, steps=3, **options):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2)).to(device)
    optimizer = kind(model.parameters(), **options)
    inputs, targets = torch.randn(6, 4).to(device), torch.randn(6, 2).to(device)

    def closure():
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(inputs), targets)
        loss.backward()
        return loss

    losses = [optimizer.step(closure).item() for _ in range(steps)]
    return losses, [p.detach().cpu() for p in model.parameters()], optimizer


@pytest.mark.parametrize(
    "foreach", [False, True, None], ids=["loop", "foreach", "default"]
)
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_optimizer(device, name, foreach):
    kind, options = OPTIMIZERS[name]
    if name != "LBFGS":
        options = options | {"foreach": foreach}
    # The default is foreach on a device and a loop on the CPU.
    control = (
        options | {"foreach": device != "cpu"}
        if foreach is None and name != "LBFGS"
        else options
    )
    losses, parameters, _ = train(kind, device, **options)
    expected_losses, expected, _ = train(kind, "cpu", **control)
    assert losses == expected_losses
    for got, want in zip(parameters, expected, strict=True):
        assert torch.equal(got, want)


@pytest.mark.parametrize("name", ["SGD", "Adam", "AdamW_amsgrad"])
def test_fused(device, name):
    kind, options = OPTIMIZERS[name]
    losses, parameters, _ = train(kind, device, fused=True, **options)
    expected_losses, expected, _ = train(kind, "cpu", fused=True, **options)
    assert losses == expected_losses
    for got, want in zip(parameters, expected, strict=True):
        assert torch.equal(got, want)


def test_state_dict_moves_between_devices(device):
    _, _, optimizer = train(torch.optim.Adam, device)
    parameters = [
        nn.Parameter(torch.zeros_like(p, device="cpu"))
        for p in optimizer.param_groups[0]["params"]
    ]
    other = torch.optim.Adam(parameters)
    other.load_state_dict(optimizer.state_dict())
    for state in other.state.values():
        assert state["exp_avg"].device.type == "cpu"


def test_gradient_scaler(device):
    """GradScaler's two kernels find infinities on the device."""
    x = [torch.tensor([1.0, 2.0], device=device)]
    found = torch.zeros(1, device=device)
    torch._amp_foreach_non_finite_check_and_unscale_(
        x, found, torch.tensor([0.5], device=device)
    )
    assert (x[0].tolist(), found.item()) == ([0.5, 1.0], 0)
    x[0][1] = float("inf")
    torch._amp_foreach_non_finite_check_and_unscale_(
        x, found, torch.tensor([1.0], device=device)
    )
    assert found.item() == 1
