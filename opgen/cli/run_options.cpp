#include "opgen/cli/run_options.h"

#include <algorithm>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "opgen/backend/generate.h"
#include "opgen/text/depfile.h"
#include "opgen/text/diagnostics.h"
#include "opgen/text/file_manager.h"
#include "opgen/text/manifest.h"
#include "opgen/text/read_file.h"
#include "opgen/text/sink.h"

namespace opgen::cli {
namespace {

using text::Manifest;
using text::OutputFile;

constexpr const char* kRunGroup = "How it runs";

std::string manifest_path(const RunOptions& options) {
  if (options.no_manifest || options.sink != "disk") {
    return "";
  }
  return options.manifest.empty() ? options.default_manifest : options.manifest;
}

// Empty where the system does not say.
std::string own_program() {
  std::error_code unknown;
  return std::filesystem::read_symlink("/proc/self/exe", unknown).string();
}

// The program itself is an input: another build of a version may write
// something else.
Manifest make_manifest(const RunOptions& options, const backend::Run& run) {
  Manifest manifest(OPGEN_VERSION, options.identity);
  std::vector<std::string> inputs = run.inputs;
  inputs.push_back(own_program());
  std::string contents;
  for (const std::string& path : inputs) {
    if (text::read_file(path, contents).empty()) {
      manifest.add_input(path, contents);
    }
  }
  for (const OutputFile& file : run.files) {
    manifest.add_output(file.path, file.contents);
  }
  return manifest;
}

void report_stale(const Manifest& manifest,
                  const std::optional<Manifest>& earlier) {
  if (!earlier) {
    return;
  }
  constexpr std::size_t kMost = 20;
  const std::vector<std::string> stale = manifest.stale_outputs(*earlier);
  for (std::size_t i = 0; i < std::min(stale.size(), kMost); ++i) {
    std::fprintf(
        stderr, "stale: %s is not written any more\n", stale[i].c_str());
  }
  if (stale.size() > kMost) {
    std::fprintf(stderr, "stale: and %zu more\n", stale.size() - kMost);
  }
}

std::unique_ptr<text::Sink> make_sink(const RunOptions& options,
                                      const backend::Run& run) {
  if (options.sink == "hash") {
    return std::make_unique<text::HashSink>();
  }
  if (options.sink == "memory") {
    return std::make_unique<text::MemorySink>();
  }
  text::DiskSink::Surroundings surroundings{run.folders, {}};
  for (const std::string& path : {manifest_path(options), options.depfile}) {
    if (!path.empty()) {
      surroundings.later_files.push_back(path);
    }
  }
  return std::make_unique<text::DiskSink>(std::move(surroundings));
}

template <class T>
std::vector<std::string> paths_of(const std::vector<T>& files) {
  std::vector<std::string> paths;
  paths.reserve(files.size());
  for (const T& file : files) {
    paths.push_back(file.path);
  }
  return paths;
}

OutputFile depfile_of(const RunOptions& options,
                      std::vector<std::string> outputs,
                      const std::vector<std::string>& inputs) {
  if (!options.depfile_target.empty()) {
    outputs = {options.depfile_target};
  }
  return {options.depfile, text::depfile(outputs, inputs)};
}

// Writes all files and what is known about them.
void write(const RunOptions& options,
           const std::optional<Manifest>& earlier,
           backend::Run& run) {
  const auto sink = make_sink(options, run);
  const auto counts = sink->write(run.files, run.threads, run.diagnostics);
  if (options.verbose) {
    std::fprintf(stderr,
                 "%zu files: %zu written, %zu unchanged, %zu failed\n",
                 run.files.size(),
                 counts.written,
                 counts.unchanged,
                 counts.failed);
  }
  if (const auto* hash = dynamic_cast<const text::HashSink*>(sink.get())) {
    std::printf("%016llx\n", static_cast<unsigned long long>(hash->hash()));
  }
  if (run.diagnostics.has_errors()) {
    return;
  }
  std::vector<OutputFile> records;
  const std::string path = manifest_path(options);
  if (!path.empty()) {
    const Manifest manifest = make_manifest(options, run);
    report_stale(manifest, earlier);
    records.push_back({path, manifest.text()});
  }
  if (!options.depfile.empty()) {
    records.push_back(depfile_of(options, paths_of(run.files), run.inputs));
  }
  text::DiskSink().write(records, 1, run.diagnostics);
}

// A build that lost its dependency file asks for it although nothing changed.
void write_depfile_again(const RunOptions& options,
                         const Manifest& manifest,
                         text::Diagnostics& diagnostics) {
  if (options.depfile.empty()) {
    return;
  }
  const OutputFile file = depfile_of(
      options, paths_of(manifest.outputs()), paths_of(manifest.inputs()));
  text::DiskSink().write({file}, 1, diagnostics);
}

void print_list(const backend::Run& run) {
  for (const std::string& path : run.inputs) {
    std::printf("input %s\n", path.c_str());
  }
  for (const OutputFile& file : run.files) {
    std::printf("output %s\n", file.path.c_str());
  }
}

// A run that nobody takes apart: the end of the process is faster at that.
backend::Run& lasting_run() {
  static std::mutex mutex;
  static auto* const runs = new std::deque<backend::Run>;
  const std::scoped_lock lock(mutex);
  return runs->emplace_back();
}

}  // namespace

void print_diagnostics(const RunOptions& options,
                       const text::Diagnostics& diagnostics) {
  if (options.format == "json") {
    std::fputs(diagnostics.to_json().c_str(), stdout);
  } else if (options.format == "sarif") {
    std::fputs(diagnostics.to_sarif(OPGEN_VERSION).c_str(), stdout);
  } else {
    std::fputs(diagnostics.to_text().c_str(), stderr);
  }
}

std::string identity_of(const CLI::App& command) {
  std::string identity = command.get_name();
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() > 0 && option->get_group() != kRunGroup) {
      identity += '\n' + option->get_name();
      for (const std::string& value : option->results()) {
        identity += ' ' + value;
      }
    }
  }
  return identity;
}

void add_run_options(CLI::App& command, RunOptions& options) {
  const std::string others = command.option_defaults()->get_group();
  command.option_defaults()->group(kRunGroup);
  command
      .add_option("-j,--jobs",
                  options.jobs,
                  "threads to generate on; one per processor by default")
      ->check(CLI::Range(1, 1024));
  command
      .add_option("--sink",
                  options.sink,
                  "where the files go: hash and memory write nothing")
      ->check(CLI::IsMember({"disk", "memory", "hash"}))
      ->capture_default_str();
  command.add_option("--manifest",
                     options.manifest,
                     "what the last run read and wrote; .opgen-manifest in the "
                     "output folder by default");
  command.add_flag(
      "--no-manifest", options.no_manifest, "neither use nor write a manifest");
  command.add_option(
      "--depfile", options.depfile, "also write a dependency file for ninja");
  command.add_option("--depfile-target",
                     options.depfile_target,
                     "what the dependency file says depends on the inputs; all "
                     "outputs by default");
  command.add_flag("--list",
                   options.list,
                   "write nothing; print `input PATH` and `output PATH` for "
                   "every file of the run");
  command.add_option("--format", options.format, "how errors are reported")
      ->check(CLI::IsMember({"text", "json", "sarif"}))
      ->capture_default_str();
  command.add_flag("-v,--verbose", options.verbose, "say what was written");
  command.option_defaults()->group(others);
}

int run_generator(const RunOptions& options,
                  const std::function<bool(backend::Run&)>& generate) {
  const std::string path = manifest_path(options);
  std::optional<Manifest> earlier;
  backend::Run& run = lasting_run();
  if (!path.empty() && !options.list) {
    earlier = Manifest::read(path);
    if (earlier && earlier->up_to_date(OPGEN_VERSION, options.identity)) {
      write_depfile_again(options, *earlier, run.diagnostics);
      if (options.verbose) {
        std::fputs("everything is up to date\n", stderr);
      }
      print_diagnostics(options, run.diagnostics);
      return run.diagnostics.has_errors() ? 1 : 0;
    }
  }
  run.threads = options.jobs != 0
                    ? options.jobs
                    : std::max(1U, std::thread::hardware_concurrency());
  if (generate(run) && !run.diagnostics.has_errors()) {
    if (options.list) {
      print_list(run);
    } else {
      write(options, earlier, run);
    }
  }
  print_diagnostics(options, run.diagnostics);
  return run.diagnostics.has_errors() ? 1 : 0;
}

}  // namespace opgen::cli
