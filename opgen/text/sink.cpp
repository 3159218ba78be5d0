#include "opgen/text/sink.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "opgen/text/diagnostics.h"
#include "opgen/text/file_manager.h"
#include "opgen/text/folder_plan.h"
#include "opgen/text/hash.h"
#include "opgen/text/parallel.h"
#include "opgen/text/posix_path.h"
#include "opgen/text/write_file.h"

namespace opgen::text {

namespace {

// Files per step of a loop; most are small.
constexpr std::size_t kBatch = 32;

template <class F>
void for_each_file(std::size_t count, std::size_t threads, F f) {
  const std::size_t batches = (count + kBatch - 1) / kBatch;
  parallel_for(batches, threads, [&](std::size_t batch) {
    const std::size_t end = std::min(count, (batch + 1) * kBatch);
    for (std::size_t i = batch * kBatch; i < end; ++i) {
      f(i);
    }
  });
}

// What writing the files will do.
class Plan {
 public:
  Plan(const std::vector<OutputFile>& files,
       const DiskSink::Surroundings& surroundings)
      : files_(files), later_(surroundings.later_files) {
    for (const std::string& folder : surroundings.folders) {
      folders_.add(folder);
    }
    folder_of_.reserve(files.size() + later_.size());
    for (const OutputFile& file : files) {
      folder_of_.push_back(folders_.add(parent_path(file.path)));
    }
    for (const std::string& path : later_) {
      folder_of_.push_back(folders_.add(parent_path(path)));
    }
  }

  // Whether everything can be done; what cannot is reported.
  bool make(std::size_t threads, Diagnostics& diagnostics) {
    bool good = folders_.check(diagnostics);
    writes_.resize(folder_of_.size());
    for_each_file(writes_.size(), threads, [&](std::size_t i) {
      writes_[i] = planned(i);
    });
    for (std::size_t i = 0; i < writes_.size(); ++i) {
      if (writes_[i].error != 0) {
        diagnostics.error(DiagnosticId::kFileCannotWrite,
                          {},
                          {path(i), system_message(writes_[i].error)});
        good = false;
      }
    }
    return good && folders_.make(diagnostics);
  }

  WriteResult carry_out(std::size_t i) const {
    return text::carry_out(writes_[i], path(i), files_[i].contents);
  }

 private:
  using Kind = PlannedWrite::Kind;

  const std::string& path(std::size_t i) const {
    return i < files_.size() ? files_[i].path : later_[i - files_.size()];
  }

  PlannedWrite planned(std::size_t i) const {
    const FolderPlan::Folder& folder = folders_[folder_of_[i]];
    PlannedWrite write;
    if (folders_.is_to_be_made(path(i))) {
      write.error = EISDIR;
    } else if (!folder.exists) {
      write.kind = Kind::kCreate;
    } else {
      const bool later = i >= files_.size();
      write = plan_write(path(i), later ? "" : files_[i].contents);
      const bool makes_file = write.target.empty() &&
                              write.kind != Kind::kOverwrite &&
                              (later || write.kind != Kind::kNone);
      if (write.error == 0 && makes_file) {
        write.error = folder.error;
      }
    }
    return write;
  }

  const std::vector<OutputFile>& files_;
  const std::vector<std::string>& later_;
  FolderPlan folders_;
  // By the numbers of the files; those that come later have the last ones.
  std::vector<std::size_t> folder_of_;
  std::vector<PlannedWrite> writes_;
};

}  // namespace

bool check_paths(const std::vector<OutputFile>& files,
                 Diagnostics& diagnostics) {
  std::unordered_set<std::string_view> paths;
  bool unique = true;
  for (const OutputFile& file : files) {
    if (!paths.insert(file.path).second) {
      diagnostics.error(DiagnosticId::kFileWrittenTwice, {}, {file.path});
      unique = false;
    }
  }
  return unique;
}

Sink::Counts Sink::write(const std::vector<OutputFile>& files,
                         std::size_t threads,
                         Diagnostics& diagnostics) {
  return check_paths(files, diagnostics) ? do_write(files, threads, diagnostics)
                                         : Counts{0, 0, files.size()};
}

Sink::Counts DiskSink::do_write(const std::vector<OutputFile>& files,
                                std::size_t threads,
                                Diagnostics& diagnostics) {
  Plan plan(files, surroundings_);
  if (!plan.make(threads, diagnostics)) {
    return {0, 0, files.size()};
  }
  std::vector<WriteResult> results(files.size());
  for_each_file(files.size(), threads, [&](std::size_t i) {
    results[i] = plan.carry_out(i);
  });
  Counts counts;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (!results[i].error.empty()) {
      diagnostics.error(DiagnosticId::kFileCannotWrite,
                        {},
                        {files[i].path, results[i].error});
      ++counts.failed;
    } else {
      ++(results[i].changed ? counts.written : counts.unchanged);
    }
  }
  return counts;
}

Sink::Counts MemorySink::do_write(const std::vector<OutputFile>& files,
                                  std::size_t /*threads*/,
                                  Diagnostics& /*diagnostics*/) {
  files_.insert(files_.end(), files.begin(), files.end());
  return {files.size(), 0, 0};
}

Sink::Counts HashSink::do_write(const std::vector<OutputFile>& files,
                                std::size_t threads,
                                Diagnostics& /*diagnostics*/) {
  std::vector<std::uint64_t> hashes(files.size());
  for_each_file(files.size(), threads, [&](std::size_t i) {
    hashes[i] = hash_bytes(files[i].contents, hash_bytes(files[i].path));
  });
  const std::string_view all(reinterpret_cast<const char*>(hashes.data()),
                             hashes.size() * sizeof(std::uint64_t));
  hash_ = hash_bytes(all, hash_);
  return {files.size(), 0, 0};
}

}  // namespace opgen::text
