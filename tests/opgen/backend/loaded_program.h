// A program that is loaded from text.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "opgen/schema/load.h"

namespace opgen::backend {

inline constexpr const char* kGroupedOperators = R"(
- func: add(Tensor self, Tensor other) -> Tensor
  structured_delegate: add.out
- func: add_(Tensor(a!) self, Tensor other) -> Tensor(a!)
  structured_delegate: add.out
- func: add.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch: {CPU: add_out}
- func: neg(Tensor self) -> Tensor
- func: neg_(Tensor(a!) self) -> Tensor(a!)
- func: neg.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  dispatch: {CPU: neg_out}
- func: equal(Tensor self, Tensor other) -> bool
)";

inline schema::LoadedFunctions load_text(std::string functions) {
  schema::LoadOptions options;
  options.native_functions = std::make_shared<const text::SourceFile>(
      "native_functions.yaml", std::move(functions));
  options.tags = std::make_shared<const text::SourceFile>(
      "tags.yaml",
      "- {tag: out, desc: d}\n- {tag: generated, desc: d}\n"
      "- {tag: inplace, desc: d}\n- {tag: core, desc: d}\n"
      "- {tag: pt2_compliant_tag, desc: d}\n");
  text::Diagnostics diagnostics;
  schema::LoadedFunctions loaded =
      schema::load_native_functions(options, diagnostics);
  if (!loaded.functions) {
    throw std::invalid_argument(diagnostics.to_text());
  }
  return loaded;
}

}  // namespace opgen::backend
