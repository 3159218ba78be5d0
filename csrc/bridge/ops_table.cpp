#include "csrc/bridge/ops_table.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>

#include <dlfcn.h>
#include <link.h>

// Mangled names, since a weak reference cannot be made to a template's
// instantiation otherwise.
extern "C" {
__attribute__((weak)) const infini_extension::OpsTable* infini_ops_extension(
    std::uint32_t version);

__attribute__((weak)) void
infini_ops_add(const infini::ops::Handle&, const infini::ops::Config&, const infini::rt::TensorView&, const infini::rt::TensorView&, const infini::rt::TensorView&) __asm__(
    "_ZN6infini3ops8OperatorINS0_3AddELNS_2rt6Device4TypeE8ELm0EE4CallIJNS3_"
    "10TensorViewES8_S8_EEEvRKNS0_6HandleERKNS0_6ConfigEDpRKT_");
}

namespace torch_infini {
namespace {

using infini::rt::DataType;

static_assert(!std::is_polymorphic_v<infini::ops::Handle> &&
                  !std::is_polymorphic_v<infini::ops::Config>,
              "INFINI_OPS_PREFIX names an InfiniOps of another layout: its "
              "Handle and Config have virtual functions. See "
              "docs/external-stack.md for the commits that are supported.");

struct Close {
  void operator()(void* library) const { dlclose(library); }
};

using Library = std::unique_ptr<void, Close>;

Library loaded_ops_library() {
  return Library(dlopen("libinfiniops.so", RTLD_LAZY | RTLD_NOLOAD));
}

std::string path_of(const void* symbol) {
  Dl_info info{};
  return symbol != nullptr && dladdr(symbol, &info) != 0 &&
                 info.dli_fname != nullptr
             ? info.dli_fname
             : "";
}

}  // namespace

const OpsTable& ops_table() {
  static const OpsTable table{&infini_ops_add};
  return table;
}

const infini_extension::OpsTable* ops_extension() noexcept {
  return infini_ops_extension != nullptr
             ? infini_ops_extension(infini_extension::kOpsVersion)
             : nullptr;
}

// Note [Which results are right]
// Upstream's Add at the pinned commit computes float16 sums through a
// conversion that truncates, so a quarter of them differ from the correctly
// rounded ones; every other type is right. A library with the extension table
// says so itself.
bool add_is_exact(DataType dtype) {
  static const std::uint32_t exact =
      ops_extension() != nullptr
          ? ops_extension()->exact_dtypes("Add")
          : ~(1U << static_cast<unsigned>(DataType::kFloat16));
  return ((exact >> static_cast<unsigned>(dtype)) & 1U) != 0;
}

std::optional<DataType> infini_dtype(c10::ScalarType dtype) {
  switch (dtype) {
    case c10::ScalarType::Char:
      return DataType::kInt8;
    case c10::ScalarType::Short:
      return DataType::kInt16;
    case c10::ScalarType::Int:
      return DataType::kInt32;
    case c10::ScalarType::Long:
      return DataType::kInt64;
    case c10::ScalarType::Byte:
      return DataType::kUInt8;
    case c10::ScalarType::UInt16:
      return DataType::kUInt16;
    case c10::ScalarType::UInt32:
      return DataType::kUInt32;
    case c10::ScalarType::UInt64:
      return DataType::kUInt64;
    case c10::ScalarType::Half:
      return DataType::kFloat16;
    case c10::ScalarType::BFloat16:
      return DataType::kBFloat16;
    case c10::ScalarType::Float:
      return DataType::kFloat32;
    case c10::ScalarType::Double:
      return DataType::kFloat64;
    default:
      return std::nullopt;
  }
}

std::string runtime_library_path() {
  return path_of(
      reinterpret_cast<const void*>(&infini::rt::runtime::DeviceSynchronize));
}

// Asked of the loader, since a library may lack every symbol of the table.
std::string ops_library_path() {
  const Library library = loaded_ops_library();
  link_map* map = nullptr;
  return library != nullptr && dlinfo(library.get(),
                                      RTLD_DI_LINKMAP,
                                      static_cast<void*>(&map)) == 0
             ? map->l_name
             : "";
}

// Note [Marks of a foreign layout]
// Later InfiniOps commits gave Handle and Config virtual functions. Their
// libraries export the same Call symbols, so they load and then misread every
// argument. These symbols exist only there. They are looked up in the library
// itself: other code in the process may define them for its own use.
std::string foreign_layout() {
  const Library library = loaded_ops_library();
  if (library == nullptr) {
    return "";
  }
  std::string found;
  for (const char* mark : {"_ZNK6infini3ops6Handle5CloneEv",
                           "_ZNK6infini3ops6Config5CloneEv",
                           "_ZTVN6infini3ops6HandleE",
                           "_ZTVN6infini3ops6ConfigE"}) {
    if (dlsym(library.get(), mark) != nullptr) {
      found = "its Handle and Config have virtual functions";
    }
  }
  return found;
}

}  // namespace torch_infini
