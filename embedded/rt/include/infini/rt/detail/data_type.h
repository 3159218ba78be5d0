// The types of tensor elements: their sizes, names, C++ types and groups.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include <infini/rt/detail/common/constexpr_map.h>
#include <infini/rt/detail/common/traits.h>
#include <infini/rt/detail/device.h>
#include <infini/rt/detail/export.h>
#include <infini/rt/detail/float16.h>

namespace infini::rt {

enum class INFINI_API DataType : std::int8_t {
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kUInt8,
  kUInt16,
  kUInt32,
  kUInt64,
  kFloat16,
  kBFloat16,
  kFloat32,
  kFloat64
};

// Bytes of one element.
constexpr ConstexprMap<DataType, std::size_t, 12> kDataTypeToSize{{{
    {DataType::kInt8, 1},
    {DataType::kInt16, 2},
    {DataType::kInt32, 4},
    {DataType::kInt64, 8},
    {DataType::kUInt8, 1},
    {DataType::kUInt16, 2},
    {DataType::kUInt32, 4},
    {DataType::kUInt64, 8},
    {DataType::kFloat16, 2},
    {DataType::kBFloat16, 2},
    {DataType::kFloat32, 4},
    {DataType::kFloat64, 8},
}}};

constexpr ConstexprMap<DataType, std::string_view, 12> kDataTypeToDesc{{{
    {DataType::kInt8, "int8"},
    {DataType::kInt16, "int16"},
    {DataType::kInt32, "int32"},
    {DataType::kInt64, "int64"},
    {DataType::kUInt8, "uint8"},
    {DataType::kUInt16, "uint16"},
    {DataType::kUInt32, "uint32"},
    {DataType::kUInt64, "uint64"},
    {DataType::kFloat16, "float16"},
    {DataType::kBFloat16, "bfloat16"},
    {DataType::kFloat32, "float32"},
    {DataType::kFloat64, "float64"},
}}};

constexpr ConstexprMap<std::string_view, DataType, 12> kStringToDataType{{{
    {"int8", DataType::kInt8},
    {"int16", DataType::kInt16},
    {"int32", DataType::kInt32},
    {"int64", DataType::kInt64},
    {"uint8", DataType::kUInt8},
    {"uint16", DataType::kUInt16},
    {"uint32", DataType::kUInt32},
    {"uint64", DataType::kUInt64},
    {"float16", DataType::kFloat16},
    {"bfloat16", DataType::kBFloat16},
    {"float32", DataType::kFloat32},
    {"float64", DataType::kFloat64},
}}};

// `TypeMap<device, dtype>::type` is the C++ type of an element on a device.
// Each backend's data_type_.h adds its own 16-bit floating-point types.
template <Device::Type device, DataType dtype>
struct TypeMap;

template <Device::Type device, DataType dtype>
using TypeMapType = typename TypeMap<device, dtype>::type;

template <Device::Type device>
struct TypeMap<device, DataType::kInt8> : TypeTag<std::int8_t> {};

template <Device::Type device>
struct TypeMap<device, DataType::kInt16> : TypeTag<std::int16_t> {};

template <Device::Type device>
struct TypeMap<device, DataType::kInt32> : TypeTag<std::int32_t> {};

template <Device::Type device>
struct TypeMap<device, DataType::kInt64> : TypeTag<std::int64_t> {};

template <Device::Type device>
struct TypeMap<device, DataType::kUInt8> : TypeTag<std::uint8_t> {};

template <Device::Type device>
struct TypeMap<device, DataType::kUInt16> : TypeTag<std::uint16_t> {};

template <Device::Type device>
struct TypeMap<device, DataType::kUInt32> : TypeTag<std::uint32_t> {};

template <Device::Type device>
struct TypeMap<device, DataType::kUInt64> : TypeTag<std::uint64_t> {};

template <Device::Type device>
struct TypeMap<device, DataType::kFloat32> : TypeTag<float> {};

template <Device::Type device>
struct TypeMap<device, DataType::kFloat64> : TypeTag<double> {};

// Whether T is the device's 16-bit floating-point type; needs the backend's
// data_type_.h.
template <Device::Type device, typename T>
inline constexpr bool IsBFloat16 =
    std::is_same_v<T, TypeMapType<device, DataType::kBFloat16>>;

template <Device::Type device, typename T>
inline constexpr bool IsFP16 =
    std::is_same_v<T, TypeMapType<device, DataType::kFloat16>>;

using FloatTypes = List<DataType::kFloat32, DataType::kFloat64>;
using ReducedFloatTypes = List<DataType::kFloat16, DataType::kBFloat16>;
using IntTypes =
    List<DataType::kInt8, DataType::kInt16, DataType::kInt32, DataType::kInt64>;
using UIntTypes = List<DataType::kUInt8,
                       DataType::kUInt16,
                       DataType::kUInt32,
                       DataType::kUInt64>;

using BitTypes8 = List<DataType::kInt8, DataType::kUInt8>;
using BitTypes16 = List<DataType::kInt16,
                        DataType::kUInt16,
                        DataType::kFloat16,
                        DataType::kBFloat16>;
using BitTypes32 =
    List<DataType::kInt32, DataType::kUInt32, DataType::kFloat32>;
using BitTypes64 =
    List<DataType::kInt64, DataType::kUInt64, DataType::kFloat64>;

using AllFloatTypes = ConcatType<FloatTypes, ReducedFloatTypes>;
using AllIntTypes = ConcatType<IntTypes, UIntTypes>;
using AllTypes = ConcatType<AllFloatTypes, AllIntTypes>;

}  // namespace infini::rt
