// Turns what emitters throw into diagnostics.
#pragma once

#include <exception>

#include "opgen/schema/function_site.h"
#include "opgen/text/diagnostics.h"

namespace opgen::backend {

// Points to the entry of the operator where the error names one.
void report_generation_error(const std::exception& error,
                             const schema::FunctionSites& sites,
                             text::Diagnostics& diagnostics);

}  // namespace opgen::backend
