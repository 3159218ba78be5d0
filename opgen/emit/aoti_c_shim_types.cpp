#include "opgen/emit/aoti_c_shim_types.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include "opgen/api/cpp.h"
#include "opgen/api/error.h"
#include "opgen/emit/composite_kernels.h"
#include "opgen/emit/functionalization_text.h"

namespace opgen::emit {
namespace {

using model::BaseTy;
using model::Type;

struct BaseConversion {
  BaseTy base;
  std::string_view c_type;
  std::string_view aten_type;
  std::string_view
      callsite_function;  // empty if the argument is passed as it is
};

constexpr std::array<BaseConversion, 12> kBaseConversions{{
    {BaseTy::kTensor,
     "AtenTensorHandle",
     "at::Tensor",
     "resolve_tensor_dispatch_flags"},
    {BaseTy::kBool, "int32_t", "bool", ""},
    {BaseTy::kInt, "int64_t", "int64_t", ""},
    {BaseTy::kSymInt, "int64_t", "c10::SymInt", ""},
    {BaseTy::kScalar, "double", "c10::Scalar", ""},
    {BaseTy::kFloat, "double", "double", ""},
    {BaseTy::kStr, "const char*", "::std::string_view", ""},
    {BaseTy::kDeviceIndex,
     "int32_t",
     "c10::DeviceIndex",
     "static_cast<c10::DeviceIndex>"},
    {BaseTy::kLayout, "int32_t", "c10::Layout", "static_cast<c10::Layout>"},
    {BaseTy::kMemoryFormat,
     "int32_t",
     "c10::MemoryFormat",
     "static_cast<c10::MemoryFormat>"},
    {BaseTy::kScalarType,
     "int32_t",
     "c10::ScalarType",
     "static_cast<c10::ScalarType>"},
    {BaseTy::kGenerator,
     "AtenGeneratorHandle",
     "at::Generator",
     "*generator_handle_to_generator_pointer"},
}};

const BaseConversion* find_conversion(const Type* type) {
  const auto* found = std::ranges::find_if(
      kBaseConversions,
      [type](const BaseConversion& c) { return type->is(c.base); });
  return found == kBaseConversions.end() ? nullptr : found;
}

std::optional<CArgument> convert_base(const Type* type,
                                      const std::string& name,
                                      bool is_write) {
  if (type->is(BaseTy::kDevice)) {
    return CArgument{{"int32_t", "int32_t"},
                     {name, name + "_index_"},
                     "c10::Device",
                     filled("c10::Device(static_cast<c10::DeviceType>($name$), "
                            "static_cast<c10::DeviceIndex>($name$_index_))",
                            {{"name", name}})};
  }
  const BaseConversion* conversion = find_conversion(type);
  if (conversion == nullptr) {
    return std::nullopt;
  }
  std::string expr = name;
  if (type->is(BaseTy::kTensor) && is_write) {
    expr = "*tensor_handle_to_tensor_pointer(" + name + ")";
  } else if (!conversion->callsite_function.empty()) {
    expr = std::string(conversion->callsite_function) + "(" + name + ")";
  }
  return CArgument{{std::string(conversion->c_type)},
                   {name},
                   std::string(conversion->aten_type),
                   std::move(expr)};
}

constexpr std::string_view kArrayRef = "c10::ArrayRef<";

std::string optional_expr(const CArgument& inner) {
  const std::string& name = inner.names.front();
  const std::string& type = inner.aten_type;
  if (type.starts_with(kArrayRef)) {
    return "pointer_to_optional_list<" +
           type.substr(kArrayRef.size(), type.size() - kArrayRef.size() - 1) +
           ">(" + name + ", " + inner.names.at(1) + ")";
  }
  if (type == "c10::Device") {
    return "pointer_to_optional_device(" + name + ", " + inner.names.at(1) +
           ")";
  }
  if (type == "at::Tensor") {
    return "resolve_tensor_dispatch_flags(" + name + ")";
  }
  return "pointer_to_optional<" + type + ">(" + name + ")";
}

std::optional<CArgument> convert_optional(const Type* type,
                                          const std::string& name) {
  auto argument = convert_arg_type_and_name(type->elem(), name);
  if (argument) {
    argument->callsite_expr = optional_expr(*argument);
    argument->c_types.front().append("*");
    argument->aten_type = "::std::optional<" + argument->aten_type + ">";
  }
  return argument;
}

std::string list_expr(const Type* type,
                      const std::string& elem,
                      const std::string& name,
                      bool is_write) {
  if (elem == "bool") {
    if (!type->size()) {
      throw api::ApiError("a list of bool must have a size: " + name);
    }
    return "pointer_to_list<" + std::to_string(*type->size()) + ">(" + name +
           ")";
  }
  if (elem == "at::Tensor" && !is_write) {
    return filled("resolve_tensor_list_dispatch_flags($name$, $name$_len_)",
                  {{"name", name}});
  }
  if (elem == "::std::optional<at::Tensor>") {
    return filled(
        "c10::List<$elem$>(c10::ArrayRef<$elem$>("
        "resolve_tensor_list_dispatch_flags($name$, $name$_len_)))",
        {{"elem", elem}, {"name", name}});
  }
  return filled("pointer_to_list<$elem$>($name$, $name$_len_)",
                {{"elem", elem}, {"name", name}});
}

std::optional<CArgument> convert_list(const Type* type,
                                      const std::string& name,
                                      bool is_write) {
  auto argument = convert_arg_type_and_name(type->elem(), name);
  if (!argument) {
    return argument;
  }
  if (argument->c_types.size() != 1) {
    throw api::ApiError("the C shim cannot pass a " + type->str());
  }
  argument->callsite_expr =
      list_expr(type, argument->aten_type, name, is_write);
  argument->c_types = {"const " + argument->c_types.front() + "*", "int64_t"};
  argument->names.push_back(name + "_len_");
  argument->aten_type = std::string(kArrayRef) + argument->aten_type + ">";
  return argument;
}

// Operators that inductor calls without asking for all of the results.
constexpr std::array<std::string_view, 11> kResultsMayBeNull{
    "_functional_sym_constrain_range",
    "_scaled_dot_product_cudnn_attention",
    "_scaled_dot_product_efficient_attention_backward",
    "_scaled_dot_product_efficient_attention",
    "_scaled_dot_product_flash_attention",
    "_scaled_dot_product_fused_attention_overrideable",
    "_thhn_fused_lstm_cell_backward_impl",
    "convolution_backward",
    "grid_sampler_2d_backward",
    "grid_sampler_3d_backward",
    "linear_backward",
};

std::string convert_return(const Type* type, const std::string& value) {
  if (type->is(BaseTy::kTensor)) {
    return "new_tensor_handle(std::move(" + value + "))";
  }
  if (type->is(BaseTy::kSymInt)) {
    return value + ".expect_int()";
  }
  return type->is(BaseTy::kScalar) ? value + ".toDouble()" : value;
}

}  // namespace

std::optional<CArgument> convert_arg_type_and_name(const Type* type,
                                                   const std::string& name,
                                                   bool is_write) {
  switch (type->kind()) {
    case Type::Kind::kBase:
      return convert_base(type, name, is_write);
    case Type::Kind::kOptional:
      return convert_optional(type, name);
    case Type::Kind::kList:
      return convert_list(type, name, is_write);
    case Type::Kind::kCustomClass:
      break;
  }
  return std::nullopt;
}

std::optional<CDeclarations> gen_arguments(
    std::span<const model::Argument* const> flat_arguments,
    const std::set<std::string>& skipped_args) {
  CDeclarations result;
  for (const model::Argument* arg : flat_arguments) {
    if (skipped_args.contains(arg->name)) {
      result.callsite_exprs.push_back(
          arg->default_value
              ? api::cpp::default_expr(*arg->default_value, arg->type, false)
              : "std::nullopt");
      continue;
    }
    auto converted =
        convert_arg_type_and_name(arg->type, arg->name, arg->is_write());
    if (!converted) {
      return std::nullopt;
    }
    for (std::size_t i = 0; i < converted->c_types.size(); ++i) {
      result.declarations.push_back(converted->c_types[i] + " " +
                                    converted->names[i]);
    }
    result.callsite_exprs.push_back(std::move(converted->callsite_expr));
  }
  return result;
}

std::optional<CDeclarations> gen_returns(const model::FunctionSchema& schema) {
  const std::string name = schema.name.unambiguous_name();
  const bool may_be_null =
      std::ranges::any_of(kResultsMayBeNull, [&name](std::string_view part) {
        return name.find(part) != std::string::npos;
      });
  CDeclarations result;
  for (std::size_t i = 0; i < schema.returns.size(); ++i) {
    const Type* type = schema.returns[i].type;
    const BaseConversion* conversion = find_conversion(type);
    if (conversion == nullptr) {
      return std::nullopt;
    }
    const std::string ret = "ret" + std::to_string(i);
    result.declarations.push_back(std::string(conversion->c_type) + "* " + ret);
    const std::string value = convert_return(
        type, nth_return(i, schema.returns.size(), "tmp_result"));
    result.callsite_exprs.push_back(filled(
        may_be_null ? "if ($ret$) { *$ret$ = $value$; }" : "*$ret$ = $value$;",
        {{"ret", ret}, {"value", value}}));
  }
  return result;
}

}  // namespace opgen::emit
