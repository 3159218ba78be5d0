"""Backends, state isolation and recorded outcomes of the conformance suite.

CUDA is a behavioural reference, not the specification: contracts compare state
transitions that every device shares. Infini always runs; CUDA where it is available.
"""

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest
import torch

ROOT = Path(__file__).resolve().parents[2]
OUTCOMES_VARIABLE = "INFINI_CONFORMANCE_OUTCOMES"
sys.path.insert(0, str(ROOT / "tools"))


@dataclass(frozen=True)
class Backend:
    """One device type under test and its module, such as torch.infini."""

    name: str
    api: ModuleType

    def device(self, index: int | None = None) -> torch.device:
        return torch.device(self.name if index is None else f"{self.name}:{index}")

    def tensor(self, values, dtype=torch.float32) -> torch.Tensor:
        """A device tensor made by nothing but an allocation and a copy."""
        source = torch.as_tensor(values, dtype=dtype)
        return torch.empty(source.shape, dtype=dtype, device=self.name).copy_(source)

    @property
    def is_infini(self) -> bool:
        return self.name == "infini"


def load_backend(name: str) -> Backend:
    if name == "infini":
        import torch_infini  # noqa: F401
    return Backend(name, getattr(torch, name))


@pytest.fixture(params=["infini", "cuda"])
def backend(request):
    """The backend under test, left on device 0 and the default stream."""
    if request.param == "cuda" and not torch.cuda.is_available():
        pytest.skip("CUDA is not available")
    chosen = load_backend(request.param)
    chosen.api.set_device(0)
    chosen.api.set_stream(chosen.api.default_stream())
    yield chosen
    chosen.api.set_device(0)
    chosen.api.set_stream(chosen.api.default_stream())
    chosen.api.synchronize()


@pytest.fixture
def infini():
    """The infini backend, for behaviour that the seed asks of it alone."""
    return load_backend("infini")


@pytest.fixture
def two_devices(backend):
    """Skips where the backend has one device."""
    if backend.api.device_count() < 2:
        pytest.skip(f"needs two {backend.name} devices")
    return backend


class Outcomes:
    """The worst outcome of each test, by id relative to the repository."""

    def __init__(self):
        self.by_id: dict[str, str] = {}
        self.ids: dict[str, str] = {}

    def pytest_collection_finish(self, session):
        for item in session.items:
            path = item.path.relative_to(ROOT).as_posix()
            _, _, rest = item.nodeid.partition("::")
            self.ids[item.nodeid] = f"{path}::{rest}"

    def pytest_runtest_logreport(self, report):
        name = self.ids.get(report.nodeid, report.nodeid)
        outcome = "skipped" if hasattr(report, "wasxfail") else report.outcome
        if self.by_id.get(name, "passed") == "passed":
            self.by_id[name] = outcome

    def pytest_sessionfinish(self):
        target = os.environ.get(OUTCOMES_VARIABLE)
        if target:
            Path(target).write_text(json.dumps(self.by_id), encoding="utf-8")


# The README's own spellings, which PyTorch deprecates.
DEPRECATED = (
    "ignore:The argument 'device' of Tensor:DeprecationWarning",
    "ignore:TypedStorage is deprecated:UserWarning",
)


def pytest_configure(config):
    for line in DEPRECATED:
        config.addinivalue_line("filterwarnings", line)
    config.stash[OUTCOMES] = Outcomes()
    config.pluginmanager.register(config.stash[OUTCOMES], "conformance-outcomes")


def pytest_collection_modifyitems(items):
    """Let the scope test come last: it looks at what the others did."""
    items.sort(key=lambda item: item.path.name == "test_scope.py")


OUTCOMES = pytest.StashKey[Outcomes]()


@pytest.fixture
def outcomes(request):
    """What this session has run so far."""
    return request.config.stash[OUTCOMES].by_id
