// Makes all files of `opgen aten` in memory and says how much that is.
#include <cstddef>
#include <cstdio>

#include "opgen/backend/generate.h"
#include "opgen/emit/options.h"
#include "opgen/text/file_manager.h"

int main(int argc, char** argv) {
  opgen::emit::AtenOptions options;
  options.source_path = argc > 1 ? argv[1] : "aten/src/ATen";
  options.per_operator_headers = true;

  opgen::backend::Run run;
  run.threads = 2;
  opgen::backend::generate_aten(options, run);
  std::fputs(run.diagnostics.to_text().c_str(), stderr);
  if (run.diagnostics.has_errors()) {
    return 1;
  }
  std::size_t bytes = 0;
  for (const opgen::text::OutputFile& file : run.files) {
    bytes += file.contents.size();
  }
  std::printf("%zu files, %zu bytes\n", run.files.size(), bytes);
  return 0;
}
