#include "opgen/backend/backend_yaml.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "opgen/backend/backend_yaml_operators.h"
#include "opgen/backend/backend_yaml_reader.h"
#include "opgen/model/dispatch_key.h"
#include "opgen/model/native_function.h"
#include "opgen/model/native_functions.h"
#include "opgen/model/native_functions_group.h"
#include "opgen/text/diagnostics.h"
#include "opgen/text/python_text.h"
#include "opgen/text/suggest.h"
#include "opgen/text/yaml.h"

namespace opgen::backend {
namespace {

using model::DispatchKey;
using text::DiagnosticId;
using text::YamlNode;

constexpr std::size_t kMaxNamespaceLevels = 2;
constexpr std::array<std::string_view, 19> kKeys{"backend",
                                                 "class_name",
                                                 "cpp_namespace",
                                                 "extra_headers",
                                                 "supported",
                                                 "autograd",
                                                 "full_codegen",
                                                 "non_native",
                                                 "ir_gen",
                                                 "symint",
                                                 "use_out_as_primary",
                                                 "device_guard",
                                                 "device_check",
                                                 "structured",
                                                 "default_arguments",
                                                 "per_operator_headers",
                                                 "overlay",
                                                 "empty",
                                                 "empty_strided"};

// A header's name, `<a.h>`, "a.h" or a.h, or lines of C++.
std::string include_of(const std::string& header) {
  if (header.find_first_of("#\n") != std::string::npos) {
    return header;
  }
  if (header.starts_with('<') || header.starts_with('"')) {
    return "#include " + header;
  }
  return "#include \"" + header + '"';
}

class Parser {
 public:
  Parser(const YamlNode& root,
         const model::NativeFunctions& program,
         const OperatorNames& names,
         bool has_overlay,
         text::Diagnostics& diagnostics)
      : reader_(root, kKeys, diagnostics),
        root_(&root),
        program_(&program),
        names_(&names),
        has_overlay_(has_overlay),
        diagnostics_(&diagnostics) {}

  BackendYaml run() {
    read_names();
    read_settings();
    read_operators();
    read_keys();
    return std::move(yaml_);
  }

 private:
  void read_names() {
    const YamlNode* backend = reader_.get_string("backend");
    if (is_missing("backend")) {
      reader_.missing("backend");
    }
    if (backend != nullptr) {
      backend_ = std::string(backend->value());
    }
    yaml_.class_name = reader_.get_identifier("class_name", false);
    if (is_missing("cpp_namespace")) {
      reader_.missing("cpp_namespace");
      return;
    }
    yaml_.cpp_namespace = reader_.get_identifier("cpp_namespace", true);
    const std::size_t levels = text::split(yaml_.cpp_namespace, "::").size();
    if (levels > kMaxNamespaceLevels) {
      diagnostics_->error(DiagnosticId::kBackendNamespaceLevels,
                          root_->find("cpp_namespace")->range(),
                          {yaml_.cpp_namespace,
                           std::to_string(levels),
                           std::to_string(kMaxNamespaceLevels)});
    }
  }

  bool is_missing(std::string_view key) const {
    const YamlNode* value = root_->find(key);
    return value == nullptr || value->is_null();
  }

  void read_settings() {
    yaml_.use_out_as_primary =
        reader_.get_bool("use_out_as_primary").value_or(false);
    yaml_.device_guard = reader_.get_bool("device_guard").value_or(false);
    yaml_.device_check = reader_.get_bool("device_check");
    yaml_.default_arguments =
        reader_.get_bool("default_arguments").value_or(false);
    yaml_.per_operator_headers =
        reader_.get_bool("per_operator_headers").value_or(false);
    for (const std::string& header : reader_.get_strings("extra_headers")) {
      yaml_.extra_headers += yaml_.extra_headers.empty() ? "" : "\n";
      yaml_.extra_headers += include_of(header);
    }
    reader_.get_strings("overlay");
    for (const auto& [key, function] :
         {std::pair{"empty", &yaml_.empty},
          std::pair{"empty_strided", &yaml_.empty_strided}}) {
      std::string name = reader_.get_identifier(key, true);
      if (!name.empty()) {
        *function = std::move(name);
      }
    }
  }

  void read_operators() {
    OperatorLists lists(*names_, yaml_, *diagnostics_);
    lists.read_symint(reader_.get_list("symint", true));
    lists.read("supported", reader_.get_list("supported", true));
    lists.read("full_codegen", reader_.get_list("full_codegen", false));
    lists.read("structured", reader_.get_list("structured", true));
    lists.read("autograd", reader_.get_list("autograd", false));
    lists.check();
  }

  // Without operators the key is not looked at, so that a description can begin
  // empty.
  void read_keys() {
    if (!yaml_.supported.empty() || !yaml_.structured.empty() || has_overlay_) {
      yaml_.backend_key = parse_key(backend_);
    }
    if (!yaml_.autograd.empty()) {
      yaml_.autograd_key = parse_key("Autograd" + backend_);
    }
    if (yaml_.backend_key && yaml_.class_name.empty()) {
      yaml_.class_name = backend_ + "NativeFunctions";
    }
  }

  std::optional<DispatchKey> parse_key(const std::string& name) {
    if (backend_.empty()) {
      return std::nullopt;
    }
    const text::SourceRange where = root_->find("backend")->range();
    const std::optional<DispatchKey> key = model::parse_dispatch_key(name);
    if (key && is_taken(*key)) {
      diagnostics_->error(DiagnosticId::kBackendKeyTaken, where, {name});
    } else if (!key && name == backend_) {
      diagnostics_
          ->error(DiagnosticId::kBackendUnknownDispatchKey, where, {name})
          .did_you_mean(suggest_key(name));
    } else if (!key) {
      diagnostics_->error(DiagnosticId::kBackendNoAutogradKey, where, {name});
    }
    return key;
  }

  static std::string suggest_key(const std::string& name) {
    std::vector<std::string_view> candidates;
    candidates.reserve(model::kDispatchKeyCount);
    for (std::size_t i = 0; i < model::kDispatchKeyCount; ++i) {
      candidates.push_back(model::name_of(static_cast<DispatchKey>(i)));
    }
    return text::suggest(name, candidates);
  }

  bool is_taken(DispatchKey key) const {
    const auto index = program_->backend_indices.find(key);
    return index != program_->backend_indices.end() &&
           index->second.size() != 0;
  }

  MappingReader reader_;
  const YamlNode* root_;
  const model::NativeFunctions* program_;
  const OperatorNames* names_;
  bool has_overlay_;
  text::Diagnostics* diagnostics_;
  std::string backend_;
  BackendYaml yaml_;
};

}  // namespace

std::string operator_name(const model::NativeFunction& f) {
  return f.namespace_ == "aten" ? f.func.name.str()
                                : f.namespace_ + "::" + f.func.name.str();
}

OperatorNames::OperatorNames(
    std::span<const model::NativeFunctions* const> programs, bool complete)
    : complete_(complete) {
  for (const model::NativeFunctions* program : programs) {
    for (const auto& f : program->functions) {
      by_name_[operator_name(*f)] = f.get();
    }
    for (const model::NativeFunctionsGroup& g : program->groups) {
      for (const model::NativeFunction* f : g.functions()) {
        groups_[f] = &g;
      }
    }
  }
}

const model::NativeFunction* OperatorNames::find(std::string_view name) const {
  const auto found = by_name_.find(std::string(name));
  return found == by_name_.end() ? nullptr : found->second;
}

const model::NativeFunctionsGroup* OperatorNames::group_of(
    const model::NativeFunction& f) const {
  const auto found = groups_.find(&f);
  return found == groups_.end() ? nullptr : found->second;
}

std::string OperatorNames::suggest(std::string_view name) const {
  constexpr std::string_view kAten = "aten::";
  if (name.starts_with(kAten) &&
      by_name_.contains(std::string(name.substr(kAten.size())))) {
    return std::string(name.substr(kAten.size()));
  }
  // A base name alone means its first overload: .Tensor where there is one.
  if (by_name_.contains(std::string(name) + ".Tensor")) {
    return std::string(name) + ".Tensor";
  }
  const std::string overload = std::string(name) + '.';
  std::vector<std::string_view> candidates;
  std::vector<std::string_view> overloads;
  candidates.reserve(by_name_.size());
  for (const auto& [candidate, f] : by_name_) {
    candidates.push_back(candidate);
    if (candidate.starts_with(overload)) {
      overloads.push_back(candidate);
    }
  }
  if (!overloads.empty()) {
    return std::string(*std::min_element(overloads.begin(), overloads.end()));
  }
  std::sort(candidates.begin(), candidates.end());
  return text::suggest(name, candidates);
}

std::vector<std::string> overlay_paths(const YamlNode& root) {
  std::vector<std::string> paths;
  const YamlNode* value = root.is_mapping() ? root.find("overlay") : nullptr;
  if (value == nullptr) {
    return paths;
  }
  if (value->is_string()) {
    paths.emplace_back(value->value());
  }
  for (const YamlNode* item : value->items()) {
    if (item->is_string()) {
      paths.emplace_back(item->value());
    }
  }
  return paths;
}

BackendYaml parse_backend_yaml(const YamlNode& root,
                               const model::NativeFunctions& program,
                               const OperatorNames& names,
                               bool has_overlay,
                               text::Diagnostics& diagnostics) {
  if (!root.is_mapping()) {
    diagnostics.error(
        DiagnosticId::kBackendNotMapping, root.range(), {root.describe()});
    return {};
  }
  return Parser(root, program, names, has_overlay, diagnostics).run();
}

}  // namespace opgen::backend
