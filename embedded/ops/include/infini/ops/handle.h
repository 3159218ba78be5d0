// Where a call runs: a stream of the runtime and an optional workspace, neither
// owned.
//
// Invariant: a plain value of 24 bytes without virtual functions; its layout is
// part of the ABI. The CPU operators run in the calling thread before `Call`
// returns and use neither field: whoever submits them to a stream calls them
// from the stream's executor.
#pragma once

#include <cstddef>

#include <infini/ops/visibility.h>

namespace infini::ops {

class INFINI_API Handle {
 public:
  void* stream() const { return stream_; }

  void* workspace() const { return workspace_; }

  std::size_t workspace_size_in_bytes() const {
    return workspace_size_in_bytes_;
  }

  void set_stream(void* stream) { stream_ = stream; }

  void set_workspace(void* workspace) { workspace_ = workspace; }

  void set_workspace_size_in_bytes(std::size_t workspace_size_in_bytes) {
    workspace_size_in_bytes_ = workspace_size_in_bytes;
  }

 private:
  void* stream_{nullptr};
  void* workspace_{nullptr};
  std::size_t workspace_size_in_bytes_{0};
};

static_assert(sizeof(Handle) == 24, "the layout of Handle is part of the ABI");

}  // namespace infini::ops
