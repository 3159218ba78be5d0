#include "csrc/runtime/stream.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <vector>

#include <c10/util/Exception.h>

#include "csrc/runtime/backend.h"
#include "csrc/runtime/device.h"
#include "csrc/runtime/error.h"
#include "csrc/runtime/event.h"
#include "csrc/runtime/hot_tls.h"

namespace torch_infini {
namespace {

constexpr c10::StreamId kDefault = 0;

struct Pool {
  std::once_flag created;
  std::atomic<std::uint32_t> next{0};
  std::array<NativeStream, kStreamsPerPool> streams{};
};

// Leaked: streams may be used until the process ends.
Pool& pool(c10::DeviceIndex index) {
  static auto* pools = new std::vector<Pool>(ensure_device_count());
  return (*pools)[index];
}

Pool& created_pool(c10::DeviceIndex index) {
  Pool& entry = pool(index);
  std::call_once(entry.created, [&] {
    const ScopedDevice guard(index);
    for (NativeStream& stream : entry.streams) {
      INFINI_CHECK(StreamCreate(&stream));
    }
  });
  return entry;
}

// Null as long as the thread uses default streams only.
INFINI_HOT_TLS std::vector<c10::StreamId>* current_ids = nullptr;

std::vector<c10::StreamId>& made_current_ids() {
  thread_local std::vector<c10::StreamId> ids(ensure_device_count(), kDefault);
  current_ids = &ids;
  return ids;
}

bool is_pooled(c10::StreamId id) {
  return (id & 1) != 0;
}

c10::Stream make_stream(c10::DeviceIndex index, c10::StreamId id) {
  return c10::Stream(c10::Stream::UNSAFE, c10::Device(kDeviceType, index), id);
}

void check_stream(c10::Stream stream) {
  TORCH_CHECK(stream.device_type() == kDeviceType,
              "expected a stream of an infini device, got ",
              stream);
  check_device_index(stream.device_index());
  TORCH_CHECK(!is_pooled(stream.id()) || (stream.id() >> 1) < kStreamsPerPool,
              "infini stream id ",
              stream.id(),
              " is unknown");
}

bool query_through_event(NativeStream stream) {
  const OwnedEvent event;
  INFINI_CHECK(EventRecord(event.get(), stream));
  return query_event(event.get());
}

}  // namespace

c10::Stream current_stream(c10::DeviceIndex index) {
  return make_stream(
      index, current_ids == nullptr ? kDefault : current_ids->at(index));
}

c10::Stream default_stream(c10::DeviceIndex index) {
  return make_stream(index, kDefault);
}

c10::Stream stream_from_pool(c10::DeviceIndex index, int priority) {
  TORCH_CHECK_NOT_IMPLEMENTED(
      priority == 0,
      "infini streams have no priorities: InfiniRT does not offer them. "
      "Expected priority 0, got ",
      priority);
  Pool& entry = created_pool(check_device_index(index));
  const auto slot =
      entry.next.fetch_add(1, std::memory_order_relaxed) % kStreamsPerPool;
  return make_stream(index, (static_cast<c10::StreamId>(slot) << 1) | 1);
}

c10::Stream external_stream(std::uint64_t handle, c10::DeviceIndex index) {
  TORCH_CHECK(
      (handle & 1) == 0,
      "an external stream's handle is a pointer to the runtime's stream, got ",
      handle);
  return make_stream(check_device_index(index),
                     static_cast<c10::StreamId>(handle));
}

c10::Stream exchange_stream(c10::Stream stream) {
  check_stream(stream);
  c10::StreamId& slot = made_current_ids().at(stream.device_index());
  const c10::Stream previous = make_stream(stream.device_index(), slot);
  slot = stream.id();
  return previous;
}

NativeStream native_stream(c10::Stream stream) {
  check_stream(stream);
  if (is_pooled(stream.id())) {
    return created_pool(stream.device_index()).streams[stream.id() >> 1];
  }
  return reinterpret_cast<NativeStream>(stream.id());
}

NativeStream current_native_stream(c10::DeviceIndex index) {
  return current_ids == nullptr ? NativeStream{}
                                : native_stream(current_stream(index));
}

bool query_stream(c10::Stream stream) {
  const NativeStream native = native_stream(stream);
  const Backend& used = backend();
  const ScopedDevice guard(stream.device_index());
  if (used.extension != nullptr) {
    bind_backend();
    const int status =
        used.extension->stream_query(reinterpret_cast<void*>(native));
    if (status == infini_extension::kNotReady) {
      return false;
    }
    check_status(status, "StreamQuery");
    return true;
  }
  return used.can(infini_extension::kInlineStreams) ||
         query_through_event(native);
}

void synchronize_stream(c10::Stream stream) {
  const NativeStream native = native_stream(stream);
  const ScopedDevice guard(stream.device_index());
  INFINI_CHECK(StreamSynchronize(native));
}

void wait_quietly(c10::Stream stream) noexcept {
  try {
    synchronize_stream(stream);
  } catch (const std::exception& error) {
    warn_in_destructor(error);
  }
}

void wait_for_current_stream(c10::DeviceIndex index) {
  check_not_forked();
  if (!backend().can(infini_extension::kInlineStreams)) {
    synchronize_stream(current_stream(index));
  }
}

}  // namespace torch_infini
