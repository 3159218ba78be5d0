#include "opgen/emit/aoti_fallback_ops.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <system_error>
#include <utility>

#include "opgen/api/error.h"
#include "opgen/text/read_file.h"

namespace opgen::emit {
namespace {

using Kind = PythonLiteral::Kind;

[[noreturn]] void fail(const std::string& base_name,
                       const std::string& version,
                       const std::string& message) {
  throw api::ApiError("fallback_ops.py: '" + version + "' of " + base_name +
                      " " + message);
}

// A set of names is a dict without versions.
std::string read_dict(const PythonModule& module,
                      const std::string& name,
                      const std::string& path,
                      FallbackOpDict& dict) {
  const PythonLiteral* literal = module.find(name);
  if (literal == nullptr || literal->kind == Kind::kString) {
    return path + ": error: no dict " + name;
  }
  for (std::size_t i = 0; i < literal->items.size(); ++i) {
    if (literal->kind == Kind::kDict) {
      dict.insert_or_assign(literal->keys[i], literal->items[i]);
    } else if (literal->items[i].kind == Kind::kString) {
      PythonLiteral no_versions;
      no_versions.kind = Kind::kDict;
      dict.insert_or_assign(literal->items[i].text, std::move(no_versions));
    } else {
      return path + ": error: " + name + " holds something other than names";
    }
  }
  return {};
}

bool take_digits(std::string_view& text) {
  const auto end = std::min(text.find_first_not_of("0123456789"), text.size());
  text.remove_prefix(end);
  return end > 0;
}

bool is_torch_version(std::string_view text) {
  for (const std::string_view prefix : {"TORCH_VERSION_", "_", "_"}) {
    if (!text.starts_with(prefix)) {
      return false;
    }
    text.remove_prefix(prefix.size());
    if (!take_digits(text)) {
      return false;
    }
  }
  return text.empty();
}

std::optional<std::string> read_since(const std::string& base_name,
                                      const std::string& version,
                                      const PythonLiteral* since) {
  if (since == nullptr) {
    return std::nullopt;
  }
  if (since->kind != Kind::kString || !is_torch_version(since->text)) {
    fail(base_name,
         version,
         "has a 'since' that does not read TORCH_VERSION_X_Y_Z");
  }
  return since->text;
}

int version_number(const std::string& base_name, const std::string& key) {
  int number = 0;
  const char* end = key.data() + key.size();
  const char* begin = key.data() + (key.empty() ? 0 : 1);
  const auto [rest, error] = std::from_chars(begin, end, number);
  if (!key.starts_with('v') || error != std::errc() || rest != end) {
    fail(base_name, key, "is not 'since' or v and a number");
  }
  return number;
}

std::vector<std::string> read_new_args(const std::string& base_name,
                                       const std::string& version,
                                       const PythonLiteral* new_args) {
  std::vector<std::string> names;
  if (new_args == nullptr) {
    return names;
  }
  if (new_args->kind != Kind::kList) {
    fail(base_name, version, "has no list of new arguments");
  }
  for (const PythonLiteral& item : new_args->items) {
    if (item.kind != Kind::kString) {
      fail(base_name, version, "has a new argument that is not a name");
    }
    names.push_back(item.text);
  }
  return names;
}

}  // namespace

std::vector<std::string> fallback_ops_candidates(
    const std::string& source_path) {
  const std::filesystem::path source(source_path);
  const auto beside_packaged = source / ".." / ".." / "aoti";
  const auto in_checkout = source / ".." / ".." / ".." / "torchgen" / "aoti";
  return {(beside_packaged / "fallback_ops.py").string(),
          (in_checkout / "fallback_ops.py").string()};
}

std::optional<std::string> find_fallback_ops(const std::string& source_path) {
  for (std::string& path : fallback_ops_candidates(source_path)) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(path, ignored)) {
      return std::move(path);
    }
  }
  return std::nullopt;
}

std::string parse_fallback_ops(std::string_view source,
                               const std::string& path,
                               FallbackOps& ops) {
  PythonModule module;
  const PythonModuleError error = read_python_module(source, module);
  if (error.line != 0) {
    return path + ":" + std::to_string(error.line) + ":" +
           std::to_string(error.column) + ": error: " + error.message;
  }
  std::string message = read_dict(
      module, "inductor_fallback_ops", path, ops.inductor_fallback_ops);
  if (message.empty()) {
    message =
        read_dict(module, "aten_shimified_ops", path, ops.aten_shimified_ops);
  }
  return message;
}

std::string load_fallback_ops(const std::string& path, FallbackOps& ops) {
  std::string source;
  const std::string error = text::read_file(path, source);
  return error.empty() ? parse_fallback_ops(source, path, ops)
                       : path + ": error: " + error;
}

std::vector<FallbackOpVersion> fallback_op_versions(
    const std::string& base_name, const PythonLiteral& metadata) {
  if (metadata.kind != Kind::kDict) {
    throw api::ApiError("fallback_ops.py: the entry of " + base_name +
                        " is not a dict");
  }
  std::vector<FallbackOpVersion> versions{
      {1, {}, read_since(base_name, "v1", metadata.find("since"))}};
  for (std::size_t i = 0; i < metadata.keys.size(); ++i) {
    const std::string& key = metadata.keys[i];
    const PythonLiteral& value = *metadata.find(key);
    if (key == "since" || &value != &metadata.items[i]) {
      continue;
    }
    const int id = version_number(base_name, key);
    if (std::ranges::count(versions, id, &FallbackOpVersion::id) > 0) {
      fail(base_name, key, "is there twice");
    }
    const bool with_since = value.kind == Kind::kDict;
    versions.push_back(
        {id,
         read_new_args(
             base_name, key, with_since ? value.find("new_args") : &value),
         with_since ? read_since(base_name, key, value.find("since"))
                    : std::nullopt});
  }
  std::ranges::sort(versions, std::greater{}, &FallbackOpVersion::id);
  return versions;
}

}  // namespace opgen::emit
