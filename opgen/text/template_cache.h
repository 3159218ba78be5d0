// Template files, each read and compiled once.
#pragma once

#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "opgen/text/code_template.h"

namespace opgen::text {

class TemplateFileError : public std::runtime_error {
 public:
  TemplateFileError(const std::string& path, const std::string& reason)
      : std::runtime_error("cannot read template " + path + ": " + reason),
        path(path),
        reason(reason) {}

  std::string path;
  std::string reason;
};

class TemplateCache {
 public:
  // Throws TemplateFileError if the file cannot be read. The template stays
  // valid as long as the cache. Safe from several threads.
  const CodeTemplate& get(const std::string& path);
  // Of all templates that were read, sorted.
  std::vector<std::string> paths();

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, std::unique_ptr<CodeTemplate>> templates_;
};

}  // namespace opgen::text
