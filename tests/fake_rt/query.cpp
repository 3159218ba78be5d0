#include "tests/fake_rt/query.h"

#include <cstdint>

#include <infini/rt/detail/export.h>

#include "tests/fake_rt/backend.h"

using fake_rt::FakeBackend;

INFINI_API std::uint64_t fake_rt_calls(const char* function) {
  return FakeBackend::instance().calls().counted(function);
}

INFINI_API std::uint64_t fake_rt_live_allocations() {
  return FakeBackend::instance().memory().live_blocks();
}

INFINI_API std::uint64_t fake_rt_live_streams() {
  return FakeBackend::instance().scheduler().live_streams();
}

INFINI_API std::uint64_t fake_rt_live_events() {
  return FakeBackend::instance().scheduler().live_events();
}

INFINI_API std::uint64_t fake_rt_violations() {
  return FakeBackend::instance().memory().violations();
}
