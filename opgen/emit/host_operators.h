// `opgen backend`: operators of a device whose memory the host can address,
// served by PyTorch's own CPU kernels.
//
// One wrapper per operator calls at::cpu::X on aliases of its arguments. The
// wrappers use a class HostCall and a struct HostEntry that the backend's
// header declares:
//
//   HostCall(index)            one call; wrappers are numbered over all files
//   .in(x, position)           what the kernel reads: tensors and lists of them
//   .io(x, position)           what it writes
//   .in_place(x, position)     the same, where it keeps size and storage
//   .generator(g)              a generator of the CPU
//   .result(value)             device tensors from the kernel's results
//   .finish()                  after kernels that return what they wrote to
//   HostEntry{"aten::add", "Tensor", host_kernel_of(&wrapper), index}
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "opgen/model/native_function.h"
#include "opgen/model/native_functions.h"
#include "opgen/text/file_manager.h"

namespace opgen::emit {

struct HostOperatorsOptions {
  std::string source_path = "aten/src/ATen";
  std::string install_dir = ".";
  std::string header;         // declares HostCall and HostEntry
  std::string cpp_namespace;  // of both, and of what is generated
  std::size_t shards = 2;
};

// ATen's operators with a CPU kernel that a wrapper can call: those that return
// no view, take no storage, and tell their device by a tensor.
std::vector<const model::NativeFunction*> host_operators(
    const model::NativeFunctions& program);

// The wrapper as a function called `name`. Throws ApiError.
std::string host_wrapper(const model::NativeFunction& f,
                         const std::string& name,
                         std::size_t index);

// Names must be such that C++ takes them: see
// opgen/backend/host_operators_check.h.
//
// The files operators_<i>.cpp, each with a function host_operators_<i>(), and
// operators.cpp with host_operators(), which returns the entries of all.
std::vector<text::OutputFile> host_operator_files(
    const HostOperatorsOptions& options, const model::NativeFunctions& program);

}  // namespace opgen::emit
