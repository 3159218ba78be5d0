#include "target.h"

namespace infini::ops::cpu {

namespace baseline {
extern const Kernels kKernels;
}
#if INFINI_X86_TARGETS
namespace avx2 {
extern const Kernels kKernels;
}

namespace avx512 {
extern const Kernels kKernels;
}
#endif

bool is_supported(Target target) {
#if INFINI_X86_TARGETS
  switch (target) {
    case Target::kBaseline:
      return true;
    case Target::kAvx2:
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c");
    case Target::kAvx512:
      return is_supported(Target::kAvx2) && __builtin_cpu_supports("avx512f") &&
             __builtin_cpu_supports("avx512bw") &&
             __builtin_cpu_supports("avx512dq") &&
             __builtin_cpu_supports("avx512vl");
  }
#endif
  return target == Target::kBaseline;
}

const Kernels& kernels_of(Target target) {
#if INFINI_X86_TARGETS
  switch (target) {
    case Target::kBaseline:
      break;
    case Target::kAvx2:
      return avx2::kKernels;
    case Target::kAvx512:
      return avx512::kKernels;
  }
#endif
  static_cast<void>(target);
  return baseline::kKernels;
}

const Kernels& kernels() {
  static const Kernels& best =
      kernels_of(is_supported(Target::kAvx512) ? Target::kAvx512
                 : is_supported(Target::kAvx2) ? Target::kAvx2
                                               : Target::kBaseline);
  return best;
}

}  // namespace infini::ops::cpu
