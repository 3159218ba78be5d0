#include "parallel.h"

#include <atomic>
#include <cstdint>
#include <cstring>
#include <exception>
#include <string>

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>

// Note [Whose OpenMP]
// Two OpenMP runtimes in one process mean two pools of threads and a
// torch.set_num_threads that only one of them hears. So nothing here is
// compiled with -fopenmp and libgomp is not in DT_NEEDED: its one entry point,
// GOMP_parallel, which libgomp has kept stable since GCC 4.9 and LLVM's and
// Intel's runtimes provide as well, is looked up at the first large call:
//   1. in the global scope. `import torch` puts its OpenMP there
//   (libtorch_global_deps.so), under
//      whatever file name its wheel uses, libgomp.so.1 or a hashed one;
//   2. in any loaded library called libgomp*, libomp* or libiomp*;
//   3. in libgomp.so.1 of the system, which a later `import torch` then shares
//   by its SONAME unless
//      that wheel uses a hashed name;
//   4. otherwise everything runs in the calling thread.

namespace infini::ops::cpu {

namespace {

std::atomic<std::uint64_t> g_forks{0};

#if INFINI_OPENMP

struct OpenMp {
  void (*parallel)(void (*function)(void*),
                   void* data,
                   unsigned threads,
                   unsigned flags) = nullptr;
  int (*max_threads)() = nullptr;
  int (*in_parallel)() = nullptr;
  int (*thread_number)() = nullptr;
  int (*team_size)() = nullptr;
  std::string library;

  bool resolve(void* handle) {
    find(handle, "GOMP_parallel", &parallel);
    find(handle, "omp_get_max_threads", &max_threads);
    find(handle, "omp_in_parallel", &in_parallel);
    find(handle, "omp_get_thread_num", &thread_number);
    find(handle, "omp_get_num_threads", &team_size);
    if (parallel == nullptr || max_threads == nullptr ||
        in_parallel == nullptr || thread_number == nullptr ||
        team_size == nullptr) {
      parallel = nullptr;
      return false;
    }
    Dl_info info;
    if (dladdr(reinterpret_cast<void*>(parallel), &info) != 0 &&
        info.dli_fname != nullptr) {
      library = info.dli_fname;
    }
    return true;
  }

  template <class Function>
  static void find(void* handle, const char* name, Function* function) {
    *function = reinterpret_cast<Function>(dlsym(handle, name));
  }
};

// NOLINTNEXTLINE(misc-const-correctness): the type of the callback.
int note_openmp(dl_phdr_info* info, std::size_t /*size*/, void* path) {
  const char* slash = std::strrchr(info->dlpi_name, '/');
  const char* name = slash == nullptr ? info->dlpi_name : slash + 1;
  for (const char* prefix : {"libgomp", "libomp", "libiomp"}) {
    if (std::strncmp(name, prefix, std::strlen(prefix)) == 0) {
      *static_cast<std::string*>(path) = info->dlpi_name;
      return 1;
    }
  }
  return 0;
}

OpenMp find_openmp() {
  OpenMp openmp;
  if (openmp.resolve(RTLD_DEFAULT)) {
    return openmp;
  }
  std::string loaded;
  dl_iterate_phdr(note_openmp, &loaded);
  if (!loaded.empty()) {
    void* handle = dlopen(loaded.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (handle != nullptr && openmp.resolve(handle)) {
      return openmp;
    }
  }
  void* handle = dlopen("libgomp.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (handle != nullptr) {
    openmp.resolve(handle);
  }
  return openmp;
}

const OpenMp& openmp() {
  static const OpenMp* const found = new OpenMp(find_openmp());
  return *found;
}

struct Region {
  std::size_t count;
  Task task;
  void* context;
  std::atomic<std::size_t> next;
  std::atomic<bool> failed;
  std::exception_ptr error;
};

// Index i belongs to thread i of the team, so that repeated calls touch the
// same memory from the same core; what a smaller team leaves over goes to
// whoever is free.
void run_region(void* data) {
  Region& region = *static_cast<Region*>(data);
  const auto team = static_cast<std::size_t>(openmp().team_size());
  auto index = static_cast<std::size_t>(openmp().thread_number());
  try {
    while (index < region.count) {
      region.task(region.context, index);
      index = team + region.next.fetch_add(1, std::memory_order_relaxed);
    }
  } catch (...) {
    if (!region.failed.exchange(true)) {
      region.error = std::current_exception();
    }
  }
}

#endif

[[maybe_unused]] const int kWatchForks =
    pthread_atfork(nullptr, nullptr, [] { ++g_forks; });

}  // namespace

std::uint64_t fork_generation() {
  return g_forks.load(std::memory_order_relaxed);
}

#if INFINI_OPENMP

std::size_t max_threads() {
  if (g_forks.load(std::memory_order_relaxed) != 0) {
    return 1;
  }
  const OpenMp& runtime = openmp();
  if (runtime.parallel == nullptr || runtime.in_parallel() != 0) {
    return 1;
  }
  const int threads = runtime.max_threads();
  return threads < 1 ? 1 : static_cast<std::size_t>(threads);
}

const char* openmp_library() {
  return openmp().library.c_str();
}

void parallel_tasks(std::size_t count, Task task, void* context) {
  if (count < 2 || max_threads() < 2) {
    for (std::size_t i = 0; i < count; ++i) {
      task(context, i);
    }
    return;
  }
  Region region{count, task, context, {0}, {false}, nullptr};
  openmp().parallel(run_region, &region, 0, 0);
  if (region.error) {
    std::rethrow_exception(region.error);
  }
}

#else

std::size_t max_threads() {
  return 1;
}

const char* openmp_library() {
  return "";
}

void parallel_tasks(std::size_t count, Task task, void* context) {
  for (std::size_t i = 0; i < count; ++i) {
    task(context, i);
  }
}

#endif

}  // namespace infini::ops::cpu
