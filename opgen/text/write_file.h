// Writing one file so that nobody sees half of it.
#pragma once

#include <string>
#include <string_view>

namespace opgen::text {

struct WriteResult {
  bool changed = false;
  std::string error;  // empty, or what went wrong in the words of the system
};

// A file that has these contents already is not touched. One that does not
// exist is created; any other is replaced by a new file that takes its name and
// mode (a symbolic link stays, its target is replaced). The folder must exist.
// After an error the old file is still there, or none.
WriteResult write_file_if_changed(const std::string& path,
                                  std::string_view contents);

}  // namespace opgen::text
