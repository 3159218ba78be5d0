#include "csrc/python/describe.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <torch/csrc/Exceptions.h>

#include "csrc/bridge/ops_table.h"
#include "csrc/memory/block_cache.h"
#include "csrc/memory/device_allocator.h"
#include "csrc/memory/device_segments.h"
#include "csrc/memory/host_allocator.h"
#include "csrc/runtime/backend.h"
#include "csrc/runtime/device.h"

namespace torch_infini {
namespace {

namespace py = pybind11;
namespace ext = infini_extension;

constexpr std::array<std::pair<ext::Capability, const char*>, 6> kCapabilities =
    {{{ext::kAsyncMemcpy, "async_memcpy"},
      {ext::kHostAllocation, "host_allocation"},
      {ext::kAsyncAllocation, "async_allocation"},
      {ext::kEvents, "events"},
      {ext::kHostAccess, "host_access"},
      {ext::kInlineStreams, "inline_streams"}}};

template <class Table>
py::dict describe_library(const Table* table,
                          const char* upstream,
                          const std::string& path) {
  py::dict library;
  library["library"] = table != nullptr ? table->library : upstream;
  library["path"] = path;
  library["extension_version"] = table != nullptr
                                     ? py::object(py::int_(table->version))
                                     : py::object(py::none());
  return library;
}

void add_stat(const py::dict& stats,
              const std::string& name,
              const c10::CachingAllocator::Stat& stat) {
  stats[py::str(name + ".all.current")] = stat.current;
  stats[py::str(name + ".all.peak")] = stat.peak;
  stats[py::str(name + ".all.allocated")] = stat.allocated;
  stats[py::str(name + ".all.freed")] = stat.freed;
}

}  // namespace

void check_loaded_libraries() {
  const std::string difference = foreign_layout();
  if (difference.empty()) {
    return;
  }
  throw py::import_error(c10::str(
      "torch_infini was built for InfiniOps as of commit 2962714 (Handle of ",
      sizeof(infini::ops::Handle),
      " bytes, no virtual functions), but the library that was loaded, ",
      ops_library_path(),
      ", has another layout: ",
      difference,
      ". Put a matching libinfiniops.so first in LD_LIBRARY_PATH, or rebuild "
      "torch_infini "
      "with INFINI_OPS_PREFIX set to an InfiniOps of that commit."));
}

py::dict describe_backend() {
  const Backend& used = backend();
  py::list capabilities;
  for (const auto& [bit, name] : kCapabilities) {
    if (used.can(bit)) {
      capabilities.append(name);
    }
  }
  py::dict operators = describe_library(
      ops_extension(), "InfiniOps (upstream)", ops_library_path());
  operators["gemm"] = ops_extension() != nullptr
                          ? py::object(py::str(ops_extension()->gemm_library()))
                          : py::object(py::none());
  py::dict described;
  described["name"] = used.name;
  described["device_count"] = used.device_count;
  described["embedded"] =
      used.extension != nullptr && ops_extension() != nullptr;
  described["runtime"] = describe_library(
      used.extension, "InfiniRT (upstream)", runtime_library_path());
  described["operators"] = operators;
  described["capabilities"] = capabilities;
  return described;
}

py::dict describe_memory(c10::DeviceIndex index) {
  constexpr auto kAll =
      static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE);
  const auto stats = device_allocator().getDeviceStats(index);
  py::dict described;
  add_stat(described, "allocation", stats.allocation[kAll]);
  add_stat(described, "allocated_bytes", stats.allocated_bytes[kAll]);
  add_stat(described, "active_bytes", stats.active_bytes[kAll]);
  add_stat(described, "requested_bytes", stats.requested_bytes[kAll]);
  add_stat(described, "reserved_bytes", stats.reserved_bytes[kAll]);
  add_stat(described, "segment", stats.segment[kAll]);
  add_stat(described, "inactive_split", stats.inactive_split[kAll]);
  add_stat(described, "inactive_split_bytes", stats.inactive_split_bytes[kAll]);
  described["num_alloc_retries"] = stats.num_alloc_retries;
  described["num_ooms"] = stats.num_ooms;
  described["num_device_alloc"] = stats.num_device_alloc;
  described["num_device_free"] = stats.num_device_free;
  return described;
}

namespace {

void add_host_stat(const py::dict& stats,
                   const std::string& name,
                   const c10::CachingAllocator::Stat& stat) {
  stats[py::str(name + ".current")] = stat.current;
  stats[py::str(name + ".peak")] = stat.peak;
  stats[py::str(name + ".allocated")] = stat.allocated;
  stats[py::str(name + ".freed")] = stat.freed;
}

void add_host_time(const py::dict& stats,
                   const std::string& name,
                   const c10::CachingAllocator::DurationStat& stat) {
  stats[py::str(name + ".total")] = stat.total;
  stats[py::str(name + ".max")] = stat.max;
  stats[py::str(name + ".min")] = stat.min;
  stats[py::str(name + ".count")] = stat.count;
  stats[py::str(name + ".avg")] = stat.count == 0 ? 0 : stat.total / stat.count;
}

}  // namespace

py::dict describe_host_memory() {
  const at::HostStats stats = host_allocator().get_stats();
  py::dict described;
  add_host_stat(described, "allocations", stats.allocations);
  add_host_stat(described, "allocated_bytes", stats.allocated_bytes);
  add_host_stat(described, "active_requests", stats.active_requests);
  add_host_stat(described, "active_bytes", stats.active_bytes);
  add_host_time(described, "host_alloc_time", stats.host_alloc_time);
  add_host_time(described, "host_free_time", stats.host_free_time);
  described["num_host_alloc"] = stats.num_host_alloc;
  described["num_host_free"] = stats.num_host_free;
  return described;
}

namespace {

py::dict describe_block(std::uintptr_t begin,
                        std::uintptr_t end,
                        const BlockReport* block) {
  const bool used = block != nullptr && block->used;
  py::dict entry;
  entry["address"] = begin;
  entry["size"] = end - begin;
  entry["requested_size"] = used ? block->requested : 0;
  entry["state"] = used ? "active_allocated" : "inactive";
  entry["frames"] = py::list();
  return entry;
}

// What lies between blocks is told as unused, so that all is the segment.
py::dict describe_segment(const SegmentReport& segment, int device) {
  const std::uintptr_t last = segment.address + segment.size;
  std::size_t allocated = 0;
  std::size_t requested = 0;
  py::list blocks;
  std::uintptr_t end = segment.address;
  for (const BlockReport& block : segment.blocks) {
    if (end < block.address) {
      blocks.append(describe_block(end, block.address, nullptr));
    }
    end = block.address + block.size;
    allocated += block.used ? block.size : 0;
    requested += block.requested;
    blocks.append(describe_block(block.address, end, &block));
  }
  if (end < last) {
    blocks.append(describe_block(end, last, nullptr));
  }
  py::dict result;
  result["device"] = device;
  result["address"] = segment.address;
  result["total_size"] = segment.size;
  result["allocated_size"] = allocated;
  result["active_size"] = allocated;
  result["requested_size"] = requested;
  result["stream"] = 0;
  result["segment_type"] = segment.small ? "small" : "large";
  result["segment_pool_id"] = py::make_tuple(0, 0);
  result["is_expandable"] = false;
  result["frames"] = py::list();
  result["blocks"] = std::move(blocks);
  return result;
}

}  // namespace

py::list describe_segments() {
  py::list segments;
  for (c10::DeviceIndex i = 0; i < device_count(); ++i) {
    for (const SegmentReport& segment : block_cache(i).report()) {
      segments.append(describe_segment(segment, i));
    }
  }
  return segments;
}

void bind_properties(py::module_& module) {
  using Properties = ext::DeviceProperties;
  py::class_<Properties>(module, "DeviceProperties")
      .def_property_readonly(
          "name", [](const Properties& self) { return std::string(self.name); })
      .def_readonly("total_memory", &Properties::total_memory)
      .def_readonly("multi_processor_count", &Properties::multi_processor_count)
      .def_readonly("major", &Properties::major)
      .def_readonly("minor", &Properties::minor)
      .def("__repr__", [](const Properties& self) {
        return c10::str("DeviceProperties(name='",
                        self.name,
                        "', total_memory=",
                        self.total_memory / (1024UL * 1024UL),
                        "MB, multi_processor_count=",
                        self.multi_processor_count,
                        ", major=",
                        self.major,
                        ", minor=",
                        self.minor,
                        ")");
      });
  module.def("device_properties",
             torch::wrap_pybind_function([](std::int64_t index) {
               return device_properties(check_device_index(index));
             }));
}

}  // namespace torch_infini
