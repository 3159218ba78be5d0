// Names bound to C++ types: arguments of generated functions, and expressions
// made from them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "opgen/api/types/ctype.h"
#include "opgen/model/function_schema.h"

namespace opgen::api {

// Stands for a memory_format argument beside TensorOptions, which may carry one
// too.
inline constexpr std::string_view kPossiblyRedundantMemoryFormat =
    "<possibly_redundant_memory_format>";

// What a C++ type means: the name of the argument that it carries. translate()
// only turns one type into another under the same name.
struct NamedCType {
  std::string name;
  const CType* type = nullptr;

  const std::string& cpp_type() const { return type->cpp_type(); }

  NamedCType remove_const_ref() const {
    return {name, type->remove_const_ref()};
  }

  NamedCType with_name(std::string new_name) const {
    return {std::move(new_name), type};
  }

  bool operator==(const NamedCType&) const = default;
};

// One parameter of a C++ function. `argument` points into the schema that the
// binding was made from, which must outlive it.
struct Binding {
  std::string name;
  NamedCType nctype;
  model::AnyArgument argument;
  std::optional<std::string> default_value = std::nullopt;

  const std::string& type() const { return nctype.cpp_type(); }

  Binding no_default() const { return {name, nctype, argument, std::nullopt}; }

  Binding with_name(std::string new_name) const {
    return {std::move(new_name), nctype, argument, default_value};
  }

  // "const at::Scalar & alpha=1".
  std::string decl() const;
  // "const at::Scalar & alpha".
  std::string defn() const;
  // The same at the end of `text`.
  void append_decl(std::string& text) const;
  void append_defn(std::string& text) const;
};

struct Expr {
  std::string expr;
  NamedCType type;
};

// torchgen's local.py: how the function at hand wants its arguments, passed on
// by whoever generates code for it.
struct Locals {
  bool use_const_ref_for_mutable_tensors = false;
  bool use_ilistref_for_tensor_lists = false;

  bool operator==(const Locals&) const = default;
};

// Joined by ", ", at the end of `text`.
void append_decls(std::string& text, std::span<const Binding> bindings);
void append_defns(std::string& text, std::span<const Binding> bindings);
void append_types(std::string& text, std::span<const Binding> bindings);
void append_names(std::string& text, std::span<const Binding> bindings);

}  // namespace opgen::api
