#include "opgen/backend/diff_entry.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "opgen/model/backend_index.h"
#include "opgen/model/dispatch_key.h"
#include "opgen/model/function_schema.h"
#include "opgen/model/native_function.h"
#include "opgen/model/native_functions.h"

namespace opgen::backend {
namespace {

using model::NativeFunction;
using model::NativeFunctions;

using Fields = std::map<std::string, std::string>;

std::string kernels_of(const NativeFunctions& program,
                       const NativeFunction& f) {
  std::string text;
  for (const auto& [key, index] : program.backend_indices) {
    if (const model::BackendMetadata* metadata = index.get_kernel(f)) {
      text.append(model::name_of(key)).append(": ");
      text.append(metadata->cpp_namespace).append("::");
      text.append(metadata->kernel).append("\n");
    }
  }
  return text;
}

template <class Values, class Text>
std::string joined(const Values& values, Text text_of) {
  std::string text;
  for (const auto& value : values) {
    text += text_of(value);
    text += '\n';
  }
  return text;
}

std::string arguments_text(const std::vector<model::Argument>& arguments) {
  return joined(arguments, [](const model::Argument& a) { return a.str(); });
}

std::string precomputed_text(const NativeFunction& f) {
  if (!f.precomputed) {
    return "";
  }
  return joined(f.precomputed->replace,
                [](const auto& item) {
                  return item.first + " -> " + arguments_text(item.second);
                }) +
         arguments_text(f.precomputed->add);
}

std::string ufunc_text(const NativeFunction& f) {
  return joined(f.ufunc_inner_loop, [](const auto& item) {
    std::string text(model::name_of(item.first));
    text.append(" ").append(item.second.name);
    for (const model::ScalarType type : item.second.supported_dtypes) {
      text.append(" ").append(model::name_of(type));
    }
    return text;
  });
}

void set_flag(Fields& fields, const char* name, bool value, bool usual) {
  if (value != usual) {
    fields[name] = value ? "True" : "False";
  }
}

void set_text(Fields& fields, const char* name, std::string value) {
  if (!value.empty()) {
    fields[name] = std::move(value);
  }
}

}  // namespace

Fields entry_fields(const NativeFunctions& program, const NativeFunction& f) {
  const auto same = [](const std::string& text) { return text; };
  Fields fields;
  fields["func"] = f.func.str();
  set_text(fields,
           "variants",
           std::string(f.function_variant ? "function " : "") +
               (f.method_variant ? "method" : ""));
  set_text(fields, "dispatch", kernels_of(program, f));
  set_flag(fields, "structured", f.structured, false);
  set_text(fields,
           "structured_delegate",
           f.structured_delegate ? f.structured_delegate->str() : "");
  set_text(fields, "structured_inherits", f.structured_inherits.value_or(""));
  set_text(fields, "precomputed", precomputed_text(f));
  set_text(fields, "ufunc_inner_loop", ufunc_text(f));
  set_text(fields, "autogen", joined(f.autogen, [](const auto& name) {
             return name.str();
           }));
  set_text(fields, "tags", joined(f.tags, same));
  set_text(fields, "cpp_no_default_args", joined(f.cpp_no_default_args, same));
  set_text(fields, "python_module", f.python_module.value_or(""));
  set_text(fields, "category_override", f.category_override.value_or(""));
  set_flag(fields, "device_guard", f.device_guard, true);
  set_flag(fields,
           "device_check",
           f.device_check == model::DeviceCheckType::kExactSame,
           true);
  set_flag(fields,
           "use_const_ref_for_mutable_tensors",
           f.use_const_ref_for_mutable_tensors,
           false);
  set_flag(fields,
           "manual_kernel_registration",
           f.manual_kernel_registration,
           false);
  set_flag(fields, "manual_cpp_binding", f.manual_cpp_binding, false);
  return fields;
}

std::vector<std::string> differing_fields(const Fields& a, const Fields& b) {
  std::vector<std::string> names;
  const auto add_missing = [&](const Fields& from, const Fields& other) {
    for (const auto& [name, value] : from) {
      const auto found = other.find(name);
      if ((found == other.end() || found->second != value) &&
          std::find(names.begin(), names.end(), name) == names.end()) {
        names.push_back(name);
      }
    }
  };
  add_missing(a, b);
  add_missing(b, a);
  std::sort(names.begin(), names.end(), [](const auto& x, const auto& y) {
    return std::pair(x != "func", std::string_view(x)) <
           std::pair(y != "func", std::string_view(y));
  });
  return names;
}

}  // namespace opgen::backend
