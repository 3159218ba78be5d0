#include "opgen/emit/redispatch_functions.h"

#include <optional>
#include <string>
#include <vector>

#include "opgen/api/context.h"
#include "opgen/api/translate.h"
#include "opgen/api/types/binding.h"
#include "opgen/api/types/ctype.h"
#include "opgen/api/types/signatures.h"
#include "opgen/emit/str_append.h"
#include "opgen/model/native_function.h"

namespace opgen::emit {

std::optional<std::string> compute_redispatch_function(
    const model::NativeFunction& f) {
  const auto sig_group = api::CppSignatureGroup::from_native_function(
      f, /*method=*/false, f.manual_cpp_binding);
  const std::vector<api::Binding> goals =
      api::DispatcherSignature::from_schema(f.func, api::locals_of(f))
          .arguments();
  const std::string schema = f.func.str();
  const std::string op = f.func.name.unambiguous_name();
  std::string result;
  for (const api::CppSignature* sig : sig_group.signatures()) {
    const std::vector<api::Binding> arguments = sig->arguments();
    const std::string exprs = api::join_exprs(api::translate(arguments, goals));
    str_append(result,
               "\n// aten::",
               schema,
               "\ninline ",
               sig->returns_type()->cpp_type(),
               " ",
               sig->name(),
               "(c10::DispatchKeySet dispatchKeySet",
               arguments.empty() ? "" : ", ");
    api::append_decls(result, arguments);
    str_append(result,
               ") {\n    return at::_ops::",
               op,
               "::redispatch(dispatchKeySet",
               goals.empty() ? "" : ", ",
               exprs,
               ");\n}\n");
  }
  return result;
}

}  // namespace opgen::emit
