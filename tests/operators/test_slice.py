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

# Open faults, which `make test-operators` counts as failed.
ATTENTION = "PyTorch chooses another of its attention kernels on PrivateUse1"
STEPS = "on the CPU PyTorch multiplies the input of all steps at once, or asks oneDNN"
OPEN = {
    "nn_functional_scaled_dot_product_attention": ATTENTION,
    "nn_TransformerEncoder": ATTENTION,
    "nn_TransformerEncoderLayer": ATTENTION,
    "nn_TransformerDecoderLayer": ATTENTION,
    "nn_Transformer": ATTENTION,
    "nn_RNN": STEPS,
    "nn_GRU": STEPS,
    "nn_LSTM": STEPS,
}


def test_slice():
    everything = databases.entries()
    names = {entry.name for entry in everything}
    assert set(OPEN) <= names
    todo = [entry for entry in everything if entry.name not in OPEN]
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
