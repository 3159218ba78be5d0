"""torch.func, hooks, custom autograd functions and torch.export on whole models."""

import pytest
import torch
from torch import nn
from torch.func import functional_call, grad, jvp, stack_module_state, vmap

from tests.models import lockstep, zoo
from tests.models.model import move

pytestmark = pytest.mark.needs("host-access")


def same(function, device):
    """`function(device)` gives named tensors, on the CPU the same."""
    expected, got = function("cpu"), function(device)
    assert expected
    assert lockstep.differences(expected, got) == []


def trained(name, device, evaluate=True):
    model = zoo.build(name)
    module = lockstep.make(model, device)
    return model, module.train(not evaluate), move(model.batch(0), device)


def weights_of(module):
    return {name: p.detach() for name, p in module.named_parameters()}


def on_cpu(tensors):
    return {name: lockstep.on_cpu(x) for name, x in tensors.items()}


@pytest.mark.parametrize("name", ["mlp", "vit", "gpt2"])
def test_grad(device, name):
    """torch.func.grad gives what backward gives, on both devices."""

    def gradients(place):
        _, module, batch = trained(name, place)

        def loss(weights):
            if name == "mlp":
                scores = functional_call(module, weights, batch["images"])
                return nn.functional.cross_entropy(scores, batch["labels"])
            named = batch
            if name == "vit":
                named = {"pixel_values": batch["images"], "labels": batch["labels"]}
            return functional_call(module, weights, (), named).loss

        return on_cpu(grad(loss)(weights_of(module)))

    same(gradients, device)


def test_gradients_of_each_sample(device):
    """vmap over grad: the gradients of a batch, one by one."""

    def gradients(place):
        _, module, batch = trained("mlp", place)

        def loss(weights, image, label):
            scores = functional_call(module, weights, image[None])
            return nn.functional.cross_entropy(scores, label[None])

        each = vmap(grad(loss), in_dims=(None, 0, 0))
        return on_cpu(each(weights_of(module), batch["images"], batch["labels"]))

    same(gradients, device)


def test_ensemble(device):
    """vmap over three models at once."""

    def scores(place):
        model, _, batch = trained("cnn", place)
        torch.manual_seed(1)
        members = [model.make().to(place).eval() for _ in range(3)]
        weights, buffers = stack_module_state(members)

        def one(weights, buffers):
            return functional_call(members[0], (weights, buffers), batch["images"])

        return {"scores": lockstep.on_cpu(vmap(one)(weights, buffers))}

    same(scores, device)


@pytest.mark.parametrize("name", ["mlp", "cnn", "vit"])
def test_jvp(device, name):
    def tangents(place):
        model, module, batch = trained(name, place)
        images = batch["images"]
        found = jvp(
            lambda x: model.evaluate(module, {"images": x}),
            (images,),
            (torch.ones_like(images),),
        )
        return on_cpu(dict(zip(("scores", "tangent"), found, strict=True)))

    same(tangents, device)


def test_hooks(device):
    """Forward, full backward, tensor and accumulation hooks see the CPU's values."""

    def seen(place):
        model, module, batch = trained("vit", place, evaluate=False)
        found = {}

        def keep(name, value):
            found[name] = lockstep.on_cpu(value)

        for name, part in module.named_modules():
            if isinstance(part, nn.Linear):
                part.register_forward_hook(
                    lambda _m, _i, out, name=name: keep(f"{name} forward", out)
                )
                part.register_full_backward_hook(
                    lambda _m, inside, _o, name=name: keep(f"{name} back", inside[0])
                )
        for name, parameter in module.named_parameters():
            parameter.register_post_accumulate_grad_hook(
                lambda p, name=name: keep(f"{name} grad", p.grad)
            )
        scores = model.evaluate(module, batch)
        scores.register_hook(lambda g: keep("scores", g * 2) or g * 2)
        scores.square().sum().backward()
        return found

    same(seen, device)


class Clamped(torch.autograd.Function):
    """clamp whose gradient passes where it should stop."""

    @staticmethod
    def forward(ctx, x, bound):
        ctx.save_for_backward(x)
        ctx.bound = bound
        return x.clamp(-bound, bound)

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        assert gradient.device == x.device
        return torch.where(x.abs() > ctx.bound, gradient / 2, gradient), None


def test_custom_autograd_function(device):
    def gradients(place):
        model, module, batch = trained("mlp", place, evaluate=False)
        module[2].register_forward_hook(lambda _m, _i, out: Clamped.apply(out, 0.3))
        model.loss(module, batch).backward()
        return on_cpu({name: p.grad for name, p in module.named_parameters()})

    same(gradients, device)


@pytest.mark.models
@pytest.mark.parametrize("name", ["mlp", "cnn", "vit", "lstm"])
def test_export(device, name):
    """An exported program runs on the device and gives the CPU's values."""

    def scores(place):
        _, module, batch = trained(name, place)
        inputs = batch["tokens" if name == "lstm" else "images"]
        program = torch.export.export(module, (inputs,))
        constants = [*program.state_dict.values(), *program.constants.values()]
        assert {x.device.type for x in constants} == {place}
        result = program.module()(inputs)
        return {"scores": lockstep.on_cpu(getattr(result, "logits", result))}

    same(scores, device)
