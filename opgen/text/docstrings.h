// The last pass of torchgen's substitute_with_template.
#pragma once

#include <string>

namespace opgen::text {

// Leaves exactly one empty line between a closing `"""` and the class or
// function (or its decorators) on the lines after it.
void space_docstrings(std::string& text);

}  // namespace opgen::text
