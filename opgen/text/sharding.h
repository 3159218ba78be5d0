// How the items of a sharded file are spread, and its texts.
#pragma once

#include <string>
#include <vector>

#include "opgen/text/code_template.h"
#include "opgen/text/file_manager.h"

namespace opgen::text {

// The contents for "Everything", "_0", "_1", ... in this order, from the
// template with the comment that names it. Throws std::logic_error if an item
// breaks the contract of FileManager::Sharded.
std::vector<std::string> substitute_sharded(const CodeTemplate& code,
                                            const FileManager::Sharded& sharded,
                                            const std::string& comment);

// "Everything" for 0, "_0" for 1 and so on.
std::string shard_id(std::size_t index);

}  // namespace opgen::text
