// Which implementation of an operator a call uses.
//
// Invariant: a plain value of 8 bytes without virtual functions; its layout is
// part of the ABI.
#pragma once

#include <cstddef>

#include <infini/ops/visibility.h>

namespace infini::ops {

class INFINI_API Config {
 public:
  std::size_t implementation_index() const { return implementation_index_; }

  // The CPU operators have implementation 0 only; another index makes the call
  // throw `Error`.
  void set_implementation_index(std::size_t implementation_index) {
    implementation_index_ = implementation_index;
  }

 private:
  std::size_t implementation_index_{0};
};

static_assert(sizeof(Config) == 8, "the layout of Config is part of the ABI");

}  // namespace infini::ops
