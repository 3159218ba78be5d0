#include "opgen/emit/functions.h"

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

std::optional<std::string> compute_function(const model::NativeFunction& f) {
  const auto sig_group = api::CppSignatureGroup::from_native_function(
      f, /*method=*/false, f.manual_cpp_binding);
  const bool has_symint = f.func.has_symint();
  std::string result;
  if (!f.function_variant && !has_symint) {
    return result;
  }
  const std::vector<api::Binding> goals =
      api::DispatcherSignature::from_schema(f.func, api::locals_of(f))
          .arguments();
  const std::string schema = f.func.str();
  const std::string op = f.func.name.unambiguous_name();
  for (const api::CppSignature* sig : sig_group.signatures()) {
    const std::vector<api::Binding> arguments = sig->arguments();
    const std::string exprs = api::join_exprs(api::translate(arguments, goals));
    const std::string& returns_type = sig->returns_type()->cpp_type();
    if (f.function_variant) {
      str_append(result,
                 "\n// aten::",
                 schema,
                 "\ninline ",
                 returns_type,
                 " ",
                 sig->name(),
                 "(");
      api::append_decls(result, arguments);
      str_append(
          result, ") {\n    return at::_ops::", op, "::call(", exprs, ");\n}");
    }
    // For templates that choose between int64_t and SymInt by an argument; here
    // for methods too.
    if (has_symint) {
      str_append(result,
                 "\nnamespace symint {\n"
                 "  template <typename T, typename = "
                 "std::enable_if_t<std::is_same_v<T, ",
                 sig->symint ? "c10::SymInt" : "int64_t",
                 ">>>\n  ",
                 returns_type,
                 " ",
                 sig->name(/*suppress_symint_suffix=*/true),
                 "(");
      api::append_decls(result, arguments);
      str_append(result,
                 ") {\n    return at::_ops::",
                 op,
                 "::call(",
                 exprs,
                 ");\n  }\n}\n");
    }
  }
  return result;
}

}  // namespace opgen::emit
