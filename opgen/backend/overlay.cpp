#include "opgen/backend/overlay.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "opgen/backend/backend_yaml.h"
#include "opgen/model/backend_index.h"
#include "opgen/model/dispatch_key.h"
#include "opgen/model/native_function.h"
#include "opgen/model/native_functions.h"
#include "opgen/schema/load.h"
#include "opgen/text/diagnostics.h"
#include "opgen/text/yaml.h"

namespace opgen::backend {
namespace {

using model::DispatchKey;
using model::NativeFunction;
using text::DiagnosticId;

std::vector<DispatchKey> every_dispatch_key() {
  std::vector<DispatchKey> keys;
  keys.reserve(model::kDispatchKeyCount);
  for (std::size_t i = 0; i < model::kDispatchKeyCount; ++i) {
    keys.push_back(static_cast<DispatchKey>(i));
  }
  return keys;
}

// Whether each entry has a dispatch table, in the order of the file.
std::vector<bool> have_dispatch_tables(const text::YamlNode& root) {
  std::vector<bool> result;
  for (const text::YamlNode* entry : root.items()) {
    result.push_back(entry->is_mapping() && entry->find("dispatch") != nullptr);
  }
  return result;
}

class OverlayLoader {
 public:
  OverlayLoader(Overlay& overlay,
                std::span<const model::NativeFunctions* const> before,
                text::Diagnostics& diagnostics)
      : overlay_(overlay), before_(before), diagnostics_(diagnostics) {}

  void run(const std::string& path,
           const std::string& tags_path,
           std::uint32_t first_id) {
    const text::YamlDocument document =
        text::YamlDocument::read(path, diagnostics_);
    overlay_.files.push_back(document.shared_file());
    if (document.root() == nullptr) {
      return;
    }
    if (!document.root()->is_sequence()) {
      diagnostics_.error(DiagnosticId::kOverlayNotList,
                         document.root()->range(),
                         {document.root()->describe()});
      return;
    }
    schema::LoadOptions options;
    options.native_functions = document.shared_file();
    options.tags_path = tags_path;
    options.valid_keys = every_dispatch_key();
    options.generate_missing_functions = false;
    schema::LoadedFunctions loaded =
        schema::load_native_functions(options, diagnostics_);
    overlay_.files.push_back(loaded.tags_file);
    overlay_.sites = std::move(loaded.sites);
    overlay_.functions = std::move(loaded.functions);
    if (overlay_.functions) {
      check(*overlay_.functions);
      add_kernels(*overlay_.functions, have_dispatch_tables(*document.root()));
      for (const auto& f : overlay_.functions->functions) {
        f->id += first_id;
      }
    }
  }

 private:
  void check(const model::NativeFunctions& program) {
    for (const auto& f : program.functions) {
      const text::SourceRange where = overlay_.sites.at(f->id).name;
      const std::string name = operator_name(*f);
      if (f->part_of_structured_group()) {
        diagnostics_.error(DiagnosticId::kOverlayStructured, where, {name});
      }
      if (!f->ufunc_inner_loop.empty()) {
        diagnostics_.error(DiagnosticId::kOverlayUfunc, where, {name});
      }
      for (const model::NativeFunctions* earlier : before_) {
        const NativeFunction* other = earlier->find(f->func.name.str());
        if (other != nullptr && other->namespace_ == f->namespace_) {
          diagnostics_.error(DiagnosticId::kOverlayExists, where, {name})
              .note({},
                    "it is defined in " + other->loc.file + ':' +
                        std::to_string(other->loc.line));
        }
      }
    }
  }

  void add_kernels(const model::NativeFunctions& program,
                   const std::vector<bool>& has_dispatch) {
    for (const auto& [key, index] : program.backend_indices) {
      for (const auto& f : program.functions) {
        const model::BackendMetadata* metadata = index.get_kernel(*f);
        if (metadata == nullptr) {
          continue;
        }
        BackendKernel kernel;
        kernel.function = f.get();
        kernel.where = overlay_.sites.at(f->id).name;
        kernel.kernel = metadata->kernel;
        overlay_.kernels.push_back(
            {key, std::move(kernel), !has_dispatch.at(f->id)});
      }
    }
  }

  Overlay& overlay_;
  std::span<const model::NativeFunctions* const> before_;
  text::Diagnostics& diagnostics_;
};

}  // namespace

Overlay load_overlay(const std::string& path,
                     const std::string& tags_path,
                     std::uint32_t first_id,
                     std::span<const model::NativeFunctions* const> before,
                     text::Diagnostics& diagnostics) {
  Overlay overlay;
  OverlayLoader(overlay, before, diagnostics).run(path, tags_path, first_id);
  return overlay;
}

}  // namespace opgen::backend
