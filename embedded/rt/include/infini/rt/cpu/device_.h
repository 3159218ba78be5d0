// The CPU backend's device_.h under its public name.
#pragma once

#include <infini/rt/detail/native/cpu/device_.h>
