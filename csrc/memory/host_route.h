// Where the results of host kernels live.
//
// Note [Host route]
// PyTorch's CPU kernels allocate their results, and their temporaries, from the
// CPU allocator. While a route is open on a thread, that thread's CPU
// allocations come from the device allocator instead, so a result is device
// memory from the start: counted, aligned, and turned into an infini tensor by
// changing its tag. Temporaries return to the device allocator when the kernel
// frees them. With no route open, allocation is the original allocator's, at
// the cost of one thread-local load.
//
// oneDNN frees by data pointer alone (raw_deallocate), and may free on another
// thread or after the route has closed, so the raw deleter recognises either
// kind.
#pragma once

namespace torch_infini {

inline constexpr int kNoHostRoute = -1;

// Replaces c10's CPU allocator by the one that follows routes. Once, at
// registration.
void install_host_route();

// Routes this thread's CPU allocations to a device, or closes the route with
// kNoHostRoute, and returns what the route was, for the caller to set again.
int exchange_host_route(int index) noexcept;

// Suspends the route for a scope, e.g. while Python code runs inside a host
// kernel.
class NoHostRoute {
 public:
  NoHostRoute() noexcept;
  ~NoHostRoute();
  NoHostRoute(const NoHostRoute&) = delete;
  NoHostRoute& operator=(const NoHostRoute&) = delete;
  NoHostRoute(NoHostRoute&&) = delete;
  NoHostRoute& operator=(NoHostRoute&&) = delete;

 private:
  int previous_;
};

}  // namespace torch_infini
