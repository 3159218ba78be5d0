// Work shared among the OpenMP threads of the process.
//
// The OpenMP runtime is not linked: see Note [Whose OpenMP].
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace infini::ops::cpu {

// How many threads `parallel_for` may use here and now: the calling thread's
// OpenMP limit; 1 inside a parallel region, in a forked child (libgomp's
// workers do not survive a fork), where no OpenMP runtime is found and in a
// build with INFINI_OPENMP=OFF.
std::size_t max_threads();

// Changes in a child after each fork.
std::uint64_t fork_generation();

// The path of the library that provides OpenMP, empty when none does. Static
// storage.
const char* openmp_library();

using Task = void (*)(void* context, std::size_t index);

// Calls task(context, i) once for each i < count, at most `max_threads()` of
// them at a time. An exception thrown by a task is rethrown in the caller after
// all have ended.
void parallel_tasks(std::size_t count, Task task, void* context);

// The same for a callable `void(std::size_t index)`, which is not copied.
template <class Function>
void parallel_for(std::size_t count, Function&& function) {
  parallel_tasks(
      count,
      [](void* context, std::size_t index) {
        (*static_cast<std::remove_reference_t<Function>*>(context))(index);
      },
      const_cast<void*>(static_cast<const void*>(&function)));
}

// How many parts to cut `elements` into so that each has at least `grain`, at
// least 1.
inline std::size_t parts_of(std::size_t elements, std::size_t grain) {
  if (elements < 2 * grain) {
    return 1;
  }
  const std::size_t wanted = elements / grain;
  const std::size_t threads = max_threads();
  return wanted < threads ? wanted : threads;
}

// The elements below which a second thread does not pay, for work bound by
// memory; the value that PyTorch uses, so that both open parallel regions for
// the same tensors.
inline constexpr std::size_t kGrain = 32768;

}  // namespace infini::ops::cpu
