#include "opgen/text/manifest.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <sys/stat.h>

#include "opgen/text/hash.h"
#include "opgen/text/python_text.h"
#include "opgen/text/read_file.h"

namespace opgen::text {

namespace {

constexpr std::string_view kHeader = "opgen-manifest 1";
constexpr std::int64_t kNanoseconds = 1'000'000'000;
// File systems may count time in steps as large as this.
constexpr std::int64_t kClockStep = kNanoseconds / 50;

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

struct FileStatus {
  std::uint64_t size;
  std::int64_t mtime_ns;
};

std::optional<FileStatus> status_of(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return std::nullopt;
  }
  return FileStatus{
      static_cast<std::uint64_t>(status.st_size),
      status.st_mtim.tv_sec * kNanoseconds + status.st_mtim.tv_nsec};
}

Manifest::Entry entry_of(const std::string& path, std::string_view contents) {
  const auto status = status_of(path);
  return {path,
          contents.size(),
          status ? status->mtime_ns : 0,
          hash_bytes(contents)};
}

bool is_unchanged(const Manifest::Entry& entry, std::int64_t trusted_before) {
  const auto status = status_of(entry.path);
  if (!status || status->size != entry.size) {
    return false;
  }
  if (status->mtime_ns == entry.mtime_ns && entry.mtime_ns < trusted_before) {
    return true;
  }
  std::string contents;
  return read_file(entry.path, contents).empty() &&
         contents.size() == entry.size && hash_bytes(contents) == entry.hash;
}

void append_line(std::string& out, std::string_view text) {
  for (const char c : text) {
    if (c == '\\') {
      out += "\\\\";
    } else if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  out += '\n';
}

std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) {
      ++i;
      out += text[i] == 'n' ? '\n' : text[i];
    } else {
      out += text[i];
    }
  }
  return out;
}

void append_entries(std::string& out,
                    std::string_view kind,
                    const std::vector<Manifest::Entry>& entries) {
  for (const Manifest::Entry& entry : entries) {
    out += kind;
    for (const std::string& number : {std::to_string(entry.size),
                                      std::to_string(entry.mtime_ns),
                                      std::to_string(entry.hash)}) {
      out += number;
      out += ' ';
    }
    append_line(out, entry.path);
  }
}

// Cuts what stands before the next space off the line.
template <class T>
bool take_number(std::string_view& line, T& number) {
  const auto parsed =
      std::from_chars(line.data(), line.data() + line.size(), number);
  const auto size = static_cast<std::size_t>(parsed.ptr - line.data());
  if (parsed.ec != std::errc() || size == line.size() || line[size] != ' ') {
    return false;
  }
  line.remove_prefix(size + 1);
  return true;
}

bool take_prefix(std::string_view& line, std::string_view prefix) {
  const bool found = line.starts_with(prefix);
  line.remove_prefix(found ? prefix.size() : 0);
  return found;
}

}  // namespace

Manifest::Manifest(std::string version, std::string options)
    : version_(std::move(version)),
      options_(std::move(options)),
      recorded_ns_(now_ns()) {}

void Manifest::add_input(const std::string& path, std::string_view contents) {
  inputs_.push_back(entry_of(path, contents));
}

void Manifest::add_output(const std::string& path, std::string_view contents) {
  outputs_.push_back(entry_of(path, contents));
}

bool Manifest::up_to_date(std::string_view version,
                          std::string_view options) const {
  constexpr std::int64_t kAlways = INT64_MAX;
  return version == version_ && options == options_ &&
         std::all_of(inputs_.begin(),
                     inputs_.end(),
                     [this](const Entry& entry) {
                       return is_unchanged(entry, recorded_ns_ - kClockStep);
                     }) &&
         std::all_of(outputs_.begin(), outputs_.end(), [](const Entry& entry) {
           return is_unchanged(entry, kAlways);
         });
}

std::vector<std::string> Manifest::stale_outputs(
    const Manifest& earlier) const {
  std::set<std::string_view> now;
  for (const Entry& entry : outputs_) {
    now.insert(entry.path);
  }
  std::vector<std::string> stale;
  for (const Entry& entry : earlier.outputs_) {
    if (!now.contains(entry.path)) {
      stale.push_back(entry.path);
    }
  }
  std::sort(stale.begin(), stale.end());
  return stale;
}

std::string Manifest::text() const {
  std::string out(kHeader);
  out += "\nversion ";
  append_line(out, version_);
  out += "options ";
  append_line(out, options_);
  out += "recorded " + std::to_string(recorded_ns_) + " \n";
  append_entries(out, "input ", inputs_);
  append_entries(out, "output ", outputs_);
  out += "end\n";
  return out;
}

std::optional<Manifest> Manifest::parse(std::string_view text) {
  std::vector<std::string_view> lines = split(text, "\n");
  if (lines.size() < 6 || lines[0] != kHeader ||
      lines[lines.size() - 2] != "end" || !lines.back().empty() ||
      !take_prefix(lines[1], "version ") ||
      !take_prefix(lines[2], "options ") ||
      !take_prefix(lines[3], "recorded ")) {
    return std::nullopt;
  }
  Manifest manifest(unescaped(lines[1]), unescaped(lines[2]));
  if (!take_number(lines[3], manifest.recorded_ns_)) {
    return std::nullopt;
  }
  for (std::size_t i = 4; i + 2 < lines.size(); ++i) {
    std::string_view line = lines[i];
    const bool input = take_prefix(line, "input ");
    Entry entry;
    if ((!input && !take_prefix(line, "output ")) ||
        !take_number(line, entry.size) || !take_number(line, entry.mtime_ns) ||
        !take_number(line, entry.hash)) {
      return std::nullopt;
    }
    entry.path = unescaped(line);
    (input ? manifest.inputs_ : manifest.outputs_).push_back(std::move(entry));
  }
  return manifest;
}

std::optional<Manifest> Manifest::read(const std::string& path) {
  std::string contents;
  return read_file(path, contents).empty() ? parse(contents) : std::nullopt;
}

}  // namespace opgen::text
