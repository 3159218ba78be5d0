#include "opgen/text/sink.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_set>
#include <utility>
#include <vector>

#include "opgen/text/diagnostics.h"
#include "opgen/text/file_manager.h"
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

// The folders that could not be created.
std::set<std::string, std::less<>> create_folders(
    const std::vector<OutputFile>& files, Diagnostics& diagnostics) {
  std::unordered_set<std::string> seen;
  std::set<std::string, std::less<>> failed;
  for (const OutputFile& file : files) {
    std::string folder = parent_path(file.path);
    if (!seen.insert(folder).second) {
      continue;
    }
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) {
      diagnostics.error(
          DiagnosticId::kFileCannotCreateFolder, {}, {folder, error.message()});
      failed.insert(std::move(folder));
    }
  }
  return failed;
}

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
  const auto failed = create_folders(files, diagnostics);
  std::vector<WriteResult> results(files.size());
  for_each_file(files.size(), threads, [&](std::size_t i) {
    if (failed.empty() || !failed.contains(parent_path(files[i].path))) {
      results[i] = write_file_if_changed(files[i].path, files[i].contents);
    }
  });
  Counts counts;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const bool no_folder =
        !failed.empty() && failed.contains(parent_path(files[i].path));
    if (!results[i].error.empty()) {
      diagnostics.error(DiagnosticId::kFileCannotWrite,
                        {},
                        {files[i].path, results[i].error});
    }
    if (no_folder || !results[i].error.empty()) {
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
