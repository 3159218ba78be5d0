#include "../extension.h"

#include <cstdint>
#include <cstring>

#include <infini/ops/visibility.h>

#include "cpu/blas.h"

namespace {

using infini_extension::OpsTable;

constexpr std::uint32_t kAllDtypes = (1U << 12) - 1;
constexpr std::uint32_t kFloatDtypes = 0xfU << 8;

struct Support {
  const char* name;
  std::uint32_t dtypes;
};

constexpr Support kOperators[] = {
    {"Add", kAllDtypes},
    {"Mul", kAllDtypes},
    {"Cast", kAllDtypes},
    {"Cat", kAllDtypes},
    {"CausalSoftmax", kFloatDtypes},
    {"Gemm", kFloatDtypes},
    {"Linear", kFloatDtypes},
    {"RmsNorm", kFloatDtypes},
    {"Swiglu", kFloatDtypes},
    {"TopKTopPSampler", kFloatDtypes},
};

std::uint32_t exact_dtypes(const char* name) {
  for (const Support& support : kOperators) {
    if (name != nullptr && std::strcmp(name, support.name) == 0) {
      return support.dtypes;
    }
  }
  return 0;
}

constexpr OpsTable kTable = {
    infini_extension::kOpsVersion,
    sizeof(OpsTable),
    INFINI_OPS_LIBRARY,
    exact_dtypes,
    infini::ops::cpu::blas_name,
};

}  // namespace

extern "C" INFINI_API const OpsTable* infini_ops_extension(
    std::uint32_t version) {
  return version <= infini_extension::kOpsVersion ? &kTable : nullptr;
}
