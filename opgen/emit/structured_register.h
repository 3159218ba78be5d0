// torchgen's StructuredRegisterDispatchKey: wrappers of structured kernels. A
// wrapper makes an object of a class that it defines, calls its meta and impl
// functions and returns its outputs.
#pragma once

#include <string>
#include <vector>

#include "opgen/api/types/binding.h"
#include "opgen/api/types/signatures.h"
#include "opgen/emit/register_dispatch_key.h"
#include "opgen/model/native_function.h"
#include "opgen/model/native_functions_group.h"

namespace opgen::emit {

class StructuredRegisterDispatchKey {
 public:
  // Both must outlive this object. The group is structured.
  StructuredRegisterDispatchKey(const RegisterDispatchKey& settings,
                                const model::NativeFunctionsGroup& g)
      : settings_(settings), g_(g) {}

  // Appends what the target asks for of one function of the group.
  void gen_one(const model::NativeFunction& f,
               std::vector<std::string>& out) const;

 private:
  std::string definition(const model::NativeFunction& f,
                         const api::NativeSignature& sig) const;
  // `context` gets what the meta function computed.
  void append_meta_call(std::vector<api::Expr>& context,
                        std::string& text) const;
  void append_impl_call(const model::NativeFunction& f,
                        std::vector<api::Expr>& context,
                        std::string& text) const;

  const RegisterDispatchKey& settings_;
  const model::NativeFunctionsGroup& g_;
};

}  // namespace opgen::emit
