"""A slice of `make test-operators` that fits into every run.

INFINI_OPERATORS_SEED chooses it and is printed; INFINI_OPERATORS_ENTRIES is its size.
"""

import os
import random

import pytest

from tests.operators import databases, summary
from tests.operators.judge import FAILED
from tests.operators.runner import Runner

pytestmark = pytest.mark.needs("host-access")

SEED = int(os.environ.get("INFINI_OPERATORS_SEED", random.randrange(1 << 20)))
ENTRIES = int(os.environ.get("INFINI_OPERATORS_ENTRIES", 900))
JOBS = int(os.environ.get("MAX_JOBS") or os.cpu_count() or 1)
LIMIT = 3


def test_slice():
    todo = databases.entries()
    chosen = random.Random(SEED).sample(todo, min(ENTRIES, len(todo)))
    chosen.sort(key=lambda entry: (entry.database, entry.index))
    runner = Runner(chosen, JOBS, LIMIT)
    reports = list(runner.reports())
    print(f"INFINI_OPERATORS_SEED={SEED}")
    print(summary.table(reports))
    assert len(reports) == len(chosen)
    failed = [r for r in reports if summary.status_of(r) == FAILED]
    assert not failed, f"INFINI_OPERATORS_SEED={SEED}\n" + summary.failures(failed)
    assert not runner.totals.fallbacks
    passed = sum(summary.status_of(r) == "passed" for r in reports)
    assert passed >= 0.97 * len(reports)
