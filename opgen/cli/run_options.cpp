#include "opgen/cli/run_options.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "opgen/text/depfile.h"
#include "opgen/text/manifest.h"
#include "opgen/text/read_file.h"
#include "opgen/text/sink.h"

namespace opgen::cli {
namespace {

using text::Manifest;
using text::OutputFile;

std::string manifest_path(const RunOptions& options) {
  if (options.no_manifest || options.sink != "disk") {
    return "";
  }
  return options.manifest.empty() ? options.default_manifest : options.manifest;
}

Manifest make_manifest(const RunOptions& options, const backend::Run& run) {
  Manifest manifest(OPGEN_VERSION, options.identity);
  std::string contents;
  for (const std::string& path : run.inputs) {
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
  for (const std::string& path : manifest.stale_outputs(*earlier)) {
    std::fprintf(stderr, "stale: %s is not written any more\n", path.c_str());
  }
}

void create_folders(backend::Run& run) {
  for (const std::string& folder : run.folders) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) {
      run.diagnostics.error(text::DiagnosticId::kFileCannotCreateFolder,
                            {},
                            {folder, error.message()});
    }
  }
}

std::unique_ptr<text::Sink> make_sink(const RunOptions& options) {
  if (options.sink == "hash") {
    return std::make_unique<text::HashSink>();
  }
  if (options.sink == "memory") {
    return std::make_unique<text::MemorySink>();
  }
  return std::make_unique<text::DiskSink>();
}

// Writes all files and what is known about them.
void write(const RunOptions& options,
           const std::optional<Manifest>& earlier,
           backend::Run& run) {
  if (options.sink == "disk" && text::check_paths(run.files, run.diagnostics)) {
    create_folders(run);
  }
  const auto sink = make_sink(options);
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
  std::vector<OutputFile> records;
  const std::string path = manifest_path(options);
  if (!path.empty() && !run.diagnostics.has_errors()) {
    const Manifest manifest = make_manifest(options, run);
    report_stale(manifest, earlier);
    records.push_back({path, manifest.text()});
  }
  if (!options.depfile.empty()) {
    std::vector<std::string> targets;
    for (const OutputFile& file : run.files) {
      targets.push_back(file.path);
    }
    records.push_back({options.depfile, text::depfile(targets, run.inputs)});
  }
  text::DiskSink().write(records, 1, run.diagnostics);
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

void add_run_options(CLI::App& command, RunOptions& options) {
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
  command.add_option("--format", options.format, "how errors are reported")
      ->check(CLI::IsMember({"text", "json", "sarif"}))
      ->capture_default_str();
  command.add_flag("-v,--verbose", options.verbose, "say what was written");
}

int run_generator(const RunOptions& options,
                  const std::function<bool(backend::Run&)>& generate) {
  const std::string path = manifest_path(options);
  std::optional<Manifest> earlier;
  if (!path.empty()) {
    earlier = Manifest::read(path);
    if (earlier && earlier->up_to_date(OPGEN_VERSION, options.identity)) {
      if (options.verbose) {
        std::fputs("everything is up to date\n", stderr);
      }
      return 0;
    }
  }
  backend::Run run;
  run.threads = options.jobs != 0
                    ? options.jobs
                    : std::max(1U, std::thread::hardware_concurrency());
  if (generate(run) && !run.diagnostics.has_errors()) {
    write(options, earlier, run);
  }
  print_diagnostics(options, run.diagnostics);
  return run.diagnostics.has_errors() ? 1 : 0;
}

}  // namespace opgen::cli
