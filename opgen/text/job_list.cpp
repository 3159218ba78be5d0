#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include "opgen/text/file_manager.h"
#include "opgen/text/parallel.h"

namespace opgen::text {

void JobList::add(Job job) {
  jobs_.push_back(std::move(job));
}

std::vector<OutputFile> JobList::run(std::size_t threads) const {
  std::vector<std::vector<OutputFile>> results(jobs_.size());
  parallel_for(jobs_.size(), threads, [&](std::size_t job) {
    results[job] = jobs_[job]();
  });
  std::vector<OutputFile> all;
  for (std::vector<OutputFile>& files : results) {
    std::move(files.begin(), files.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace opgen::text
