// The folders that a run needs: looked at before anything is written, made
// together or not at all.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "opgen/text/diagnostics.h"

namespace opgen::text {

class FolderPlan {
 public:
  struct Folder {
    std::string path;
    bool exists = false;
    // Nonzero: no file can be made in it, for this reason (of errno).
    int error = 0;
  };

  // Looks at the folder, the first time that it is named. Changes nothing.
  // Returns its number, for operator[].
  std::size_t add(const std::string& path);

  const Folder& operator[](std::size_t number) const {
    return folders_[number];
  }

  // Whether the path is that of a folder that has to be made, or of one of
  // those above it.
  bool is_to_be_made(const std::string& path) const {
    return to_be_made_.contains(path);
  }

  // Whether every folder is there or can be made, as far as the system tells;
  // reports those of which this is not so.
  bool check(Diagnostics& diagnostics) const;

  // Makes what is missing. If one cannot be made, it is reported, and those
  // that were made are removed again.
  bool make(Diagnostics& diagnostics) const;

 private:
  std::vector<Folder> folders_;
  std::unordered_map<std::string, std::size_t> numbers_;
  std::unordered_set<std::string> to_be_made_;
};

}  // namespace opgen::text
