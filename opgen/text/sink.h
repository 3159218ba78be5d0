// Where the files of a run go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "opgen/text/diagnostics.h"
#include "opgen/text/file_manager.h"

namespace opgen::text {

// Whether no two files have one path; reports those that do.
bool check_paths(const std::vector<OutputFile>& files,
                 Diagnostics& diagnostics);

class Sink {
 public:
  struct Counts {
    std::size_t written = 0;
    std::size_t unchanged = 0;
    std::size_t failed = 0;
  };

  virtual ~Sink() = default;

  // Takes all files of a run on up to `threads` threads. Two with one path are
  // an error, and then nothing is written.
  Counts write(const std::vector<OutputFile>& files,
               std::size_t threads,
               Diagnostics& diagnostics);

 protected:
  Sink() = default;
  Sink(const Sink&) = default;
  Sink(Sink&&) = default;
  Sink& operator=(const Sink&) = default;
  Sink& operator=(Sink&&) = default;

 private:
  virtual Counts do_write(const std::vector<OutputFile>& files,
                          std::size_t threads,
                          Diagnostics& diagnostics) = 0;
};

// Writes to the file system: see write_file_if_changed. Folders are made.
//
// Before the first write everything that the system tells beforehand is looked
// at: that folders are there or can be made, that no folder is in the place of
// a file, that files can be made or replaced. If something is in the way, all
// of it is reported and nothing is changed. Errors that show only while a file
// is written, such as a full disk, leave the files that were written before.
class DiskSink final : public Sink {
 public:
  // What belongs to a run besides its files.
  struct Surroundings {
    std::vector<std::string> folders;  // that are made even if they stay empty
    // Files that somebody writes later: they are only looked at, with the
    // others.
    std::vector<std::string> later_files;
  };

  DiskSink() = default;

  explicit DiskSink(Surroundings surroundings)
      : surroundings_(std::move(surroundings)) {}

 private:
  Counts do_write(const std::vector<OutputFile>& files,
                  std::size_t threads,
                  Diagnostics& diagnostics) override;

  Surroundings surroundings_;
};

// Keeps a copy of the files, in their order.
class MemorySink final : public Sink {
 public:
  const std::vector<OutputFile>& files() const { return files_; }

 private:
  Counts do_write(const std::vector<OutputFile>& files,
                  std::size_t threads,
                  Diagnostics& diagnostics) override;

  std::vector<OutputFile> files_;
};

// Keeps one hash of all paths and contents, in their order.
class HashSink final : public Sink {
 public:
  std::uint64_t hash() const { return hash_; }

 private:
  Counts do_write(const std::vector<OutputFile>& files,
                  std::size_t threads,
                  Diagnostics& diagnostics) override;

  std::uint64_t hash_ = 0;
};

}  // namespace opgen::text
