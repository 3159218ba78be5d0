#include "opgen/emit/autograd_files.h"

#include <string>
#include <string_view>

#include "opgen/emit/inplace_or_view_type.h"
#include "opgen/emit/str_append.h"
#include "opgen/emit/trace_type.h"
#include "opgen/emit/variable_factories.h"
#include "opgen/text/code_template.h"
#include "opgen/text/file_manager.h"

namespace opgen::emit {

text::FileManager make_autograd_file_manager(const AutogradOptions& options,
                                             text::JobList& jobs) {
  return {{.install_dir = options.install_dir,
           .template_dir = options.template_dir,
           .dry_run = options.dry_run},
          jobs};
}

void gen_autograd(const AutogradRun& run) {
  if (run.options.inplace_or_view) {
    gen_inplace_or_view_type(run);
  }
  if (run.options.trace) {
    gen_trace_type(run);
  }
  if (run.options.variable_factories) {
    gen_variable_factories(run);
  }
}

text::Env generated_comment(const AutogradRun& run,
                            std::string_view template_fn) {
  std::string comment;
  str_append(comment,
             "@generated from ",
             run.options.template_dir_for_comments,
             "/",
             template_fn);
  text::Env env;
  env.set("generated_comment", std::move(comment));
  return env;
}

}  // namespace opgen::emit
