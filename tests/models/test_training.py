"""Every model trains, evaluates and generates on infini as on the CPU, bit for bit."""

import pytest
import torch

from tests.models import lockstep, zoo

pytestmark = pytest.mark.needs("host-access")


def check(model, device, steps=lockstep.STEPS):
    expected = lockstep.run(model, "cpu", steps)
    got = lockstep.run(model, device, steps)
    assert lockstep.differences(expected.gradients, got.gradients) == []
    step = lockstep.first_difference(expected.losses, got.losses)
    assert step is None, f"the loss of step {step} differs"
    assert lockstep.differences(expected.weights, got.weights) == []
    assert lockstep.same_bits(expected.outputs, got.outputs)
    assert lockstep.differences(expected.generated, got.generated) == []
    return expected


@pytest.mark.parametrize("name", zoo.BUILDERS)
def test_training(device, name):
    run = check(zoo.build(name), device)
    # It has learned something, so that equal losses mean something.
    first, last = (sum(x) / 5 for x in (run.losses[:5], run.losses[-5:]))
    assert last < first
    assert all(torch.isfinite(loss) for loss in run.losses)


@pytest.mark.parametrize("name", ["cnn", "unet", "transformer", "lstm", "llama"])
def test_two_threads(device, name):
    torch.set_num_threads(2)
    check(zoo.build(name), device, steps=5)


def test_generations_differ_from_each_other():
    """What is compared depends on the way of generating and on the seed."""
    run = lockstep.run(zoo.build("llama"), "cpu", steps=5)
    made = run.generated
    assert torch.equal(made["greedy"], made["no cache"])
    assert torch.equal(made["greedy"], made["static cache"])
    assert not torch.equal(made["greedy"], made["sampled"])


def test_comparison_sees_one_bit():
    """The suite fails for a loss that is off by one unit in the last place."""
    one, same = torch.tensor(1.0), torch.tensor(1.0)
    next_one = torch.nextafter(one, torch.tensor(2.0))
    assert lockstep.same_bits(one, same)
    assert lockstep.first_difference([one, one], [same, next_one]) == 1
    assert lockstep.differences({"a": one, "b": one}, {"a": same, "b": next_one}) == [
        "b"
    ]
    assert not lockstep.same_bits(torch.tensor(0.0), torch.tensor(-0.0))
    nan = torch.tensor(float("nan"))
    assert lockstep.same_bits(nan, nan.clone())
