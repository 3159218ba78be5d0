#include "opgen/emit/operators.h"

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "opgen/api/context.h"
#include "opgen/api/types/binding.h"
#include "opgen/api/types/signatures.h"
#include "opgen/emit/cpp_string.h"
#include "opgen/emit/static_dispatch.h"
#include "opgen/emit/str_append.h"
#include "opgen/emit/target.h"
#include "opgen/model/native_function.h"

namespace opgen::emit {

namespace {

// What both targets and both entry points need of one operator.
struct Operator {
  const model::NativeFunction& f;
  api::DispatcherSignature sig;
  std::string name;
  std::string schema;
  std::string returns_type;
  std::vector<api::Binding> arguments;

  explicit Operator(const model::NativeFunction& f)
      : f(f),
        sig(api::DispatcherSignature::from_schema(f.func, api::locals_of(f))),
        name(f.func.name.unambiguous_name()),
        schema(f.func.str()),
        returns_type(sig.returns_type()->cpp_type()),
        arguments(sig.arguments()) {}

  // "at::Tensor name(const at::Tensor & self)".
  void append_defn(std::string& text,
                   std::string_view prefix,
                   std::string_view method,
                   bool is_redispatching_fn) const {
    str_append(text, returns_type, " ", prefix, method, "(");
    if (is_redispatching_fn) {
      str_append(text,
                 "c10::DispatchKeySet dispatchKeySet",
                 arguments.empty() ? "" : ", ");
    }
    api::append_defns(text, arguments);
    text += ')';
  }
};

std::string declaration(const Operator& op) {
  std::string text;
  text.reserve(1024);
  str_append(text,
             "\nstruct TORCH_API ",
             op.name,
             " {\n  using schema = ",
             op.returns_type,
             " (");
  api::append_types(text, op.arguments);
  str_append(text,
             ");\n  using ptr_schema = schema*;\n"
             "  // See Note [static constexpr char* members for windows NVCC]\n"
             "  static constexpr const char* name = \"aten::",
             op.f.func.name.name.str(),
             "\";\n  static constexpr const char* overload_name = \"",
             op.f.func.name.overload_name,
             "\";\n  static constexpr const char* schema_str = ",
             cpp_string(op.schema),
             ";\n  static ");
  op.append_defn(text, "", "call", false);
  text += ";\n  static ";
  op.append_defn(text, "", "redispatch", true);
  text += ";\n};";
  return text;
}

// The body of an entry point that asks the dispatcher.
void append_dispatcher_call(std::string& text,
                            const Operator& op,
                            bool is_redispatching_fn) {
  str_append(text,
             "\n    static auto op = create_",
             op.name,
             "_typed_handle();\n    return op.",
             is_redispatching_fn ? "redispatch(dispatchKeySet" : "call(");
  if (is_redispatching_fn && !op.arguments.empty()) {
    text += ", ";
  }
  api::append_names(text, op.arguments);
  text += ");";
}

std::string definition(const Operator& op,
                       const StaticDispatchBackends& backends) {
  std::string text;
  text.reserve(2048);
  str_append(text,
             "\n// aten::",
             op.schema,
             "\nstatic C10_NOINLINE c10::TypedOperatorHandle<",
             op.name,
             "::schema> create_",
             op.name,
             "_typed_handle() {\n  return c10::Dispatcher::singleton()\n"
             "      .findSchemaOrThrow(",
             op.name,
             "::name, ",
             op.name,
             "::overload_name)\n      .typed<",
             op.name,
             "::schema>();\n}\n");
  const std::string scope = op.name + "::";
  for (const bool is_redispatching_fn : {false, true}) {
    str_append(text, "\n// aten::", op.schema, "\n");
    op.append_defn(text,
                   scope,
                   is_redispatching_fn ? "redispatch" : "call",
                   is_redispatching_fn);
    text += " {\n    ";
    if (!is_redispatching_fn && !backends.empty()) {
      text += static_dispatch(op.sig, op.f, backends);
    } else {
      append_dispatcher_call(text, op, is_redispatching_fn);
    }
    text += "\n}\n";
  }
  return text;
}

}  // namespace

std::string ComputeOperators::operator()(const model::NativeFunction& f) const {
  const Operator op(f);
  switch (target) {
    case Target::kDeclaration:
      return declaration(op);
    case Target::kDefinition:
      return definition(op, static_dispatch_backend_indices);
    case Target::kRegistration:
    case Target::kAnonymousDefinition:
    case Target::kNamespacedDefinition:
    case Target::kNamespacedDeclaration:
      break;
  }
  throw std::logic_error("ComputeOperators has no such target");
}

}  // namespace opgen::emit
