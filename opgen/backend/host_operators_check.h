// What `opgen backend` puts into C++ as it stands in its inputs: names of the
// command line and of operators. Each must be one that C++ takes at its place.
#pragma once

#include "opgen/emit/host_operators.h"
#include "opgen/model/native_functions.h"
#include "opgen/schema/function_site.h"
#include "opgen/text/diagnostics.h"

namespace opgen::backend {

// Whether the header and the namespace can be used; reports what cannot.
bool check_host_options(const emit::HostOperatorsOptions& options,
                        text::Diagnostics& diagnostics);

// Whether every operator that gets a wrapper has names that can be used;
// reports each that has not at its entry. `sites` are those of the program.
bool check_host_operators(const model::NativeFunctions& program,
                          const schema::FunctionSites& sites,
                          text::Diagnostics& diagnostics);

}  // namespace opgen::backend
