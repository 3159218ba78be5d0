#include "opgen/model/type.h"

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace opgen::model {

namespace {

constexpr std::array<std::string_view, kBaseTyCount> kBaseTyNames = {
    "Generator",   "ScalarType", "Tensor",       "int",         "DimVector",
    "float",       "str",        "bool",         "Layout",      "Device",
    "DeviceIndex", "Scalar",     "MemoryFormat", "QScheme",     "Storage",
    "Stream",      "SymInt",     "SymBool",      "GraphModule", "Dimname",
};

}  // namespace

std::string_view name_of(BaseTy base) {
  return kBaseTyNames.at(static_cast<std::size_t>(base));
}

std::optional<BaseTy> parse_base_ty(std::string_view name) {
  for (std::size_t i = 0; i < kBaseTyNames.size(); ++i) {
    if (kBaseTyNames[i] == name) {
      return static_cast<BaseTy>(i);
    }
  }
  return std::nullopt;
}

class TypePool {
 public:
  TypePool() {
    for (std::size_t i = 0; i < kBaseTyCount; ++i) {
      const auto base = static_cast<BaseTy>(i);
      base_.at(i) = make(Type::Kind::kBase,
                         base,
                         nullptr,
                         std::nullopt,
                         std::string(name_of(base)));
    }
  }

  // Never destroyed: types may be used while the process ends.
  static TypePool& instance() {
    static TypePool& pool = *new TypePool();
    return pool;
  }

  const Type* base(BaseTy base) const {
    return base_.at(static_cast<std::size_t>(base));
  }

  const Type* optional(const Type* elem) {
    return derive(elem->optional_, Type::Kind::kOptional, elem, "?");
  }

  const Type* list(const Type* elem) {
    return derive(elem->list_, Type::Kind::kList, elem, "[]");
  }

  const Type* sized_list(const Type* elem, std::int64_t size) {
    const std::lock_guard lock(mutex_);
    const Type*& entry = sized_lists_[{elem, size}];
    if (entry == nullptr) {
      entry = make(Type::Kind::kList,
                   BaseTy::kTensor,
                   elem,
                   size,
                   elem->str() + "[" + std::to_string(size) + "]");
    }
    return entry;
  }

  const Type* custom_class(std::string_view class_name) {
    const std::lock_guard lock(mutex_);
    const auto found = custom_classes_.find(class_name);
    if (found != custom_classes_.end()) {
      return found->second;
    }
    const Type* type =
        make(Type::Kind::kCustomClass,
             BaseTy::kTensor,
             nullptr,
             std::nullopt,
             "__torch__.torch.classes." + std::string(class_name));
    custom_classes_.emplace(class_name, type);
    return type;
  }

 private:
  const Type* derive(std::atomic<const Type*>& cache,
                     Type::Kind kind,
                     const Type* elem,
                     const char* suffix) {
    if (const Type* known = cache.load(std::memory_order_acquire)) {
      return known;
    }
    const std::lock_guard lock(mutex_);
    if (const Type* known = cache.load(std::memory_order_relaxed)) {
      return known;
    }
    const Type* type =
        make(kind, BaseTy::kTensor, elem, std::nullopt, elem->str() + suffix);
    cache.store(type, std::memory_order_release);
    return type;
  }

  const Type* make(Type::Kind kind,
                   BaseTy base,
                   const Type* elem,
                   std::optional<std::int64_t> size,
                   std::string str) {
    all_.emplace_back(new Type(kind, base, elem, size, std::move(str)));
    return all_.back().get();
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<const Type>> all_;
  std::array<const Type*, kBaseTyCount> base_ = {};
  std::map<std::pair<const Type*, std::int64_t>, const Type*> sized_lists_;
  std::map<std::string, const Type*, std::less<>> custom_classes_;
};

Type::Type(Kind kind,
           BaseTy base,
           const Type* elem,
           std::optional<std::int64_t> size,
           std::string str)
    : kind_(kind),
      base_(base),
      elem_(elem),
      innermost_(elem == nullptr ? this : elem->innermost_),
      size_(size),
      str_(std::move(str)) {}

const Type* Type::base(BaseTy base) {
  return TypePool::instance().base(base);
}

const Type* Type::optional(const Type* elem) {
  return TypePool::instance().optional(elem);
}

const Type* Type::list(const Type* elem, std::optional<std::int64_t> size) {
  TypePool& pool = TypePool::instance();
  return size ? pool.sized_list(elem, *size) : pool.list(elem);
}

const Type* Type::custom_class(std::string_view class_name) {
  return TypePool::instance().custom_class(class_name);
}

bool Type::is_nullable() const {
  switch (kind_) {
    case Kind::kOptional:
      return true;
    case Kind::kList:
      return elem_->is_nullable();
    case Kind::kBase:
    case Kind::kCustomClass:
      return false;
  }
  return false;
}

const Type* Type::is_list_like() const {
  switch (kind_) {
    case Kind::kList:
      return this;
    case Kind::kOptional:
      return elem_->is_list_like();
    case Kind::kBase:
    case Kind::kCustomClass:
      return nullptr;
  }
  return nullptr;
}

}  // namespace opgen::model
