"""Training with autocast and GradScaler: as a CPU model that casts by hand."""

import copy
import warnings

import pytest
import torch
from torch import nn
from torch.nn import functional

LOWER = [torch.float16, torch.bfloat16]
STEPS = 4


class Perceptron(nn.Module):
    """Two products, a layer norm, a softmax loss."""

    inputs = (8, 12)

    def __init__(self):
        super().__init__()
        self.first, self.norm = nn.Linear(12, 16), nn.LayerNorm(16)
        self.second = nn.Linear(16, 5)

    def loss(self, x, y):
        hidden = functional.gelu(self.norm(self.first(x)))
        return functional.nll_loss(torch.log_softmax(self.second(hidden), 1), y)

    def loss_by_hand(self, x, y, dtype):
        hidden = self.norm(linear(self.first, x, dtype).float())
        scores = linear(self.second, functional.gelu(hidden), dtype)
        return functional.nll_loss(torch.log_softmax(scores, 1, torch.float32), y)


class Convolutional(nn.Module):
    """Two convolutions, a batch norm, pooling, cross entropy."""

    inputs = (6, 1, 8, 8)

    def __init__(self):
        super().__init__()
        self.first, self.norm = nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4)
        self.second, self.last = nn.Conv2d(4, 6, 3), nn.Linear(6, 5)

    def loss(self, x, y):
        x = functional.max_pool2d(functional.relu(self.norm(self.first(x))), 2)
        x = functional.adaptive_avg_pool2d(self.second(x), 1).flatten(1)
        return functional.cross_entropy(self.last(x), y)

    def loss_by_hand(self, x, y, dtype):
        x = functional.conv2d(
            x.to(dtype), *(p.to(dtype) for p in self.first.parameters()), padding=1
        )
        x = functional.max_pool2d(functional.relu(self.norm(x)), 2)
        x = functional.conv2d(x, *(p.to(dtype) for p in self.second.parameters()))
        x = functional.adaptive_avg_pool2d(x, 1).flatten(1)
        scores = linear(self.last, x, dtype)
        # cross_entropy asks for its own input's dtype.
        scores = torch.log_softmax(scores, 1, scores.dtype)
        return functional.nll_loss(scores.float(), y)


def linear(layer, x, dtype):
    return functional.linear(x.to(dtype), layer.weight.to(dtype), layer.bias.to(dtype))


def batches(shape):
    generator = torch.Generator().manual_seed(1)
    for _ in range(STEPS):
        yield (
            torch.randn(shape, generator=generator),
            torch.randint(5, shape[:1], generator=generator),
        )


def train(model, device, loss_of, scaler=None):
    """Losses, parameters and buffers after each step."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2, foreach=True)
    seen = []
    for x, y in batches(model.inputs):
        optimizer.zero_grad()
        loss = loss_of(model, x.to(device), y.to(device))
        if scaler is None:
            loss.backward()
            optimizer.step()
        else:
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(model.parameters(), 1.0, foreach=True)
            scaler.step(optimizer)
            scaler.update()
        seen.append([loss.detach(), *model.parameters(), *model.buffers()])
        seen[-1] = [value.detach().cpu().clone() for value in seen[-1]]
    return seen


@pytest.mark.parametrize("scaled", [False, True], ids=["plain", "scaled"])
@pytest.mark.parametrize("dtype", LOWER, ids=str)
@pytest.mark.parametrize("kind", [Perceptron, Convolutional])
def test_training(kind, dtype, scaled):
    torch.manual_seed(0)
    model = kind()
    other = copy.deepcopy(model).to("infini")

    def by_hand(model, x, y):
        return model.loss_by_hand(x, y, dtype)

    def in_a_region(model, x, y):
        with torch.autocast("infini", dtype=dtype):
            return model.loss(x, y)

    scalers = [
        torch.amp.GradScaler(device, init_scale=256.0, growth_interval=2)
        if scaled
        else None
        for device in ("cpu", "infini")
    ]
    expected = train(model, "cpu", by_hand, scalers[0])
    got = train(other, "infini", in_a_region, scalers[1])
    for a, b in zip(got, expected, strict=True):
        for x, y in zip(a, b, strict=True):
            assert x.dtype == y.dtype
            assert torch.equal(x, y)
    if scaled:
        assert scalers[1].state_dict() == scalers[0].state_dict()
        assert scalers[1].get_scale() == 1024.0


class TestGradScaler:
    @pytest.fixture
    def parts(self, device):
        parameter = nn.Parameter(torch.tensor([1.0, 2.0], device=device))
        scaler = torch.amp.GradScaler(device, init_scale=4.0, growth_interval=2)
        return parameter, torch.optim.SGD([parameter], lr=0.5), scaler

    def step(self, parts, factor):
        parameter, optimizer, scaler = parts
        optimizer.zero_grad()
        scaler.scale((parameter * factor).sum()).backward()
        scaler.step(optimizer)
        scaler.update()
        return parameter.tolist()

    def test_it_is_enabled_and_quiet(self, device):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert torch.amp.GradScaler(device).is_enabled()

    def test_scale(self, parts, device):
        scaler = parts[2]
        x = torch.ones(2, device=device)
        scaled = scaler.scale([x, (x * 2,)])
        assert scaled[0].tolist() == [4, 4]
        assert scaled[1][0].tolist() == [8, 8]
        assert scaler._scale.device.type == device

    def test_gradients_are_unscaled(self, parts):
        assert self.step(parts, 1.0) == [0.5, 1.5]
        parameter, optimizer, scaler = parts
        scaler.scale(parameter.sum()).backward()
        optimizer.zero_grad()
        scaler.scale(parameter.sum()).backward()
        assert parameter.grad.tolist() == [4, 4]
        scaler.unscale_(optimizer)
        assert parameter.grad.tolist() == [1, 1]
        with pytest.raises(RuntimeError, match="already been called"):
            scaler.unscale_(optimizer)

    def test_growth(self, parts):
        scales = []
        for _ in range(5):
            self.step(parts, 1.0)
            scales.append(parts[2].get_scale())
        assert scales == [4, 8, 8, 16, 16]

    @pytest.mark.parametrize("factor", [float("inf"), float("nan")])
    def test_a_step_that_is_skipped(self, parts, factor):
        self.step(parts, 1.0)
        before = parts[0].tolist()
        assert self.step(parts, factor) == before
        assert parts[2].get_scale() == 2
        assert self.step(parts, 1.0) != before
        assert parts[2].get_scale() == 2  # the count began anew

    def test_state_dict(self, parts, device):
        self.step(parts, 1.0)
        state = parts[2].state_dict()
        assert state == {
            "scale": 4.0,
            "growth_factor": 2.0,
            "backoff_factor": 0.5,
            "growth_interval": 2,
            "_growth_tracker": 1,
        }
        other = torch.amp.GradScaler(device)
        other.load_state_dict(state)
        self.step((*parts[:2], other), 1.0)
        assert other.get_scale() == 8

    def test_update_to_a_given_scale(self, parts, device):
        self.step(parts, 1.0)
        parts[2].update(torch.tensor(32.0, device=device))
        assert parts[2].get_scale() == 32

    def test_disabled(self, device):
        scaler = torch.amp.GradScaler(device, enabled=False)
        x = torch.ones(1, device=device)
        assert scaler.scale(x) is x
        assert scaler.state_dict() == {}

    def test_half_precision_gradients_are_refused(self, device):
        parameter = nn.Parameter(torch.ones(2, device=device, dtype=torch.float16))
        optimizer = torch.optim.SGD([parameter], lr=0.5)
        scaler = torch.amp.GradScaler(device, init_scale=4.0)
        scaler.scale(parameter.sum()).backward()
        with pytest.raises(ValueError, match="unscale FP16"):
            scaler.unscale_(optimizer)

    @pytest.mark.parametrize("kind", [torch.optim.SGD, torch.optim.Adam])
    def test_fused_optimizers_unscale_by_themselves(self, device, kind):
        def trained(where):
            parameter = nn.Parameter(torch.tensor([1.0, 2.0], device=where))
            optimizer = kind([parameter], lr=0.5, fused=True)
            scaler = torch.amp.GradScaler(where, init_scale=4.0, growth_interval=2)
            values = [
                self.step((parameter, optimizer, scaler), factor)
                for factor in (1.0, float("inf"), 1.0, 3.0)
            ]
            return values, scaler.get_scale()

        assert trained(device) == trained("cpu")


@pytest.mark.parametrize(
    "dtypes", [[torch.float32], [torch.float16], [torch.float32, torch.float16] * 3]
)
@pytest.mark.parametrize("bad", [None, float("inf"), float("nan")])
def test_the_kernels(agree, dtypes, bad):
    def run(gradients, found, inverse):
        torch._amp_foreach_non_finite_check_and_unscale_(gradients, found, inverse)
        return found

    gradients = [torch.randn(5).to(dtype) for dtype in dtypes]
    if bad is not None:
        gradients[-1][2] = bad
    agree(run, gradients, torch.zeros(1), torch.tensor([0.25]))

    def update(scale, tracker, found):
        return torch._amp_update_scale_(scale, tracker, found, 2.0, 0.5, 3)

    for tracker in (0, 2):
        for found in (0.0, 1.0):
            agree(
                update,
                torch.tensor([4.0]),
                torch.tensor([tracker], dtype=torch.int32),
                torch.tensor([found]),
            )
