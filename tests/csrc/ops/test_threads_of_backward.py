"""A backward pass uses as many threads as its caller has now, as on the CPU."""

import pytest
import torch

pytestmark = pytest.mark.needs("host-access")


class CountThreads(torch.autograd.Function):
    """Tells how many threads an operator of the backward pass has."""

    @staticmethod
    def forward(ctx, x, found):
        ctx.found = found
        return x.clone()

    @staticmethod
    def backward(ctx, gradient):
        result = gradient * 2
        ctx.found.append(torch.get_num_threads())
        return result, None


def test_backward_follows_set_num_threads(device):
    before = torch.get_num_threads()
    found = []
    try:
        for count in (1, 2, 1, 3):
            torch.set_num_threads(count)
            x = torch.ones(4, device=device, requires_grad=True)
            CountThreads.apply(x, found).sum().backward()
            assert torch.get_num_threads() == count
    finally:
        torch.set_num_threads(before)
    assert found == [1, 2, 1, 3]
