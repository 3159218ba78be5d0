// What a schema must keep to beyond its syntax: where outputs may stand, what
// must be returned, ... (the __post_init__ of torchgen's FunctionSchema and
// Arguments).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "opgen/model/function_schema.h"
#include "opgen/text/diagnostics.h"

namespace opgen::schema {

struct SchemaViolation {
  enum class Site { kName, kArgument, kReturn, kReturns };

  text::DiagnosticId id;
  Site site = Site::kName;
  std::size_t index = 0;  // of the argument or the return
  std::vector<std::string> args;
};

std::vector<SchemaViolation> check_schema(const model::FunctionSchema& schema);

}  // namespace opgen::schema
