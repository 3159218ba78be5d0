#include "csrc/runtime/backend.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <c10/util/Exception.h>
#include <pthread.h>

extern "C" __attribute__((weak)) const infini_extension::RtTable*
infini_rt_extension(std::uint32_t version);

namespace torch_infini {
namespace {

using Type = rt::Device::Type;
namespace ext = infini_extension;

std::atomic<const Backend*> selected{nullptr};
std::atomic<bool> forked{false};

template <auto... types>
std::vector<Type> values(rt::List<types...> /*list*/) {
  return {types...};
}

// Accelerators first, CPU last: the order in which a backend is preferred.
std::vector<Type> compiled_types() {
  std::vector<Type> types = values(rt::ActiveDevices<void>{});
  const auto cpu = std::find(types.begin(), types.end(), Type::kCpu);
  if (cpu != types.end()) {
    std::rotate(cpu, cpu + 1, types.end());
  }
  return types;
}

std::string name_of(Type type) {
  return std::string(rt::Device::StringFromType(type));
}

// What upstream's documentation says of backends whose library has no extension
// table.
std::uint64_t documented_capabilities(Type type) {
  switch (type) {
    case Type::kCpu:
      return ext::kHostAllocation | ext::kEvents | ext::kHostAccess |
             ext::kInlineStreams;
    case Type::kNvidia:
    case Type::kIluvatar:
    case Type::kMetax:
    case Type::kHygon:
      return ext::kAsyncMemcpy | ext::kHostAllocation | ext::kAsyncAllocation |
             ext::kEvents;
    case Type::kMoore:
      return ext::kAsyncMemcpy | ext::kHostAllocation | ext::kEvents;
    case Type::kCambricon:
    case Type::kAscend:
      return ext::kAsyncMemcpy;
    case Type::kCount:
      break;
  }
  return 0;
}

int count_devices(Type type) {
  rt::set_runtime_device_type(type);
  int count = 0;
  if (rt::runtime_device_type() != type ||
      rt::runtime::GetDeviceCount(&count) != rt::runtime::kSuccess) {
    return 0;
  }
  return count;
}

std::optional<Type> requested_type() {
  const char* requested = std::getenv("INFINI_BACKEND");
  if (requested == nullptr || *requested == '\0') {
    return std::nullopt;
  }
  const std::vector<Type> types = compiled_types();
  const auto found = std::find_if(types.begin(), types.end(), [&](Type type) {
    return name_of(type) == std::string_view(requested);
  });
  TORCH_CHECK(found != types.end(),
              "INFINI_BACKEND is '",
              requested,
              "', but the linked InfiniRT was built with: ",
              c10::Join(", ", compiled_backends()),
              ". Set it to one of these or unset it.");
  return *found;
}

Backend describe(Type type, int device_count) {
  const ext::RtTable* table = runtime_extension();
  const std::uint64_t capabilities =
      table != nullptr ? table->capabilities(static_cast<int>(type))
                       : documented_capabilities(type);
  return {type, name_of(type), device_count, table, capabilities};
}

Backend choose() {
  const std::optional<Type> requested = requested_type();
  const std::vector<Type> candidates =
      requested.has_value() ? std::vector<Type>{*requested} : compiled_types();
  for (const Type type : candidates) {
    const int count = count_devices(type);
    if (count > 0) {
      return describe(type, count);
    }
  }
  TORCH_CHECK(!requested.has_value(),
              "INFINI_BACKEND is '",
              name_of(*requested),
              "', but that backend reports no device");
  return describe(Type::kCpu, 0);
}

const Backend* select_once() {
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);
  const Backend* chosen = selected.load(std::memory_order_acquire);
  if (chosen == nullptr) {
    // Never freed: threads may enter the runtime until the process ends.
    chosen = new Backend(choose());
    pthread_atfork(nullptr, nullptr, [] {
      forked.store(true, std::memory_order_relaxed);
    });
    selected.store(chosen, std::memory_order_release);
  }
  return chosen;
}

}  // namespace

const ext::RtTable* runtime_extension() noexcept {
  return infini_rt_extension != nullptr ? infini_rt_extension(ext::kRtVersion)
                                        : nullptr;
}

const Backend& backend() {
  const Backend* chosen = selected.load(std::memory_order_acquire);
  if (C10_UNLIKELY(chosen == nullptr)) {
    chosen = select_once();
  }
  return *chosen;
}

void bind_backend() {
  rt::set_runtime_device_type(backend().type);
}

std::vector<std::string> compiled_backends() {
  std::vector<std::string> names;
  for (const Type type : compiled_types()) {
    names.push_back(name_of(type));
  }
  return names;
}

void check_backend_environment() {
  (void)requested_type();
}

bool in_bad_fork() noexcept {
  return forked.load(std::memory_order_relaxed);
}

void check_not_forked() {
  TORCH_CHECK(!in_bad_fork(),
              "Cannot use the infini device in a forked subprocess, since the "
              "parent had already "
              "initialized it. To use infini with multiprocessing, use the "
              "'spawn' start method");
}

bool is_initialized() noexcept {
  return selected.load(std::memory_order_acquire) != nullptr;
}

}  // namespace torch_infini
