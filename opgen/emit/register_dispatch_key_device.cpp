#include "opgen/emit/register_dispatch_key_device.h"

#include <span>
#include <string>
#include <string_view>

#include "opgen/model/backend_index.h"
#include "opgen/model/dispatch_key.h"
#include "opgen/model/function_schema.h"
#include "opgen/model/native_function.h"

namespace opgen::emit {
namespace {

using model::Argument;

void check_arguments(std::span<const Argument> arguments,
                     std::string_view method_name,
                     std::string& out) {
  for (const Argument& a : arguments) {
    if (!a.type->is_tensor_like()) {
      continue;
    }
    out += "\n  c10::impl::check_and_update_common_device(common_device, ";
    out += a.name;
    out += ", \"";
    out += method_name;
    out += "\", \"";
    out += a.name;
    out += "\");";
  }
}

const Argument* first_tensor(std::span<const Argument> arguments) {
  for (const Argument& a : arguments) {
    if (a.type->is_tensor_like()) {
      return &a;
    }
  }
  return nullptr;
}

const Argument* device_of(const model::Arguments& arguments) {
  const Argument* self = arguments.self_arg();
  if (self != nullptr && self->type->is_tensor_like()) {
    return self;
  }
  const Argument* found = first_tensor(arguments.out());
  return found != nullptr ? found : first_tensor(arguments.flat_positional());
}

}  // namespace

void gen_device_check(const model::NativeFunction& f,
                      std::string_view method_name,
                      std::string& out) {
  if (f.device_check == model::DeviceCheckType::kNoCheck) {
    out += "  // No device check\n";
    return;
  }
  out +=
      "std::optional<Device> common_device = std::nullopt;\n"
      "(void)common_device; // Suppress unused variable warning\n";
  check_arguments(f.func.arguments.out(), method_name, out);
  check_arguments(f.func.arguments.flat_positional(), method_name, out);
}

void gen_device_guard(const model::NativeFunction& f,
                      const model::BackendIndex& backend_index,
                      std::string& out) {
  constexpr std::string_view kOmitted = "// DeviceGuard omitted";
  if (!f.device_guard || !backend_index.device_guard) {
    out += kOmitted;
    return;
  }
  if (f.func.arguments.tensor_options()) {
    if (model::is_cuda_dispatch_key(backend_index.dispatch_key)) {
      out += "globalContext().lazyInitDevice(c10::DeviceType::CUDA);\n";
    }
    out += "\n  const DeviceGuard device_guard(device_or_default(device));";
    return;
  }
  const Argument* tensor = device_of(f.func.arguments);
  if (tensor == nullptr) {
    out += kOmitted;
    return;
  }
  out += "const OptionalDeviceGuard device_guard(device_of(";
  out += tensor->name;
  out += "));";
}

}  // namespace opgen::emit
