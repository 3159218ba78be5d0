// The includes that generated sources of a device begin with.
#pragma once

#include <string_view>

namespace opgen::emit {

constexpr std::string_view kCudaHeaders =
    "#include <c10/cuda/CUDAGuard.h>\n"
    "#include <ATen/cuda/ATenCUDAGeneral.h>\n"
    "#include <ATen/cuda/CUDADevice.h>\n"
    "#include <ATen/cuda/CUDAContext.h>";

constexpr std::string_view kHipHeaders =
    "#include <c10/hip/HIPGuard.h>\n"
    "#include <ATen/hip/ATenHIPGeneral.h>\n"
    "#include <ATen/hip/HIPDevice.h>\n"
    "#include <ATen/hip/HIPContext.h>";

}  // namespace opgen::emit
