// The CPU's 16-bit floating-point types.
#pragma once

#include <infini/rt/detail/data_type.h>
#include <infini/rt/detail/native/cpu/device_.h>

namespace infini::rt {

template <>
struct TypeMap<Device::Type::kCpu, DataType::kFloat16> : TypeTag<Float16> {};

template <>
struct TypeMap<Device::Type::kCpu, DataType::kBFloat16> : TypeTag<BFloat16> {};

}  // namespace infini::rt
