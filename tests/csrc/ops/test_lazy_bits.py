"""The conjugate and the negative bit are honoured by operators and on the way out."""

import pytest
import torch

VALUES = torch.tensor([[1 + 2j, -3 - 4j], [0 - 1j, 5 + 0j]])


@pytest.mark.parametrize(
    "make",
    [
        lambda x: x.conj(),
        lambda x: torch._neg_view(x),
        lambda x: x.conj().imag,
        lambda x: torch._neg_view(x.conj()),
        lambda x: x.conj().t(),
        lambda x: x.conj()[1:],
    ],
)
@pytest.mark.parametrize(
    "use",
    [
        lambda x: x.cpu().clone(),
        lambda x: x + x,
        lambda x: x.clone(),
        lambda x: x * 2,
        lambda x: x.resolve_conj().resolve_neg(),
        lambda x: x.sum(),
        lambda x: torch.cat([x, x]),
        lambda x: x.contiguous(),
    ],
)
def test_bits(device, make, use):
    got = use(make(VALUES.to(device)))
    assert got.cpu().tolist() == use(make(VALUES)).tolist()


def test_conj_to_cpu_does_not_recurse(device):
    x = torch.tensor([1 + 2j], device=device)
    assert x.conj().cpu().tolist() == [1 - 2j]
    assert torch._neg_view(x).cpu().tolist() == [-1 - 2j]


def test_negated_copy_into_the_device(device):
    x = torch.empty(4, device=device).view(2, 2)
    x.copy_(VALUES.conj().imag)
    assert x.cpu().tolist() == VALUES.conj().imag.tolist()


def test_matmul_of_conjugates(agree):
    agree(lambda x: x.conj() @ x.mH, VALUES.clone().requires_grad_())


def test_in_place_through_a_conjugate(agree):
    def function(x):
        x.conj().add_(1j)
        return x

    agree(function, VALUES)


@pytest.mark.parametrize("name", ["fft", "ifft", "fft2", "hfft", "rfft"])
def test_fft(agree, name):
    values = VALUES.real.contiguous() if name == "rfft" else VALUES
    agree(getattr(torch.fft, name), values.clone().requires_grad_())


def test_polar_and_eig(agree):
    agree(torch.polar, VALUES.abs(), VALUES.angle())
    agree(torch.linalg.eigvals, VALUES)
