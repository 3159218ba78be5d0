// Writing one file so that nobody sees half of it, in two steps: what has to be
// done, which changes nothing, and doing it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <sys/types.h>

namespace opgen::text {

struct PlannedWrite {
  enum class Kind : std::uint8_t {
    kNone,       // the file has these contents
    kCreate,     // there is no file
    kReplace,    // by a new file that takes its name
    kOverwrite,  // what is no regular file
  };

  Kind kind = Kind::kNone;
  mode_t mode = 0;  // of a file that is replaced
  // Where the new file is made: empty for the folder of the path itself.
  std::string target;
  int error = 0;  // nonzero: what is in the way, as errno says it
};

struct WriteResult {
  bool changed = false;
  std::string error;  // empty, or what went wrong in the words of the system
};

std::string system_message(int error);

// 0 if files can be made in the folder, or what is in the way. Who may do
// everything is only told of file systems that cannot be written to.
int folder_error(const std::string& folder);

// Changes nothing. A folder of the path that does not exist is no error.
// Whether the folder can be written to is only asked for a link's target; for
// others see folder_error.
PlannedWrite plan_write(const std::string& path, std::string_view contents);

// `planned` comes from plan_write with the same arguments and has no error. The
// folder exists.
WriteResult carry_out(const PlannedWrite& planned,
                      const std::string& path,
                      std::string_view contents);

// A file that has these contents already is not touched. One that does not
// exist is created; any other is replaced by a new file that takes its name and
// mode (a symbolic link stays, its target is replaced). The folder must exist.
// After an error the old file is still there, or none.
WriteResult write_file_if_changed(const std::string& path,
                                  std::string_view contents);

}  // namespace opgen::text
