// What a run of `opgen aten` is asked for: torchgen.gen's flags by their names.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace opgen::emit {

struct AtenOptions {
  std::string source_path = "aten/src/ATen";
  std::string output_dependencies;  // empty if not asked for
  bool dry_run = false;
  bool per_operator_headers = false;
  std::string install_dir = "build/aten/src/ATen";
  std::string aoti_install_dir = "torch/csrc/inductor/aoti_torch/generated";
  std::optional<std::string> headeronly_install_dir;
  bool rocm = false;
  bool mps = false;
  bool xpu = false;
  bool mtia = false;
  // Absent and empty differ: an empty list selects nothing.
  std::optional<std::vector<std::string>> op_registration_whitelist;
  std::optional<std::string> op_selection_yaml_path;
  std::vector<std::string> backend_whitelist;
  std::vector<std::string> static_dispatch_backend;
  bool skip_dispatcher_op_registration = false;
  bool force_schema_registration = false;
  bool generate_headers = true;
  bool generate_sources = true;
  bool generate_declarations_yaml = true;
  bool update_aoti_c_shim = false;
  bool extend_aoti_c_shim = false;
};

}  // namespace opgen::emit
