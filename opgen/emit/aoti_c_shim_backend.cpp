#include "opgen/emit/aoti_c_shim_backend.h"

#include <variant>

#include "opgen/api/cpp.h"

namespace opgen::emit {

using model::DispatchKey;

std::string get_fallback_op_name(const model::NativeFunction& f) {
  const model::OperatorName& name = f.func.name;
  std::string text = f.namespace_;
  text.append(".").append(name.name.str()).append(".");
  return text.append(name.overload_name.empty() ? "default"
                                                : name.overload_name);
}

StructuredGroups structured_groups(const model::NativeFunctions& program) {
  StructuredGroups groups;
  for (const model::FunctionOrGroup& item : program.grouped_native_functions) {
    const auto* group = std::get_if<const model::NativeFunctionsGroup*>(&item);
    if (group == nullptr) {
      continue;
    }
    for (const model::NativeFunction* f : (*group)->functions()) {
      if (f->structured_delegate) {
        groups.insert_or_assign(f->structured_delegate->str(), *group);
        break;
      }
    }
  }
  return groups;
}

std::string device_name(std::optional<DispatchKey> dispatch_key) {
  return dispatch_key ? lower_name_of(*dispatch_key) : "aten";
}

ShimBackend::ShimBackend(const model::NativeFunctions& program,
                         const StructuredGroups& groups,
                         std::optional<DispatchKey> dispatch_key,
                         bool extend_aoti_c_shim)
    : program_(program),
      groups_(groups),
      dispatch_key_(dispatch_key),
      extend_aoti_c_shim_(extend_aoti_c_shim) {}

bool ShimBackend::has_kernel(DispatchKey key,
                             const model::NativeFunction& f) const {
  const auto index = program_.backend_indices.find(key);
  if (index == program_.backend_indices.end()) {
    return false;
  }
  if (index->second.has_kernel(f)) {
    return true;
  }
  // Only the shim's own key looks at the group.
  if (key != dispatch_key_ || !f.structured_delegate) {
    return false;
  }
  const auto group = groups_.find(f.structured_delegate->str());
  return group != groups_.end() && index->second.has_kernel(*group->second);
}

std::optional<DispatchKey> ShimBackend::get_backend_index_for_aoti(
    const model::NativeFunction& f) const {
  if (!dispatch_key_ || has_kernel(*dispatch_key_, f)) {
    return dispatch_key_;
  }
  if (extend_aoti_c_shim_) {
    return std::nullopt;
  }
  for (const DispatchKey key :
       {DispatchKey::kCompositeExplicitAutograd,
        DispatchKey::kCompositeExplicitAutogradNonFunctional,
        DispatchKey::kCompositeImplicitAutograd}) {
    if (has_kernel(key, f)) {
      return key;
    }
  }
  return std::nullopt;
}

std::optional<std::string> ShimBackend::gen_static_dispatch_backend_call(
    const model::NativeFunction& f) const {
  const auto key = get_backend_index_for_aoti(f);
  const bool symint = f.func.has_symint();
  std::string name = api::cpp::name(f.func, {.symint_overload = symint});
  if (key) {
    return "at::" + device_name(key) + "::" + name;
  }
  if (dispatch_key_) {
    return std::nullopt;
  }
  if (!symint || f.function_variant) {
    return "at::" + name;
  }
  constexpr std::string_view kSuffix = "_symint";
  if (name.ends_with(kSuffix)) {
    name.resize(name.size() - kSuffix.size());
  }
  return "at::symint::" + name + "<c10::SymInt>";
}

std::optional<std::string> ShimBackend::get_header_for_aoti(
    const model::NativeFunction& f) const {
  if (!dispatch_key_) {
    return "#include <ATen/ops/" + f.root_name() + ".h>";
  }
  const auto key = get_backend_index_for_aoti(f);
  if (!key) {
    return std::nullopt;
  }
  return "#include <ATen/ops/" + f.root_name() + "_" + device_name(key) +
         "_dispatch.h>";
}

}  // namespace opgen::emit
