"""Contract of seeds and generator states of the device."""

import pytest
import torch


def draw(backend, count=64):
    return torch.rand(count, device=backend.name).cpu()


@pytest.mark.parametrize("seed_with", ["manual_seed", "manual_seed_all", "torch"])
def test_one_seed_gives_one_sequence(backend, seed_with):
    seed = (
        torch.manual_seed if seed_with == "torch" else getattr(backend.api, seed_with)
    )
    seed(7)
    first, second = draw(backend), draw(backend)
    seed(7)
    assert torch.equal(draw(backend), first)
    assert not torch.equal(first, second)
    seed(8)
    assert not torch.equal(draw(backend), first)


def test_initial_seed_is_the_last_manual_seed(backend):
    backend.api.manual_seed(1234)
    assert backend.api.initial_seed() == 1234


@pytest.mark.parametrize("reseed", ["seed", "seed_all"])
def test_seed_takes_a_new_one(backend, reseed):
    backend.api.manual_seed(7)
    first = draw(backend)
    getattr(backend.api, reseed)()
    assert not torch.equal(draw(backend), first)
    assert backend.api.initial_seed() != 7


@pytest.mark.parametrize("spell", ["default", "index", "string", "device"])
def test_state_is_saved_and_restored(backend, spell):
    device = {"index": 0, "string": f"{backend.name}:0", "device": backend.device(0)}
    arguments = [] if spell == "default" else [device[spell]]
    backend.api.manual_seed(3)
    draw(backend)
    state = backend.api.get_rng_state(*arguments)
    assert state.device.type == "cpu"
    assert state.dtype == torch.uint8
    first = draw(backend)
    backend.api.set_rng_state(state, *arguments)
    assert torch.equal(draw(backend), first)


def test_state_of_all_devices(backend):
    states = backend.api.get_rng_state_all()
    assert len(states) == backend.api.device_count()
    first = draw(backend)
    backend.api.set_rng_state_all(states)
    assert torch.equal(draw(backend), first)


def test_state_is_a_copy(backend):
    backend.api.manual_seed(3)
    state = backend.api.get_rng_state()
    kept = state.clone()
    draw(backend)
    assert torch.equal(state, kept)


@pytest.mark.parametrize(
    "value",
    [torch.zeros(3, dtype=torch.uint8), torch.zeros(2)],
    ids=["length", "dtype"],
)
def test_what_is_no_state_is_refused(backend, value):
    backend.api.manual_seed(3)
    first = draw(backend)
    with pytest.raises((RuntimeError, TypeError)):
        backend.api.set_rng_state(value)
    backend.api.manual_seed(3)
    assert torch.equal(draw(backend), first)


def test_the_cpu_generator_is_not_advanced(backend):
    torch.manual_seed(11)
    before = torch.get_rng_state()
    draw(backend)
    torch.randn(10, device=backend.name)
    assert torch.equal(torch.get_rng_state(), before)


def test_the_cpu_generator_is_not_seeded(backend):
    torch.manual_seed(11)
    expected = torch.rand(4)
    torch.manual_seed(11)
    backend.api.manual_seed(99)
    assert torch.equal(torch.rand(4), expected)


def test_infini_draws_the_numbers_of_the_cpu(infini):
    for seed in (0, 1, 2**31):
        torch.manual_seed(seed)
        expected = torch.rand(100), torch.randn(100), torch.randint(0, 9, (100,))
        torch.manual_seed(seed)
        drawn = (
            torch.rand(100, device="infini"),
            torch.randn(100, device="infini"),
            torch.randint(0, 9, (100,), device="infini"),
        )
        for there, here in zip(drawn, expected, strict=True):
            assert torch.equal(there.cpu(), here)
