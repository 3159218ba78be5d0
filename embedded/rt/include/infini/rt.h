// The public header of InfiniRT: devices, data types, tensor views and the
// runtime API.
#pragma once

#include <infini/rt/generated.h>
