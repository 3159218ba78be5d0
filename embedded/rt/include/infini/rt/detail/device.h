// A device: the kind of backend and the index of one device of that kind.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

#include <infini/rt/detail/common/constexpr_map.h>
#include <infini/rt/detail/common/traits.h>
#include <infini/rt/detail/export.h>
#include <infini/rt/detail/hash.h>

namespace infini::rt {

class INFINI_API Device {
 public:
  // kCount takes part in the mangled names of operators, so no enumerator may
  // be added before it.
  enum class INFINI_API Type {
    kCpu = 0,
    kNvidia = 1,
    kCambricon = 2,
    kAscend = 3,
    kMetax = 4,
    kMoore = 5,
    kIluvatar = 6,
    kHygon = 7,
    kCount
  };

  // The first CPU device.
  Device() = default;

  // NOLINTNEXTLINE(google-explicit-constructor): implicit upstream.
  Device(const Type& type, const int& index = 0) : type_{type}, index_{index} {}

  // From and to the lower-case name, e.g. "cpu". Both abort on an unknown one.
  static Type TypeFromString(const std::string& name) {
    return kDescToDevice.at(name);
  }

  static std::string_view StringFromType(const Type& type) {
    return kDeviceToDesc.at(type);
  }

  const Type& type() const { return type_; }

  const int& index() const { return index_; }

  // Name and index, e.g. "cpu:0".
  std::string ToString() const {
    std::string text{StringFromType(type_)};
    text += ':';
    text += std::to_string(index_);
    return text;
  }

  bool operator==(const Device& other) const {
    return type_ == other.type_ && index_ == other.index_;
  }

  bool operator!=(const Device& other) const { return !(*this == other); }

 private:
  static constexpr auto kTypeCount = static_cast<std::size_t>(Type::kCount);

  static constexpr ConstexprMap<Type, std::string_view, kTypeCount>
      kDeviceToDesc{{{
          {Type::kCpu, "cpu"},
          {Type::kNvidia, "nvidia"},
          {Type::kCambricon, "cambricon"},
          {Type::kAscend, "ascend"},
          {Type::kMetax, "metax"},
          {Type::kMoore, "moore"},
          {Type::kIluvatar, "iluvatar"},
          {Type::kHygon, "hygon"},
      }}};

  static constexpr ConstexprMap<std::string_view, Type, kTypeCount>
      kDescToDevice{{{
          {"cpu", Type::kCpu},
          {"nvidia", Type::kNvidia},
          {"cambricon", Type::kCambricon},
          {"ascend", Type::kAscend},
          {"metax", Type::kMetax},
          {"moore", Type::kMoore},
          {"iluvatar", Type::kIluvatar},
          {"hygon", Type::kHygon},
      }}};

  Type type_{Type::kCpu};

  int index_{0};
};

// True for the backends that the library was built with; each backend's
// device_.h says so.
template <Device::Type>
struct INFINI_API DeviceEnabled : std::false_type {};

using AllDeviceTypes = List<Device::Type::kCpu,
                            Device::Type::kNvidia,
                            Device::Type::kCambricon,
                            Device::Type::kAscend,
                            Device::Type::kMetax,
                            Device::Type::kMoore,
                            Device::Type::kIluvatar,
                            Device::Type::kHygon>;

template <typename>
struct ActiveDevicesImpl {
  struct Filter {
    template <Device::Type type>
    std::enable_if_t<DeviceEnabled<type>::value> operator()(
        ValueTag<type>) const {}
  };

  using type = typename FilterList<Filter, std::tuple<>, AllDeviceTypes>::type;
};

// The enabled devices in the order of AllDeviceTypes. `T` has no meaning of its
// own: a dependent one puts the evaluation off until all backends' headers have
// been seen.
template <typename T>
using ActiveDevices = typename ActiveDevicesImpl<T>::type;

}  // namespace infini::rt

template <>
struct std::hash<infini::rt::Device> {
  std::size_t operator()(const infini::rt::Device& device) const {
    std::size_t seed = 0;
    HashCombine(seed, device.type());
    HashCombine(seed, device.index());
    return seed;
  }
};
