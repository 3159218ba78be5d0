// The CPU backend's runtime_.h under its public name.
#pragma once

#include <infini/rt/detail/native/cpu/runtime_.h>
