// What torch.infini reports about the stack that it runs on.
#pragma once

#include <c10/core/Device.h>
#include <torch/csrc/utils/pybind.h>

namespace torch_infini {

// Raises ImportError for an InfiniOps that this extension cannot call.
void check_loaded_libraries();

// {"name", "runtime": {...}, "operators": {...}, "capabilities": [...], ...}
pybind11::dict describe_backend();

// The counters of torch.cuda.memory_stats that infini keeps, flat, in bytes or
// counts.
pybind11::dict describe_memory(c10::DeviceIndex index);

// The segments that the allocator holds, with their blocks, as dictionaries
// with the names of torch.cuda.memory_snapshot().
pybind11::list describe_segments();

// The statistics of pinned memory with the names of
// torch.cuda.host_memory_stats(), flat.
pybind11::dict describe_host_memory();

// The class DeviceProperties and the function device_properties(index).
void bind_properties(pybind11::module_& module);

}  // namespace torch_infini
