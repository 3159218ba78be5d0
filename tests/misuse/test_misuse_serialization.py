"""Files, copies and pickles that cannot be."""

import copy
import pickle

import pytest

from misuse.attempts import each

LOAD = "Attempting to deserialize object on "

ATTEMPTS = [
    (
        "torch.load(saved(x), map_location='infini:7')",
        RuntimeError,
        f"{LOAD}INFINI device 7 but torch.infini.device_count() is 1",
    ),
    (
        "torch.load(saved(x), map_location='infini:256')",
        RuntimeError,
        f"{LOAD}INFINI device 256 but torch.infini.device_count() is 1",
    ),
    (
        "torch.load(saved(x), map_location='cuda')",
        RuntimeError,
        f"{LOAD}a CUDA device but torch.cuda.is_available() is False",
    ),
    (
        "torch.load(saved(c), map_location='infinity')",
        RuntimeError,
        "don't know how to restore data location of torch.storage.UntypedStorage "
        "(tagged with infinity)",
    ),
    ("torch.load(saved(c), map_location=0)", TypeError, "object is not callable"),
    (
        "torch.load(saved(c), map_location=D, mmap=True)",
        ValueError,
        "f must be a file path",
    ),
    (
        "torch.load(saved(nn.Linear(2, 2).to(D)))",
        pickle.UnpicklingError,
        "Weights only load failed",
    ),
    (
        "saved([x, x.view(torch.int32)])",
        RuntimeError,
        "view the same data as different types",
    ),
    (
        "copy.deepcopy(leaf * 2)",
        RuntimeError,
        "Only Tensors created explicitly by the user",
    ),
    ("pickle.dumps(torch.infini.Stream())", TypeError, "cannot pickle 'Stream' object"),
    ("pickle.dumps(torch.infini.Event())", TypeError, "cannot pickle 'Event' object"),
    (
        "nn.Linear(3, 2).to(D).load_state_dict({'weight': m, 'bias': x})",
        RuntimeError,
        "size mismatch for weight",
    ),
    (
        "x.untyped_storage()._share_fd_cpu_()",
        RuntimeError,
        "_share_fd_: only available on CPU",
    ),
]


@each(ATTEMPTS)
def test_refused(refused, code, error, text):
    refused(code, error, text)


@pytest.mark.parametrize(
    "code",
    [
        # A device's own name, in every form that PyTorch takes.
        "assert torch.load(saved(c), map_location='infini').device.type == D",
        "assert torch.load(saved(c), map_location=torch.device(D, 0)).is_infini",
        "assert torch.load(saved(x), map_location={'infini:0': 'cpu'}).is_cpu",
        # What torch.cuda's users write.
        "assert torch.load(saved(x), map_location=lambda s, l: s).is_cpu",
        "assert torch.load(saved(c), map_location=lambda s, l: s.infini()).is_infini",
        "assert copy.deepcopy({'a': x, 'b': x[1:]})['b'].is_infini",
    ],
)
def test_accepted(accepted, code):
    accepted(code)


def test_a_truncated_file(tmp_path):
    import torch

    torch.save(torch.ones(1000, device="infini"), tmp_path / "x.pt")
    data = (tmp_path / "x.pt").read_bytes()
    (tmp_path / "x.pt").write_bytes(data[: len(data) // 2])
    with pytest.raises(RuntimeError, match="failed finding central directory"):
        torch.load(tmp_path / "x.pt")


def test_a_copy_is_independent():
    import torch

    x = torch.ones(3, device="infini")
    copy.deepcopy(x).zero_()
    assert x.tolist() == [1, 1, 1]
