// The CPU backend is part of this library.
#pragma once

#include <type_traits>

#include <infini/rt/detail/device.h>

namespace infini::rt {

template <>
struct INFINI_API DeviceEnabled<Device::Type::kCpu> : std::true_type {};

}  // namespace infini::rt
