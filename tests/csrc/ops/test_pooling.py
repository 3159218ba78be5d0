"""max_pool1d: the kernel without indices where the CPU takes it, derivatives."""

import pytest
import torch
from torch.autograd import forward_ad

X = torch.randn(2, 3, 10, generator=torch.Generator().manual_seed(0))


@pytest.mark.parametrize("options", [{}, {"stride": 2, "padding": 1}, {"dilation": 2}])
def test_values_and_gradients(agree, options):
    def pool(x):
        return torch.nn.functional.max_pool1d(x, 3, **options)

    agree(pool, X)
    agree(pool, X.clone().requires_grad_())


def test_without_gradients_the_result_is_no_view(device):
    x = X.to(device)
    assert not torch.max_pool1d(x, 2)._is_view()
    with torch.no_grad():
        assert not torch.max_pool1d(x.clone().requires_grad_(), 2)._is_view()


def test_forward_mode(device):
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(X.to(device), torch.ones_like(X, device=device))
        tangent = forward_ad.unpack_dual(torch.max_pool1d(dual, 2)).tangent
    assert torch.equal(tangent.cpu(), torch.ones(2, 3, 5))


def test_vmap(device):
    x = X.to(device)
    got = torch.func.vmap(lambda row: torch.max_pool1d(row, 2))(x)
    assert torch.equal(got.cpu(), torch.max_pool1d(X, 2))


def test_errors_are_the_cpus(device):
    with pytest.raises(RuntimeError, match="max_pool1d"):
        torch.max_pool1d(torch.ones(3, device=device), 2)
