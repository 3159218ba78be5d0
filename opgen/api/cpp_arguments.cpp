#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "opgen/api/cpp.h"
#include "opgen/api/error.h"
#include "opgen/api/types/binding.h"
#include "opgen/api/types/ctype.h"
#include "opgen/model/function_schema.h"

namespace opgen::api::cpp {
namespace {

class ArgumentBinder {
 public:
  ArgumentBinder(ArgumentOptions options,
                 const std::vector<std::string>& cpp_no_default_args,
                 bool with_defaults,
                 Locals locals,
                 std::vector<Binding>& bindings)
      : options_(options),
        cpp_no_default_args_(cpp_no_default_args),
        with_defaults_(with_defaults),
        locals_(locals),
        bindings_(bindings) {}

  void add(const model::Argument& a) {
    const bool redundant =
        options_.has_tensor_options && a.name == "memory_format";
    Binding& binding = bindings_.emplace_back(Binding{
        a.name,
        argument_type(
            a,
            redundant ? std::string(kPossiblyRedundantMemoryFormat) : a.name,
            options_.symint,
            locals_),
        &a});
    if (!a.default_value || without_default(a.name)) {
      return;
    }
    // Also where it is dropped: a default that does not fit is an error in all
    // signatures.
    std::string value = default_expr(*a.default_value, a.type, options_.symint);
    if (with_defaults_) {
      binding.default_value = std::move(value);
    }
  }

  void add(std::span<const model::Argument> args) {
    for (const model::Argument& a : args) {
      add(a);
    }
  }

  void add(const model::SelfArgument& self) {
    if (!options_.method) {
      add(*self.argument);
    }
  }

  void add(const model::TensorOptionsArguments& options) {
    if (options_.faithful) {
      add(std::span<const model::Argument>(options.all));
      return;
    }
    if (without_default("options")) {
      throw ApiError("'options' cannot be in cpp_no_default_args");
    }
    Binding& binding = bindings_.emplace_back(
        Binding{"options", {"options", kTensorOptionsT}, options});
    if (!with_defaults_) {
      return;
    }
    const auto is_none = [](const model::Argument& a) {
      return a.default_value == "None";
    };
    if (std::ranges::all_of(options.all, is_none)) {
      binding.default_value = "{}";
    } else if (options.dtype().default_value == "long") {
      binding.default_value = "at::kLong";
    }
  }

  void add_non_out(const model::Arguments& arguments) {
    add(arguments.pre_self_positional());
    if (const model::Argument* self = arguments.self_arg()) {
      add(model::SelfArgument{self});
    }
    add(arguments.post_self_positional());
    add(arguments.pre_tensor_options_kwarg_only());
    if (const auto options = arguments.tensor_options()) {
      add(*options);
    }
    add(arguments.post_tensor_options_kwarg_only());
  }

 private:
  bool without_default(std::string_view name) const {
    return std::ranges::find(cpp_no_default_args_, name) !=
           cpp_no_default_args_.end();
  }

  ArgumentOptions options_;
  const std::vector<std::string>& cpp_no_default_args_;
  bool with_defaults_;
  Locals locals_;
  std::vector<Binding>& bindings_;
};

}  // namespace

std::vector<Binding> argument(
    const model::AnyArgument& a,
    ArgumentOptions options,
    const std::vector<std::string>& cpp_no_default_args,
    Locals locals) {
  std::vector<Binding> bindings;
  ArgumentBinder binder(
      options, cpp_no_default_args, /*with_defaults=*/true, locals, bindings);
  std::visit(
      [&](const auto& alternative) {
        using Alternative = std::remove_cvref_t<decltype(alternative)>;
        if constexpr (std::is_pointer_v<Alternative>) {
          binder.add(*alternative);
        } else {
          binder.add(alternative);
        }
      },
      a);
  return bindings;
}

std::vector<Binding> arguments(
    const model::Arguments& arguments,
    ArgumentsOptions options,
    const std::vector<std::string>& cpp_no_default_args,
    Locals locals) {
  std::vector<Binding> bindings;
  bindings.reserve(arguments.flat_all().size());
  ArgumentBinder binder(
      {.faithful = options.faithful,
       .symint = options.symint,
       .method = options.method,
       .has_tensor_options = arguments.tensor_options().has_value()},
      cpp_no_default_args,
      /*with_defaults=*/!options.faithful,
      locals,
      bindings);
  if (options.faithful) {
    binder.add_non_out(arguments);
    binder.add(arguments.out());
  } else {
    binder.add(arguments.out());
    binder.add_non_out(arguments);
  }
  return bindings;
}

}  // namespace opgen::api::cpp
