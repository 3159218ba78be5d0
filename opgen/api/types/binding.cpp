#include "opgen/api/types/binding.h"

#include <span>
#include <string>

namespace opgen::api {
namespace {

template <typename Append>
void join(std::string& text, std::span<const Binding> bindings, Append append) {
  bool first = true;
  for (const Binding& binding : bindings) {
    if (!first) {
      text += ", ";
    }
    first = false;
    append(binding);
  }
}

}  // namespace

void Binding::append_defn(std::string& text) const {
  text += nctype.cpp_type();
  text += ' ';
  text += name;
}

void Binding::append_decl(std::string& text) const {
  append_defn(text);
  if (default_value) {
    text += '=';
    text += *default_value;
  }
}

std::string Binding::decl() const {
  std::string text;
  append_decl(text);
  return text;
}

std::string Binding::defn() const {
  std::string text;
  append_defn(text);
  return text;
}

void append_decls(std::string& text, std::span<const Binding> bindings) {
  join(text, bindings, [&](const Binding& b) { b.append_decl(text); });
}

void append_defns(std::string& text, std::span<const Binding> bindings) {
  join(text, bindings, [&](const Binding& b) { b.append_defn(text); });
}

void append_types(std::string& text, std::span<const Binding> bindings) {
  join(text, bindings, [&](const Binding& b) { text += b.type(); });
}

void append_names(std::string& text, std::span<const Binding> bindings) {
  join(text, bindings, [&](const Binding& b) { text += b.name; });
}

}  // namespace opgen::api
