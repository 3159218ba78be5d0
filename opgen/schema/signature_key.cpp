#include "opgen/schema/signature_key.h"

#include <algorithm>
#include <span>
#include <string_view>

namespace opgen::schema {

namespace {

using model::Argument;
using model::FunctionSchema;
using model::Return;

constexpr char kEnd = '\0';

void append_type(std::string& key, const model::Type* type) {
  const std::string_view bytes(reinterpret_cast<const char*>(&type),
                               sizeof(type));
  key += bytes;
}

void append_argument(std::string& key,
                     const Argument& argument,
                     bool bernoulli) {
  append_type(key, argument.type);
  if (bernoulli && argument.type->is(model::BaseTy::kFloat) &&
      argument.name.starts_with('p') && !argument.default_value) {
    key += "p=0.5";
    key += std::string_view(argument.name).substr(1);
  } else {
    key += argument.name;
    if (argument.default_value) {
      key += '=';
      key += *argument.default_value;
    }
  }
  key += kEnd;
}

void append_mutable_input(std::string& key,
                          const Argument& argument,
                          const FunctionSchema& schema) {
  if (!argument.is_write()) {
    return;
  }
  const bool returned = std::any_of(
      schema.returns.begin(), schema.returns.end(), [&](const Return& r) {
        return r.annotation == argument.annotation;
      });
  if (!returned) {
    append_type(key, argument.type);
  }
}

std::string make_key(const FunctionSchema& schema, std::string base) {
  const model::Arguments& arguments = schema.arguments;
  std::string key = std::move(base);
  key.reserve(key.size() + 24 * arguments.flat_all().size());
  key += kEnd;
  key += schema.name.name.dunder_method ? 'd' : 'n';
  const bool bernoulli = has_bernoulli_p_schema(schema.name);
  const auto append_all = [&](std::span<const Argument> part) {
    for (const Argument& argument : part) {
      append_argument(key, argument, bernoulli);
    }
  };
  append_all(arguments.flat_positional());
  key += '*';
  append_all(arguments.pre_tensor_options_kwarg_only());
  append_all(arguments.post_tensor_options_kwarg_only());
  key += ')';
  for (const Return& r : schema.returns) {
    append_type(key, r.type);
  }
  if (const Argument* self = arguments.self_arg()) {
    append_mutable_input(key, *self, schema);
  }
  for (const Argument& argument : arguments.out()) {
    append_mutable_input(key, argument, schema);
  }
  for (const Argument& argument : arguments.post_self_positional()) {
    append_mutable_input(key, argument, schema);
  }
  return key;
}

}  // namespace

std::string signature_key(const FunctionSchema& schema) {
  return make_key(schema, schema.name.name.base);
}

std::string view_signature_key(const FunctionSchema& schema) {
  return make_key(schema, model::view_base_name(schema.name.name.base));
}

}  // namespace opgen::schema
