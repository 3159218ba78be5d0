"""The end of a process, and fork, while device and pinned memory is in use."""

import pytest

from csrc.fake_runtime import fake_environment

LIVE = """
import threading, torch, torch_infini
tensors = [torch.ones(1000, device="infini"), torch.ones(1000).pin_memory()]
tensors.append(torch.ones(1 << 20).pin_memory().to("infini", non_blocking=True))
tensors.append(torch.empty(1 << 20).pin_memory().copy_(tensors[-1], non_blocking=True))
streams = [torch.infini.Stream() for _ in range(3)]
events = [stream.record_event() for stream in streams]
holder = threading.local()
holder.tensor = torch.ones(3, device="infini")
class Cycle:
    def __init__(self):
        self.me, self.tensor = self, torch.ones(1000, device="infini")
Cycle()
import builtins
builtins.kept = tensors, streams, events
"""
LAST = """
def last():
    x = torch.ones(3).pin_memory().to("infini", non_blocking=True)
    print("ended with", x.sum().item(), flush=True)
import atexit
atexit.register(last)
"""
RUNTIMES = {
    "embedded": None,
    "fake": {"FAKE_RT_DELAY_US": 100_000},
    "discrete": {
        "FAKE_RT_DELAY_US": 100_000,
        "FAKE_RT_CAPABILITIES": "async_memcpy,host_allocation,events",
        "INFINI_FALLBACK": "on",
    },
}
runtimes = pytest.mark.parametrize("runtime", RUNTIMES)


def environment(runtime):
    settings = RUNTIMES[runtime]
    return {} if settings is None else fake_environment(**settings)


@runtimes
def test_exit_with_live_objects_and_pending_copies(run_python, runtime):
    result = run_python(LIVE + LAST, timeout=90, **environment(runtime))
    assert "ended with 3" in result.stdout
    assert result.stderr == ""


@runtimes
def test_exit_by_an_exception(run_python, runtime):
    code = LIVE + "raise SystemExit(7)"
    result = run_python(code, check=False, timeout=90, **environment(runtime))
    assert result.returncode == 7
    assert result.stderr == ""


FORK = (
    LIVE
    + """
import gc, os, signal
spare = torch.ones(1 << 12).pin_memory()
del spare
def child():
    signal.alarm(60)
    try:
        for use in (
            lambda: torch.empty(3, device="infini"),
            lambda: torch.empty(0, device="infini"),
            lambda: tensors[0].cpu(),
            lambda: tensors[0][0].item(),
            lambda: tensors[0].copy_(torch.zeros(1000)),
            lambda: torch.ones(1 << 12).pin_memory(),
            lambda: tensors[0].record_stream(streams[0]),
            lambda: tensors[0].untyped_storage().resize_(1 << 20),
            lambda: tensors[0].resize_(1 << 20),
        ):
            try:
                use()
            except RuntimeError as error:
                assert "spawn" in str(error), error
            else:
                raise AssertionError("no error")
        assert not tensors[1].is_pinned()
        del builtins.kept
        tensors.clear(), streams.clear(), events.clear()
        gc.collect()
        torch.ones(10).sum()
    except BaseException as error:
        print(type(error).__name__, error, flush=True)
        os._exit(1)
    os._exit(0)
pid = os.fork()
if pid == 0:
    child()
assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
torch.infini.synchronize()
assert tensors[0].cpu().sum() == 1000
assert tensors[2].cpu().sum() == tensors[3].sum() == 1 << 20
"""
)


@runtimes
def test_fork_in_use(run_python, runtime):
    run_python(FORK, timeout=120, **environment(runtime))
