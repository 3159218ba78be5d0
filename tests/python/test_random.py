"""Random numbers: seeds and states, those of the CPU's generator untouched."""

import pytest
import torch
import torch_infini  # noqa: F401

infini = torch.infini


def draw(device, count=64):
    return torch.rand(count, device=device).cpu()


class TestSeeds:
    def test_same_seed_same_numbers(self, device):
        torch.manual_seed(7)
        first = draw(device)
        assert not torch.equal(draw(device), first)
        torch.manual_seed(7)
        assert torch.equal(draw(device), first)
        torch.manual_seed(8)
        assert not torch.equal(draw(device), first)

    @pytest.mark.parametrize("make", [torch.rand, torch.randn], ids=["rand", "randn"])
    def test_numbers_are_those_of_the_cpu(self, make):
        torch.manual_seed(3)
        on_infini = make(100, device="infini").cpu()
        assert torch.equal(on_infini, make(100))

    def test_drawing_does_not_advance_the_cpu(self):
        torch.manual_seed(1)
        expected = torch.rand(5)
        torch.manual_seed(1)
        draw("infini")
        torch.nn.functional.dropout(torch.ones(100, device="infini"), 0.5)
        assert torch.equal(torch.rand(5), expected)

    def test_drawing_on_the_cpu_does_not_advance_infini(self):
        torch.manual_seed(1)
        expected = draw("infini")
        torch.manual_seed(1)
        torch.rand(5)
        assert torch.equal(draw("infini"), expected)

    def test_manual_seed_of_the_device_only(self):
        torch.manual_seed(1)
        expected = torch.rand(5)
        torch.manual_seed(1)
        infini.manual_seed(99)
        assert infini.initial_seed() == 99
        assert torch.initial_seed() == 1
        assert torch.equal(torch.rand(5), expected)

    @pytest.mark.parametrize("seed", [0, -1, -(2**63), 2**63, 2**64 - 1])
    def test_seed_range_is_pytorchs(self, seed):
        expected = torch.Generator().manual_seed(seed).initial_seed()
        for function in (infini.manual_seed, infini.manual_seed_all, torch.manual_seed):
            function(seed)
            assert infini.initial_seed() % 2**64 == expected % 2**64

    @pytest.mark.parametrize("seed", [2**64, -(2**63) - 1, 2**100])
    def test_seed_out_of_range(self, seed):
        infini.manual_seed(5)
        for function in (infini.manual_seed, infini.manual_seed_all):
            with pytest.raises(RuntimeError, match="Overflow"):
                function(seed)
        assert infini.initial_seed() == 5

    def test_not_a_seed(self):
        for function in (infini.manual_seed, infini.manual_seed_all):
            with pytest.raises((TypeError, ValueError)):
                function("x")
            with pytest.raises(TypeError):
                function(None)

    def test_seed_from_the_system(self):
        infini.manual_seed(5)
        assert infini.seed() is None
        first = infini.initial_seed()
        assert infini.seed_all() is None
        assert len({5, first, infini.initial_seed()}) == 3


class TestStates:
    def test_state_restores_the_sequence(self, device, module):
        get = getattr(module, "get_rng_state", torch.get_rng_state)
        put = getattr(module, "set_rng_state", torch.set_rng_state)
        state = get()
        assert state.dtype == torch.uint8
        assert state.device.type == "cpu"
        first = draw(device)
        put(state)
        assert torch.equal(draw(device), first)

    def test_state_is_a_copy(self):
        state = infini.get_rng_state()
        saved = state.clone()
        draw("infini")
        assert torch.equal(state, saved)
        infini.set_rng_state(state)
        first = draw("infini")
        state.zero_()
        infini.set_rng_state(saved)
        assert torch.equal(draw("infini"), first)

    def test_all_states(self):
        states = infini.get_rng_state_all()
        assert len(states) == infini.device_count()
        first = draw("infini")
        infini.set_rng_state_all(states)
        assert torch.equal(draw("infini"), first)

    @pytest.mark.parametrize(
        "state",
        [
            torch.zeros(3, dtype=torch.uint8),
            torch.zeros(5056, dtype=torch.float32),
            torch.zeros(0, dtype=torch.uint8),
        ],
    )
    def test_not_a_state(self, state):
        before = infini.get_rng_state()
        with pytest.raises((RuntimeError, TypeError)):
            infini.set_rng_state(state)
        assert torch.equal(infini.get_rng_state(), before)

    def test_fork_rng(self, device):
        torch.manual_seed(2)
        expected = draw(device)
        torch.manual_seed(2)
        with torch.random.fork_rng(device_type="infini"):
            draw(device)
            torch.manual_seed(100)
        assert torch.equal(draw(device), expected)

    def test_checkpoint_repeats_dropout(self, device):
        def layer(x):
            return torch.nn.functional.dropout(x, 0.5) * x

        x = torch.ones(256, device=device, requires_grad=True)
        torch.manual_seed(4)
        y = torch.utils.checkpoint.checkpoint(layer, x, use_reentrant=False)
        y.sum().backward()
        assert torch.equal(x.grad.cpu() != 0, (y != 0).cpu())


class TestBeforeTheStart:
    """Seeds and states that are set before the device starts."""

    def test_queued_in_order(self, run_python):
        code = """
import torch, torch_infini
torch.manual_seed(11)
torch.infini.manual_seed(12)
torch.infini.manual_seed_all(13)
assert not torch.infini.is_initialized()
assert torch.infini.initial_seed() == 13
assert torch.infini.is_initialized()
"""
        run_python(code)

    def test_state_after_seed_wins_and_is_copied(self, run_python):
        code = """
import torch, torch_infini
state = torch.Generator().manual_seed(21).get_state()
torch.manual_seed(11)
torch.infini.set_rng_state(state)
state.zero_()
assert not torch.infini.is_initialized()
expected = torch.rand(4, generator=torch.Generator().manual_seed(21))
assert torch.equal(torch.rand(4, device="infini").cpu(), expected)
"""
        run_python(code)

    def test_seed_after_state_wins(self, run_python):
        code = """
import torch, torch_infini
torch.infini.set_rng_state(torch.Generator().manual_seed(21).get_state())
torch.manual_seed(11)
expected = torch.rand(4)
assert torch.equal(torch.rand(4, device="infini").cpu(), expected)
"""
        run_python(code)

    def test_seeding_often_queues_once(self, run_python):
        code = """
import torch, torch_infini
from torch_infini.infini import _lazy
for seed in range(1000):
    torch.manual_seed(seed)
    torch.infini.manual_seed(seed)
assert len(_lazy._queued_calls) == 2, _lazy._queued_calls
assert torch.infini.initial_seed() == 999
"""
        run_python(code)
