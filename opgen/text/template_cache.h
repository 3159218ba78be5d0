// Template files, each read and compiled once.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "opgen/text/code_template.h"

namespace opgen::text {

class TemplateCache {
 public:
  // Throws std::runtime_error that names the file if it cannot be read. The
  // template stays valid as long as the cache. Safe from several threads.
  const CodeTemplate& get(const std::string& path);
  // Of all templates that were read, sorted.
  std::vector<std::string> paths();

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, std::unique_ptr<CodeTemplate>> templates_;
};

}  // namespace opgen::text
