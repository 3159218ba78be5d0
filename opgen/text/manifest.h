// What a run read and wrote, so that the next one can tell that nothing is to
// be done, and which files nobody writes any more.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace opgen::text {

class Manifest {
 public:
  struct Entry {
    std::string path;
    std::uint64_t size = 0;
    std::int64_t mtime_ns = 0;
    std::uint64_t hash = 0;  // of the contents
  };

  // A run with other options, or by another version of the program, is another.
  Manifest(std::string version, std::string options);

  // To be called with what was read from, or has been written to, the path.
  void add_input(const std::string& path, std::string_view contents);
  void add_output(const std::string& path, std::string_view contents);

  // True if a run by this version with these options would write what is there.
  // Reads a file only if its time has changed and its size has not, or if it
  // was changed at about the time of the run.
  bool up_to_date(std::string_view version, std::string_view options) const;

  // Outputs of the earlier run that are not among those of this one, sorted.
  std::vector<std::string> stale_outputs(const Manifest& earlier) const;

  const std::vector<Entry>& inputs() const { return inputs_; }

  const std::vector<Entry>& outputs() const { return outputs_; }

  // Lines of text; parse() refuses a text that is not whole.
  std::string text() const;
  static std::optional<Manifest> parse(std::string_view text);
  // Nothing if there is no file or no manifest in it.
  static std::optional<Manifest> read(const std::string& path);

 private:
  std::string version_;
  std::string options_;
  std::int64_t recorded_ns_ = 0;
  std::vector<Entry> inputs_;
  std::vector<Entry> outputs_;
};

}  // namespace opgen::text
