#include "opgen/model/operator_name.h"

#include <utility>

namespace opgen::model {

std::string BaseOperatorName::str() const {
  std::string text;
  text.reserve(base.size() + namespace_.size() + 12);
  if (!namespace_.empty()) {
    text += namespace_;
    text += "::";
  }
  if (dunder_method) {
    text += inplace ? "__i" : "__";
    text += base;
    text += "__";
    return text;
  }
  text += base;
  if (inplace) {
    text += '_';
  } else if (functional_overload) {
    text += "_functional";
  }
  return text;
}

std::string OperatorName::str() const {
  std::string text = name.str();
  if (!overload_name.empty()) {
    text += '.';
    text += overload_name;
  }
  return text;
}

std::string OperatorName::unambiguous_name() const {
  std::string text = name.str();
  if (!overload_name.empty()) {
    text += '_';
    text += overload_name;
  }
  return text;
}

OperatorName OperatorName::remove_inplace() const {
  return with_overload(overload_name);
}

OperatorName OperatorName::with_overload(std::string overload) const {
  OperatorName result;
  result.name.base = name.base;
  result.name.dunder_method = name.dunder_method;
  result.overload_name = std::move(overload);
  return result;
}

}  // namespace opgen::model
