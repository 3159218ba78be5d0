#include "opgen/emit/unstructured_register_copy.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "opgen/api/context.h"
#include "opgen/api/cpp.h"
#include "opgen/api/translate.h"
#include "opgen/api/types/binding.h"
#include "opgen/api/types/signatures.h"
#include "opgen/emit/register_dispatch_key.h"
#include "opgen/emit/register_dispatch_key_error.h"
#include "opgen/emit/str_append.h"
#include "opgen/model/function_schema.h"
#include "opgen/model/native_function.h"
#include "opgen/model/native_functions_group.h"
#include "opgen/text/python_text.h"

namespace opgen::emit {
namespace {

using model::NativeFunction;
using model::SchemaKind;

std::string_view copy_op_of(const NativeFunction& f) {
  switch (f.func.kind()) {
    case SchemaKind::kInplace:
      return "at::_copy_from";
    case SchemaKind::kOut:
      return "at::_copy_from_and_resize";
    case SchemaKind::kFunctional:
    case SchemaKind::kMutable:
    case SchemaKind::kScratch:
      break;
  }
  throw EmitError("`" + f.func.name.str() +
                      "` has no kernel and cannot be made from the functional "
                      "variant: it is neither in-place nor out=",
                  f);
}

// The one argument that an operator without returns writes to.
const model::Argument& written_argument(const NativeFunction& f) {
  const model::Arguments& arguments = f.func.arguments;
  if (f.func.kind() == SchemaKind::kOut && arguments.out().size() == 1) {
    return arguments.out()[0];
  }
  const model::Argument* self = arguments.self_arg();
  if (f.func.kind() == SchemaKind::kInplace && self != nullptr &&
      arguments.mutable_arg_names().size() == 1) {
    return *self;
  }
  throw EmitError("`" + f.func.name.str() +
                      "` has no kernel and cannot be made from the functional "
                      "variant: it returns nothing and writes to more than one "
                      "argument",
                  f);
}

std::string copy_to_argument(std::string_view copy_op,
                             const std::string& result,
                             const model::Argument& argument) {
  std::string text;
  if (argument.type->is_list_like() == nullptr) {
    text += copy_op;
    text += '(' + result + ", " + argument.name + ");";
    return text;
  }
  text += "    for (int64_t i = 0; i < " + result + ".size(); ++i) {\n        ";
  text += copy_op;
  text += '(' + result + "[i], " + argument.name + "[i]);\n    }";
  return text;
}

struct Copies {
  std::string updates;
  std::string returns;
};

Copies copies_of(const NativeFunction& f,
                 const api::DispatcherSignature& sig,
                 const std::string& result) {
  const std::string_view copy_op = copy_op_of(f);
  const std::vector<std::string> names = api::cpp::return_names(f);
  if (names.empty()) {
    return {copy_to_argument(copy_op, result, written_argument(f)), ""};
  }
  Copies copies;
  if (names.size() == 1) {
    copies.updates += copy_op;
    copies.updates += '(' + result + ", " + names[0] + ");";
    copies.returns = names[0];
    return copies;
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    str_append(copies.updates,
               i == 0 ? "" : "\n  ",
               copy_op,
               "(std::get<",
               std::to_string(i),
               ">(",
               result,
               "), ",
               names[i],
               ");");
  }
  copies.returns =
      sig.returns_type()->cpp_type() + '(' + text::join(", ", names) + ')';
  return copies;
}

}  // namespace

api::DispatcherSignature wrapper_kernel_sig(const RegisterDispatchKey& settings,
                                            const NativeFunction& f,
                                            api::Locals locals) {
  std::string prefix = "wrapper_";
  prefix += model::name_of(settings.backend_index->dispatch_key);
  prefix += '_';
  prefix += f.func.name.overload_name;
  prefix += '_';
  return api::DispatcherSignature::from_schema(
      f.func, locals, std::move(prefix), settings.symint);
}

std::string gen_out_inplace_wrapper(const RegisterDispatchKey& settings,
                                    const NativeFunction& f,
                                    const model::NativeFunctionsGroup& g) {
  const api::Locals locals = api::locals_of(f);
  const api::DispatcherSignature sig = wrapper_kernel_sig(settings, f, locals);
  const api::DispatcherSignature functional_sig =
      wrapper_kernel_sig(settings, *g.functional, locals);
  const std::string result = sig.name() + "_tmp";
  const Copies copies = copies_of(f, sig, result);
  std::string text = sig.defn();
  text += " {\n  auto " + result + " = " + functional_sig.name() + '(';
  api::append_translated(text, sig.arguments(), functional_sig.arguments());
  text += ");\n  " + copies.updates + "\n  return " + copies.returns + ";\n}\n";
  return text;
}

}  // namespace opgen::emit
