#include "opgen/api/translate.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "opgen/api/solver.h"
#include "opgen/api/types/binding.h"

namespace opgen::api {
namespace {

std::string_view expr_of(const Expr& expr) {
  return expr.expr;
}

std::string_view expr_of(const Binding& binding) {
  return binding.name;
}

const NamedCType& type_of(const Expr& expr) {
  return expr.type;
}

const NamedCType& type_of(const Binding& binding) {
  return binding.nctype;
}

const NamedCType& type_of(const NamedCType& type) {
  return type;
}

template <typename Goals>
bool wants_options(const Goals& goals) {
  for (const auto& goal : goals) {
    if (detail::is_options_goal(type_of(goal).name, type_of(goal).type)) {
      return true;
    }
  }
  return false;
}

template <typename Context, typename Goals>
detail::Solver make_solver(const Context& context,
                           const Goals& goals,
                           TranslateOptions options) {
  detail::Solver solver(context.size(),
                        wants_options(goals),
                        options.allow_expensive_conversions);
  for (const auto& given : context) {
    solver.add(expr_of(given), type_of(given));
  }
  if (options.method) {
    solver.add_method_self();
  }
  return solver;
}

template <typename Context, typename Goals>
std::vector<Expr> translate_all(const Context& context,
                                const Goals& goals,
                                TranslateOptions options) {
  const detail::Solver solver = make_solver(context, goals, options);
  std::vector<Expr> exprs;
  exprs.reserve(goals.size());
  for (const auto& wanted : goals) {
    const NamedCType& type = type_of(wanted);
    const detail::Goal goal{type.type, type.name};
    detail::Solution solution;
    if (!solver.solve(goal, solution)) {
      throw UnsatError(solver.explain(goal));
    }
    Expr& expr = exprs.emplace_back(Expr{{}, type});
    solution.append_to(expr.expr);
  }
  return exprs;
}

template <typename Context, typename Goals>
void append_all(std::string& text,
                const Context& context,
                const Goals& goals,
                TranslateOptions options) {
  const detail::Solver solver = make_solver(context, goals, options);
  const std::size_t before = text.size();
  bool first = true;
  for (const auto& wanted : goals) {
    const NamedCType& type = type_of(wanted);
    const detail::Goal goal{type.type, type.name};
    detail::Solution solution;
    if (!solver.solve(goal, solution)) {
      text.resize(before);
      throw UnsatError(solver.explain(goal));
    }
    if (!first) {
      text += ", ";
    }
    first = false;
    solution.append_to(text);
  }
}

}  // namespace

std::vector<Expr> translate(std::span<const Expr> context,
                            std::span<const NamedCType> goals,
                            TranslateOptions options) {
  return translate_all(context, goals, options);
}

std::vector<Expr> translate(std::span<const Binding> context,
                            std::span<const Binding> goals,
                            TranslateOptions options) {
  return translate_all(context, goals, options);
}

std::vector<Expr> translate(std::span<const Expr> context,
                            std::span<const Binding> goals,
                            TranslateOptions options) {
  return translate_all(context, goals, options);
}

std::vector<Expr> translate(std::span<const Binding> context,
                            std::span<const NamedCType> goals,
                            TranslateOptions options) {
  return translate_all(context, goals, options);
}

void append_translated(std::string& text,
                       std::span<const Expr> context,
                       std::span<const NamedCType> goals,
                       TranslateOptions options) {
  append_all(text, context, goals, options);
}

void append_translated(std::string& text,
                       std::span<const Binding> context,
                       std::span<const Binding> goals,
                       TranslateOptions options) {
  append_all(text, context, goals, options);
}

void append_translated(std::string& text,
                       std::span<const Expr> context,
                       std::span<const Binding> goals,
                       TranslateOptions options) {
  append_all(text, context, goals, options);
}

void append_translated(std::string& text,
                       std::span<const Binding> context,
                       std::span<const NamedCType> goals,
                       TranslateOptions options) {
  append_all(text, context, goals, options);
}

std::vector<Expr> exprs_of(std::span<const Binding> bindings) {
  std::vector<Expr> exprs;
  exprs.reserve(bindings.size());
  for (const Binding& binding : bindings) {
    exprs.push_back({binding.name, binding.nctype});
  }
  return exprs;
}

std::vector<NamedCType> goals_of(std::span<const Binding> bindings) {
  std::vector<NamedCType> goals;
  goals.reserve(bindings.size());
  for (const Binding& binding : bindings) {
    goals.push_back(binding.nctype);
  }
  return goals;
}

std::string join_exprs(std::span<const Expr> exprs) {
  std::string text;
  for (const Expr& expr : exprs) {
    if (!text.empty()) {
      text += ", ";
    }
    text += expr.expr;
  }
  return text;
}

}  // namespace opgen::api
