"""Processes forked before and after the device has started."""

import torch
import torch_infini  # noqa: F401

CHILD = """
import os, signal, sys, torch, torch_infini

def in_child(function):
    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        signal.alarm(30)  # a hang ends the child and fails the test
        try:
            function()
        except BaseException as error:
            print(f"{type(error).__name__}: {error}".partition("\\n")[0], flush=True)
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
"""


USES = [
    "torch.ones(2, device='infini')",
    "torch.ones(2).to('infini')",
    "torch.empty(2, device='infini')",
    "torch.ones(2).pin_memory()",
    "x + x",
    "x.add_(1)",
    "x.sum()",
    "x.cpu()",
    "x[0].item()",
    "torch.infini.init()",
    "torch.infini.synchronize()",
    "torch.infini.current_device()",
    "torch.infini.Stream()",
    "torch.infini.Event().record()",
    "torch.infini.get_rng_state()",
    "stream.synchronize()",
    "torch.accelerator.synchronize()",
]


class TestForkBefore:
    """The parent has only imported the package."""

    def test_child_may_use_the_device(self, run_python):
        code = (
            CHILD
            + """
torch.manual_seed(9)
def child():
    assert not torch.infini._is_in_bad_fork()
    x = torch.ones(1 << 17, device="infini") + 1
    assert x.sum().item() == 1 << 18
    assert torch.infini.initial_seed() == 9
assert in_child(child) == 0
assert torch.ones(2, device="infini").tolist() == [1, 1]
"""
        )
        run_python(code)


class TestForkAfter:
    """The parent has used the device."""

    START = (
        CHILD
        + """
x = torch.ones(1 << 17, device="infini") + 1
stream = torch.infini.Stream()
assert torch.infini.is_initialized()
"""
    )

    def test_use_in_the_child_is_an_error_not_a_hang(self, run_python):
        code = (
            self.START
            + f"""
for use in {USES!r}:
    print(use, end=": ")
    code = in_child(lambda: eval(use))
    if code == 0:
        print("no error")
    elif code != 1:
        print(f"ended with {{code}}")
assert (x + x).sum().item() == 1 << 19
"""
        )
        for line in run_python(code).stdout.splitlines():
            assert "RuntimeError" in line, line
            assert "fork" in line, line
            assert "spawn" in line, line

    def test_child_may_do_other_things(self, run_python):
        code = (
            self.START
            + """
def child():
    assert torch.infini._is_in_bad_fork()
    assert not torch.infini.is_initialized()
    torch.manual_seed(3)
    assert torch.rand(3).sum() > 0
    torch.infini.empty_cache()
assert in_child(child) == 0
assert not torch.infini._is_in_bad_fork()
assert (x + x).sum().item() == 1 << 19
"""
        )
        run_python(code)

    def test_child_may_end_normally(self, run_python):
        code = (
            self.START
            + """
pid = os.fork()
if pid == 0:
    del x, stream
    sys.exit(0)
assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
assert x.sum().item() == 1 << 18
"""
        )
        run_python(code)

    def test_forked_data_loader_workers(self):
        torch.ones(2, device="infini")
        data = torch.utils.data.TensorDataset(torch.arange(32.0))
        loader = torch.utils.data.DataLoader(
            data,
            batch_size=8,
            num_workers=2,
            pin_memory=True,
            multiprocessing_context="fork",
        )
        total = sum(batch.to("infini").sum().item() for (batch,) in loader)
        assert total == 496
