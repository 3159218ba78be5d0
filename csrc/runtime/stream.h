// Streams: c10's stream identifiers, the native handles behind them, each
// thread's current stream.
//
// Note [StreamId assignment]
// A StreamId is 64 bits wide, so it holds everything there is to know about a
// stream:
//   0                    the default stream of the device (native handle null)
//   (i << 1) | 1         stream i of the device's pool, 0 <= i <
//   kStreamsPerPool other, bit 0 clear   an external stream: the native handle
//   itself
// Native handles are pointers to objects of at least two bytes, so bit 0 tells
// the last two apart.
#pragma once

#include <cstdint>

#include <c10/core/Stream.h>
#include <infini/rt.h>

namespace torch_infini {

using NativeStream = infini::rt::runtime::Stream;

inline constexpr int kStreamsPerPool = 32;

// The thread's current stream on a device; the default stream at first.
c10::Stream current_stream(c10::DeviceIndex index);
c10::Stream default_stream(c10::DeviceIndex index);

// A stream of the device's pool, in turn. The pool's native streams are made on
// first use and live until the process ends. Raises NotImplementedError for a
// priority other than 0.
c10::Stream stream_from_pool(c10::DeviceIndex index, int priority);

// A stream that somebody else made and keeps alive.
c10::Stream external_stream(std::uint64_t handle, c10::DeviceIndex index);

// Makes the stream current on its device for this thread and returns the one it
// replaces. Leaves the current device alone.
c10::Stream exchange_stream(c10::Stream stream);

// Raises for a stream that is not one of ours.
NativeStream native_stream(c10::Stream stream);

// The native handle of the thread's current stream on a device that exists.
NativeStream current_native_stream(c10::DeviceIndex index);

bool query_stream(c10::Stream stream);
void synchronize_stream(c10::Stream stream);
// The same for destructors: an error is a warning.
void wait_quietly(c10::Stream stream) noexcept;

// Waits until work that the caller is about to do on the host is in order after
// all work submitted to the current stream. Costs a load where streams run
// inline. Raises in a forked child.
void wait_for_current_stream(c10::DeviceIndex index);

}  // namespace torch_infini
