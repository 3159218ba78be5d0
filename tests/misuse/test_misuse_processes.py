"""Forks, processes, threads and exits."""

import pytest

FORKED = "Cannot use the infini device in a forked subprocess"
CHILD = """
import os, sys, torch, torch_infini
x = torch.ones(3, device="infini")
sys.stdout.flush()
child = os.fork()
if child == 0:
    try:
        {use}
        print("allowed", flush=True)
    except Exception as error:
        print(type(error).__name__, error, flush=True)
    os._exit(0)
print("status", os.waitpid(child, 0)[1], (x + 1).tolist())
"""


@pytest.mark.parametrize(
    "use",
    [
        "x + x",
        "x * 2",
        "x.cpu()",
        "torch.ones(2, device='infini')",
        "torch.ones(2).to('infini')",
        "torch.ones(2).pin_memory()",
        "torch.infini.Stream()",
        "torch.infini.Event().record()",
        "torch.infini.synchronize()",
        "torch.infini.memory_allocated()",
    ],
)
def test_use_in_a_forked_child(run_python, use):
    result = run_python(CHILD.format(use=use), timeout=60)
    assert f"RuntimeError {FORKED}" in result.stdout
    assert "status 0 [2.0, 2.0, 2.0]" in result.stdout


def test_a_child_forked_after_use_may_compute_on_the_cpu(run_python):
    result = run_python(CHILD.format(use="torch.ones(2) + 1; del x"), timeout=60)
    assert "allowed" in result.stdout


def test_data_loader_workers_that_use_the_device_after_a_fork(run_python):
    code = """
import torch, torch_infini
class Data(torch.utils.data.Dataset):
    def __len__(self): return 2
    def __getitem__(self, i): return torch.ones(2, device="infini")
torch.ones(1, device="infini")
try:
    next(iter(torch.utils.data.DataLoader(Data(), num_workers=1)))
except RuntimeError as error:
    print(error)
print(torch.ones(1, device="infini").item())
"""
    result = run_python(code)
    assert FORKED in result.stdout
    assert result.stdout.endswith("1.0\n")


def test_sending_a_device_tensor_to_another_process(run_python):
    code = """
import torch, torch_infini
import torch.multiprocessing as mp
queue = mp.get_context("spawn").SimpleQueue()
try:
    queue.put(torch.ones(3, device="infini"))
except RuntimeError as error:
    print(error)
print(torch.ones(1, device="infini").item())
"""
    assert "only available on CPU\n1.0" in run_python(code).stdout


def test_an_exception_in_a_thread_stays_there(run_python):
    code = """
import threading, torch, torch_infini
def work():
    side = torch.infini.Stream()
    with torch.infini.stream(side):
        torch.ones(2, device="infini") + torch.ones(3, device="infini")
thread = threading.Thread(target=work)
thread.start()
thread.join()
print(torch.ones(1, device="infini").item())
"""
    result = run_python(code)
    assert "The size of tensor a (2) must match" in result.stderr
    assert result.stdout == "1.0\n"


def test_exit_with_pending_work_and_live_objects(run_python):
    code = """
import atexit, torch, torch_infini
side = torch.infini.Stream()
host = torch.ones(1 << 20).pin_memory()
with torch.infini.stream(side):
    x = host.to("infini", non_blocking=True)
    y = (x + x).sum()
event = torch.infini.Event()
event.record(side)
atexit.register(lambda: print("late", (x[:2] + 1).tolist()))
"""
    result = run_python(code)
    assert result.stdout == "late [2.0, 2.0]\n"
    assert result.stderr == ""


def test_exit_with_threads_at_work(run_python):
    code = """
import threading, time, torch, torch_infini
stop = False
def work():
    while not stop:
        (torch.ones(100, device="infini") + 1).sum()
for _ in range(3):
    threading.Thread(target=work).start()
time.sleep(0.3)
stop = True
print("bye")
"""
    result = run_python(code)
    assert result.stdout == "bye\n"
    assert result.stderr == ""


def test_reloading_and_importing_anew(run_python):
    code = """
import importlib, sys, torch, torch_infini
importlib.reload(torch_infini)
importlib.reload(torch_infini.infini)
for name in [n for n in sys.modules if n.startswith("torch_infini")]:
    if name != "torch_infini._C":
        del sys.modules[name]
try:
    import torch_infini
except RuntimeError as error:
    print(error)
print((torch.ones(2, device="infini") + 1).tolist(), torch.infini.current_device())
"""
    assert "[2.0, 2.0] 0" in run_python(code).stdout
