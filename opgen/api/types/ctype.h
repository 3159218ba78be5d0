// C++ types as they stand in generated declarations: `const at::Tensor &`,
// `at::OptionalIntArrayRef`, ...
//
// Interned, like model::Type: equal exactly when the addresses are, alive as
// long as the process, usable from any thread.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "opgen/model/native_function.h"
#include "opgen/model/type.h"

namespace opgen::api {

class CType {
 public:
  enum class Kind : std::uint8_t {
    kBase,
    kConstRef,
    kMutRef,
    kOptional,
    kList,
    kArrayRef,
    kVector,
    kArray,
    kTuple,
    kVectorized,
  };

  // `spelling` with its namespace, e.g. "at::Tensor".
  static const CType* base(std::string_view spelling);
  static const CType* const_ref(const CType* elem);
  static const CType* mut_ref(const CType* elem);
  static const CType* optional(const CType* elem);
  static const CType* list(const CType* elem);
  static const CType* array_ref(const CType* elem);
  static const CType* vector(const CType* elem);
  static const CType* array(const CType* elem, std::int64_t size);
  static const CType* tuple(const std::vector<const CType*>& elems);
  static const CType* vectorized(const CType* elem);

  Kind kind() const { return kind_; }

  bool is(Kind kind) const { return kind_ == kind; }

  // What the type wraps; null for kBase and kTuple.
  const CType* elem() const { return elem_; }

  // Only of kArray.
  std::int64_t size() const { return size_; }

  const std::vector<const CType*>& elems() const { return elems_; }

  // As C++ spells it.
  const std::string& cpp_type() const { return spelling_; }

  // Without references at the outside.
  const std::string& cpp_type_strip_ref() const;
  const CType* remove_const_ref() const;

  CType(const CType&) = delete;
  CType& operator=(const CType&) = delete;
  ~CType() = default;

 private:
  friend class CTypePool;
  // kConstRef to kVector and kVectorized: what has an element and nothing else.
  static constexpr std::size_t kWrapperCount = 7;

  CType(Kind kind,
        const CType* elem,
        std::int64_t size,
        std::vector<const CType*> elems,
        std::string spelling);

  Kind kind_;
  const CType* elem_;
  std::int64_t size_;
  std::vector<const CType*> elems_;
  std::string spelling_;
  // The types made from this one, as soon as someone has asked for them.
  mutable std::array<std::atomic<const CType*>, kWrapperCount> wrappers_{};
  mutable std::atomic<const CType*> without_const_ref_{nullptr};
};

// The base types that torchgen.api.types names. kScalarTParam and kOpmathTParam
// are the template parameters scalar_t and opmath_t.
inline const CType* const kByteT = CType::base("uint8_t");
inline const CType* const kCharT = CType::base("int8_t");
inline const CType* const kShortT = CType::base("int16_t");
inline const CType* const kInt32T = CType::base("int32_t");
inline const CType* const kLongT = CType::base("int64_t");
inline const CType* const kDoubleT = CType::base("double");
inline const CType* const kFloatT = CType::base("float");
inline const CType* const kBoolT = CType::base("bool");
inline const CType* const kVoidT = CType::base("void");
inline const CType* const kStringT = CType::base("c10::string_view");
inline const CType* const kGeneratorT = CType::base("at::Generator");
inline const CType* const kScalarTypeT = CType::base("at::ScalarType");
inline const CType* const kTensorT = CType::base("at::Tensor");
inline const CType* const kOptionalTensorRefT =
    CType::base("at::OptionalTensorRef");
inline const CType* const kTensorListT = CType::base("at::TensorList");
inline const CType* const kITensorListRefT = CType::base("at::ITensorListRef");
inline const CType* const kIOptTensorListRefT =
    CType::base("at::IOptTensorListRef");
inline const CType* const kDimVectorT = CType::base("at::DimVector");
inline const CType* const kLayoutT = CType::base("at::Layout");
inline const CType* const kDeviceT = CType::base("at::Device");
inline const CType* const kDeviceIndexT = CType::base("at::DeviceIndex");
inline const CType* const kScalarT = CType::base("at::Scalar");
inline const CType* const kOptionalScalarRefT =
    CType::base("at::OptionalScalarRef");
inline const CType* const kMemoryFormatT = CType::base("at::MemoryFormat");
inline const CType* const kQschemeT = CType::base("at::QScheme");
inline const CType* const kStorageT = CType::base("at::Storage");
inline const CType* const kStreamT = CType::base("at::Stream");
inline const CType* const kIntArrayRefT = CType::base("at::IntArrayRef");
inline const CType* const kOptionalIntArrayRefT =
    CType::base("at::OptionalIntArrayRef");
inline const CType* const kOptionalSymIntArrayRefT =
    CType::base("at::OptionalSymIntArrayRef");
inline const CType* const kTensorOptionsT = CType::base("at::TensorOptions");
inline const CType* const kSymIntT = CType::base("c10::SymInt");
inline const CType* const kSymBoolT = CType::base("c10::SymBool");
inline const CType* const kSymIntArrayRefT = CType::base("c10::SymIntArrayRef");
// Until PyTorch 2.12.
inline const CType* const kDimnameT = CType::base("at::Dimname");
inline const CType* const kDimnameListT = CType::base("at::DimnameList");
inline const CType* const kTypeAndSizeT =
    CType::base("torch::autograd::generated::TypeAndSize");
inline const CType* const kTensorGeometryT = CType::base("at::TensorGeometry");
inline const CType* const kScalarTParam = CType::base("scalar_t");
inline const CType* const kOpmathTParam = CType::base("opmath_t");

// torchgen's ScalarTypeToCppMapping, e.g. kHalf to at::Half. BFloat16 has no
// entry there and gives null.
const CType* scalar_type_to_cpp(model::ScalarType type);
// torchgen's BaseTypeToCppMapping; null for GraphModule, which has none.
const CType* base_type_to_cpp(model::BaseTy base);

// torchgen's TENSOR_LIST_LIKE_CTYPES: whether the type, as C++ spells it, is
// one of the lists of tensors that arguments have.
bool is_tensor_list_like(std::string_view cpp_type);

}  // namespace opgen::api
