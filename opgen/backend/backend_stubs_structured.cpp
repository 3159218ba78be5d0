#include "opgen/backend/backend_stubs_structured.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "opgen/api/context.h"
#include "opgen/api/meta.h"
#include "opgen/api/structured.h"
#include "opgen/api/translate.h"
#include "opgen/api/types/binding.h"
#include "opgen/api/types/ctype.h"
#include "opgen/api/types/signatures.h"
#include "opgen/backend/backend_stubs_kernels.h"
#include "opgen/backend/backend_yaml.h"
#include "opgen/emit/register_dispatch_key_device.h"
#include "opgen/emit/register_dispatch_key_error.h"
#include "opgen/emit/structured_register_class.h"
#include "opgen/model/dispatch_key.h"
#include "opgen/model/function_schema.h"
#include "opgen/model/native_function.h"
#include "opgen/model/native_functions_group.h"

namespace opgen::backend {
namespace {

using model::NativeFunction;
using model::NativeFunctionsGroup;
using model::SchemaKind;

constexpr std::string_view kCreateOut =
    R"(
Tensor create_out(IntArrayRef sizes, IntArrayRef strides, const TensorOptions &options) {
  if (strides.empty()) {
    return $empty(sizes, options);
  }
  return $empty_strided(sizes, strides, options);
}
)";

constexpr std::string_view kMaybeCreateProxy =
    R"(
std::optional<Tensor> maybe_create_proxy(const Tensor &out, IntArrayRef sizes, IntArrayRef strides, const TensorOptions &options) {
  if (out.strides() != strides) {
    return $empty_strided(sizes, strides, options);
  }
  return std::nullopt;
}
)";

std::string_view kind_name(const NativeFunction& f) {
  switch (f.func.kind()) {
    case SchemaKind::kFunctional:
      return "functional";
    case SchemaKind::kInplace:
      return "inplace";
    case SchemaKind::kOut:
      return "out";
    case SchemaKind::kMutable:
    case SchemaKind::kScratch:
      break;
  }
  throw emit::EmitError(
      "only functional, in-place and out= variants can be "
      "structured",
      f);
}

std::string class_name(const StructuredKernel& kernel,
                       const NativeFunction& f) {
  std::string name = "structured_" + kernel.kernel + '_';
  name += kind_name(f);
  return name;
}

api::NativeSignature signature_of(model::DispatchKey key,
                                  const NativeFunction& f) {
  return {&f.func,
          api::locals_of(f),
          false,
          "wrapper_" + std::string(model::name_of(key)) + '_'};
}

// Names of the variables that `op` is made from: the tensors it writes to.
std::string outputs_of(const NativeFunction& f) {
  if (f.func.kind() == SchemaKind::kInplace) {
    return "self";
  }
  std::string names;
  for (const model::Argument& a : f.func.arguments.out()) {
    names += names.empty() ? "" : ", ";
    names += a.name;
  }
  return names;
}

class Wrapper {
 public:
  Wrapper(model::DispatchKey key,
          const BackendYaml& yaml,
          const StructuredKernel& kernel,
          const NativeFunction& f)
      : yaml_(yaml),
        kernel_(kernel),
        g_(*kernel.group),
        f_(f),
        sig_(signature_of(key, f)),
        rules_(
            device_rules(yaml, f, kernel.device_guard, kernel.device_check)) {}

  std::string definition() {
    add_class();
    text_ += "\n\n" + sig_.defn() + " {\n";
    if (rules_.device_check) {
      add_device_check();
    }
    text_ += "  " + class_name(kernel_, f_) + " op";
    if (f_.func.kind() != SchemaKind::kFunctional) {
      text_ += '(' + outputs_of(f_) + ')';
    }
    text_ += ";\n";
    std::vector<api::Expr> context = api::exprs_of(sig_.arguments());
    add_meta_call(context);
    add_outputs(context);
    text_ += "  op.impl(" +
             api::join_exprs(
                 api::translate(context, api::structured::impl_arguments(g_))) +
             ");\n";
    add_return();
    text_ += "}\n";
    return std::move(text_);
  }

 private:
  // The keys stand for what their classes do: make outputs with create_out,
  // with or without selecting their device.
  void add_class() {
    emit::StructuredClass structured_class;
    structured_class.name = class_name(kernel_, f_);
    structured_class.parent_class =
        yaml_.cpp_namespace + "::structured_" + kernel_.kernel;
    structured_class.dispatch_key = rules_.device_guard
                                        ? model::DispatchKey::kXPU
                                        : model::DispatchKey::kCPU;
    structured_class.kind = f_.func.kind();
    structured_class.returns = f_.func.returns.size();
    structured_class.generate_super = g_.out->structured_inherits.has_value();
    if (!emit::gen_class(structured_class, text_)) {
      throw emit::EmitError("its variant cannot be structured", f_);
    }
  }

  void add_device_check() {
    NativeFunction checked = f_;
    checked.device_check = model::DeviceCheckType::kExactSame;
    emit::gen_device_check(checked, sig_.name(), text_);
    text_ += '\n';
  }

  void add_meta_call(std::vector<api::Expr>& context) {
    const std::string exprs = api::join_exprs(
        api::translate(context, api::structured::meta_arguments(g_)));
    const auto& precomputed = g_.out->precomputed;
    if (!precomputed) {
      text_ += "  op.meta(" + exprs + ");\n";
      return;
    }
    text_ += "  auto precompute = op.meta(" + exprs + ");\n";
    text_ += "  (void)precompute;\n";
    for (const auto& [name, replacements] : precomputed->replace) {
      add_precomputed(replacements, context);
    }
    add_precomputed(precomputed->add, context);
  }

  static void add_precomputed(std::span<const model::Argument> arguments,
                              std::vector<api::Expr>& context) {
    for (const model::Argument& a : arguments) {
      context.push_back(
          {"precompute." + a.name, api::structured::argument_type(a, a.name)});
    }
  }

  void add_outputs(std::vector<api::Expr>& context) const {
    const bool is_out = f_.func.kind() == SchemaKind::kOut;
    const api::CType* const type = api::CType::mut_ref(api::kTensorT);
    std::size_t i = 0;
    for (const api::Binding& out : api::structured::out_arguments(g_)) {
      if (out.nctype.type != api::CType::const_ref(api::kTensorT)) {
        throw emit::EmitError("output '" + out.name + "' is not a Tensor", f_);
      }
      const std::string index = std::to_string(i++);
      context.push_back({is_out ? "op.maybe_get_output(" + index + ')'
                                : "op.outputs_[" + index + ']',
                         {out.nctype.name, type}});
    }
  }

  void add_return() {
    const std::size_t returns = f_.func.returns.size();
    if (f_.func.kind() != SchemaKind::kFunctional) {
      for (std::size_t i = 0; i < returns; ++i) {
        const std::string index = '[' + std::to_string(i) + ']';
        text_ += "  if (op.proxy_outputs_" + index + ".has_value()) {\n";
        text_ += "    op.outputs_" + index + ".get().copy_(*op.proxy_outputs_";
        text_ += index + ");\n  }\n";
      }
      text_ += returns == 1 ? "  return " + outputs_of(f_) + ";\n"
                            : "  return std::forward_as_tuple(" +
                                  outputs_of(f_) + ");\n";
      return;
    }
    std::string moved;
    for (std::size_t i = 0; i < returns; ++i) {
      moved += i == 0 ? "" : ", ";
      moved += "std::move(op.outputs_[" + std::to_string(i) + "])";
    }
    text_ += returns == 1 ? "  return " + moved + ";\n"
                          : "  return std::make_tuple(" + moved + ");\n";
  }

  const BackendYaml& yaml_;
  const StructuredKernel& kernel_;
  const NativeFunctionsGroup& g_;
  const NativeFunction& f_;
  api::NativeSignature sig_;
  DeviceRules rules_;
  std::string text_;
};

std::string replace_functions(std::string_view pattern,
                              const BackendYaml& yaml) {
  constexpr std::string_view kEmpty = "$empty";
  constexpr std::string_view kStrided = "_strided";
  std::string text;
  std::size_t begin = 0;
  std::size_t found = 0;
  while ((found = pattern.find(kEmpty, begin)) != std::string_view::npos) {
    text += pattern.substr(begin, found - begin);
    begin = found + kEmpty.size();
    const bool strided = pattern.substr(begin).starts_with(kStrided);
    text += strided ? yaml.empty_strided : yaml.empty;
    begin += strided ? kStrided.size() : 0;
  }
  text += pattern.substr(begin);
  return text;
}

}  // namespace

std::string gen_structured_declaration(const StructuredKernel& kernel) {
  const NativeFunctionsGroup& g = *kernel.group;
  return emit::native_function_manager(*g.out, [&] {
    std::string text = "struct structured_" + kernel.kernel +
                       " : public at::meta::structured_" + api::meta::name(g) +
                       " {\nvoid impl(";
    api::append_decls(text, api::structured::impl_arguments(g));
    text += ");\n};\n";
    return text;
  });
}

std::string structured_header(const StructuredKernel& kernel) {
  return "#include <ATen/ops/" + kernel.group->root_name() + "_meta.h>";
}

void gen_structured_definitions(model::DispatchKey key,
                                const BackendYaml& yaml,
                                const StructuredKernel& kernel,
                                std::vector<std::string>& out) {
  for (const NativeFunction* f : kernel.group->functions()) {
    emit::native_function_manager(*f, [&] {
      out.push_back(Wrapper(key, yaml, kernel, *f).definition());
    });
  }
}

void gen_structured_registrations(model::DispatchKey key,
                                  const StructuredKernel& kernel,
                                  std::vector<std::string>& out) {
  for (const NativeFunction* f : kernel.group->functions()) {
    out.push_back("m.impl(\"" + f->func.name.str() + "\", TORCH_FN(" +
                  signature_of(key, *f).name() + "));");
  }
}

void add_structured_helpers(const BackendYaml& yaml,
                            std::vector<std::string>& helpers) {
  for (const std::string& helper : helpers) {
    if (helper.find("Tensor create_out(") != std::string::npos) {
      return;
    }
  }
  const auto last = helpers.empty() ? helpers.end() : helpers.end() - 1;
  helpers.insert(last,
                 {replace_functions(kCreateOut, yaml),
                  replace_functions(kMaybeCreateProxy, yaml)});
}

}  // namespace opgen::backend
