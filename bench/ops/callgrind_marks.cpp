// Lets Python say between which calls callgrind counts.
#include <valgrind/callgrind.h>

extern "C" {

void marks_start() {
  CALLGRIND_START_INSTRUMENTATION;
  CALLGRIND_ZERO_STATS;
}

void marks_stop(const char* name) {
  CALLGRIND_DUMP_STATS_AT(name);
  CALLGRIND_STOP_INSTRUMENTATION;
}
}
