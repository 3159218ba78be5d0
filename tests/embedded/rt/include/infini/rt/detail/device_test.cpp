#include <string>
#include <type_traits>
#include <unordered_set>

#include <gtest/gtest.h>
#include <infini/rt.h>

namespace infini::rt {
namespace {

static_assert(sizeof(Device) == 8 && std::is_standard_layout_v<Device>);
static_assert(sizeof(Device::Type) == sizeof(int));
static_assert(static_cast<int>(Device::Type::kCount) == 8);
static_assert(std::is_convertible_v<Device::Type, Device>);
static_assert(DeviceEnabled<Device::Type::kCpu>::value);
static_assert(!DeviceEnabled<Device::Type::kNvidia>::value);
static_assert(std::is_same_v<ActiveDevices<void>, List<Device::Type::kCpu>>);

TEST(DeviceTest, DefaultIsTheFirstCpu) {
  const Device device;
  EXPECT_EQ(device.type(), Device::Type::kCpu);
  EXPECT_EQ(device.index(), 0);
  EXPECT_EQ(device.ToString(), "cpu:0");
}

TEST(DeviceTest, NamesGoBothWays) {
  const std::string names[] = {"cpu",
                               "nvidia",
                               "cambricon",
                               "ascend",
                               "metax",
                               "moore",
                               "iluvatar",
                               "hygon"};
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(Device::StringFromType(static_cast<Device::Type>(i)), names[i]);
    EXPECT_EQ(Device::TypeFromString(names[i]), static_cast<Device::Type>(i));
    EXPECT_EQ(Device(static_cast<Device::Type>(i), i).ToString(),
              names[i] + ":" + std::to_string(i));
  }
}

TEST(DeviceTest, ComparesAndHashesTypeAndIndex) {
  const Device a{Device::Type::kNvidia, 1};
  EXPECT_TRUE(a == Device(Device::Type::kNvidia, 1));
  EXPECT_TRUE(a != Device(Device::Type::kNvidia, 2));
  EXPECT_TRUE(a != Device(Device::Type::kMetax, 1));
  const std::unordered_set<Device> set{
      a, a, Device{Device::Type::kNvidia, 2}, Device{}};
  EXPECT_EQ(set.size(), 3U);
  EXPECT_EQ(set.count(Device{Device::Type::kCpu}), 1U);
}

TEST(DeviceDeathTest, UnknownNamesAbort) {
  EXPECT_DEATH(Device::TypeFromString("cuda"), "");
  EXPECT_DEATH(Device::StringFromType(Device::Type::kCount), "");
}

}  // namespace
}  // namespace infini::rt
