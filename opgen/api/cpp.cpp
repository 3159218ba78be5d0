#include "opgen/api/cpp.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "opgen/api/error.h"
#include "opgen/api/types/binding.h"
#include "opgen/api/types/ctype.h"
#include "opgen/model/function_schema.h"
#include "opgen/model/native_function.h"
#include "opgen/model/type.h"

namespace opgen::api::cpp {
namespace {

using model::BaseTy;
using model::Type;

const CType* mutable_tensor_or(bool is_mutable,
                               Locals locals,
                               const CType* otherwise) {
  return is_mutable && !locals.use_const_ref_for_mutable_tensors
             ? CType::mut_ref(kTensorT)
             : otherwise;
}

const CType* optional_type(const Type& t,
                           ArgumentTypeOptions options,
                           Locals locals) {
  const Type& elem = *t.elem();
  if (elem.is(BaseTy::kTensor)) {
    return mutable_tensor_or(
        options.mutable_, locals, CType::const_ref(CType::optional(kTensorT)));
  }
  if (elem.is(BaseTy::kScalar)) {
    return CType::const_ref(CType::optional(kScalarT));
  }
  if (elem.is_list() && elem.elem()->is(BaseTy::kInt)) {
    return kOptionalIntArrayRefT;
  }
  if (elem.is_list() && elem.elem()->is(BaseTy::kSymInt)) {
    return options.symint ? kOptionalSymIntArrayRefT : kOptionalIntArrayRefT;
  }
  options.remove_non_owning_ref_types = false;
  return CType::optional(argumenttype_type(&elem, options, locals));
}

const CType* list_type(const Type& t,
                       ArgumentTypeOptions options,
                       Locals locals) {
  const Type& elem = *t.elem();
  const bool owning = options.remove_non_owning_ref_types;
  if (elem.is(BaseTy::kSymInt) && options.symint) {
    return owning ? CType::vector(kSymIntT) : kSymIntArrayRefT;
  }
  if (elem.is(BaseTy::kInt) || elem.is(BaseTy::kSymInt)) {
    return owning ? CType::vector(kLongT) : kIntArrayRefT;
  }
  if (elem.is(BaseTy::kTensor)) {
    return locals.use_ilistref_for_tensor_lists
               ? CType::const_ref(kITensorListRefT)
               : kTensorListT;
  }
  if (elem.is(BaseTy::kScalar)) {
    return CType::array_ref(kScalarT);
  }
  if (elem.is(BaseTy::kDimname)) {
    return kDimnameListT;
  }
  if (elem.is_optional() && elem.elem()->is(BaseTy::kTensor)) {
    return CType::const_ref(CType::list(CType::optional(kTensorT)));
  }
  options.remove_non_owning_ref_types = false;
  return CType::array_ref(argumenttype_type(&elem, options, locals));
}

}  // namespace

std::string name(const model::FunctionSchema& func, NameOptions options) {
  std::string name = func.name.name.str();
  if (options.symint_overload) {
    name += "_symint";
  }
  if (func.is_out_fn()) {
    name += options.faithful_name_for_out_overloads ? "_outf" : "_out";
  }
  return name;
}

const CType* valuetype_type(const Type* t, bool symint) {
  switch (t->kind()) {
    case Type::Kind::kBase: {
      if (t->is(BaseTy::kTensor) || t->is(BaseTy::kScalar)) {
        return nullptr;
      }
      if (t->is(BaseTy::kSymInt) && !symint) {
        return kLongT;
      }
      const CType* type = base_type_to_cpp(t->base_ty());
      if (type == nullptr) {
        throw ApiError("the type '" + t->str() + "' has no C++ type");
      }
      return type;
    }
    case Type::Kind::kOptional: {
      const CType* elem = valuetype_type(t->elem(), symint);
      return elem == nullptr ? nullptr : CType::optional(elem);
    }
    case Type::Kind::kList:
      if (!t->elem()->is(BaseTy::kBool)) {
        return nullptr;
      }
      if (!t->size()) {
        throw ApiError("a list of bool needs a size, as in 'bool[3]'");
      }
      return CType::array(kBoolT, *t->size());
    case Type::Kind::kCustomClass:
      break;
  }
  throw ApiError("the type '" + t->str() + "' has no C++ type");
}

const CType* argumenttype_type(const Type* t,
                               ArgumentTypeOptions options,
                               Locals locals) {
  const CType* value_type = valuetype_type(t, options.symint);
  if (value_type != nullptr) {
    return value_type;
  }
  if (t->is(BaseTy::kTensor)) {
    return mutable_tensor_or(
        options.mutable_, locals, CType::const_ref(kTensorT));
  }
  if (t->is(BaseTy::kScalar)) {
    return CType::const_ref(kScalarT);
  }
  return t->is_optional() ? optional_type(*t, options, locals)
                          : list_type(*t, options, locals);
}

NamedCType argument_type(const model::Argument& a,
                         std::string binds,
                         bool symint,
                         Locals locals) {
  return {std::move(binds),
          argumenttype_type(
              a.type, {.mutable_ = a.is_write(), .symint = symint}, locals)};
}

const CType* returntype_type(const Type* t, bool is_mutable, Locals locals) {
  const CType* value_type = valuetype_type(t, /*symint=*/true);
  if (value_type != nullptr) {
    return value_type;
  }
  if (t->is(BaseTy::kTensor)) {
    if (!is_mutable) {
      return kTensorT;
    }
    return locals.use_const_ref_for_mutable_tensors ? CType::const_ref(kTensorT)
                                                    : CType::mut_ref(kTensorT);
  }
  if (t->is(BaseTy::kScalar)) {
    return kScalarT;
  }
  if (t->is_list()) {
    if (is_mutable) {
      throw ApiError("the mutable list '" + t->str() +
                     "' cannot be returned; return nothing, '()', instead");
    }
    const CType* elem =
        returntype_type(t->elem(), /*is_mutable=*/false, locals);
    if (t->size()) {
      throw ApiError("the list '" + t->str() +
                     "' cannot be returned because it has a size");
    }
    return CType::vector(elem);
  }
  if (t->is_optional() && t->elem()->is(BaseTy::kTensor)) {
    return CType::optional(returntype_type(t->elem(), is_mutable, locals));
  }
  throw ApiError("the type '" + t->str() + "' cannot be returned");
}

const CType* return_type(const model::Return& r, Locals locals) {
  return returntype_type(r.type, r.is_write(), locals);
}

const CType* returns_type(std::span<const model::Return> rs, Locals locals) {
  if (rs.empty()) {
    return kVoidT;
  }
  if (rs.size() == 1) {
    return return_type(rs.front(), locals);
  }
  std::vector<const CType*> elems;
  elems.reserve(rs.size());
  for (const model::Return& r : rs) {
    elems.push_back(return_type(r, locals));
  }
  return CType::tuple(elems);
}

std::vector<std::string> return_names(const model::NativeFunction& f,
                                      std::string_view fallback_name) {
  const model::FunctionSchema& func = f.func;
  const std::span<const model::Argument> args = func.arguments.flat_all();
  const std::span<const model::Argument> out = func.arguments.out();
  std::vector<std::string> names;
  names.reserve(func.returns.size());
  for (std::size_t i = 0; i < func.returns.size(); ++i) {
    const model::Return& r = func.returns[i];
    if (func.name.name.inplace) {
      if (i != 0) {
        throw ApiError("an in-place operator returns one value, self");
      }
      names.emplace_back("self");
    } else if (func.is_out_fn()) {
      if (i >= out.size()) {
        throw ApiError("more values are returned than there are outputs");
      }
      names.push_back(out[i].name);
    } else if (r.name && !r.name->empty()) {
      const bool conflict = std::ranges::any_of(
          args, [&](const model::Argument& a) { return a.name == *r.name; });
      names.push_back(conflict ? *r.name + "_return" : *r.name);
    } else {
      std::string name(fallback_name);
      if (func.returns.size() != 1) {
        name += std::to_string(i);
      }
      names.push_back(std::move(name));
    }
  }
  return names;
}

}  // namespace opgen::api::cpp
