#include "opgen/emit/meta_functions.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "opgen/api/meta.h"
#include "opgen/api/structured.h"
#include "opgen/api/types/binding.h"
#include "opgen/emit/register_dispatch_key_error.h"
#include "opgen/emit/str_append.h"
#include "opgen/model/function_schema.h"
#include "opgen/model/native_function.h"
#include "opgen/model/native_functions_group.h"

namespace opgen::emit {
namespace {

struct Element {
  std::string name;
  std::string upper;
  std::string type;
};

void add_elements(std::span<const model::Argument> arguments,
                  std::vector<Element>& elements) {
  for (const model::Argument& a : arguments) {
    Element element{a.name, a.name, {}};
    std::ranges::transform(
        element.upper, element.upper.begin(), [](unsigned char c) {
          return static_cast<char>(std::toupper(c));
        });
    element.type = api::structured::argumenttype_type(a.type, a.is_write())
                       ->cpp_type_strip_ref();
    elements.push_back(std::move(element));
  }
}

std::vector<Element> elements_of(const model::Precompute& precomputed) {
  std::vector<Element> elements;
  for (const auto& [name, replacements] : precomputed.replace) {
    add_elements(replacements, elements);
  }
  add_elements(precomputed.add, elements);
  return elements;
}

// "precompute_out<A, true, C>" for i = 1.
std::string type_after_setting(const std::vector<Element>& elements,
                               std::size_t i) {
  std::string text = "precompute_out<";
  for (std::size_t j = 0; j < elements.size(); ++j) {
    text += j == 0 ? "" : ", ";
    text += j == i ? "true" : elements[j].upper;
  }
  text += '>';
  return text;
}

void append_setter(const std::vector<Element>& elements,
                   std::size_t i,
                   std::string& text) {
  const Element& set = elements[i];
  const std::string type = type_after_setting(elements, i);
  text += "\n                    " + type + " set_" + set.name + '(' +
          set.type + " value) {\n";
  text += "                        static_assert(" + set.upper +
          " == false, \"" + set.name + " already set\");\n";
  text += "                        " + type + " ret;\n";
  for (std::size_t j = 0; j < elements.size(); ++j) {
    const std::string& name = elements[j].name;
    if (j == i) {
      str_append(text, "ret.", name, " = value;\n");
    } else {
      str_append(text, "ret.", name, " = this->", name, ";\n");
    }
  }
  text += "return ret;\n                    }\n                ";
}

void append_precompute_out(const std::vector<Element>& elements,
                           std::string& text) {
  text += "\n                template <";
  for (std::size_t i = 0; i < elements.size(); ++i) {
    text += i == 0 ? "bool " : ", bool ";
    text += elements[i].upper;
    text += " = false";
  }
  text +=
      ">\n                struct TORCH_API precompute_out {\n"
      "                    ";
  for (std::size_t i = 0; i < elements.size(); ++i) {
    text += i == 0 ? "" : "\n";
    append_setter(elements, i, text);
  }
  text += "\n                    ";
  for (std::size_t i = 0; i < elements.size(); ++i) {
    text += i == 0 ? "" : ";\n";
    str_append(text, elements[i].type, " ", elements[i].name);
  }
  text += ";\n            };";
}

void append_meta_return_typedef(std::size_t elements, std::string& text) {
  text += "using meta_return_ty = precompute_out <";
  for (std::size_t i = 0; i < elements; ++i) {
    text += i == 0 ? "true" : ", true";
  }
  text += ">;";
}

std::string declaration(const model::NativeFunctionsGroup& g) {
  std::string text =
      "struct TORCH_API structured_" + api::meta::name(g) + " : public " +
      g.out->structured_inherits.value_or("at::impl::MetaBase") + " {\n    ";
  if (g.out->precomputed) {
    const std::vector<Element> elements = elements_of(*g.out->precomputed);
    append_precompute_out(elements, text);
    text += "\n    ";
    append_meta_return_typedef(elements.size(), text);
    text += "\n    meta_return_ty meta(";
  } else {
    text += "\n    \n    void meta(";
  }
  std::string_view separator;
  for (const api::Binding& a : api::structured::meta_arguments(g)) {
    text += separator;
    text += a.decl();
    separator = ", ";
  }
  text += ");\n};\n";
  return text;
}

}  // namespace

std::optional<std::string> compute_meta_function_declaration(
    const model::NativeFunctionsGroup& g) {
  if (!g.structured()) {
    return std::nullopt;
  }
  return native_function_manager(*g.out, [&] { return declaration(g); });
}

}  // namespace opgen::emit
