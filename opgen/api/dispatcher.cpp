#include "opgen/api/dispatcher.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "opgen/api/cpp.h"
#include "opgen/api/types/binding.h"
#include "opgen/api/types/ctype.h"
#include "opgen/model/function_schema.h"

namespace opgen::api::dispatcher {

std::string name(const model::FunctionSchema& func) {
  return cpp::name(func);
}

NamedCType argument_type(const model::Argument& a,
                         std::string binds,
                         ArgumentOptions options,
                         Locals locals) {
  return {std::move(binds),
          cpp::argumenttype_type(a.type,
                                 {.mutable_ = a.is_write(),
                                  .remove_non_owning_ref_types =
                                      options.remove_non_owning_ref_types,
                                  .symint = options.symint},
                                 locals)};
}

const CType* returns_type(std::span<const model::Return> rs, Locals locals) {
  return cpp::returns_type(rs, locals);
}

std::span<const model::Argument> jit_arguments(
    const model::FunctionSchema& func) {
  return func.arguments.flat_all();
}

Binding argument(const model::Argument& a,
                 ArgumentOptions options,
                 Locals locals) {
  return {a.name, argument_type(a, a.name, options, locals), &a};
}

std::vector<Binding> arguments(const model::FunctionSchema& func,
                               bool symint,
                               Locals locals) {
  const std::span<const model::Argument> args = jit_arguments(func);
  std::vector<Binding> bindings;
  bindings.reserve(args.size());
  for (const model::Argument& a : args) {
    bindings.push_back(argument(a, {.symint = symint}, locals));
  }
  return bindings;
}

}  // namespace opgen::api::dispatcher
