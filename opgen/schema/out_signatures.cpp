#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "opgen/schema/native_function_generation.h"

namespace opgen::schema {

namespace {

using model::Annotation;
using model::Argument;
using model::BaseTy;
using model::FunctionSchema;
using model::OperatorName;
using model::Return;

std::string get_expected_out_variant_overload_name(
    const std::string& overload_name) {
  return overload_name.empty() ? "out" : overload_name + "_out";
}

OperatorName out_name(const OperatorName& name) {
  return name.with_overload(
      get_expected_out_variant_overload_name(name.overload_name));
}

std::vector<char> unused_letters(const FunctionSchema& func) {
  std::vector<char> letters;
  for (char letter = 'a'; letter <= 'z'; ++letter) {
    const auto all = func.arguments.flat_all();
    const bool used =
        std::any_of(all.begin(), all.end(), [letter](const Argument& argument) {
          if (!argument.annotation) {
            return false;
          }
          const auto& set = argument.annotation->alias_set;
          return std::find(set.begin(), set.end(), std::string(1, letter)) !=
                 set.end();
        });
    if (!used) {
      letters.push_back(letter);
    }
  }
  return letters;
}

struct OutArguments {
  std::vector<Return> returns;
  std::vector<Argument> outs;
};

std::optional<OutArguments> generate_out_args_from_schema(
    const FunctionSchema& func) {
  const std::vector<char> letters = unused_letters(func);
  const bool all_tensors = std::all_of(
      func.returns.begin(), func.returns.end(), [](const Return& r) {
        return r.type->is(BaseTy::kTensor);
      });
  OutArguments result;
  for (std::size_t i = 0; i < func.returns.size(); ++i) {
    const Return& r = func.returns[i];
    if (!r.type->is_tensor_like()) {
      result.returns.push_back(r);
      continue;
    }
    if (i >= letters.size()) {
      return std::nullopt;
    }
    Argument& out = result.outs.emplace_back();
    out.name = func.returns.size() == 1 ? "out" : "out" + std::to_string(i);
    out.type = r.type;
    Annotation& annotation = out.annotation.emplace();
    annotation.alias_set.emplace_back(1, letters[i]);
    annotation.is_write = true;
    if (all_tensors) {
      result.returns.push_back({std::nullopt, out.type, out.annotation});
    }
  }
  return result;
}

}  // namespace

FunctionSchema self_to_out_signature(const FunctionSchema& func) {
  const Argument& self = *func.arguments.self_arg();
  std::vector<Argument> outs = {
      {"out", self.type, std::nullopt, self.annotation}};
  return {
      out_name(func.name),
      func.arguments.remove_self_annotation().with_out_args(std::move(outs)),
      func.returns};
}

std::optional<FunctionSchema> functional_to_out_signature(
    const FunctionSchema& func) {
  auto out = generate_out_args_from_schema(func);
  if (!out) {
    return std::nullopt;
  }
  return FunctionSchema(
      out_name(func.name),
      func.arguments.signature().with_out_args(std::move(out->outs)),
      std::move(out->returns));
}

std::optional<FunctionSchema> mutable_to_out_signature(
    const FunctionSchema& func) {
  auto out = generate_out_args_from_schema(func);
  if (!out) {
    return std::nullopt;
  }
  return FunctionSchema(out_name(func.name),
                        func.arguments.with_out_args(std::move(out->outs)),
                        std::move(out->returns));
}

}  // namespace opgen::schema
