// The library's front door: one function per kind of generation.
//
// A generation reads its inputs, makes every output in memory and reports what
// is wrong with the inputs; it writes nothing. The caller writes `files`
// through a text::Sink once there are no errors.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "opgen/emit/autograd_files.h"
#include "opgen/emit/host_operators.h"
#include "opgen/emit/options.h"
#include "opgen/emit/unboxing.h"
#include "opgen/text/diagnostics.h"
#include "opgen/text/file_manager.h"

namespace opgen::backend {

struct Run {
  // In.
  std::size_t threads = 1;
  // Out.
  text::Diagnostics diagnostics;
  std::vector<text::OutputFile> files;
  std::vector<std::string> inputs;   // paths of all files that were read
  std::vector<std::string> folders;  // that exist even if nothing lies in them

  // What diagnostics point into.
  std::vector<std::shared_ptr<const void>> keep;
};

// `opgen aten`: what torchgen.gen writes. Returns false, with diagnostics, if
// there were errors. Never throws for what is in the inputs.
bool generate_aten(const emit::AtenOptions& options, Run& run);

struct AutogradRequest {
  std::string source_path = "aten/src/ATen";  // for native/ and its yaml files
  // With derivatives.yaml and templates/. Empty: looked for beside source_path,
  // where an installed PyTorch and a checkout have it.
  std::string autograd_path;
  emit::AutogradOptions options;
};

// `opgen autograd`: TraceType, ADInplaceOrViewType and variable_factories.h. As
// generate_aten otherwise. Sets the number of shards and the folder of the
// templates in the options by itself.
bool generate_autograd(AutogradRequest request, Run& run);

// `opgen unboxing`. As generate_aten otherwise; everything is selected unless
// there is a list or a file.
struct UnboxingRequest {
  emit::UnboxingOptions options;
  std::optional<std::vector<std::string>> op_registration_whitelist;
  std::optional<std::string> op_selection_yaml_path;
};

bool generate_unboxing(const UnboxingRequest& request, Run& run);

// `opgen backend`: wrappers of CPU kernels. As generate_aten otherwise.
bool generate_backend(const emit::HostOperatorsOptions& options, Run& run);

}  // namespace opgen::backend
