// torch_infini._C: the Python bindings. Arguments are checked by the functions
// they are passed to.
#include <cstdint>
#include <string>
#include <tuple>

#include <torch/csrc/Exceptions.h>
#include <torch/csrc/utils/device_lazy_init.h>
#include <torch/csrc/utils/pybind.h>

#include "csrc/bridge/autograd_exit.h"
#include "csrc/bridge/guard.h"
#include "csrc/bridge/hooks.h"
#include "csrc/bridge/random.h"
#include "csrc/memory/device_allocator.h"
#include "csrc/memory/host_allocator.h"
#include "csrc/memory/host_route.h"
#include "csrc/memory/memory_counters.h"
#include "csrc/ops/exchange.h"
#include "csrc/ops/fallback.h"
#include "csrc/ops/native.h"
#include "csrc/ops/options.h"
#include "csrc/ops/provider_counts.h"
#include "csrc/python/describe.h"
#include "csrc/runtime/backend.h"
#include "csrc/runtime/device.h"
#include "csrc/runtime/event.h"
#include "csrc/runtime/stream.h"

namespace torch_infini {
namespace {

namespace py = pybind11;
using StreamTuple = std::tuple<std::int64_t, std::int64_t, std::int64_t>;

StreamTuple pack(c10::Stream stream) {
  const c10::StreamData3 data = stream.pack3();
  return {data.stream_id,
          data.device_index,
          static_cast<std::int64_t>(data.device_type)};
}

// Everything that may fail comes before the first registration.
void register_backend() {
  static bool done = false;
  if (done) {
    return;
  }
  check_loaded_libraries();
  check_backend_environment();
  (void)get_fallback();
  (void)get_numerics();
  register_guard();
  register_hooks();
  c10::SetAllocator(kDeviceType, &device_allocator());
  at::setHostAllocator(kDeviceType, &host_allocator());
  install_host_route();
  register_operators();
  done = true;
}

void init() {
  (void)ensure_device_count();
  static const bool once = [] {
    register_at_start();
    return true;
  }();
  (void)once;
  torch::utils::register_fork_handler_for_device_init(kDeviceType);
}

void bind_devices(py::module_& module) {
  const auto def = [&](const char* name, auto function) {
    module.def(name, torch::wrap_pybind_function_no_gil(function));
  };
  def("init", &init);
  def("is_available", [] { return device_count() > 0; });
  def("is_initialized", [] { return is_initialized() && !in_bad_fork(); });
  def("is_in_bad_fork", [] { return in_bad_fork(); });
  def("device_count", [] { return static_cast<std::int64_t>(device_count()); });
  def("current_device", [] {
    (void)ensure_device_count();
    return static_cast<std::int64_t>(current_device());
  });
  def("set_device", [](std::int64_t index) { set_device(index); });
  def("exchange_device", [](std::int64_t index) {
    return static_cast<std::int64_t>(exchange_device(index));
  });
  def("synchronize", [](std::int64_t index) {
    synchronize_device(check_device_index(index));
  });
  def("mem_get_info", [](std::int64_t index) {
    return memory_info(check_device_index(index));
  });
  def("empty_cache", [] {
    device_allocator().emptyCache();
    host_allocator().empty_cache();
  });
}

void bind_streams(py::module_& module) {
  const auto def = [&](const char* name, auto function) {
    module.def(name, torch::wrap_pybind_function_no_gil(function));
  };
  def("current_stream", [](std::int64_t index) {
    return pack(current_stream(check_device_index(index)));
  });
  def("default_stream", [](std::int64_t index) {
    return pack(default_stream(check_device_index(index)));
  });
  def("set_current_stream",
      [](std::int64_t id, std::int64_t index, std::int64_t type) {
        const c10::DeviceIndex checked = check_device_index(index);
        exchange_stream(c10::Stream::unpack3(
            id, checked, static_cast<c10::DeviceType>(type)));
      });
  // Events by torch.Event.event_id.
  def("elapsed_time",
      [](std::uintptr_t start, std::uintptr_t end, std::int64_t index) {
        return elapsed_time(reinterpret_cast<void*>(start),
                            reinterpret_cast<void*>(end),
                            check_device_index(index));
      });
  def("external_stream", [](std::uint64_t handle, std::int64_t index) {
    return pack(external_stream(handle, check_device_index(index)));
  });
}

void bind_random(py::module_& module) {
  const auto def = [&](const char* name, auto function) {
    module.def(name, torch::wrap_pybind_function_no_gil(function));
  };
  def("manual_seed", [](std::int64_t index, std::uint64_t value) {
    manual_seed(check_device_index(index), value);
  });
  def("seed",
      [](std::int64_t index) { return seed(check_device_index(index)); });
  def("initial_seed", [](std::int64_t index) {
    return initial_seed(check_device_index(index));
  });
  def("get_rng_state", [](std::int64_t index) {
    return get_rng_state(check_device_index(index));
  });
  def("set_rng_state", [](std::int64_t index, const at::Tensor& state) {
    set_rng_state(check_device_index(index), state);
  });
}

void bind_exchange(py::module_& module) {
  const auto def = [&](const char* name, auto function) {
    module.def(name, torch::wrap_pybind_function_no_gil(function));
  };
  def("as_cpu", [](const at::Tensor& tensor) { return as_cpu(tensor); });
  def("from_cpu", [](const at::Tensor& tensor, std::int64_t index) {
    return from_cpu(tensor, check_device_index(index));
  });
}

void bind_providers(py::module_& module) {
  const auto def = [&](const char* name, auto function) {
    module.def(name, torch::wrap_pybind_function(function));
  };
  def("set_fallback", [](const std::string& mode) { set_fallback(mode); });
  def("get_fallback", [] { return std::string(get_fallback()); });
  def("fallback_counts", [] {
    py::dict counts;
    for (const auto& [name, calls] : fallback_counts()) {
      counts[py::str(name)] = calls;
    }
    return counts;
  });
  def("set_numerics", [](const std::string& mode) { set_numerics(mode); });
  def("get_numerics", [] { return std::string(get_numerics()); });
  def("operators", [] {
    init();
    return operator_providers();
  });
  def("provider_counts", [] { return provider_counts(); });
}

}  // namespace
}  // namespace torch_infini

PYBIND11_MODULE(_C, module) {
  using namespace torch_infini;
  const auto def = [&](const char* name, auto function) {
    module.def(name, torch::wrap_pybind_function(function));
  };
  def("register_backend", &register_backend);
  py::module_::import("atexit").attr("register")(py::cpp_function(
      &finish_autograd, py::call_guard<py::gil_scoped_release>()));
  def("runtime_backend", &describe_backend);
  def("memory_stats", [](std::int64_t index) {
    return describe_memory(check_device_index(index));
  });
  def("memory_snapshot", &describe_segments);
  def("host_memory_stats", &describe_host_memory);
  def("reset_host_memory_stats", [](bool peak) {
    if (peak) {
      host_allocator().reset_peak_stats();
    } else {
      host_allocator().reset_accumulated_stats();
    }
  });
  def("set_memory_limit", [](std::int64_t index, std::int64_t nbytes) {
    memory_counters(check_device_index(index)).limit = nbytes;
  });
  bind_properties(module);
  bind_devices(module);
  bind_streams(module);
  bind_random(module);
  bind_exchange(module);
  bind_providers(module);
}
