// torchgen.api.types.signatures: whole signatures in each of the calling
// conventions. Signatures point to the schema they were made from, which must
// outlive them.
//
// Functions throw ApiError for schemas that the convention cannot express.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "opgen/api/context.h"
#include "opgen/api/types/binding.h"
#include "opgen/model/backend_index.h"
#include "opgen/model/function_schema.h"
#include "opgen/model/native_function.h"
#include "opgen/model/native_functions_group.h"

namespace opgen::api {

struct CppDeclOptions {
  std::optional<std::string> name = std::nullopt;
  std::string prefix = {};
  bool is_redispatching_fn = false;
  bool suppress_symint_suffix = false;
};

// One overload of the C++ API.
class CppSignature {
 public:
  const model::FunctionSchema* func = nullptr;
  Locals locals;
  bool method = false;
  // Arguments in schema order, tensor options as four arguments, outputs last.
  bool faithful = false;
  bool symint = false;
  const std::vector<std::string>* cpp_no_default_args = nullptr;
  bool fallback_binding = false;

  using DeclOptions = CppDeclOptions;

  std::vector<Binding> arguments() const;
  std::string name(bool suppress_symint_suffix = false) const;
  const CType* returns_type() const;
  std::string decl(const DeclOptions& options = {}) const;
  std::string defn(const DeclOptions& options = {}) const;
  std::string ptr_type() const;
  std::string type() const;
};

struct CppSignatureGroup {
  const model::FunctionSchema* func = nullptr;
  CppSignature signature;
  std::optional<CppSignature> faithful_signature;
  std::optional<CppSignature> symint_signature;
  std::optional<CppSignature> symint_faithful_signature;

  const CppSignature& most_faithful_signature() const {
    return faithful_signature ? *faithful_signature : signature;
  }

  std::vector<const CppSignature*> signatures(bool symint = true) const;

  static CppSignatureGroup from_native_function(const model::NativeFunction& f,
                                                bool method,
                                                bool fallback_binding = false);
  // In the context of a group, whose locals may differ from the function's own.
  static CppSignatureGroup from_native_function(const model::NativeFunction& f,
                                                bool method,
                                                bool fallback_binding,
                                                Locals locals);
};

class DispatcherSignature {
 public:
  const model::FunctionSchema* func = nullptr;
  Locals locals;
  std::string prefix;
  bool symint = true;

  static DispatcherSignature from_schema(const model::FunctionSchema& func,
                                         Locals locals,
                                         std::string prefix = {},
                                         bool symint = true) {
    return {&func, locals, std::move(prefix), symint};
  }

  std::vector<Binding> arguments() const;
  std::string name() const;
  std::string decl(std::optional<std::string> name = std::nullopt) const;
  std::string defn(std::optional<std::string> name = std::nullopt,
                   bool is_redispatching_fn = false) const;
  std::vector<Expr> exprs() const;
  const CType* returns_type() const;
  std::string ptr_type() const;
  std::string type() const;
};

class NativeSignature {
 public:
  const model::FunctionSchema* func = nullptr;
  Locals locals;
  bool symint = false;
  std::string prefix;

  std::vector<Binding> arguments() const;
  std::string name() const;
  std::string decl(std::optional<std::string> name = std::nullopt) const;
  std::string defn(std::optional<std::string> name = std::nullopt) const;
  const CType* returns_type() const;
  std::string ptr_type() const;
  // What the dispatcher wants, from this signature's arguments.
  std::vector<Expr> dispatcher_exprs() const;
};

class ViewInverseSignature {
 public:
  const model::NativeFunctionsViewGroup* g = nullptr;

  std::string name() const;
  std::string decl() const;
};

class StructuredImplSignature {
 public:
  const model::NativeFunctionsGroup* g = nullptr;
  std::string name;

  std::vector<Binding> arguments() const;
  std::string defn() const;
};

// The signature of a backend's kernel for `f`: the dispatcher's for external
// backends, the native one otherwise.
class KernelSignature {
 public:
  std::variant<NativeSignature, DispatcherSignature> signature;

  std::vector<Binding> arguments() const;
  std::string name() const;
  std::string decl(std::optional<std::string> name = std::nullopt) const;
  std::string defn(std::optional<std::string> name = std::nullopt) const;
  const CType* returns_type() const;
  std::string ptr_type() const;
};

// Throws ApiError for a kernel that takes SymInt where the schema has none.
KernelSignature kernel_signature(const model::NativeFunction& f,
                                 const model::BackendIndex& backend_index,
                                 Locals locals,
                                 std::string prefix = {});

}  // namespace opgen::api
