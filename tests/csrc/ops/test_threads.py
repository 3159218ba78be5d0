"""Many threads at once: values stay right and nothing dies."""

import threading

import pytest
import torch
from torch import nn

THREADS = 8
ROUNDS = 16


def in_threads(function, count=THREADS):
    failures = []
    barrier = threading.Barrier(count)

    def body(number):
        try:
            barrier.wait()
            function(number)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=body, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


JOBS = [
    lambda x: (x @ x.t()).relu().sum(0),
    lambda x: x.sort(1)[0],
    lambda x: torch.cat([x, x.flip(0)]).cumsum(0),
    lambda x: x[x > 0.5],
    lambda x: torch.fft.rfft(x).abs(),
    lambda x: nn.functional.softmax(x, 1).log(),
    lambda x: x.to(torch.int64).bincount(minlength=3) if x.dim() == 1 else x.topk(2)[1],
    lambda x: torch.linalg.svdvals(x),
]


def test_different_operators(device):
    generator = torch.Generator().manual_seed(0)
    inputs = [torch.rand(9, 7, generator=generator) for _ in range(THREADS)]
    expected = [[job(x) for job in JOBS] for x in inputs]

    def work(number):
        x = inputs[number].to(device)
        for round_ in range(ROUNDS):
            which = (number + round_) % len(JOBS)
            got = JOBS[which](x)
            assert got.device.type == device
            assert torch.equal(got.cpu(), expected[number][which])

    in_threads(work)


def test_first_call_of_an_operator_from_all_threads(run_python, device):
    run_python(f"""
import threading, torch, torch_infini
barrier = threading.Barrier(8)
failures = []
def work():
    barrier.wait()
    try:
        x = torch.arange(6.0, device={device!r})
        assert torch.erfinv(x / 9).cpu().equal(torch.erfinv(torch.arange(6.0) / 9))
    except BaseException as error:
        failures.append(error)
threads = [threading.Thread(target=work) for _ in range(8)]
[t.start() for t in threads]
[t.join() for t in threads]
assert not failures, failures
""")


def test_training_in_threads(device):
    def train(where, seed):
        generator = torch.Generator().manual_seed(seed)
        model = nn.Linear(4, 2).to(where)
        with torch.no_grad():
            for p in model.parameters():
                p.copy_(torch.randn(p.shape, generator=generator))
        optimizer = torch.optim.Adam(model.parameters(), foreach=True)
        for _ in range(5):
            x = torch.randn(3, 4, generator=generator).to(where)
            optimizer.zero_grad()
            model(x).square().sum().backward()
            optimizer.step()
        return model.weight.detach().cpu()

    expected = [train("cpu", seed) for seed in range(THREADS)]

    def work(number):
        assert torch.equal(train(device, number), expected[number])

    in_threads(work)


def test_random_numbers_from_threads(device):
    """Together the threads draw every number of the sequence exactly once."""
    torch.manual_seed(0)
    expected = torch.rand(THREADS * 10, device=device).cpu()
    torch.manual_seed(0)
    drawn, lock = [], threading.Lock()

    def work(number):
        for _ in range(10):
            value = torch.rand(1, device=device).item()
            with lock:
                drawn.append(value)

    in_threads(work)
    assert sorted(drawn) == sorted(expected.tolist())


def test_unasked_draws_keep_the_cpu_generator(device):
    """Operators that take no generator borrow the CPU's state and give it back."""
    if device == "cpu":
        pytest.skip("the CPU's own draws advance its generator")
    torch.manual_seed(0)
    before = torch.get_rng_state()
    x = torch.ones(16, device=device)

    def work(number):
        for _ in range(20):
            torch.native_dropout(x, 0.5, True)
            torch.nn.functional.rrelu(x, training=True)

    in_threads(work)
    assert torch.equal(torch.get_rng_state(), before)


def test_host_allocations_of_other_threads_stay_on_the_host(device):
    """The route of a host kernel is the kernel's thread's alone."""
    if device == "cpu":
        pytest.skip("is about the device")
    stop = threading.Event()

    def busy():
        x = torch.rand(64, 64, device=device)
        while not stop.is_set():
            (x @ x).softmax(0)

    thread = threading.Thread(target=busy)
    thread.start()
    try:
        for _ in range(200):
            x = torch.rand(32)
            assert x.untyped_storage().device.type == "cpu"
            assert torch.equal(x + 0, x)
    finally:
        stop.set()
        thread.join()
