// The name of an operator and its overload, e.g. `add.Tensor` or `__ilshift__`.
//
// Invariant: parsing str() gives an equal name, for every name that the schema
// parser accepts.
#pragma once

#include <string>

namespace opgen::model {

struct BaseOperatorName {
  std::string base;
  bool inplace = false;
  // Named like __base__ (Python's operator methods).
  bool dunder_method = false;
  // Named base_functional: the functional twin of a mutable operator.
  bool functional_overload = false;
  // Empty if there is none.
  std::string namespace_;

  std::string str() const;
  bool operator==(const BaseOperatorName&) const = default;
};

struct OperatorName {
  BaseOperatorName name;
  std::string overload_name;  // empty if there is none

  // "add.Tensor".
  std::string str() const;
  // "add_Tensor": unique where C++ knows no overload names.
  std::string unambiguous_name() const;
  // Both drop functional_overload and the namespace.
  OperatorName remove_inplace() const;
  OperatorName with_overload(std::string overload) const;
  bool operator==(const OperatorName&) const = default;
};

}  // namespace opgen::model
