// Functions and groups for the tests of opgen::api, made from schema strings.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "opgen/api/types/binding.h"
#include "opgen/model/native_function.h"
#include "opgen/model/native_functions_group.h"
#include "opgen/model/type.h"
#include "opgen/schema/schema_error.h"
#include "opgen/schema/schema_parser.h"

namespace opgen::api {

// A function that nothing but its schema tells about.
inline std::unique_ptr<model::NativeFunction> function_of(
    std::string_view schema) {
  schema::SchemaErrors errors;
  auto func = schema::parse_function_schema(
      schema, schema::SchemaLanguage{.dimname = true}, errors);
  if (!func) {
    throw std::invalid_argument("not a schema: " + std::string(schema));
  }
  auto f = std::make_unique<model::NativeFunction>();
  f->func = *std::move(func);
  return f;
}

// A functional operator and its out= variant.
struct GroupOfTwo {
  GroupOfTwo(std::string_view functional_schema, std::string_view out_schema)
      : functional(function_of(functional_schema)),
        out(function_of(out_schema)) {
    group.functional = functional.get();
    group.out = out.get();
  }

  std::unique_ptr<model::NativeFunction> functional;
  std::unique_ptr<model::NativeFunction> out;
  model::NativeFunctionsGroup group;
};

inline std::string decls_of(const std::vector<Binding>& bindings) {
  std::string text;
  append_decls(text, bindings);
  return text;
}

// The type of the only argument of `schema`.
inline const model::Type* type_of(std::string_view schema_type) {
  const auto f = function_of("f(" + std::string(schema_type) + " x) -> ()");
  return f->func.arguments.flat_all().front().type;
}

}  // namespace opgen::api
