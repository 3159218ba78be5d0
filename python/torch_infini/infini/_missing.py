"""What to use for names of torch.cuda that torch.infini does not have."""

from __future__ import annotations

import sys

_LEGACY = (
    "the legacy tensor and storage types have no infini form; use "
    "torch.tensor(..., dtype=..., device='infini')"
)
_GRAPHS = "infini has no graphs; run the code without them"
_PROCESSES = "processes cannot share infini memory; leave the call out"
_ALLOCATOR = "the allocator of infini cannot be replaced or bypassed"
_NVIDIA = "it is about NVIDIA's tools"
_INSTEAD = {
    "_record_memory_history": (
        "infini keeps no history of its memory; torch.infini.memory._snapshot() tells "
        "what is in use now"
    ),
    "CUDAGraph": _GRAPHS,
    "CUDAPluggableAllocator": _ALLOCATOR,
    "MemPool": "infini has no memory pools",
    "caching_allocator_alloc": _ALLOCATOR,
    "caching_allocator_delete": _ALLOCATOR,
    "change_current_allocator": _ALLOCATOR,
    "comm": "use torch.distributed",
    "cudart": "torch.infini.runtime_backend() describes the runtime",
    "current_blas_handle": _NVIDIA,
    "get_arch_list": "torch.infini.operators() tells what is served",
    "graph": _GRAPHS,
    "graphs": _GRAPHS,
    "ipc_collect": _PROCESSES,
    "list_gpu_processes": _NVIDIA,
    "make_graphed_callables": _GRAPHS,
    "memory_usage": "use torch.infini.mem_get_info()",
    "nccl": "use torch.distributed",
    "nvtx": "use torch.profiler.record_function",
    "profiler": "use torch.profiler",
    "use_mem_pool": "infini has no memory pools",
    "utilization": _NVIDIA,
}


def describe_missing(module: str, name: str) -> str:
    """The message of the ``AttributeError`` for a name that a module lacks.

    Args:
        module: ``"torch.infini"``, or a module below it.
        name: the name that was asked for.
    """
    message = f"module {module!r} has no attribute {name!r}"
    reference = module.replace("infini", "cuda")
    if name.startswith("__") or not hasattr(sys.modules.get(reference), name):
        return message
    instead = _INSTEAD.get(name)
    if instead is None and name.endswith(("Tensor", "Storage")):
        instead = _LEGACY
    message += f", which {reference} has"
    return f"{message}: {instead}" if instead else message
