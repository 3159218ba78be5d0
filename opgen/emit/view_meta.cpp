#include "opgen/emit/view_meta.h"

#include <cstddef>
#include <span>

#include "opgen/api/context.h"
#include "opgen/api/error.h"
#include "opgen/api/functionalization.h"
#include "opgen/api/translate.h"
#include "opgen/emit/functionalization_text.h"
#include "opgen/emit/register_dispatch_key_error.h"

namespace opgen::emit {
namespace {

namespace functionalization = api::functionalization;

using Bindings = std::vector<api::Binding>;

Bindings operator+(const Bindings& a, const Bindings& b) {
  Bindings both = a;
  both.insert(both.end(), b.begin(), b.end());
  return both;
}

std::string tuple_types(std::span<const api::Binding> members) {
  std::string text;
  for (const api::Binding& member : members) {
    text.append(text.empty() ? "" : ",\n");
    fill(text,
         "      $type$ /* $name$ */",
         {{"type", member.type()}, {"name", member.name}});
  }
  return text;
}

std::string tuple_elements(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text.append(i == 0 ? "std::get<" : ", std::get<");
    text.append(std::to_string(i)).append(">(tpl)");
  }
  return text;
}

std::string parameters(std::span<const api::Binding> bindings) {
  std::string text;
  for (const api::Binding& binding : bindings) {
    text.append(text.empty() ? "" : ", ").append(binding.decl());
  }
  return text;
}

std::string initializers(std::span<const api::Expr> exprs) {
  std::string text;
  for (const api::Expr& e : exprs) {
    text.append(text.empty() ? "        " : ",\n        ");
    text.append(e.type.name).append("(").append(e.expr).append(")");
  }
  return text;
}

std::string members(std::span<const api::Binding> attributes) {
  std::string text;
  for (const api::Binding& attribute : attributes) {
    text.append(text.empty() ? "  " : "\n  ");
    text.append(attribute.decl()).append(";");
  }
  return text;
}

constexpr std::string_view kDeclaration =
    R"text(
struct TORCH_API $class$ : public ViewMeta {
  FUNCTIONALIZATION_VIEWMETA_NAME($class$)
  FUNCTIONALIZATION_VIEWMETA_SERIALIZABLE_TUPLE(
$tuple_types$);

  $class$(const SerializableTuple& tpl)
      : $class$($tuple_elements$) {}

  $class$($parameters$)
      : at::functionalization::ViewMeta($base$),
$initializers$ {}

  Tensor forward(const Tensor& base) override;
  Tensor reverse(const Tensor& base, const Tensor& mutated_view) override;
$to_out_index$

  SerializableTuple to_serializable_tuple() {
    return std::make_tuple($members$);
  }

$attributes$
};
)text";

constexpr std::string_view kForward =
    R"text(
at::Tensor $class$::forward(const at::Tensor& base) {
  if (reapply_views) {
    return $view$;
  } else {
    return $copy$;
  }
})text";

constexpr std::string_view kReverse =
    R"text(
at::Tensor $class$::reverse(const at::Tensor& base, const Tensor& mutated_view) {
  return $reverse$;
})text";

constexpr std::string_view kToOutIndex =
    R"text(
std::shared_ptr<at::functionalization::ViewMeta> $class$::to_out_index(int64_t out_index) {
  return $new$;
}
)text";

template <class Run>
void for_each_class(const model::SelectiveBuilder& selector,
                    const model::NativeFunctionsViewGroup& g,
                    Run run) {
  if (!selector.include_all_operators || g.composite()) {
    return;
  }
  for (const model::NativeFunction* f : {g.view, g.view_inplace}) {
    if (f != nullptr) {
      native_function_manager(*f, [&] { run(ViewMetaSpecialization(g, *f)); });
    }
  }
}

}  // namespace

ViewMetaSpecialization::ViewMetaSpecialization(
    const model::NativeFunctionsViewGroup& g, const model::NativeFunction& f)
    : g_(g),
      f_(f),
      locals_(api::locals_of(f)),
      is_multi_output_(functionalization::is_multi_output(f.func)),
      classname_(functionalization::classname(f.func)),
      base_ctor_arguments_(functionalization::base_ctor_arguments(f.func)),
      extra_ctor_arguments_(
          functionalization::extra_ctor_arguments(f.func, locals_)),
      attributes_(functionalization::attributes(f.func, locals_)) {}

std::string ViewMetaSpecialization::base_constructor_call() const {
  const bool is_as_strided = f_.func.name.str() == "as_strided";
  return filled(
      "has_symbolic_inputs, /*is_multi_output=*/$multi$, "
      "/*is_as_strided=*/$strided$, /*out_index=*/$index$",
      {{"multi", is_multi_output_ ? "true" : "false"},
       {"strided", is_as_strided ? "true" : "false"},
       {"index", is_multi_output_ ? "out_index" : "0"}});
}

std::string ViewMetaSpecialization::decl() const {
  const auto initial_values =
      api::translate(extra_ctor_arguments_,
                     attributes_,
                     {.method = false, .allow_expensive_conversions = true});
  const Bindings tuple = base_ctor_arguments_ + attributes_;
  return filled(
      kDeclaration,
      {{"class", classname_},
       {"tuple_types", tuple_types(tuple)},
       {"tuple_elements",
        tuple_elements(base_ctor_arguments_.size() +
                       extra_ctor_arguments_.size())},
       {"parameters", parameters(base_ctor_arguments_ + extra_ctor_arguments_)},
       {"base", base_constructor_call()},
       {"initializers", initializers(initial_values)},
       {"to_out_index",
        is_multi_output_ ? "  std::shared_ptr<ViewMeta> to_out_index(int64_t "
                           "out_idx) override;"
                         : ""},
       {"members", join_names(tuple)},
       {"attributes", members(attributes_)}});
}

std::string ViewMetaSpecialization::opcall(bool is_reverse,
                                           bool reapply_views) const {
  if (g_.view_copy == nullptr) {
    throw api::ApiError(g_.view->func.name.str() +
                        " is a view without a copying variant");
  }
  Bindings context{functionalization::base_binding()};
  context = context + base_ctor_arguments_ + attributes_;
  if (is_reverse) {
    context.push_back(functionalization::mutated_view_binding());
  }
  const auto arguments = api::translate(
      context,
      functionalization::op_arguments(g_.view_copy->func, is_reverse, locals_));
  std::string text = functionalization::name(g_,
                                             {.is_reverse = is_reverse,
                                              .include_namespace = true,
                                              .reapply_views = reapply_views});
  text.append("(").append(api::join_exprs(arguments)).append(")");
  return is_reverse || !is_multi_output_ ? text : text.append("[out_index]");
}

void ViewMetaSpecialization::impl(std::vector<std::string>& out) const {
  out.push_back(filled(kForward,
                       {{"class", classname_},
                        {"view", opcall(false, true)},
                        {"copy", opcall(false, false)}}));
  out.push_back(filled(
      kReverse, {{"class", classname_}, {"reverse", opcall(true, true)}}));
  if (is_multi_output_) {
    out.push_back(
        filled(kToOutIndex,
               {{"class", classname_}, {"new", new_instance("out_index")}}));
  }
}

std::string ViewMetaSpecialization::binding() const {
  return "  create_binding_with_pickle<" +
         functionalization::classname(f_.func, true) + ">(functionalization);";
}

std::string ViewMetaSpecialization::new_instance(
    std::string_view out_index) const {
  std::string text = "std::make_shared<";
  text.append(functionalization::classname(f_.func, true)).append(">(");
  bool first = true;
  for (const api::Binding& argument :
       base_ctor_arguments_ + extra_ctor_arguments_) {
    text.append(first ? "" : ", ");
    first = false;
    text.append(argument.name == "out_index" ? out_index
                                             : std::string_view(argument.name));
  }
  return text.append(")");
}

void gen_functionalization_view_meta_classes_decl(
    const model::SelectiveBuilder& selector,
    const model::NativeFunctionsViewGroup& g,
    std::vector<std::string>& out) {
  for_each_class(selector, g, [&](const ViewMetaSpecialization& spec) {
    out.push_back(spec.decl());
  });
}

void gen_functionalization_view_meta_classes_impl(
    const model::SelectiveBuilder& selector,
    const model::NativeFunctionsViewGroup& g,
    std::vector<std::string>& out) {
  for_each_class(
      selector, g, [&](const ViewMetaSpecialization& spec) { spec.impl(out); });
}

void gen_functionalization_view_meta_classes_binding(
    const model::SelectiveBuilder& selector,
    const model::NativeFunctionsViewGroup& g,
    std::vector<std::string>& out) {
  for_each_class(selector, g, [&](const ViewMetaSpecialization& spec) {
    out.push_back(spec.binding());
  });
}

}  // namespace opgen::emit
