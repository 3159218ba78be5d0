"""Entries of optim_db: a few steps of each optimizer with the same options."""

import itertools

import torch
from torch.testing._internal.common_optimizers import OptimizerErrorEnum

from tests.operators.operator_modes import weights_like
from tests.operators.outcome import seed_everything

OPTIMIZER_DTYPES = (torch.float32, torch.float64, torch.bfloat16, torch.complex64)
SHAPES = ((3, 4), (5,), (), (2, 3, 2), (0,))
# Muon takes matrices only, Adafactor divides by the number of elements.
SHAPES_OF = {"Muon": ((3, 4), (5, 2)), "Adafactor": ((3, 4), (5,), (2, 3, 2))}
STEPS = 3
# State that an optimizer keeps on the CPU, whatever the device.
ON_CPU = ("step", "mu_product")
IMPLEMENTATIONS = ("forloop", "foreach", "fused", "differentiable")


def options_of(implementation):
    """The optimizer's flags: given on both sides, so that neither side chooses."""
    if implementation == "forloop":
        return {"foreach": False}
    if implementation == "differentiable":
        return {"differentiable": True, "foreach": False}
    return {implementation: True}


def parameters(shapes, dtype, twins):
    seed_everything(0)
    made = [torch.randn(shape, dtype=dtype).requires_grad_() for shape in shapes]
    return twins(made)


def steps(info, options, shapes, dtype):
    """A call that steps the optimizer and returns its parameters and state."""

    def call(twins):
        given = parameters(shapes, dtype, twins)
        if options.get("differentiable"):
            given = [parameter.clone() for parameter in given]
        optimizer = info.optim_cls(given, **twins(options))
        losses = []

        def closure():
            optimizer.zero_grad()
            loss = sum((p * p.conj()).sum().abs() for p in given)
            loss.backward()
            return loss

        for number in range(STEPS):
            if info.step_requires_closure:
                losses.append(optimizer.step(closure).detach())
                continue
            for parameter, gradient in zip(
                given, weights_like(given, seed=number), strict=True
            ):
                parameter.grad = gradient
            optimizer.step()
        state = [dict(optimizer.state.get(parameter, {})) for parameter in given]
        return {
            "parameter": [p.detach() for p in given],
            "step": [{k: s.pop(k) for k in ON_CPU if k in s} for s in state],
            "state": state,
            "loss": losses,
            "gradient": [p.grad for p in given],
        }

    return call


def error_call(item, info):
    def call(twins):
        error = item.optimizer_error_input
        given = twins(error.params)
        optimizer = info.optim_cls(given, **twins(error.kwargs))
        if item.error_on == OptimizerErrorEnum.STEP_ERROR:
            optimizer.step()
        return {}

    return call


def check_optimizer(info, dtype, judge, limit):
    """Judges every implementation with every set of options."""
    shapes = SHAPES_OF.get(info.name, SHAPES)
    inputs = info.optim_inputs_func(device="cpu")
    judge.report.samples = len(inputs)
    for implementation, (number, item) in itertools.product(
        IMPLEMENTATIONS, enumerate(inputs)
    ):
        if implementation != "forloop" and implementation not in info.supported_impls:
            continue
        flags = options_of(implementation)
        if implementation == "forloop" and "foreach" not in info.supported_impls:
            flags = {}
        judge(
            implementation,
            item.desc or f"options {number}",
            steps(info, {**item.kwargs, **flags}, shapes, dtype),
            number,
            grad=True,
        )
    if info.optim_error_inputs_func is not None:
        for number, item in enumerate(info.optim_error_inputs_func("cpu", dtype)):
            judge("errors", f"error {number}", error_call(item, info), number)
