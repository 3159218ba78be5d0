// torchgen.gen.RegisterSchema: RegisterSchema.cpp, the schemas of all
// operators.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "opgen/model/native_function.h"
#include "opgen/model/selective_builder.h"

namespace opgen::emit {

// Sets of tags become variables where they appear first, so one object makes
// the registrations of one namespace, in order. Not for several threads at
// once.
class RegisterSchema {
 public:
  // `selector` must outlive the object.
  explicit RegisterSchema(const model::SelectiveBuilder& selector)
      : selector_(&selector) {}

  // Absent for functions that the selector leaves out.
  std::optional<std::string> operator()(const model::NativeFunction& f);

 private:
  const model::SelectiveBuilder* selector_;
  std::unordered_map<std::string, std::size_t> known_tags_;
};

struct SchemaRegistrations {
  std::vector<std::string> aten_schema_registrations;
  // Those of other namespaces, each in a block of its own.
  std::string schema_registrations;
};

SchemaRegistrations get_native_function_schema_registrations(
    std::span<const std::unique_ptr<model::NativeFunction>> native_functions,
    const model::SelectiveBuilder& schema_selector);

}  // namespace opgen::emit
