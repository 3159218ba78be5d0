// torchgen's FileManager: which files a run writes, from which template, with
// what in the holes.
//
// Nothing is generated or written while files are declared. run() generates all
// of them, on several threads, into memory; only then does the caller write
// them through a Sink. The result does not depend on the number of threads.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "opgen/text/code_template.h"
#include "opgen/text/template_cache.h"

namespace opgen::text {

// One file of a run. `path` is as torchgen composes it: install_dir/filename.
struct OutputFile {
  std::string path;
  std::string contents;
};

// Work that makes one or several files. Jobs run in any order and on any
// thread; what they throw ends the run.
using Job = std::function<std::vector<OutputFile>()>;

// The jobs of a run and the templates they share.
class JobList {
 public:
  void add(Job job);
  // All files in the order in which their jobs were added. `threads` >= 1.
  // Throws what the first of the jobs that failed has thrown.
  std::vector<OutputFile> run(std::size_t threads) const;

  const std::shared_ptr<TemplateCache>& templates() const { return templates_; }

 private:
  std::vector<Job> jobs_;
  std::shared_ptr<TemplateCache> templates_ = std::make_shared<TemplateCache>();
};

class FileManager {
 public:
  struct Settings {
    std::string install_dir;
    std::string template_dir;
    // What "generated_comment" says the generator is.
    std::string generator = "torchgen/gen.py";
    bool dry_run = false;
  };

  // Does not own the list. Reads templates when they are first used and throws
  // std::runtime_error that names the file if one cannot be read.
  FileManager(Settings settings, JobList& jobs);

  // A file made from a template. `env` is called once, on any thread, and must
  // stay callable until the run has ended. Declaring a file twice throws
  // std::logic_error. "generated_comment" is added unless `env` sets it.
  void write_with_template(const std::string& filename,
                           const std::string& template_fn,
                           std::function<Env()> env);
  // As above; the template has the file's name.
  void write(const std::string& filename, std::function<Env()> env);
  // A file whose text does not come from a template.
  void write_text(const std::string& filename,
                  std::function<std::string()> contents);

  // Items spread over `num_shards` files NAME_0.cpp, NAME_1.cpp, ... by the
  // hash of their key, and all of them in NAMEEverything.cpp.
  struct Sharded {
    std::string filename;     // "Register.cpp"
    std::string template_fn;  // the same in most cases
    std::size_t items = 0;
    std::function<std::string_view(std::size_t item)> key;
    // Holes of one item; every value is a list and every key is sharded. Called
    // once for each item, in their order.
    std::function<Env(std::size_t item)> env;
    std::size_t num_shards = 1;
    Env base_env;
    std::vector<std::string> sharded_keys;
  };

  void write_sharded(Sharded sharded);

  // torchgen's write_outputs: a CMake list of the files declared so far,
  // without the Everything ones.
  void write_outputs(const std::string& variable_name,
                     const std::string& filename);

  // Paths declared so far (install_dir/filename), sorted, without Everything.
  std::vector<std::string> filenames() const;

  // The text that write_with_template would produce.
  std::string substitute_with_template(const std::string& template_fn,
                                       Env env) const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace opgen::text
