"""The plugin on other libraries than its own, without an upstream stack.

Each test puts a library of its own first in LD_LIBRARY_PATH: a few lines of C++, or a
copy of the embedded library without its extension table. What the real libraries do is
shown by run_suite.sh.
"""

import os
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
import torch

FOREIGN_MARKS = [
    "_ZNK6infini3ops6Handle5CloneEv",
    "_ZNK6infini3ops6Config5CloneEv",
    "_ZTVN6infini3ops6HandleE",
    "_ZTVN6infini3ops6ConfigE",
]

REFUSED_TWICE = """
import torch

messages = []
for _ in range(2):
    try:
        import torch_infini
    except ImportError as error:
        messages.append(str(error))
assert len(messages) == 2 and messages[0] == messages[1], messages

assert not hasattr(torch, "infini")
assert torch._C._get_privateuse1_backend_name() == "privateuseone"
assert not torch.accelerator.is_available()
for name in ("aten::empty.memory_format", "aten::copy_", "aten::add.Tensor"):
    assert not torch._C._dispatch_has_kernel_for_dispatch_key(name, "PrivateUse1")
torch.utils.rename_privateuse1_backend("another")
assert torch.device("another:0").type == "another"
assert torch.ones(2).add(1).tolist() == [2.0, 2.0]
print(messages[0])
"""

SERVED_BY = """
import torch, torch_infini

def providers(dtype):
    x = torch.arange(48, dtype=dtype).reshape(6, 8)  # no small operator
    before = dict(((n, p), c) for n, p, c in torch.infini.provider_counts())
    y = torch.add(x.to("infini"), x.to("infini"))
    assert y.device == torch.device("infini:0")
    assert torch.equal(y.cpu(), x + x)
    after = torch.infini.provider_counts()
    return [p for n, p, c in after
            if n == "aten::add.Tensor" and c > before.get((n, p), 0)]
"""

DOCUMENTED = {"host_allocation", "events", "host_access", "inline_streams"}

WORKS = """
stream = torch.infini.Stream()
start = torch.infini.Event(enable_timing=True)
end = torch.infini.Event(enable_timing=True)
with torch.infini.stream(stream):
    start.record()
    x = torch.ones(1000, device="infini") * 3
    end.record()
stream.synchronize()
assert stream.query() and end.query() and torch.infini.default_stream().query()
assert start.elapsed_time(end) >= 0
assert x.sum().item() == 3000

properties = torch.infini.get_device_properties(0)
assert properties.name and properties.total_memory > 0
pinned = torch.ones(16).pin_memory("infini")
assert pinned.is_pinned("infini")
assert torch.equal(pinned.to("infini", non_blocking=True).cpu(), torch.ones(16))
try:
    torch.empty(1 << 60, dtype=torch.uint8, device="infini")
except torch.OutOfMemoryError as error:
    assert "infini:0" in str(error)
else:
    raise SystemExit("an exbibyte was allocated")
"""


@pytest.fixture
def library(tmp_path):
    """Makes a libinfiniops.so that exports the given symbols and nothing else."""

    def make(*symbols):
        lines = [
            f'extern "C" void f{i}() __asm__("{symbol}"); void f{i}() {{}}'
            for i, symbol in enumerate(symbols)
        ]
        source = tmp_path / "ops.cpp"
        source.write_text("\n".join(lines) + "\n")
        target = tmp_path / "lib" / "libinfiniops.so"
        target.parent.mkdir()
        compiler = shlex.split(os.environ.get("CXX", "c++"))
        options = ["-shared", "-fPIC", "-Wl,-soname,libinfiniops.so"]
        subprocess.run([*compiler, *options, source, "-o", target], check=True)
        return target

    return make


@pytest.fixture
def import_with(run_python):
    """Runs code in a process that looks for libraries in the given folder first."""

    def run(folder, code):
        given = os.environ.get("LD_LIBRARY_PATH")
        path = os.pathsep.join([str(folder), *([given] if given else [])])
        return run_python(
            code,
            LD_LIBRARY_PATH=path,
            TORCH_DEVICE_BACKEND_AUTOLOAD=0,
            INFINI_RT_STREAMS="inline",
        ).stdout

    return run


@pytest.mark.parametrize("mark", FOREIGN_MARKS)
def test_foreign_layout_is_refused_before_registration(library, import_with, mark):
    path = library(mark)
    message = import_with(path.parent, REFUSED_TWICE)
    assert "built for InfiniOps as of commit 2962714" in message
    assert str(path) in message
    assert "Handle and Config have virtual functions" in message
    assert "LD_LIBRARY_PATH" in message
    assert "INFINI_OPS_PREFIX" in message


def test_library_without_operators_leaves_them_to_the_host(library, import_with):
    path = library("of_no_interest")
    code = f"""{SERVED_BY}
operators = torch.infini.runtime_backend()["operators"]
assert operators["path"] == {str(path)!r}, operators
assert operators["extension_version"] is None
assert operators["gemm"] is None
for dtype in (torch.float32, torch.int64, torch.float16):
    assert providers(dtype) == ["host"], providers(dtype)
"""
    import_with(path.parent, code)


def without_table(library: Path, symbol: bytes, folder: Path):
    """Copies a library so that the loader no longer finds one symbol of it."""
    content = library.read_bytes()
    assert content.count(symbol + b"\0") == 1
    copy = folder / library.name
    copy.write_bytes(content.replace(symbol + b"\0", symbol[:-1] + b"X\0"))


@pytest.mark.needs("embedded")
@pytest.mark.parametrize("hidden", [("rt",), ("ops",), ("rt", "ops")], ids="+".join)
def test_without_extension_tables(import_with, tmp_path, hidden):
    """A library that has upstream's interface only, or one of each kind."""
    import torch_infini  # noqa: F401

    used = torch.infini.runtime_backend()
    for half, key in (("rt", "runtime"), ("ops", "operators")):
        path = Path(used[key]["path"])
        if half in hidden:
            without_table(path, f"infini_{half}_extension".encode(), tmp_path)
        for other in path.parent.glob("libscipy_openblas*"):
            if not (tmp_path / other.name).exists():
                shutil.copy(other, tmp_path)
    add = "host" if "ops" in hidden else "infiniops"
    code = f"""{SERVED_BY}
used = torch.infini.runtime_backend()
for half, key in (("rt", "runtime"), ("ops", "operators")):
    assert (used[key]["extension_version"] is None) == (half in {hidden!r}), used
    assert used[key]["path"].startswith({str(tmp_path)!r}) == (half in {hidden!r}), used
assert used["embedded"] is False
if "rt" in {hidden!r}:
    assert set(used["capabilities"]) == {DOCUMENTED!r}, used
assert providers(torch.float32) == ["infiniops"]
assert providers(torch.float16) == [{add!r}]
{WORKS}"""
    import_with(tmp_path, code)
