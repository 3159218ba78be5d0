"""The harness finds every kind of difference, and says where a worker died."""

import warnings
from collections import Counter

import pytest
import torch
from torch.testing._internal.opinfo.core import SampleInput

from tests.operators import databases, summary
from tests.operators import operator_modes as modes
from tests.operators.databases import Entry, spread
from tests.operators.judge import (
    FAILED,
    PASSED,
    REFUSED,
    REJECTED,
    UNREPEATABLE,
    Judge,
    Report,
)
from tests.operators.runner import Runner

pytestmark = pytest.mark.needs("host-access")


def judged(function, *tensors, grad=False, mode=modes.forward):
    """The one status and detail that `function` gets."""
    report = Report()
    sample = SampleInput(tensors[0], args=tensors[1:])
    Judge(report)(
        "mode", "sample 0", lambda twins: mode(function, sample, twins), 0, grad
    )
    (counts,) = report.cases.values()
    (status,) = counts
    return status, report.details[0][2] if report.details else ""


def only_on_infini(change):
    """A function that is right on the CPU and does `change` on infini."""

    def function(x, *rest):
        return change(x, *rest) if x.device.type == "infini" else x + 1

    return function


def raising(error):
    raise error


def in_place_and_raise(x):
    x.resize_(2 if x.device.type == "infini" else 1)
    raise ValueError("after the change")


def test_equal_outcomes_pass():
    x = torch.randn(3, requires_grad=True)
    assert judged(lambda x: x + 1, x) == (PASSED, "")
    assert judged(torch.nn.functional.dropout, x, grad=True)[0] == PASSED
    assert judged(torch.exp, x, grad=True, mode=modes.backward)[0] == PASSED
    assert judged(torch.exp, x, grad=True, mode=modes.forward_mode)[0] == PASSED


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (lambda x: torch.nextafter(x + 1, x), "values differ"),
        (lambda x: torch.where(x > 9, x, torch.nan), "values differ"),
        (lambda x: (x + 1).double(), "dtype"),
        (lambda x: (x + 1)[None], "shape"),
        (lambda x: (x + 1).t(), "stride"),
        (lambda x: x.add_(1), "argument"),
        (lambda x: (x + 1).requires_grad_(), "requires_grad"),
        (lambda x: (x + 1).cpu(), "is on cpu"),
        (lambda x: (x + 1, x), "number of tensors"),
        (lambda x: (x + 1, 4), "[]"),
        (lambda x: (x + 1).view_as(x), "_is_view"),
        (lambda x: torch.cat([x, x + 1])[4:], "storage_offset"),
        (lambda x: raising(ValueError("no")), "raised what"),
        (lambda x: warnings.warn("slow", stacklevel=1) or x + 1, "warned"),
    ],
)
def test_differences_are_found(change, found):
    status, detail = judged(only_on_infini(change), torch.zeros(4, 4))
    assert status == FAILED
    assert found in detail


def test_sharing_is_compared():
    def function(x):
        if x.device.type == "infini":
            return x + 1, x + 1
        y = x + 1
        return y, y

    status, detail = judged(function, torch.zeros(3))
    assert (status, "sharing" in detail) == (FAILED, True)


def test_memory_between_elements_is_compared():
    def function(x):
        if x.device.type == "infini":
            torch.as_strided(x, (1,), (1,), 1).fill_(5)
        return x + 1

    status, detail = judged(function, torch.zeros(4, 2)[:, 0])
    assert (status, "between" in detail) == (FAILED, True)


def test_gradients_are_compared():
    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, gradient):
            return gradient * (3 if gradient.device.type == "infini" else 2)

    x = torch.ones(3, requires_grad=True)
    status, detail = judged(Twice.apply, x, grad=True, mode=modes.backward)
    assert (status, detail.partition(":")[0]) == (FAILED, "gradient")


def test_errors_are_compared_without_the_name_of_the_device():
    x = torch.zeros(3)
    assert judged(lambda x: raising(ValueError(f"on {x.device}")), x)[0] == REJECTED
    for error in (TypeError("on cpu"), ValueError("elsewhere")):
        status, detail = judged(
            lambda x, error=error: raising(
                error if x.device.type == "infini" else ValueError("on cpu")
            ),
            x,
        )
        assert (status, "expected ValueError" in detail) == (FAILED, True)


def test_arguments_are_compared_after_an_error():
    status, detail = judged(in_place_and_raise, torch.zeros(3))
    assert (status, detail) == (
        FAILED,
        "argument: shape torch.Size([2]) != torch.Size([1])",
    )


def test_a_cpu_that_differs_from_itself_is_not_judged():
    calls = iter(range(99))
    status, _ = judged(lambda x: x + next(calls), torch.zeros(3))
    assert status == UNREPEATABLE


def test_a_refusal_is_told_apart():
    assert judged(lambda x: x.to_sparse(), torch.ones(3))[0] == REFUSED


@pytest.mark.parametrize("count", [1, 2, 5, 9, 100])
def test_samples_are_spread(count):
    picked = spread(list(range(count)), 4)
    assert len(picked) == min(count, 4)
    assert (picked[0][0], picked[-1][0]) == (0, count - 1)


def test_every_entry_that_the_cpu_supports_is_listed():
    listed = Counter(entry.database for entry in databases.entries())
    for name in ("op_db", "python_ref_db", "module_db"):
        infos = databases.database(name)
        assert listed[name] == sum(len(i.supported_dtypes("cpu")) for i in infos)
    assert {e.name for e in databases.entries(["optim_db"])} == {
        info.name for info in databases.database("optim_db")
    }


# A worker that dies at the second entry, hangs at the third and else answers.
SCRIPT = """
import json, os, sys, time
place = sys.argv[1].partition("=")[2]
for line in sys.stdin:
    if not line.strip():
        break
    task = json.loads(line)
    side = "cpu" if task["name"] == "dies on the cpu" else "infini"
    open(place, "w").write(f"forward\\tsample 4\\t{side}")
    if task["name"].startswith("dies") and not task["skip"]:
        os.abort()
    if task["name"] == "hangs":
        time.sleep(600)
    task["cases"] = {"forward": {"passed": 1}}
    print(json.dumps(task | {"details": [], "samples": 1}), flush=True)
print(json.dumps({"called": {"unboxed": {"a": 2}}, "fallbacks": {}}), flush=True)
"""


def test_a_worker_that_dies_or_hangs_costs_its_entry():
    names = ["fine", "dies", "hangs", "dies on the cpu", "last"]
    entries = [Entry("op_db", i, "float32", name) for i, name in enumerate(names)]
    runner = Runner(entries, jobs=1, limit=1, patience=20, command=("-c", SCRIPT))
    reports = {report["name"]: report for report in runner.reports()}
    assert {n: summary.status_of(r) for n, r in reports.items()} == {
        "fine": PASSED,
        "dies": FAILED,
        "hangs": FAILED,
        "dies on the cpu": PASSED,
        "last": PASSED,
    }
    assert reports["dies on the cpu"]["skip"] == ["forward"]
    assert reports["dies"]["details"][0][1] == "forward sample 4"
    assert "ended with -6" in reports["dies"]["details"][0][2]
    assert "no answer within 20 s" in reports["hangs"]["details"][0][2]
    assert runner.totals.called == {"unboxed": {"a": 2}}
