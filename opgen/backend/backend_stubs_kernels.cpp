#include "opgen/backend/backend_stubs_kernels.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "opgen/backend/backend_stubs_structured.h"
#include "opgen/backend/backend_yaml.h"
#include "opgen/emit/register_dispatch_key.h"
#include "opgen/emit/register_dispatch_key_error.h"
#include "opgen/emit/target.h"
#include "opgen/emit/unstructured_register.h"
#include "opgen/model/backend_index.h"
#include "opgen/model/dispatch_key.h"
#include "opgen/model/native_function.h"
#include "opgen/model/native_functions_group.h"
#include "opgen/model/selective_builder.h"
#include "opgen/text/source.h"

namespace opgen::backend {
namespace {

using model::NativeFunction;
using model::NativeFunctionsGroup;

bool checks_devices(const NativeFunction& f) {
  return f.device_check == model::DeviceCheckType::kExactSame;
}

}  // namespace

DeviceRules device_rules(const BackendYaml& yaml,
                         const NativeFunction& f,
                         const std::optional<bool>& device_guard,
                         const std::optional<bool>& device_check) {
  const bool checks = yaml.device_check.value_or(yaml.device_guard);
  return {device_guard.value_or(yaml.device_guard && f.device_guard),
          device_check.value_or(checks && checks_devices(f))};
}

KeyKernels::KeyKernels(model::DispatchKey key,
                       const BackendYaml& yaml,
                       bool on_device)
    : yaml_(&yaml), on_device_(on_device) {
  for (model::BackendIndex* index : {&index_, &guarded_index_}) {
    index->dispatch_key = key;
    index->use_out_as_primary = yaml.use_out_as_primary;
    index->external = true;
    index->device_guard = on_device && yaml.device_guard;
  }
  guarded_index_.device_guard = true;
}

bool KeyKernels::add(const BackendKernel& kernel) {
  const NativeFunction& f = *kernel.function;
  const model::BackendMetadata metadata{
      kernel.kernel, false, yaml_->cpp_namespace};
  if (!index_.add(f, metadata)) {
    return false;
  }
  guarded_index_.add(f, metadata);
  kernels_.push_back(kernel);
  where_.emplace(&f, kernel.where);
  const DeviceRules rules =
      device_rules(*yaml_, f, kernel.device_guard, kernel.device_check);
  const DeviceRules plain{yaml_->device_guard && f.device_guard,
                          yaml_->device_guard && checks_devices(f)};
  if (on_device_ && rules != plain) {
    auto ruled = std::make_unique<NativeFunction>(f);
    ruled->device_guard = rules.device_guard;
    ruled->device_check = rules.device_check
                              ? model::DeviceCheckType::kExactSame
                              : model::DeviceCheckType::kNoCheck;
    ruled_.emplace(&f, std::move(ruled));
  }
  return true;
}

void KeyKernels::add(const StructuredKernel& kernel) {
  structured_.push_back(&kernel);
  structured_of_.emplace(kernel.group, &kernel);
}

text::SourceRange KeyKernels::where(const NativeFunction& f) const {
  const auto found = where_.find(&f);
  return found == where_.end() ? text::SourceRange{} : found->second;
}

bool KeyKernels::has_kernel(const model::FunctionOrGroup& item) const {
  if (const auto* f = std::get_if<const NativeFunction*>(&item)) {
    return index_.has_kernel(**f);
  }
  const std::vector<const NativeFunction*> functions =
      std::get<const NativeFunctionsGroup*>(item)->functions();
  return std::any_of(
      functions.begin(), functions.end(), [this](const NativeFunction* f) {
        return index_.has_kernel(*f);
      });
}

std::vector<std::string> KeyKernels::namespaces() const {
  std::vector<std::string> names;
  const auto add_name = [&names](const NativeFunction& f) {
    if (std::find(names.begin(), names.end(), f.namespace_) != names.end()) {
      return;
    }
    names.insert(f.namespace_ == "aten" ? names.begin() : names.end(),
                 f.namespace_);
  };
  for (const BackendKernel& kernel : kernels_) {
    add_name(*kernel.function);
  }
  for (const StructuredKernel* kernel : structured_) {
    add_name(*kernel->group->out);
  }
  return names;
}

void KeyKernels::generate(emit::Target target,
                          const model::SelectiveBuilder& selector,
                          const model::FunctionOrGroup& item,
                          std::vector<std::string>& out) const {
  if (const auto* f = std::get_if<const NativeFunction*>(&item)) {
    generate_one(target, selector, **f, nullptr, out);
    return;
  }
  const auto& g = *std::get<const NativeFunctionsGroup*>(item);
  const auto structured = structured_of_.find(&g);
  if (structured != structured_of_.end()) {
    const StructuredKernel& kernel = *structured->second;
    if (target == emit::Target::kRegistration) {
      gen_structured_registrations(key(), kernel, out);
    } else {
      gen_structured_definitions(key(), *yaml_, kernel, out);
    }
    return;
  }
  for (const NativeFunction* f : {g.functional, g.out, g.inplace, g.mutable_}) {
    // What derives one variant from another works on the backend's devices.
    if (f != nullptr && (on_device_ || index_.has_kernel(*f))) {
      generate_one(target, selector, *f, &g, out);
    }
  }
}

void KeyKernels::generate_one(emit::Target target,
                              const model::SelectiveBuilder& selector,
                              const NativeFunction& f,
                              const NativeFunctionsGroup* g,
                              std::vector<std::string>& out) const {
  const auto ruled = ruled_.find(&f);
  const bool is_ruled = ruled != ruled_.end();
  emit::RegisterDispatchKey settings;
  settings.backend_index = is_ruled ? &guarded_index_ : &index_;
  settings.target = target;
  settings.selector = &selector;
  settings.class_method_name = yaml_->class_name;
  emit::native_function_manager(f, [&] {
    emit::gen_unstructured(settings, is_ruled ? *ruled->second : f, g, out);
  });
}

}  // namespace opgen::backend
