// A file's bytes in one read.
#pragma once

#include <string>

namespace opgen::text {

// Replaces `contents`. Returns the empty string or what went wrong, in the
// words of the system. Files of more than 1 GiB are refused.
std::string read_file(const std::string& path, std::string& contents);

}  // namespace opgen::text
