#include "opgen/model/native_function.h"

#include <algorithm>
#include <array>

namespace opgen::model {

namespace {

constexpr std::array<std::string_view, kScalarTypeCount> kScalarTypeNames = {
    "Byte",
    "Char",
    "Short",
    "Int",
    "Long",
    "Half",
    "Float",
    "Double",
    "ComplexHalf",
    "ComplexFloat",
    "ComplexDouble",
    "Bool",
    "BFloat16",
    "Float8_e5m2",
    "Float8_e5m2fnuz",
    "Float8_e4m3fn",
    "Float8_e4m3fnuz",
    "Float8_e8m0fnu",
};

constexpr std::array<std::string_view, kUfuncKeyCount> kUfuncKeyNames = {
    "CUDAFunctor",
    "CUDAFunctorOnOther",
    "CUDAFunctorOnSelf",
    "CPUScalar",
    "CPUVector",
    "ScalarOnly",
    "Generic",
};

template <typename Enum, std::size_t N>
std::optional<Enum> find_name(const std::array<std::string_view, N>& names,
                              std::string_view name) {
  const auto* found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    return std::nullopt;
  }
  return static_cast<Enum>(found - names.begin());
}

bool has_wildcard(const Argument& argument) {
  if (!argument.annotation) {
    return false;
  }
  const auto& after = argument.annotation->alias_set_after;
  return std::find(after.begin(), after.end(), "*") != after.end();
}

bool has_overload(const OperatorName& name, std::string_view base) {
  return name.overload_name.empty() && name.name.inplace &&
         !name.name.dunder_method && name.name.base == base;
}

}  // namespace

std::string_view name_of(ScalarType type) {
  return kScalarTypeNames.at(static_cast<std::size_t>(type));
}

std::optional<ScalarType> parse_scalar_type(std::string_view name) {
  return find_name<ScalarType>(kScalarTypeNames, name);
}

std::string_view name_of(UfuncKey key) {
  return kUfuncKeyNames.at(static_cast<std::size_t>(key));
}

std::optional<UfuncKey> parse_ufunc_key(std::string_view name) {
  return find_name<UfuncKey>(kUfuncKeyNames, name);
}

const std::vector<Argument>* Precompute::find(std::string_view name) const {
  for (const auto& [argument, replacements] : replace) {
    if (argument == name) {
      return &replacements;
    }
  }
  return nullptr;
}

bool NativeFunction::has_tag(std::string_view tag) const {
  return std::binary_search(tags.begin(), tags.end(), tag);
}

bool NativeFunction::has_composite_kernel() const {
  return has_composite_implicit_autograd_kernel ||
         has_composite_explicit_autograd_kernel ||
         has_composite_explicit_autograd_non_functional_kernel;
}

bool NativeFunction::is_view_op() const {
  const auto is_view = [](const Return& r) {
    return r.annotation && !r.annotation->is_write;
  };
  if (std::any_of(func.returns.begin(), func.returns.end(), is_view)) {
    return true;
  }
  const auto arguments = func.arguments.flat_all();
  if (std::any_of(arguments.begin(), arguments.end(), has_wildcard)) {
    return true;
  }
  return has_tag("inplace_view") && !has_overload(func.name, "resize") &&
         !has_overload(func.name, "resize_as");
}

ViewSchemaKind NativeFunction::view_schema_kind() const {
  if (!is_view_op()) {
    return ViewSchemaKind::kNonAliasing;
  }
  return func.name.name.inplace ? ViewSchemaKind::kAliasingInplace
                                : ViewSchemaKind::kAliasing;
}

}  // namespace opgen::model
