"""Judges entries: a task (JSON) on each line of stdin, a report on each of stdout.

An empty line ends it; it then prints which operators infini called, by provider, and
what went through copies. `--place FILE` is where it notes what it is doing.
"""

import argparse
import json
import sys
import time
import traceback
import warnings

import torch
import torch_infini  # noqa: F401

from tests.operators.databases import Entry, check
from tests.operators.judge import FAILED, Judge, Place, Report


def report_of(task, place, limit):
    """The report of one entry as a dictionary."""
    skip = task.pop("skip", ())
    entry = Entry(**task)
    report = Report()
    start = time.process_time()
    try:
        check(entry, Judge(report, place, skip=skip), limit)
    except Exception:
        report.add("harness", FAILED, "", traceback.format_exc())
    return entry.task() | {
        "cases": report.cases,
        "details": report.details,
        "samples": report.samples,
        "comparisons": report.comparisons,
        "seconds": round(time.process_time() - start, 3),
    }


def called_operators():
    """How often each operator was called, by provider."""
    called = {}
    for name, provider, calls in torch.infini.provider_counts():
        called.setdefault(kind_of(name, provider), {})[name] = calls
    return called


def kind_of(name, provider):
    """Whether the dispatcher holds a kernel of its own for a host operator."""
    if provider != "host":
        return provider
    try:
        lines = torch._C._dispatch_dump(name).splitlines()
    except RuntimeError:
        return "boxed"
    kernels = [line for line in lines if line.startswith("PrivateUse1:")]
    return "unboxed" if any("unboxed ]" in line for line in kernels) else "boxed"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--place", required=True)
    parser.add_argument("--limit", type=int, required=True)
    options = parser.parse_args()
    reports = sys.stdout
    sys.stdout = sys.stderr  # what operators print
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    torch.set_warn_always(True)
    place = Place(options.place)
    for line in sys.stdin:
        if not line.strip():
            break
        report = report_of(json.loads(line), place, options.limit)
        print(json.dumps(report), file=reports, flush=True)
    fallbacks = torch.infini.fallback_counts()
    end = {"called": called_operators(), "fallbacks": fallbacks}
    print(json.dumps(end), file=reports, flush=True)


if __name__ == "__main__":
    sys.exit(main())
