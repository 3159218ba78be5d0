// `opgen autograd`: the files of tools/autograd that come from schemas and from
// little else: TraceType, ADInplaceOrViewType and variable_factories.h.
//
// As in aten.h, functions declare files whose texts are made later, so all that
// an AutogradRun refers to must live until then. The jobs may throw EmitError.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "opgen/emit/autograd_files_derivatives.h"
#include "opgen/model/native_functions.h"
#include "opgen/model/selective_builder.h"
#include "opgen/text/code_template.h"
#include "opgen/text/file_manager.h"

namespace opgen::emit {

struct AutogradOptions {
  std::string template_dir = "tools/autograd/templates";
  std::string install_dir = "torch/csrc/autograd/generated";
  // The folder of the templates as the files name it, whatever its real place.
  std::string template_dir_for_comments = "../tools/autograd/templates";
  std::size_t trace_shards = 10;  // 5 until PyTorch 2.12
  bool dry_run = false;
  bool trace = true;
  bool inplace_or_view = true;
  bool variable_factories = true;
};

struct AutogradRun {
  const AutogradOptions& options;
  const model::NativeFunctions& program;
  // Which operators are trained; tracing and factories do not ask it.
  const model::SelectiveBuilder& selector;
  // Used by ADInplaceOrViewType alone.
  const Derivatives& derivatives;
  text::FileManager& files;
};

text::FileManager make_autograd_file_manager(const AutogradOptions& options,
                                             text::JobList& jobs);

// torchgen's gen_autograd, as far as the options ask for it. `run` itself must
// live until the jobs have run.
void gen_autograd(const AutogradRun& run);

// What "generated_comment" is in the files of a run.
text::Env generated_comment(const AutogradRun& run,
                            std::string_view template_fn);

}  // namespace opgen::emit
