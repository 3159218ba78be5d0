"""Scripts for torch.cuda with the name replaced."""

import pytest

from misuse.attempts import each

HAS = "which torch.cuda has"
NO_GRAPHS = f"{HAS}: infini has no graphs; run the code without them"

ATTEMPTS = [
    (
        "torch.infini.nvtx.range_push('step')",
        AttributeError,
        "module 'torch.infini' has no attribute 'nvtx', which torch.cuda has: use "
        "torch.profiler.record_function",
    ),
    ("torch.infini.CUDAGraph()", AttributeError, NO_GRAPHS),
    ("torch.infini.graph(None)", AttributeError, NO_GRAPHS),
    (
        "torch.infini.FloatTensor(3)",
        AttributeError,
        "use torch.tensor(..., dtype=..., device='infini')",
    ),
    (
        "torch.set_default_tensor_type('torch.infini.FloatTensor')",
        AttributeError,
        "use torch.tensor(..., dtype=..., device='infini')",
    ),
    (
        "torch.infini.ipc_collect()",
        AttributeError,
        "processes cannot share infini memory; leave the call out",
    ),
    (
        "torch.infini.cudart()",
        AttributeError,
        "torch.infini.runtime_backend() describes the runtime",
    ),
    (
        "torch.infini.memory_usage()",
        AttributeError,
        f"{HAS}: use torch.infini.mem_get_info()",
    ),
    ("torch.infini.utilization()", AttributeError, HAS),
    (
        "torch.infini.memory._record_memory_history()",
        AttributeError,
        "infini keeps no history of its memory; torch.infini.memory._snapshot()",
    ),
    (
        "torch.infini.memory_alocated()",
        AttributeError,
        "module 'torch.infini' has no attribute 'memory_alocated'",
    ),
    (
        "torch.infini.set_device('cuda:0')",
        ValueError,
        "Expected an infini device, but got: cuda:0",
    ),
    ("x.cuda()", AssertionError, "Torch not compiled with CUDA enabled"),
    ("nn.Linear(2, 2).cuda()", AssertionError, "Torch not compiled with CUDA enabled"),
    (
        "torch.infini.Stream(priority=-1)",
        NotImplementedError,
        "InfiniRT has no stream priorities",
    ),
]
SCRIPT = """
import os, tempfile, torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
{imports}
assert torch.cuda.is_available() and torch.cuda.device_count() >= 1
torch.manual_seed(0)
torch.cuda.manual_seed_all(0)
torch.backends.cudnn.benchmark = True
device = torch.device("cuda", torch.cuda.current_device())
print(torch.cuda.get_device_name(device))
print(torch.cuda.get_device_properties(device).total_memory >> 30, "GiB")
torch.cuda.reset_peak_memory_stats()
torch.cuda.reset_max_memory_allocated()
data = TensorDataset(torch.randn(64, 8), torch.randint(3, (64,)))
loader = DataLoader(data, batch_size=16, shuffle=True, pin_memory=True)
model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 3)).cuda()
assert next(model.parameters()).is_cuda
optimizer = torch.optim.AdamW(model.parameters())
start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
side = torch.cuda.Stream()
start.record()
for inputs, labels in loader:
    inputs = inputs.cuda(non_blocking=True)
    labels = labels.to(device, non_blocking=True)
    optimizer.zero_grad(set_to_none=True)
    loss = nn.functional.cross_entropy(model(inputs), labels)
    loss.backward()
    optimizer.step()
    with torch.cuda.stream(side):
        side.wait_stream(torch.cuda.current_stream())
        total = loss.detach() * 2
        total.record_stream(side)
    torch.cuda.current_stream().wait_stream(side)
end.record()
torch.cuda.synchronize()
assert start.elapsed_time(end) >= 0
path = os.path.join(tempfile.mkdtemp(), "model.pt")
state = {{"model": model.state_dict(), "rng": torch.cuda.get_rng_state_all()}}
torch.save(state, path)
loaded = torch.load(path, map_location="cuda:0")
model.load_state_dict(loaded["model"])
torch.cuda.set_rng_state_all([s.cpu() for s in loaded["rng"]])
try:
    torch.empty(1 << 50, device="cuda")
except torch.cuda.OutOfMemoryError:
    torch.cuda.empty_cache()
assert torch.cuda.max_memory_allocated() >= torch.cuda.memory_allocated() > 0
assert torch.cuda.memory_cached() == torch.cuda.memory_reserved()
assert torch.cuda.host_memory_stats()["active_bytes.peak"] > 0
assert "allocated" in torch.cuda.memory_summary(device, abbreviated=True)
assert torch.cuda.memory._snapshot()["segments"]
torch.cuda.memory._dump_snapshot(path)
free, total = torch.cuda.mem_get_info()
with torch.cuda.device(0), torch.random.fork_rng(devices=[0], device_type="cuda"):
    torch.rand(1, device="cuda")
print("trained", torch.isfinite(loss).item())
"""


@pytest.mark.filterwarnings("ignore")
@each(ATTEMPTS)
def test_refused(refused, code, error, text):
    refused(code, error, text)


@pytest.mark.parametrize(
    "device",
    [
        "infini",
        pytest.param("cuda", marks=pytest.mark.needs("cuda")),
    ],
)
def test_a_training_script_with_the_name_replaced(run_python, device):
    script = SCRIPT.format(imports="import torch_infini").replace("cuda", device)
    result = run_python(script)
    assert result.stdout.endswith("trained True\n")


@pytest.mark.parametrize(
    "code",
    [
        "assert not hasattr(torch.infini, 'nvtx')",
        "assert not hasattr(torch.infini.memory, '_record_memory_history')",
        "assert getattr(torch.infini, 'CUDAGraph', None) is None",
        "assert x.type() == 'torch.infini.FloatTensor'",
        "assert x.type('torch.infini.DoubleTensor').dtype == torch.float64",
    ],
)
def test_accepted(accepted, code):
    accepted(code)
