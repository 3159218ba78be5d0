// The operators of the Infini stack: include this and <infini/rt.h>, call
// `infini::ops::Operator<infini::ops::Add>::Call(handle, config, input, other,
// out)`.
//
// Source- and binary-compatible, for code that calls operators, with InfiniOps
// at commit 2962714 built for the CPU. Out of scope: `Make`, deriving from
// operators, and upstream's headers at the root of the include prefix
// (operator.h, config.h, base/add.h, ...); none of them is installed. The
// headers compile as C++17.
#pragma once

#include <infini/ops/config.h>
#include <infini/ops/error.h>
#include <infini/ops/handle.h>
#include <infini/ops/operator.h>
#include <infini/ops/operators.h>
