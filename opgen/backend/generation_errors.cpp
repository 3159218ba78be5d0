#include "opgen/backend/generation_errors.h"

#include <string>

#include "opgen/emit/register_dispatch_key_error.h"

namespace opgen::backend {

using text::DiagnosticId;

void report_generation_error(const std::exception& error,
                             const schema::FunctionSites& sites,
                             text::Diagnostics& diagnostics) {
  const auto* about = dynamic_cast<const emit::EmitError*>(&error);
  if (about == nullptr) {
    diagnostics.error(DiagnosticId::kGenerationFailed, {}, {error.what()});
    return;
  }
  const std::uint32_t id = about->function->id;
  diagnostics.error(DiagnosticId::kCannotGenerate,
                    id < sites.size() ? sites[id].name : text::SourceRange{},
                    {about->function->func.name.str(), error.what()});
}

}  // namespace opgen::backend
