// How the AOTInductor C shim passes the arguments and results of operators: as
// numbers, handles and pointers that C knows.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "opgen/model/function_schema.h"

namespace opgen::emit {

// One argument of a schema; it may take several in C.
struct CArgument {
  std::vector<std::string> c_types;
  std::vector<std::string> names;  // one for each of c_types
  std::string aten_type;
  std::string callsite_expr;  // of aten_type, made from the names
};

// None for a type that the shim does not support yet; throws api::ApiError for
// a list that never can be passed.
std::optional<CArgument> convert_arg_type_and_name(const model::Type* type,
                                                   const std::string& name,
                                                   bool is_write = false);

// Parameters, and what is done with them.
struct CDeclarations {
  std::vector<std::string> declarations;
  std::vector<std::string> callsite_exprs;
};

// Skipped arguments are no parameters: their default is passed on, std::nullopt
// if there is none. None if one of the types is not supported.
std::optional<CDeclarations> gen_arguments(
    std::span<const model::Argument* const> flat_arguments,
    const std::set<std::string>& skipped_args);

// Pointers to the results, and the assignments to them. None if one of the
// types is not supported.
std::optional<CDeclarations> gen_returns(const model::FunctionSchema& schema);

}  // namespace opgen::emit
