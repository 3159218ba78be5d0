#include <string_view>

#include "opgen/api/types/ctype.h"
#include "opgen/model/native_function.h"
#include "opgen/model/type.h"

namespace opgen::api {

const CType* scalar_type_to_cpp(model::ScalarType type) {
  using model::ScalarType;
  switch (type) {
    case ScalarType::kByte:
      return kByteT;
    case ScalarType::kChar:
      return kCharT;
    case ScalarType::kShort:
      return kShortT;
    case ScalarType::kInt:
      return kInt32T;
    case ScalarType::kLong:
      return kLongT;
    case ScalarType::kHalf:
      return CType::base("at::Half");
    case ScalarType::kFloat:
      return kFloatT;
    case ScalarType::kDouble:
      return kDoubleT;
    case ScalarType::kComplexHalf:
      return CType::base("c10::complex<c10::Half>");
    case ScalarType::kComplexFloat:
      return CType::base("c10::complex<float>");
    case ScalarType::kComplexDouble:
      return CType::base("c10::complex<double>");
    case ScalarType::kBool:
      return kBoolT;
    case ScalarType::kBFloat16:
      return nullptr;
    case ScalarType::kFloat8E5m2:
      return CType::base("at::Float8_e5m2");
    case ScalarType::kFloat8E5m2fnuz:
      return CType::base("at::Float8_e5m2fnuz");
    case ScalarType::kFloat8E4m3fn:
      return CType::base("at::Float8_e4m3fn");
    case ScalarType::kFloat8E4m3fnuz:
      return CType::base("at::Float8_e4m3fnuz");
    case ScalarType::kFloat8E8m0fnu:
      return CType::base("at::Float8_e8m0fnu");
  }
  return nullptr;
}

const CType* base_type_to_cpp(model::BaseTy base) {
  using model::BaseTy;
  switch (base) {
    case BaseTy::kGenerator:
      return kGeneratorT;
    case BaseTy::kScalarType:
      return kScalarTypeT;
    case BaseTy::kTensor:
      return kTensorT;
    case BaseTy::kInt:
      return kLongT;
    case BaseTy::kDimVector:
      return kDimVectorT;
    case BaseTy::kFloat:
      return kDoubleT;
    case BaseTy::kStr:
      return kStringT;
    case BaseTy::kBool:
      return kBoolT;
    case BaseTy::kLayout:
      return kLayoutT;
    case BaseTy::kDevice:
      return kDeviceT;
    case BaseTy::kDeviceIndex:
      return kDeviceIndexT;
    case BaseTy::kScalar:
      return kScalarT;
    case BaseTy::kMemoryFormat:
      return kMemoryFormatT;
    case BaseTy::kQScheme:
      return kQschemeT;
    case BaseTy::kStorage:
      return kStorageT;
    case BaseTy::kStream:
      return kStreamT;
    case BaseTy::kSymInt:
      return kSymIntT;
    case BaseTy::kSymBool:
      return kSymBoolT;
    case BaseTy::kGraphModule:
      return nullptr;
    case BaseTy::kDimname:
      return kDimnameT;
  }
  return nullptr;
}

bool is_tensor_list_like(std::string_view cpp_type) {
  return cpp_type == "at::TensorList" ||
         cpp_type == "const c10::List<::std::optional<at::Tensor>> &" ||
         cpp_type == "const at::ITensorListRef &";
}

}  // namespace opgen::api
