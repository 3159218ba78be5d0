// Dependency files for ninja and make.
#pragma once

#include <string>
#include <vector>

namespace opgen::text {

// The rule that says that the targets depend on the inputs. Spaces, "#" and "$"
// in names are escaped; neither program can hold a name with a line break.
std::string depfile(const std::vector<std::string>& targets,
                    const std::vector<std::string>& inputs);

}  // namespace opgen::text
