// torchgen.api.translate: expressions for the arguments of one signature from
// those of another.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "opgen/api/error.h"
#include "opgen/api/types/binding.h"

namespace opgen::api {

// No rule makes the goal from the context; what() names both.
class UnsatError : public ApiError {
 public:
  using ApiError::ApiError;
};

struct TranslateOptions {
  // The context is a method of at::Tensor: *this is self.
  bool method = false;
  bool allow_expensive_conversions = false;
};

// One expression per goal. Later bindings of the same name and type replace
// earlier ones. Throws UnsatError.
std::vector<Expr> translate(std::span<const Expr> context,
                            std::span<const NamedCType> goals,
                            TranslateOptions options = {});
std::vector<Expr> translate(std::span<const Binding> context,
                            std::span<const Binding> goals,
                            TranslateOptions options = {});
std::vector<Expr> translate(std::span<const Expr> context,
                            std::span<const Binding> goals,
                            TranslateOptions options = {});
std::vector<Expr> translate(std::span<const Binding> context,
                            std::span<const NamedCType> goals,
                            TranslateOptions options = {});

// The expressions alone, joined by ", ", at the end of `text`: what most
// callers want, without a vector of named expressions. Throws UnsatError and
// then leaves `text` unchanged.
void append_translated(std::string& text,
                       std::span<const Expr> context,
                       std::span<const NamedCType> goals,
                       TranslateOptions options = {});
void append_translated(std::string& text,
                       std::span<const Binding> context,
                       std::span<const Binding> goals,
                       TranslateOptions options = {});
void append_translated(std::string& text,
                       std::span<const Expr> context,
                       std::span<const Binding> goals,
                       TranslateOptions options = {});
void append_translated(std::string& text,
                       std::span<const Binding> context,
                       std::span<const NamedCType> goals,
                       TranslateOptions options = {});

std::vector<Expr> exprs_of(std::span<const Binding> bindings);
std::vector<NamedCType> goals_of(std::span<const Binding> bindings);
// "a, b, c".
std::string join_exprs(std::span<const Expr> exprs);

}  // namespace opgen::api
