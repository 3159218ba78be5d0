#include "opgen/text/folder_plan.h"

#include <cerrno>
#include <cstddef>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "opgen/text/diagnostics.h"
#include "opgen/text/posix_path.h"
#include "opgen/text/write_file.h"

namespace opgen::text {

namespace {

constexpr mode_t kNewFolderMode = 0777;

// 0 if the path is a folder.
int status_error(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) {
    return errno;
  }
  return S_ISDIR(status.st_mode) ? 0 : ENOTDIR;
}

// Makes the folder and those above it; adds what it made.
int make_folder(const std::string& path, std::vector<std::string>& made) {
  int error = ::mkdir(path.c_str(), kNewFolderMode) == 0 ? 0 : errno;
  if (error == ENOENT && parent_path(path) != path) {
    error = make_folder(parent_path(path), made);
    if (error == 0) {
      error = ::mkdir(path.c_str(), kNewFolderMode) == 0 ? 0 : errno;
    }
  }
  if (error == 0) {
    made.push_back(path);
  }
  return error == EEXIST ? status_error(path) : error;
}

void report(const std::string& path, int error, Diagnostics& diagnostics) {
  diagnostics.error(
      DiagnosticId::kFileCannotCreateFolder, {}, {path, system_message(error)});
}

}  // namespace

std::size_t FolderPlan::add(const std::string& path) {
  const auto [found, added] = numbers_.emplace(path, folders_.size());
  if (!added) {
    return found->second;
  }
  Folder folder{path, false, status_error(path)};
  folder.exists = folder.error == 0;
  std::string above = path;
  while (folder.error == ENOENT && parent_path(above) != above) {
    to_be_made_.insert(above);
    above = parent_path(above);
    folder.error = status_error(above);
  }
  if (folder.error == 0) {
    folder.error = folder_error(above);
  }
  folders_.push_back(std::move(folder));
  return found->second;
}

bool FolderPlan::check(Diagnostics& diagnostics) const {
  bool good = true;
  for (const Folder& folder : folders_) {
    if (!folder.exists && folder.error != 0) {
      report(folder.path, folder.error, diagnostics);
      good = false;
    }
  }
  return good;
}

bool FolderPlan::make(Diagnostics& diagnostics) const {
  std::vector<std::string> made;
  for (const Folder& folder : folders_) {
    const int error = folder.exists ? 0 : make_folder(folder.path, made);
    if (error != 0) {
      report(folder.path, error, diagnostics);
      for (const std::string& above : std::views::reverse(made)) {
        ::rmdir(above.c_str());
      }
      return false;
    }
  }
  return true;
}

}  // namespace opgen::text
