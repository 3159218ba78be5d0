#include "opgen/api/functionalization.h"

#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "opgen/api/dispatcher.h"
#include "opgen/api/error.h"
#include "opgen/api/types/binding.h"
#include "opgen/api/types/ctype.h"
#include "opgen/model/function_schema.h"
#include "opgen/model/native_function.h"
#include "opgen/model/native_functions_group.h"
#include "opgen/model/type.h"

namespace opgen::api::functionalization {
namespace {

using model::BaseTy;

// A parameter and the argument that it pretends to come from.
class OwnBinding {
 public:
  OwnBinding(const char* name,
             const CType* type,
             const char* argument_name,
             BaseTy argument_type)
      : argument_{argument_name, model::Type::base(argument_type), {}, {}},
        binding_{name, {name, type}, &argument_} {}

  OwnBinding(const OwnBinding&) = delete;
  OwnBinding& operator=(const OwnBinding&) = delete;
  ~OwnBinding() = default;

  const Binding& get() const { return binding_; }

 private:
  model::Argument argument_;
  Binding binding_;
};

std::span<const model::Argument> non_self_arguments(
    const model::FunctionSchema& func) {
  const std::span<const model::Argument> args = func.arguments.flat_all();
  if (args.empty() || !args.front().type->is(BaseTy::kTensor)) {
    throw ApiError("the first argument of a view must be a Tensor");
  }
  return args.subspan(1);
}

void append(std::vector<Binding>& bindings,
            std::span<const model::Argument> args,
            dispatcher::ArgumentOptions options,
            Locals locals) {
  for (const model::Argument& a : args) {
    bindings.push_back(dispatcher::argument(a, options, locals));
  }
}

}  // namespace

const Binding& base_binding() {
  static const OwnBinding binding(
      "base", CType::const_ref(kTensorT), "base", BaseTy::kTensor);
  return binding.get();
}

const Binding& has_symbolic_inputs_binding() {
  static const OwnBinding binding(
      "has_symbolic_inputs", kBoolT, "has_symbolic_inputs", BaseTy::kBool);
  return binding.get();
}

const Binding& mutated_view_binding() {
  static const OwnBinding binding(
      "mutated_view", CType::const_ref(kTensorT), "base", BaseTy::kTensor);
  return binding.get();
}

const Binding& out_index_binding() {
  static const OwnBinding binding(
      "out_index", kLongT, "out_index", BaseTy::kInt);
  return binding.get();
}

const Binding& reapply_views_binding() {
  static const OwnBinding binding(
      "reapply_views", kBoolT, "reapply_views", BaseTy::kBool);
  return binding.get();
}

const Binding& inverse_return_mode_binding() {
  static const OwnBinding binding(
      "inverse_return_mode",
      CType::base("at::functionalization::InverseReturnMode"),
      "inverse_return_mode",
      BaseTy::kBool);
  return binding.get();
}

std::string classname(const model::FunctionSchema& func, bool with_namespace) {
  std::string text = with_namespace ? "at::functionalization::" : "";
  text.append(func.name.unambiguous_name()).append("_ViewMeta");
  return text;
}

std::string name(const model::NativeFunctionsViewGroup& g,
                 NameOptions options) {
  if (options.is_reverse) {
    return reverse_name(*g.view, options.include_namespace);
  }
  if (!options.reapply_views || !options.include_namespace) {
    throw std::logic_error(
        "the name of a forward view needs reapply_views and the namespace");
  }
  if (g.view_copy == nullptr) {
    throw ApiError("the view has no copying twin");
  }
  const model::NativeFunction& f =
      *options.reapply_views ? *g.view : *g.view_copy;
  return "at::_ops::" + f.func.name.unambiguous_name() + "::call";
}

std::string reverse_name(const model::NativeFunction& f,
                         bool include_namespace) {
  std::string text =
      include_namespace ? "at::functionalization::FunctionalInverses::" : "";
  text.append(f.func.name.unambiguous_name()).append("_inverse");
  return text;
}

const CType* returns_type(const model::FunctionSchema& func) {
  if (func.returns.empty()) {
    throw ApiError("a view must return something");
  }
  for (const model::Return& r : func.returns) {
    if (!r.type->is_tensor_like()) {
      throw ApiError("a view must return tensors, not '" + r.type->str() + "'");
    }
  }
  return kTensorT;
}

bool is_multi_output(const model::FunctionSchema& func) {
  return func.returns.size() > 1 ||
         (func.returns.size() == 1 &&
          func.returns.front().type->is_list_like() != nullptr);
}

std::vector<Binding> base_ctor_arguments(const model::FunctionSchema& func) {
  std::vector<Binding> bindings{has_symbolic_inputs_binding()};
  if (is_multi_output(func)) {
    bindings.push_back(out_index_binding());
  }
  return bindings;
}

std::vector<Binding> extra_ctor_arguments(const model::FunctionSchema& func,
                                          Locals locals) {
  return attributes(func, locals, /*owning=*/false);
}

std::vector<Binding> attributes(const model::FunctionSchema& func,
                                Locals locals,
                                bool owning) {
  const std::span<const model::Argument> args = non_self_arguments(func);
  std::vector<Binding> bindings{reapply_views_binding(),
                                inverse_return_mode_binding()};
  append(bindings, args, {.remove_non_owning_ref_types = owning}, locals);
  return bindings;
}

std::vector<Binding> op_arguments(const model::FunctionSchema& func,
                                  bool is_reverse,
                                  Locals locals) {
  const std::span<const model::Argument> args = non_self_arguments(func);
  std::vector<Binding> bindings{base_binding()};
  if (is_reverse) {
    bindings.push_back(mutated_view_binding());
    bindings.push_back(inverse_return_mode_binding());
    if (is_multi_output(func)) {
      bindings.push_back(out_index_binding());
    }
  }
  append(bindings, args, {}, locals);
  return bindings;
}

}  // namespace opgen::api::functionalization
