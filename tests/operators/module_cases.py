"""Entries of module_db: construction, forward, backward, layouts and errors."""

import copy

import torch
from torch.testing._internal.common_modules import ModuleErrorEnum
from torch.testing._internal.common_utils import noncontiguous_like
from torch.utils._pytree import tree_map

from tests.operators.operator_modes import gradients
from tests.operators.outcome import seed_everything
from tests.operators.twins import Twins


def construct(info, item, twins):
    """The module with seeded parameters, made on the device of the twins."""
    seed_everything(0)
    arguments = item.constructor_input
    args, kwargs = twins((arguments.args, arguments.kwargs))
    with twins.device:
        return info.module_cls(*args, **kwargs)


class ModuleCheck:
    """Runs the modes of one entry; `place` numbers the module's inputs."""

    def __init__(self, info, dtype, judge):
        self.info = info
        self.dtype = dtype
        self.judge = judge

    def place_module(self, item, twins, training):
        module = construct(self.info, item, Twins("cpu"))
        module = module.to(self.dtype).train(training)
        if list(module.parameters()) or list(module.buffers()):
            twins.used = True
        return module.to(twins.device)

    def forward(self, item, training, change=None):
        def call(twins):
            module = self.place_module(item, twins, training)
            inputs = item.forward_input
            trees = (inputs.args, inputs.kwargs)
            if change is not None:
                trees = tree_map(change, trees)
            args, kwargs = twins(trees)
            seed_everything(1)
            results = module(*args, **kwargs)
            found = {"result": results, "state": dict(module.state_dict())}
            if twins.grad:
                parameters = [p for p in module.parameters() if p.requires_grad]
                found["gradient"] = gradients(results, twins.leaves() + parameters)
            return found

        return call

    def construction(self, item):
        """Constructed on the device, with the device's random numbers."""

        def call(twins):
            module = construct(self.info, item, twins)
            twins.used = True
            clone = copy.deepcopy(module)
            return {
                "parameter": list(module.parameters()),
                "copy": list(clone.parameters()),
            }

        return call

    def run(self, items, training):
        name = "train" if training else "eval"
        for number, item in enumerate(items):
            place = f"input {number} {name}"
            self.judge("forward", place, self.forward(item, training), number)
            self.judge(
                "backward", place, self.forward(item, training), number, grad=True
            )
            self.judge(
                "noncontiguous",
                place,
                self.forward(item, training, strided),
                number,
                grad=True,
            )
            if training and not self.info.is_lazy:
                self.judge("construction", place, self.construction(item), number)

    def run_error(self, number, error):
        if error.error_on == ModuleErrorEnum.CONSTRUCTION_ERROR:

            def call(twins):
                return {"result": construct(self.info, error.module_error_input, twins)}

        else:
            call = self.forward(error.module_error_input, True)
        self.judge("errors", f"error {number}", call, number)


def strided(value):
    if not isinstance(value, torch.Tensor) or value.layout != torch.strided:
        return value
    made = noncontiguous_like(value.detach())
    return made.requires_grad_(value.requires_grad)


def check_module(info, dtype, judge, limit):
    """Judges the cases of one module, in training and in evaluation mode."""
    checker = ModuleCheck(info, dtype, judge)
    for training in (True, False):
        seed_everything(0)
        items = info.module_inputs_func(
            info, device="cpu", dtype=dtype, requires_grad=True, training=training
        )
        items = list(items)[: limit or None]
        judge.report.samples += len(items)
        checker.run(items, training)
    if info.module_error_inputs_func is not None:
        errors = info.module_error_inputs_func(
            info, device="cpu", dtype=dtype, requires_grad=False, training=False
        )
        for number, error in enumerate(errors):
            checker.run_error(number, error)
