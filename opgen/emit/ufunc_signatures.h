// torchgen.dest.ufunc's signatures of the functions, functors and stubs that
// kernels with a `ufunc_inner_loop` consist of.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "opgen/api/types/binding.h"
#include "opgen/api/types/ctype.h"
#include "opgen/api/ufunc.h"
#include "opgen/model/native_functions_group.h"

namespace opgen::emit {

// A functor of a CUDA kernel.
struct UfunctorSignature {
  const model::NativeFunctionsGroup* g;
  std::optional<int> scalar_tensor_idx;
  std::string name;

  api::ufunc::UfunctorBindings arguments() const;
  // The constructor's arguments as data members.
  std::vector<api::Binding> fields() const;
  std::string decl_fields() const;
  std::string inline_defn_ctor() const;
  std::string decl_apply() const;
};

// The element-wise function.
struct UfuncSignature {
  const model::NativeFunctionsGroup* g;
  std::string name;
  const api::CType* compute_t;

  std::string call(std::span<const api::Expr> context) const;
};

// What a CPU or CUDA kernel is registered with.
class StubSignature {
 public:
  explicit StubSignature(const model::NativeFunctionsGroup& g);

  std::string name() const { return base_ + "_stub"; }

  std::string kernel_name() const { return base_ + "_kernel"; }

  std::string type_name() const { return base_ + "_fn"; }

  const std::vector<api::Binding>& arguments() const { return arguments_; }

  std::string dispatch_decl() const;
  std::string dispatch_defn() const;
  std::string kernel_defn() const;
  std::string type_defn() const;
  // In a function whose `this` is a TensorIteratorBase*.
  std::string call(std::span<const api::Binding> context) const;
  std::string direct_call(std::span<const api::Binding> context) const;

 private:
  std::string base_;
  std::vector<api::Binding> arguments_;
};

}  // namespace opgen::emit
