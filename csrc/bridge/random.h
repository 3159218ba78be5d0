// Random numbers of a device.
//
// Each device owns a Mersenne twister of the kind that PyTorch's CPU generator
// is, so a device that is seeded as the CPU is draws the CPU's numbers. Drawing
// never advances the CPU's generator.
#pragma once

#include <cstdint>
#include <mutex>

#include <ATen/core/Generator.h>
#include <ATen/core/TensorBody.h>
#include <c10/core/Device.h>

namespace torch_infini {

// The device's generator, as a CPU generator that host kernels accept. Lock its
// mutex() to use it.
at::Generator& device_generator(c10::DeviceIndex index);

void manual_seed(c10::DeviceIndex index, std::uint64_t seed);
// Seeds from the operating system and returns the seed.
std::uint64_t seed(c10::DeviceIndex index);
std::uint64_t initial_seed(c10::DeviceIndex index);

// The generator's state, a one-dimensional uint8 tensor on the CPU.
at::Tensor get_rng_state(c10::DeviceIndex index);
void set_rng_state(c10::DeviceIndex index, const at::Tensor& state);

// Puts the device's state in place of the default CPU generator's for a scope,
// for host kernels that draw from it without taking a generator.
class DefaultGeneratorSwap {
 public:
  explicit DefaultGeneratorSwap(c10::DeviceIndex index);
  ~DefaultGeneratorSwap();
  DefaultGeneratorSwap(const DefaultGeneratorSwap&) = delete;
  DefaultGeneratorSwap& operator=(const DefaultGeneratorSwap&) = delete;
  DefaultGeneratorSwap(DefaultGeneratorSwap&&) = delete;
  DefaultGeneratorSwap& operator=(DefaultGeneratorSwap&&) = delete;

 private:
  at::Generator& device_;
  at::Generator cpu_;
  at::Tensor saved_;
  std::unique_lock<std::mutex> one_at_a_time_;
};

}  // namespace torch_infini
