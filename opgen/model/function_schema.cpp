#include "opgen/model/function_schema.h"

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace opgen::model {

namespace {

constexpr std::string_view kScratchPrefix = "_scratch_";

void append_joined(std::string& text,
                   const std::vector<std::string>& parts,
                   char separator) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) {
      text += separator;
    }
    text += parts[i];
  }
}

void append_annotation(std::string& text, const Annotation& annotation) {
  append_joined(text, annotation.alias_set, '|');
  if (annotation.is_write) {
    text += '!';
  }
  if (!annotation.alias_set_after.empty()) {
    text += " -> ";
    append_joined(text, annotation.alias_set_after, '|');
  }
}

// Annotations stand behind the word Tensor, with which the type begins.
void append_type(std::string& text,
                 const Type& type,
                 const std::optional<Annotation>& annotation) {
  if (!annotation) {
    text += type.str();
    return;
  }
  constexpr std::string_view kTensor = "Tensor";
  text += kTensor;
  text += '(';
  append_annotation(text, *annotation);
  text += ')';
  text += std::string_view(type.str()).substr(kTensor.size());
}

bool is_scratch(const Argument& argument) {
  return argument.name.starts_with(kScratchPrefix);
}

SchemaKind kind_of(const OperatorName& name, const Arguments& arguments) {
  const auto outputs = arguments.out();
  if (name.name.inplace) {
    return SchemaKind::kInplace;
  }
  if (std::any_of(outputs.begin(), outputs.end(), is_scratch)) {
    return SchemaKind::kScratch;
  }
  if (!outputs.empty()) {
    return SchemaKind::kOut;
  }
  const auto after_self = arguments.post_self_positional();
  const bool is_mutable = std::any_of(
      after_self.begin(), after_self.end(), [](const Argument& argument) {
        return argument.is_write();
      });
  return is_mutable ? SchemaKind::kMutable : SchemaKind::kFunctional;
}

void replace_all(std::string& text,
                 std::string_view old_part,
                 std::string_view new_part) {
  std::size_t position = 0;
  while ((position = text.find(old_part, position)) != std::string::npos) {
    text.replace(position, old_part.size(), new_part);
    position += new_part.size();
  }
}

bool is_returned(const Argument& argument, const std::vector<Return>& returns) {
  return std::any_of(returns.begin(), returns.end(), [&](const Return& r) {
    return r.annotation == argument.annotation;
  });
}

void add_mutable_input(const Argument& argument,
                       const FunctionSchema& schema,
                       bool keep_return_names,
                       std::vector<Return>& returns) {
  if (!argument.is_write() || is_returned(argument, schema.returns)) {
    return;
  }
  Return result;
  if (keep_return_names) {
    result.name = argument.name + "_out";
  }
  result.type = argument.type;
  returns.push_back(std::move(result));
}

}  // namespace

std::string Annotation::str() const {
  std::string text;
  append_annotation(text, *this);
  return text;
}

void Argument::append_to(std::string& text) const {
  append_type(text, *type, annotation);
  text += ' ';
  text += name;
  if (default_value && !default_value->empty()) {
    text += '=';
    text += *default_value;
  }
}

std::string Argument::str() const {
  std::string text;
  append_to(text);
  return text;
}

void Return::append_to(std::string& text) const {
  append_type(text, *type, annotation);
  if (name) {
    text += ' ';
    text += *name;
  }
}

std::string Return::str() const {
  std::string text;
  append_to(text);
  return text;
}

FunctionSchema::FunctionSchema(OperatorName name,
                               Arguments arguments,
                               std::vector<Return> returns)
    : name(std::move(name)),
      arguments(std::move(arguments)),
      returns(std::move(returns)) {
  kind_ = kind_of(this->name, this->arguments);
  has_symint_ = this->arguments.has_symint_arg();
}

bool FunctionSchema::is_functional_fn() const {
  return name.overload_name.find("functional") != std::string::npos;
}

bool FunctionSchema::is_mutable() const {
  const auto all = arguments.flat_all();
  return std::any_of(
      all.begin(), all.end(), [](const Argument& a) { return a.is_write(); });
}

bool FunctionSchema::returns_are_aliased() const {
  return std::any_of(returns.begin(), returns.end(), [](const Return& r) {
    return r.is_write();
  });
}

std::vector<std::optional<std::string>> FunctionSchema::aliased_return_names()
    const {
  std::vector<std::optional<std::string>> names;
  names.reserve(returns.size());
  for (const Return& r : returns) {
    std::optional<std::string>& found = names.emplace_back();
    if (!r.annotation) {
      continue;
    }
    for (const Argument& argument : arguments.flat_all()) {
      if (argument.annotation != r.annotation) {
        continue;
      }
      if (found) {
        throw std::logic_error("a return of " + name.str() +
                               " aliases several arguments");
      }
      found = argument.name;
    }
  }
  return names;
}

FunctionSchema FunctionSchema::signature(SignatureOptions options) const {
  OperatorName new_name;
  new_name.name.base = options.strip_view_copy_name
                           ? view_base_name(name.name.base)
                           : name.name.base;
  new_name.name.dunder_method = name.name.dunder_method;

  std::vector<Return> new_returns;
  new_returns.reserve(returns.size());
  for (const Return& r : returns) {
    Return& result = new_returns.emplace_back();
    if (options.keep_return_names) {
      result.name = r.name;
    }
    result.type = r.type;
  }
  const Argument* self = arguments.self_arg();
  if (self != nullptr) {
    add_mutable_input(*self, *this, options.keep_return_names, new_returns);
  }
  for (const Argument& argument : arguments.out()) {
    add_mutable_input(argument, *this, options.keep_return_names, new_returns);
  }
  for (const Argument& argument : arguments.post_self_positional()) {
    add_mutable_input(argument, *this, options.keep_return_names, new_returns);
  }

  Arguments new_arguments = arguments.signature(options.strip_default);
  if (has_bernoulli_p_schema(name)) {
    new_arguments = new_arguments.with_bernoulli_default();
  }
  return {
      std::move(new_name), std::move(new_arguments), std::move(new_returns)};
}

FunctionSchema FunctionSchema::view_signature() const {
  SignatureOptions options;
  options.strip_view_copy_name = true;
  return signature(options);
}

FunctionSchema FunctionSchema::with_name(OperatorName new_name) const {
  return {std::move(new_name), arguments, returns};
}

std::string FunctionSchema::str() const {
  std::string text = name.str();
  text += '(';
  text += arguments.str();
  text += ") -> ";
  if (returns.size() == 1) {
    returns.front().append_to(text);
    return text;
  }
  text += '(';
  for (std::size_t i = 0; i < returns.size(); ++i) {
    if (i > 0) {
      text += ", ";
    }
    returns[i].append_to(text);
  }
  text += ')';
  return text;
}

std::string view_base_name(std::string base) {
  if (base.ends_with("_copy")) {
    replace_all(base, "_copy", "");
  } else if (base.ends_with("_scatter")) {
    replace_all(base, "scatter", "inverse");
  }
  return base;
}

bool has_bernoulli_p_schema(const OperatorName& name) {
  return name.overload_name == "p" && name.name.base == "bernoulli" &&
         name.name.namespace_.empty() && !name.name.inplace &&
         !name.name.dunder_method && !name.name.functional_overload;
}

}  // namespace opgen::model
