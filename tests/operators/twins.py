"""Copies of a sample's tensors on one device, one per tensor and one per storage.

A sample may hold a tensor twice, or two views of one storage; a copy of each leaf by
itself would hide what an operator does with that.
"""

import copy

import torch
from torch.utils._pytree import tree_map


def is_plain(tensor):
    """Whether sizes, strides and a storage describe the tensor."""
    return tensor.layout == torch.strided and not tensor.is_quantized


class Twins:
    """Turns trees of CPU tensors into trees of tensors on `device`.

    `grad` keeps requires_grad. The twins are leaves. `pairs` lists all of them by name,
    in the order they were met; `used` tells whether any tensor or device was met, that
    is, whether the call could know of the device.
    """

    def __init__(self, device, grad=False):
        self.stay = ()  # tensors that are on the CPU whatever the device
        self.device = torch.device(device)
        self.grad = grad
        self.used = False
        self.made = []
        self._tensors = {}
        self._storages = {}
        self._kept = []

    def __call__(self, tree):
        return tree_map(self._leaf, tree)

    def sample(self, sample):
        """The twins of a SampleInput: first argument, other arguments, keywords."""
        return self((sample.input, list(sample.args), dict(sample.kwargs)))

    def leaves(self):
        """The twins that gradients can be asked for."""
        return [t for t in self.made if t.is_leaf and t.requires_grad]

    def _leaf(self, value):
        if any(value is tensor for tensor in self.stay):
            return value
        if isinstance(value, torch.Tensor):
            self.used = True
            if id(value) not in self._tensors:
                self._kept.append(value)
                self._tensors[id(value)] = self._tensor(value)
                self.made.append(self._tensors[id(value)])
            return self._tensors[id(value)]
        if isinstance(value, torch.nn.Module):
            return copy.deepcopy(value).to(self.device)
        if isinstance(value, torch.device) or (
            isinstance(value, str) and value == "cpu"
        ):
            self.used = True
            return self.device
        return value

    def _tensor(self, tensor):
        plain = tensor.detach()
        if not is_plain(tensor):
            twin = plain.clone().to(self.device)
            return twin.requires_grad_(self.grad and tensor.requires_grad)
        twin = torch.empty(0, dtype=tensor.dtype, device=self.device)
        place = (plain.storage_offset(), plain.size(), plain.stride())
        twin.set_(self._storage(plain), *place)
        if plain.is_conj():
            twin = twin.conj()
        if plain.is_neg():
            twin = torch._neg_view(twin)
        if isinstance(tensor, torch.nn.Parameter):
            return torch.nn.Parameter(twin, self.grad and tensor.requires_grad)
        return twin.requires_grad_(self.grad and tensor.requires_grad)

    def _storage(self, tensor):
        source = tensor.untyped_storage()
        if source._cdata not in self._storages:
            self._kept.append(source)
            flat = torch.empty(0, dtype=torch.uint8).set_(source)
            copy = torch.empty(flat.numel(), dtype=torch.uint8, device=self.device)
            self._storages[source._cdata] = copy.copy_(flat).untyped_storage()
        return self._storages[source._cdata]
