#include "opgen/emit/composite_kernels.h"

#include <cstddef>
#include <utility>

#include "opgen/api/context.h"
#include "opgen/api/dispatcher.h"
#include "opgen/api/error.h"
#include "opgen/api/translate.h"
#include "opgen/api/types/signatures.h"
#include "opgen/emit/functionalization_text.h"
#include "opgen/emit/register_dispatch_key_error.h"
#include "opgen/text/python_text.h"

namespace opgen::emit {
namespace {

constexpr std::string_view kGenerated = "generated";

// The variant from the yaml that the functional one is made from.
const model::NativeFunction& mutating_variant(
    const model::NativeFunctionsGroup& g) {
  if (g.inplace != nullptr && !g.inplace->has_tag(kGenerated)) {
    return *g.inplace;
  }
  if (g.mutable_ != nullptr && !g.mutable_->has_tag(kGenerated)) {
    return *g.mutable_;
  }
  throw api::ApiError("no in-place or mutable variant to make " +
                      g.functional->func.name.str() + " from");
}

// Arguments for the mutating variant, with clones for what it writes to.
struct ClonedArguments {
  std::vector<std::string> statements;
  std::vector<std::string> names;
  std::vector<api::Expr> context;
};

ClonedArguments clone_mutable_inputs(const model::FunctionSchema& current,
                                     const model::FunctionSchema& target,
                                     api::Locals locals) {
  ClonedArguments result;
  const auto ours = api::dispatcher::jit_arguments(current);
  const auto theirs = api::dispatcher::jit_arguments(target);
  for (std::size_t i = 0; i < ours.size() && i < theirs.size(); ++i) {
    const std::string& name = ours[i].name;
    if (theirs[i].is_write()) {
      std::string clone = name + "_clone";
      result.statements.push_back("auto " + clone + " = clone_arg(" + name +
                                  ");");
      result.context.push_back(
          {clone, api::dispatcher::argument_type(ours[i], name, {}, locals)});
      result.names.push_back(std::move(clone));
    } else {
      api::Binding binding = api::dispatcher::argument(ours[i], {}, locals);
      result.context.push_back(
          {std::move(binding.name), std::move(binding.nctype)});
    }
  }
  return result;
}

constexpr std::string_view kFunctionalKernel =
    R"text(
$defn$ {
  $clones$
  $assign$at::_ops::$target$::call($exprs$);
  $return$
}
)text";

constexpr std::string_view kCopyOut =
    R"text(  resize_out_helper($out$, $result$);
  copy_arg($out$, $result$);)text";

constexpr std::string_view kOutKernel =
    R"text(
$defn$ {
  auto tmp_output = at::_ops::$target$::call($exprs$);
  $copies$
  $return$
}
)text";

}  // namespace

std::string return_str(std::span<const model::Return> rets,
                       std::span<const std::string> names,
                       api::Locals locals) {
  if (rets.size() != names.size()) {
    throw api::ApiError("a kernel has " + std::to_string(names.size()) +
                        " results for the " + std::to_string(rets.size()) +
                        " that the schema returns");
  }
  if (rets.empty()) {
    return {};
  }
  if (rets.size() == 1) {
    return "return " + names.front() + ";";
  }
  std::string text = "return ";
  text.append(api::dispatcher::returns_type(rets, locals)->cpp_type());
  for (std::size_t i = 0; i < names.size(); ++i) {
    text.append(i == 0 ? "(" : ", ").append(names[i]);
  }
  return text.append(");");
}

std::string nth_return(std::size_t n,
                       std::size_t returns,
                       const std::string& out_var) {
  if (returns == 1) {
    return out_var;
  }
  return "std::get<" + std::to_string(n) + ">(" + out_var + ")";
}

std::vector<std::string> gather_nonaliased_inner_rets(
    const model::FunctionSchema& func, const std::string& out_var) {
  std::vector<std::string> names;
  const auto aliased = func.aliased_return_names();
  for (std::size_t i = 0; i < aliased.size(); ++i) {
    if (!aliased[i]) {
      names.push_back(nth_return(i, func.returns.size(), out_var));
    }
  }
  return names;
}

namespace {

std::string functional_kernel(const model::NativeFunctionsGroup& g) {
  const model::FunctionSchema& func = g.functional->func;
  const model::FunctionSchema& target = mutating_variant(g).func;
  const api::Locals locals = api::locals_of(g);
  const auto sig = api::DispatcherSignature::from_schema(func, locals);
  const auto target_sig = api::DispatcherSignature::from_schema(target, locals);

  ClonedArguments cloned = clone_mutable_inputs(func, target, locals);
  const auto exprs = api::translate(cloned.context, target_sig.arguments());
  std::vector<std::string> results =
      gather_nonaliased_inner_rets(target, "output");
  results.insert(results.end(), cloned.names.begin(), cloned.names.end());
  const std::string name =
      sig.name() + (g.out->func.has_symint() ? "_symint" : "");
  return filled(kFunctionalKernel,
                {{"defn", sig.defn(name)},
                 {"clones", text::join("\n", cloned.statements)},
                 {"assign", target.returns.empty() ? "" : "auto output = "},
                 {"target", target.name.unambiguous_name()},
                 {"exprs", api::join_exprs(exprs)},
                 {"return", return_str(func.returns, results, locals)}});
}

std::string out_kernel(const model::NativeFunctionsGroup& g) {
  const model::FunctionSchema& func = g.out->func;
  const model::FunctionSchema& functional = g.functional->func;
  const api::Locals locals = api::locals_of(g);
  const auto sig = api::DispatcherSignature::from_schema(func, locals);
  const auto target_sig =
      api::DispatcherSignature::from_schema(functional, locals);
  const auto exprs = api::translate(sig.arguments(), target_sig.arguments());

  const std::string out_name = "tmp_output";
  const std::size_t inner = functional.returns.size();
  std::string copies;
  const auto outs = func.arguments.out();
  for (std::size_t i = 0; i < outs.size(); ++i) {
    copies.append(i == 0 ? "" : "\n");
    fill(copies,
         kCopyOut,
         {{"out", outs[i].name}, {"result", nth_return(i, inner, out_name)}});
  }
  std::vector<std::string> rets;
  const auto aliased = func.aliased_return_names();
  for (std::size_t i = 0; i < aliased.size(); ++i) {
    rets.push_back(aliased[i] ? *aliased[i] : nth_return(i, inner, out_name));
  }
  const std::string name =
      func.name.unambiguous_name() + (func.has_symint() ? "_symint" : "");
  return filled(kOutKernel,
                {{"defn", sig.defn(name)},
                 {"target", functional.name.unambiguous_name()},
                 {"exprs", api::join_exprs(exprs)},
                 {"copies", copies},
                 {"return", return_str(func.returns, rets, locals)}});
}

}  // namespace

std::optional<std::string> gen_composite_functional_kernel(
    const model::NativeFunctionsGroup& g) {
  if (!g.functional->has_tag(kGenerated)) {
    return std::nullopt;
  }
  return native_function_manager(*g.out, [&g] { return functional_kernel(g); });
}

std::optional<std::string> gen_composite_out_kernel(
    const model::NativeFunctionsGroup& g) {
  if (!g.out->has_tag(kGenerated)) {
    return std::nullopt;
  }
  return native_function_manager(*g.out, [&g] { return out_kernel(g); });
}

}  // namespace opgen::emit
