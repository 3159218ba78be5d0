#include "opgen/api/native.h"

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "opgen/api/cpp.h"
#include "opgen/api/types/binding.h"
#include "opgen/api/types/ctype.h"
#include "opgen/model/function_schema.h"
#include "opgen/model/type.h"

namespace opgen::api::native {
namespace {

using model::BaseTy;

class ArgumentBinder {
 public:
  ArgumentBinder(bool is_out,
                 bool symint,
                 Locals locals,
                 std::vector<Binding>& bindings)
      : is_out_(is_out),
        symint_(symint),
        locals_(locals),
        bindings_(bindings) {}

  void add(std::span<const model::Argument> args) {
    for (const model::Argument& a : args) {
      Binding& binding = bindings_.emplace_back(
          Binding{a.name, argument_type(a, a.name, symint_, locals_), &a});
      if (!is_out_ && a.default_value) {
        binding.default_value =
            cpp::default_expr(*a.default_value, a.type, symint_);
      }
    }
  }

  void add(const model::TensorOptionsArguments& options) {
    add_option("dtype", kScalarTypeT, options);
    add_option("layout", kLayoutT, options);
    add_option("device", kDeviceT, options);
    add_option("pin_memory", kBoolT, options);
  }

 private:
  void add_option(const char* name,
                  const CType* type,
                  const model::TensorOptionsArguments& options) {
    Binding& binding = bindings_.emplace_back(
        Binding{name, {name, CType::optional(type)}, options});
    if (!is_out_) {
      binding.default_value = "{}";
    }
  }

  bool is_out_;
  bool symint_;
  Locals locals_;
  std::vector<Binding>& bindings_;
};

}  // namespace

std::string name(const model::FunctionSchema& func) {
  std::string name = func.name.name.str();
  if (func.is_out_fn()) {
    name += "_out";
  }
  if (!func.name.overload_name.empty()) {
    name += '_';
    name += func.name.overload_name;
  }
  return name;
}

const CType* argumenttype_type(const model::Type* t,
                               bool is_mutable,
                               bool symint,
                               Locals locals) {
  if (t->is_optional() && t->elem()->is(BaseTy::kTensor)) {
    const CType* type = CType::optional(kTensorT);
    return is_mutable && !locals.use_const_ref_for_mutable_tensors
               ? CType::mut_ref(type)
               : CType::const_ref(type);
  }
  if (t->is_list() && !t->size() && t->elem()->is_optional() &&
      t->elem()->elem()->is(BaseTy::kTensor)) {
    return CType::const_ref(CType::list(CType::optional(kTensorT)));
  }
  if (t->is(BaseTy::kScalar)) {
    return CType::const_ref(kScalarT);
  }
  if (t->is_optional() && t->elem()->is(BaseTy::kScalar)) {
    return CType::const_ref(CType::optional(kScalarT));
  }
  return cpp::argumenttype_type(
      t, {.mutable_ = is_mutable, .symint = symint}, locals);
}

const CType* returns_type(std::span<const model::Return> rs, Locals locals) {
  return cpp::returns_type(rs, locals);
}

NamedCType argument_type(const model::Argument& a,
                         std::string binds,
                         bool symint,
                         Locals locals) {
  return {std::move(binds),
          argumenttype_type(a.type, a.is_write(), symint, locals)};
}

std::vector<Binding> arguments(const model::FunctionSchema& func,
                               bool symint,
                               Locals locals) {
  const model::Arguments& args = func.arguments;
  std::vector<Binding> bindings;
  bindings.reserve(args.flat_all().size());
  ArgumentBinder binder(func.is_out_fn(), symint, locals, bindings);
  binder.add(args.flat_positional());
  binder.add(args.pre_tensor_options_kwarg_only());
  if (const auto options = args.tensor_options()) {
    binder.add(*options);
  }
  binder.add(args.post_tensor_options_kwarg_only());
  binder.add(args.out());
  return bindings;
}

}  // namespace opgen::api::native
