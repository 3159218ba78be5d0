// Reads types, `SymInt[2]?`, and what may alias what, `a! -> *`.
#pragma once

#include <optional>
#include <string_view>

#include "opgen/model/function_schema.h"
#include "opgen/schema/schema_error.h"

namespace opgen::schema {

// Accepts what torchgen.model.Type.parse accepts; null after an error. The
// result's str() is `text`.
const model::Type* parse_type(std::string_view text,
                              SchemaLanguage language,
                              const SchemaReporter& reporter);

// Accepts what torchgen.model.Annotation.parse accepts: the text between the
// parentheses of `Tensor(a!)`.
std::optional<model::Annotation> parse_annotation(
    std::string_view text, const SchemaReporter& reporter);

struct AnnotatedType {
  const model::Type* type = nullptr;
  std::optional<model::Annotation> annotation;
};

// A type that may carry an annotation; null type after an error.
AnnotatedType parse_annotated_type(std::string_view text,
                                   SchemaLanguage language,
                                   const SchemaReporter& reporter);

}  // namespace opgen::schema
