"""Models train under torch.compile's eager and aot_eager backends."""

import pytest
import torch

from tests.models import compiled, zoo

pytestmark = pytest.mark.needs("host-access")
QUICK = {"cnn", "llama"}
NAMES = [
    pytest.param(name, marks=[] if name in QUICK else [pytest.mark.models])
    for name in zoo.BUILDERS
]


@pytest.fixture(autouse=True)
def fresh_compiler():
    torch.compiler.reset()
    yield
    torch.compiler.reset()


@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
@pytest.mark.parametrize("name", NAMES)
def test_compiled_training(name, backend):
    assert compiled.same_as_cpu(zoo.build(name), backend)
