"""Module.to keeps parameters tied and an optimizer's parameters alive."""

import torch
from torch import nn
from torch.nn.attention import SDPBackend, sdpa_kernel


class TinyLanguageModel(nn.Module):
    """As GPT-2: the output layer shares the embedding's weight."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(17, 8)
        self.positions = nn.Embedding(6, 8)
        self.block = nn.TransformerEncoderLayer(8, 2, 16, 0.0, batch_first=True)
        self.head = nn.Linear(8, 17, bias=False)
        self.head.weight = self.embedding.weight

    def forward(self, tokens):
        positions = torch.arange(tokens.shape[1], device=tokens.device)
        hidden = self.embedding(tokens) + self.positions(positions)
        # One kernel of several on both sides, so that losses may be compared exactly.
        with sdpa_kernel(SDPBackend.MATH):
            return self.head(self.block(hidden))


def make_model():
    torch.manual_seed(0)
    return TinyLanguageModel()


def train(model, optimizer, device, steps=4):
    generator = torch.Generator().manual_seed(1)
    losses = []
    for _ in range(steps):
        tokens = torch.randint(17, (3, 7), generator=generator).to(device)
        logits = model(tokens[:, :-1])
        loss = nn.functional.cross_entropy(
            logits.flatten(0, 1), tokens[:, 1:].flatten()
        )
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def test_parameters_stay_the_same_objects(device):
    model = make_model()
    before = [id(p) for p in model.parameters()]
    model.to(device)
    assert [id(p) for p in model.parameters()] == before
    assert model.head.weight is model.embedding.weight
    assert all(p.device.type == device and p.is_leaf for p in model.parameters())
    model.to("cpu")
    assert [id(p) for p in model.parameters()] == before
    assert model.head.weight is model.embedding.weight


def test_training_a_tied_model(device):
    """The second loss is the one that a model untied by Module.to gets wrong."""
    control = make_model()
    expected = train(control, torch.optim.AdamW(control.parameters()), "cpu")
    model = make_model().to(device)
    got = train(model, torch.optim.AdamW(model.parameters()), device)
    assert got == expected
    assert torch.equal(model.head.weight.cpu(), control.head.weight)


def test_optimizer_made_before_the_move(device):
    control = make_model()
    expected = train(control, torch.optim.SGD(control.parameters(), 0.1, 0.9), "cpu")
    model = make_model()
    optimizer = torch.optim.SGD(model.parameters(), 0.1, 0.9)
    model.to(device)
    assert train(model, optimizer, device) == expected


def test_gradients_and_buffers_move(device):
    model = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4))
    model(torch.ones(2, 3)).sum().backward()
    gradients = [p.grad.clone() for p in model.parameters()]
    model.to(device)
    assert all(b.device.type == device for b in model.buffers())
    for parameter, gradient in zip(model.parameters(), gradients, strict=True):
        assert parameter.grad.device.type == device
        assert torch.equal(parameter.grad.cpu(), gradient)


def test_shared_parameters_through_to_empty_and_half(device):
    model = make_model().to(device).half()
    assert model.head.weight is model.embedding.weight
    assert model.head.weight.dtype == torch.float16
    assert model.head.weight.device.type == device
