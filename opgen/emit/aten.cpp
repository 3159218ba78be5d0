#include "opgen/emit/aten.h"

#include <utility>
#include <variant>

#include "opgen/emit/declarations_yaml.h"

namespace opgen::emit {
namespace {

using model::DispatchKey;

text::FileManager make_file_manager(const AtenOptions& options,
                                    text::JobList& jobs,
                                    const std::string& install_dir) {
  return {{.install_dir = install_dir,
           .template_dir = options.source_path + "/templates",
           .dry_run = options.dry_run},
          jobs};
}

}  // namespace

AtenFileManagers::AtenFileManagers(const AtenOptions& options,
                                   text::JobList& jobs)
    : core(make_file_manager(options, jobs, options.install_dir + "/core")),
      cpu(make_file_manager(options, jobs, options.install_dir)),
      cpu_vec(make_file_manager(options, jobs, options.install_dir)),
      cuda(make_file_manager(options, jobs, options.install_dir)),
      ops(make_file_manager(options, jobs, options.install_dir + "/ops")),
      aoti(make_file_manager(options, jobs, options.aoti_install_dir)),
      headeronly(make_file_manager(options,
                                   jobs,
                                   options.headeronly_install_dir.value_or(
                                       options.install_dir + "/core"))) {
  if (options.xpu) {
    xpu = make_file_manager(options, jobs, options.install_dir);
  }
}

text::FileManager& AtenFileManagers::of(DispatchKey key) {
  if (model::is_cuda_dispatch_key(key)) {
    return cuda;
  }
  return xpu && model::is_xpu_dispatch_key(key) ? *xpu : cpu;
}

AtenRun::AtenRun(const AtenOptions& options,
                 const AtenKeys& keys,
                 const model::NativeFunctions& program,
                 const model::SelectiveBuilder& selector,
                 text::JobList& jobs,
                 AtenFileManagers& files)
    : options(options),
      keys(keys),
      program(program),
      selector(selector),
      jobs(jobs),
      files(files),
      items(program) {
  for (const auto& item : program.grouped_native_functions) {
    if (const auto* group =
            std::get_if<const model::NativeFunctionsGroup*>(&item)) {
      structured_native_functions.push_back(*group);
    }
  }
  for (const auto& item : program.native_functions_with_view_groups) {
    if (const auto* group =
            std::get_if<const model::NativeFunctionsViewGroup*>(&item)) {
      view_groups.push_back(*group);
    }
  }
  for (const DispatchKey key : program.backend_index_order) {
    backend_indices.push_back(&backend_index(key));
  }
  for (const std::string& name : options.static_dispatch_backend) {
    static_dispatch_idx.push_back(
        &backend_index(*model::parse_dispatch_key(name)));
  }
}

// torchgen has no index for a key that no function names and takes one without
// a key then.
const model::BackendIndex& AtenRun::backend_index(DispatchKey key) const {
  static const model::BackendIndex kNone;
  const auto found = program.backend_indices.find(key);
  const bool named =
      found != program.backend_indices.end() && found->second.size() > 0;
  return named ? found->second : kNone;
}

std::vector<std::uint32_t> AtenRun::items_of(DispatchKey key) const {
  return items.of(key, backend_index(key));
}

void gen_declarations_yaml(const AtenRun& run) {
  run.files.cpu.write_text("Declarations.yaml",
                           [&run] { return declarations_yaml(run.program); });
}

void gen_output_dependencies(const AtenRun& run) {
  const std::string& path = run.options.output_dependencies;
  if (path.empty()) {
    return;
  }
  const std::size_t slash = path.rfind('/');
  const std::string folder =
      slash == std::string::npos ? "" : path.substr(0, slash + 1);
  const std::string name =
      slash == std::string::npos ? path : path.substr(slash + 1);
  const std::size_t dot = name.rfind('.');
  const std::string stem =
      dot == std::string::npos || dot == 0 ? name : name.substr(0, dot);
  const auto write = [&](text::FileManager& files, const std::string& prefix) {
    files.write_outputs(prefix + stem, folder + prefix + name);
  };
  write(run.files.cpu, "");
  write(run.files.cpu_vec, "cpu_vec_");
  write(run.files.core, "core_");
  write(run.files.ops, "ops_");
  write(run.files.cuda, "cuda_");
  if (run.files.xpu) {
    write(*run.files.xpu, "xpu_");
  }
}

}  // namespace opgen::emit
