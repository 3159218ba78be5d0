"""What training loops add: loaders, accumulation, clipping, schedules, checkpoints."""

import io

import pytest
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint
from torch.utils.data import DataLoader, TensorDataset

from tests.models import data, lockstep, zoo
from tests.models.model import move

pytestmark = pytest.mark.needs("host-access")


def start(name, device):
    model = zoo.build(name)
    module = lockstep.make(model, device).train()
    return model, module, model.optimizer(module.parameters())


def both(function):
    """What a loop gives on the device under test is what it gives on the CPU."""

    def compare(device, *arguments):
        expected = function("cpu", *arguments)
        got = function(device, *arguments)
        assert len(expected) > 1
        assert lockstep.first_difference(expected, got) is None
        return got

    return compare


@pytest.mark.parametrize("workers", [0, 2])
def test_data_loader(device, workers):
    """Workers load, memory is pinned, copies do not block."""

    @both
    def losses(place):
        model, module, optimizer = start("cnn", place)
        images, labels = data.digits()
        loader = DataLoader(
            TensorDataset(images[:256], labels[:256]),
            batch_size=32,
            shuffle=True,
            generator=torch.Generator().manual_seed(5),
            num_workers=workers,
            persistent_workers=workers > 0,
            pin_memory=place == "infini",
        )
        found = []
        for _ in range(2):
            for inputs, targets in loader:
                assert inputs.is_pinned() == (place == "infini")
                batch = {
                    "images": inputs.to(place, non_blocking=True),
                    "labels": targets.to(place, non_blocking=True),
                }
                optimizer.zero_grad()
                loss = model.loss(module, batch)
                loss.backward()
                optimizer.step()
                found.append(lockstep.on_cpu(loss))
        return found

    assert len(losses(device)) == 16


def clip_norm(parameters):
    return nn.utils.clip_grad_norm_(parameters, 0.5, foreach=True)


def clip_value(parameters):
    nn.utils.clip_grad_value_(parameters, 0.01, foreach=True)
    return nn.utils.get_total_norm([p.grad for p in parameters], foreach=False)


@pytest.mark.parametrize("clip", [clip_norm, clip_value])
@pytest.mark.parametrize("name", ["gpt2", "lstm"])
def test_accumulation_and_clipping(device, name, clip):
    """Four batches a step, clipped gradients, a falling learning rate."""

    @both
    def losses(place):
        model, module, optimizer = start(name, place)
        schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=5)
        parameters = list(module.parameters())
        found = []
        for step in range(5):
            optimizer.zero_grad()
            for part in range(4):
                batch = move(model.batch(4 * step + part), place)
                loss = model.loss(module, batch) / 4
                loss.backward()
                found.append(lockstep.on_cpu(loss))
            found.append(lockstep.on_cpu(clip(parameters)))
            optimizer.step()
            schedule.step()
        return found + [lockstep.on_cpu(p) for p in parameters]

    losses(device)


@pytest.mark.parametrize("name", ["cnn", "gpt2", "unet", "t5"])
def test_resume(device, name):
    """Saved, loaded into a new model and continued: as if it had never stopped."""
    rng = torch.get_device_module(device)

    def train(model, module, optimizer, steps):
        return [
            lockstep.on_cpu(lockstep.train_step(model, module, optimizer, step, device))
            for step in steps
        ]

    whole = train(*start(name, device), range(8))
    model, module, optimizer = start(name, device)
    found = train(model, module, optimizer, range(4))
    state = torch.get_rng_state() if device == "cpu" else rng.get_rng_state()
    file = io.BytesIO()
    saved = {"model": module.state_dict(), "optimizer": optimizer.state_dict()}
    torch.save(saved | {"rng": state}, file)

    file.seek(0)
    model, module, optimizer = start(name, device)
    torch.manual_seed(99)
    loaded = torch.load(file, map_location=device, weights_only=True)
    module.load_state_dict(loaded["model"])
    optimizer.load_state_dict(loaded["optimizer"])
    set_state = torch.set_rng_state if device == "cpu" else rng.set_rng_state
    set_state(loaded["rng"].cpu())
    found += train(model, module, optimizer, range(4, 8))
    assert lockstep.first_difference(whole, found) is None

    file.seek(0)
    on_cpu = torch.load(file, map_location="cpu", weights_only=True)
    assert all(x.device.type == "cpu" for x in on_cpu["model"].values())


@pytest.mark.parametrize("reentrant", [True, False])
def test_activation_checkpointing(device, reentrant):
    """Layers compute twice with the same dropout; nothing changes but memory."""

    @both
    def losses(place, checkpointed=True):
        model, module, optimizer = start("gpt2", place)
        if checkpointed:
            module.gradient_checkpointing_enable(
                gradient_checkpointing_kwargs={"use_reentrant": reentrant}
            )
        found = []
        for step in range(4):
            loss = lockstep.train_step(model, module, optimizer, step, place)
            found.append(lockstep.on_cpu(loss))
        return found + [lockstep.on_cpu(p) for p in module.parameters()]

    assert lockstep.first_difference(losses(device), losses(device, False)) is None


@pytest.mark.parametrize("reentrant", [True, False])
def test_checkpointed_convolutions(device, reentrant):
    """torch.utils.checkpoint around one's own layers, batch norm among them."""

    @both
    def results(place):
        model, module, _ = start("cnn", place)
        batch = move(model.batch(0), place)
        middle = module(batch["images"].requires_grad_())
        assert middle.requires_grad
        first, rest = module[:5], module[5:]
        hidden = checkpoint(first, batch["images"], use_reentrant=reentrant)
        loss = nn.functional.cross_entropy(rest(hidden), batch["labels"])
        loss.backward()
        gradients = [lockstep.on_cpu(p.grad) for p in module.parameters()]
        return [
            lockstep.on_cpu(loss),
            lockstep.on_cpu(batch["images"].grad),
            *gradients,
        ]

    results(device)
