// Names and helper functions that all registrations of a dispatch key share.
// gen_registration_headers and gen_registration_helpers are declared in
// register_dispatch_key.h.
#pragma once

#include <string>

#include "opgen/model/dispatch_key.h"

namespace opgen::emit {

// "compositeexplicitautograd": the key as a C++ namespace.
std::string lower_name_of(model::DispatchKey key);

}  // namespace opgen::emit
