// Turns what emitters throw into diagnostics.
#pragma once

#include <functional>

#include "opgen/backend/generate.h"
#include "opgen/schema/load.h"

namespace opgen::backend {

// Runs make(run), which adds files to a run for loaded.functions or throws;
// what it throws becomes diagnostics. If it throws because of an operator, all
// such operators are reported, not the first alone: it is run again without
// those that are known already. An operator that an error does not name is
// looked for. Returns what make returned; false, and run.files is empty, if it
// threw.
bool make_or_report(schema::LoadedFunctions& loaded,
                    Run& run,
                    const std::function<bool(Run&)>& make);

}  // namespace opgen::backend
