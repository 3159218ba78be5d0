// The kernels of one dispatch key of a backend, and the texts made for them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "opgen/backend/backend_yaml.h"
#include "opgen/emit/target.h"
#include "opgen/model/backend_index.h"
#include "opgen/model/selective_builder.h"

namespace opgen::backend {

// How wrappers look after devices.
struct DeviceRules {
  bool device_guard = false;  // select the device of the arguments
  bool device_check = false;  // and check that it is the same for all

  bool operator==(const DeviceRules&) const = default;
};

// What holds for a kernel of `f`, for which the description may have flags.
DeviceRules device_rules(const BackendYaml& yaml,
                         const model::NativeFunction& f,
                         const std::optional<bool>& device_guard,
                         const std::optional<bool>& device_check);

class KeyKernels {
 public:
  // `yaml` must outlive the object. `on_device`: wrappers follow the rules for
  // devices; those of keys that only overlays use do not.
  KeyKernels(model::DispatchKey key, const BackendYaml& yaml, bool on_device);

  // A kernel of the function; false if it has one already.
  bool add(const BackendKernel& kernel);
  // A structured kernel; wrappers of it come in the place of its group.
  void add(const StructuredKernel& kernel);

  model::DispatchKey key() const { return index_.dispatch_key; }

  const model::BackendIndex& index() const { return index_; }

  // In the order in which they were added.
  const std::vector<BackendKernel>& kernels() const { return kernels_; }

  const std::vector<const StructuredKernel*>& structured() const {
    return structured_;
  }

  // Where the description lists the function; no place if it does not.
  text::SourceRange where(const model::NativeFunction& f) const;

  // Whether the item or one of its functions has a kernel.
  bool has_kernel(const model::FunctionOrGroup& item) const;

  // Namespaces of the operators that have kernels: "aten" first, if it is among
  // them.
  std::vector<std::string> namespaces() const;

  // Wrappers or registrations for what the item has kernels of, appended to
  // `out`; for the backend's keys also for variants that can be derived from
  // these. Throws EmitError.
  void generate(emit::Target target,
                const model::SelectiveBuilder& selector,
                const model::FunctionOrGroup& item,
                std::vector<std::string>& out) const;

 private:
  void generate_one(emit::Target target,
                    const model::SelectiveBuilder& selector,
                    const model::NativeFunction& f,
                    const model::NativeFunctionsGroup* g,
                    std::vector<std::string>& out) const;

  const BackendYaml* yaml_;
  bool on_device_;
  model::BackendIndex index_;
  // The same kernels with device_guard, for functions with rules of their own,
  // and these functions with flags that say what the rules are.
  model::BackendIndex guarded_index_;
  std::unordered_map<const model::NativeFunction*,
                     std::unique_ptr<const model::NativeFunction>>
      ruled_;
  std::vector<BackendKernel> kernels_;
  std::unordered_map<const model::NativeFunction*, text::SourceRange> where_;
  std::vector<const StructuredKernel*> structured_;
  std::unordered_map<const model::NativeFunctionsGroup*,
                     const StructuredKernel*>
      structured_of_;
};

}  // namespace opgen::backend
