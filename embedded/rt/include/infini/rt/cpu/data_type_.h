// The CPU backend's data_type_.h under its public name.
#pragma once

#include <infini/rt/detail/native/cpu/data_type_.h>
