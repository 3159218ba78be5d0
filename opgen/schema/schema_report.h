// Puts errors inside of a string where they stand in the file.
#pragma once

#include <cstddef>
#include <string_view>

#include "opgen/schema/schema_error.h"
#include "opgen/text/diagnostics.h"
#include "opgen/text/yaml.h"

namespace opgen::schema {

// The range of `part`, which is a part of the scalar's value.
text::SourceRange range_of(const text::YamlNode& scalar, std::string_view part);

// `whole` is the part of the scalar's value that the errors count from.
void report_errors(const text::YamlNode& scalar,
                   std::string_view whole,
                   const SchemaErrors& errors,
                   text::Diagnostics& diagnostics);

}  // namespace opgen::schema
