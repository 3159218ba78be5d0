"""A program may end right after backward().

Autograd's device thread frees the last graph after backward() has returned, which takes
the GIL for every tensor that Python knows. Many of them make it take long.
"""

import pytest

ENDS_AFTER_BACKWARD = """
import torch, torch_infini
weights = [torch.ones(1, device="infini", requires_grad=True) for _ in range(2000)]
inputs = [torch.ones(1, device="infini") for _ in range(2000)]
total = torch.stack([x * w for x, w in zip(inputs, weights)]).sum()
total.backward()
"""


@pytest.mark.parametrize("attempt", range(6))
def test_exit_right_after_backward(run_python, attempt):
    run_python(ENDS_AFTER_BACKWARD)


def test_exit_without_backward_asks_for_no_device(run_python):
    code = """
import torch, torch_infini, atexit
atexit._run_exitfuncs()
assert not torch.infini.is_initialized()
"""
    run_python(code)
