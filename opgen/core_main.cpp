// The generator of an operator layer, for builds that have nothing but a
// compiler and libyaml: `opgen backend` without the program's command line
// library. Takes the long forms of its flags, each followed by a value.
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <map>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "opgen/backend/generate.h"
#include "opgen/emit/host_operators.h"
#include "opgen/text/depfile.h"
#include "opgen/text/file_manager.h"
#include "opgen/text/sink.h"

namespace {

constexpr const char* kUsage =
    "usage: opgen-core backend --source-path DIR --install-dir DIR --header "
    "FILE\n"
    "                          --namespace NAME [--files N] [--depfile FILE\n"
    "                          --depfile-target NAME]\n"
    "The program opgen has more: make opgen.\n";

using Flags = std::map<std::string, std::string>;

// False for what is not known or has no value.
bool parse(int argc, char** argv, Flags& flags) {
  const int count = argc - 2;
  if (count < 0 || count % 2 != 0 || std::string(argv[1]) != "backend") {
    return false;
  }
  for (int i = 2; i < argc; i += 2) {
    const auto found = flags.find(argv[i]);
    if (found == flags.end()) {
      return false;
    }
    found->second = argv[i + 1];
  }
  return true;
}

// 0 for what is no number from 1 to 64.
std::size_t number_of(const std::string& text) {
  std::size_t number = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  const bool valid = parsed.ec == std::errc() && parsed.ptr == end;
  return valid && number <= 64 ? number : 0;
}

opgen::emit::HostOperatorsOptions options_of(const Flags& flags) {
  opgen::emit::HostOperatorsOptions options;
  options.source_path = flags.at("--source-path");
  options.install_dir = flags.at("--install-dir");
  options.header = flags.at("--header");
  options.cpp_namespace = flags.at("--namespace");
  options.shards = number_of(flags.at("--files"));
  return options;
}

void write(const Flags& flags, opgen::backend::Run& run) {
  opgen::text::DiskSink::Surroundings surroundings;
  const std::string& depfile = flags.at("--depfile");
  if (!depfile.empty()) {
    surroundings.later_files.push_back(depfile);
  }
  opgen::text::DiskSink(std::move(surroundings))
      .write(run.files, 1, run.diagnostics);
  if (!depfile.empty() && !run.diagnostics.has_errors()) {
    const std::vector<std::string> targets{flags.at("--depfile-target")};
    opgen::text::DiskSink().write(
        {{depfile, opgen::text::depfile(targets, run.inputs)}},
        1,
        run.diagnostics);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Flags flags{{"--source-path", ""},
              {"--install-dir", ""},
              {"--header", ""},
              {"--namespace", ""},
              {"--files", "2"},
              {"--depfile", ""},
              {"--depfile-target", ""}};
  if (!parse(argc, argv, flags) || options_of(flags).shards == 0) {
    std::fputs(kUsage, stderr);
    return 2;
  }
  opgen::backend::Run run;
  if (opgen::backend::generate_backend(options_of(flags), run)) {
    write(flags, run);
  }
  std::fputs(run.diagnostics.to_text().c_str(), stderr);
  return run.diagnostics.has_errors() ? 1 : 0;
}
