// What every operator throws for a call that it cannot carry out.
//
// It is thrown before any element of an output is written. The message names
// the operator, what was expected, and the dtype, shape, strides and device of
// each tensor. Defined in the header, so that a program which catches it also
// links against a library that never throws it.
#pragma once

#include <stdexcept>

#include <infini/ops/visibility.h>

namespace infini::ops {

class INFINI_API Error : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

}  // namespace infini::ops
