#include "opgen/text/template_cache.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "opgen/text/code_template.h"
#include "opgen/text/read_file.h"

namespace opgen::text {

namespace {

// What Python's text mode reads: "\r\n" and "\r" are "\n".
std::string with_unix_newlines(std::string text) {
  if (text.find('\r') == std::string::npos) {
    return text;
  }
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r') {
      out += text[i];
    } else if (i + 1 == text.size() || text[i + 1] != '\n') {
      out += '\n';
    }
  }
  return out;
}

}  // namespace

const CodeTemplate& TemplateCache::get(const std::string& path) {
  const std::scoped_lock lock(mutex_);
  std::unique_ptr<CodeTemplate>& entry = templates_[path];
  if (entry == nullptr) {
    std::string text;
    if (const std::string error = read_file(path, text); !error.empty()) {
      throw TemplateFileError(path, error);
    }
    entry = std::make_unique<CodeTemplate>(with_unix_newlines(std::move(text)));
  }
  return *entry;
}

std::vector<std::string> TemplateCache::paths() {
  const std::scoped_lock lock(mutex_);
  std::vector<std::string> paths;
  paths.reserve(templates_.size());
  for (const auto& [path, made] : templates_) {
    paths.push_back(path);
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace opgen::text
