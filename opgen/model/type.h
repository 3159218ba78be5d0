// The types of PyTorch's schema language: `Tensor`, `int[2]`, `Scalar?`, ...
//
// Types are interned: two types are equal exactly when their addresses are.
// They live as long as the process. Every function may be called from any
// thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace opgen::model {

enum class BaseTy : std::uint8_t {
  kGenerator,
  kScalarType,
  kTensor,
  kInt,
  kDimVector,
  kFloat,
  kStr,
  kBool,
  kLayout,
  kDevice,
  kDeviceIndex,
  kScalar,
  kMemoryFormat,
  kQScheme,
  kStorage,
  kStream,
  kSymInt,
  kSymBool,
  kGraphModule,
  kDimname,  // until PyTorch 2.12
};

inline constexpr std::size_t kBaseTyCount = 20;

// As schemas spell it, e.g. "int".
std::string_view name_of(BaseTy base);
std::optional<BaseTy> parse_base_ty(std::string_view name);

class Type {
 public:
  enum class Kind : std::uint8_t { kBase, kOptional, kList, kCustomClass };

  static const Type* base(BaseTy base);
  static const Type* optional(const Type* elem);
  // `size` is at least 1 where given.
  static const Type* list(const Type* elem, std::optional<std::int64_t> size);
  // `class_name` without the prefix `__torch__.torch.classes.`.
  static const Type* custom_class(std::string_view class_name);

  Kind kind() const { return kind_; }

  bool is(BaseTy base) const { return kind_ == Kind::kBase && base_ == base; }

  bool is_base() const { return kind_ == Kind::kBase; }

  bool is_optional() const { return kind_ == Kind::kOptional; }

  bool is_list() const { return kind_ == Kind::kList; }

  // Only of kind kBase.
  BaseTy base_ty() const { return base_; }

  // What an optional or a list holds; null for others.
  const Type* elem() const { return elem_; }

  // Only of kind kList.
  std::optional<std::int64_t> size() const { return size_; }

  // The type as schemas spell it.
  const std::string& str() const { return str_; }

  // Whether the innermost element is this base type.
  bool is_base_ty_like(BaseTy base) const { return innermost_->is(base); }

  bool is_tensor_like() const { return is_base_ty_like(BaseTy::kTensor); }

  bool is_generator_like() const { return is_base_ty_like(BaseTy::kGenerator); }

  bool is_symint_like() const { return is_base_ty_like(BaseTy::kSymInt); }

  bool is_nullable() const;
  // The list inside, through optionals; null if there is none.
  const Type* is_list_like() const;

  Type(const Type&) = delete;
  Type& operator=(const Type&) = delete;
  ~Type() = default;

 private:
  friend class TypePool;

  Type(Kind kind,
       BaseTy base,
       const Type* elem,
       std::optional<std::int64_t> size,
       std::string str);

  Kind kind_;
  BaseTy base_;
  const Type* elem_;
  const Type* innermost_;
  std::optional<std::int64_t> size_;
  std::string str_;
  // Types made from this one, so that most look-ups take no lock.
  mutable std::atomic<const Type*> optional_{nullptr};
  mutable std::atomic<const Type*> list_{nullptr};
};

}  // namespace opgen::model
