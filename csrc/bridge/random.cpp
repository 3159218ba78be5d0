#include "csrc/bridge/random.h"

#include <cstdint>
#include <mutex>
#include <vector>

#include <ATen/CPUGeneratorImpl.h>
#include <c10/util/Exception.h>

#include "csrc/memory/host_route.h"
#include "csrc/runtime/device.h"

namespace torch_infini {
namespace {

std::vector<at::Generator> make_generators() {
  std::vector<at::Generator> generators;
  const int count = ensure_device_count();
  generators.reserve(count);
  for (int i = 0; i < count; ++i) {
    generators.push_back(
        at::detail::createCPUGenerator(c10::default_rng_seed_val));
  }
  return generators;
}

std::mutex& swap_mutex() {
  static auto* mutex = new std::mutex();
  return *mutex;
}

}  // namespace

at::Generator& device_generator(c10::DeviceIndex index) {
  static auto* generators = new std::vector<at::Generator>(make_generators());
  return generators->at(check_device_index(index));
}

void manual_seed(c10::DeviceIndex index, std::uint64_t seed) {
  at::Generator& generator = device_generator(index);
  const std::scoped_lock lock(generator.mutex());
  generator.set_current_seed(seed);
}

std::uint64_t seed(c10::DeviceIndex index) {
  at::Generator& generator = device_generator(index);
  const std::scoped_lock lock(generator.mutex());
  return generator.seed();
}

std::uint64_t initial_seed(c10::DeviceIndex index) {
  at::Generator& generator = device_generator(index);
  const std::scoped_lock lock(generator.mutex());
  return generator.current_seed();
}

at::Tensor get_rng_state(c10::DeviceIndex index) {
  at::Generator& generator = device_generator(index);
  const std::scoped_lock lock(generator.mutex());
  return generator.get_state();
}

void set_rng_state(c10::DeviceIndex index, const at::Tensor& state) {
  at::Generator& generator = device_generator(index);
  const std::scoped_lock lock(generator.mutex());
  generator.set_state(state);
}

DefaultGeneratorSwap::DefaultGeneratorSwap(c10::DeviceIndex index)
    : device_(device_generator(index)),
      cpu_(at::detail::getDefaultCPUGenerator()),
      one_at_a_time_(swap_mutex()) {
  const NoHostRoute no_route;
  const std::scoped_lock lock(cpu_.mutex(), device_.mutex());
  saved_ = cpu_.get_state();
  cpu_.set_state(device_.get_state());
}

DefaultGeneratorSwap::~DefaultGeneratorSwap() {
  const NoHostRoute no_route;
  const std::scoped_lock lock(cpu_.mutex(), device_.mutex());
  device_.set_state(cpu_.get_state());
  cpu_.set_state(saved_);
}

}  // namespace torch_infini
