// The wrappers that TraceType and ADInplaceOrViewType register: functions with
// an operator's arguments after a set of dispatch keys.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "opgen/emit/str_append.h"
#include "opgen/model/native_function.h"

namespace opgen::emit {

// torchgen's MANUAL_AUTOGRAD and MANUAL_TRACER: operators, by their C++ names,
// whose wrappers PyTorch writes by hand.
bool has_manual_wrapper(std::string_view cpp_name);

std::string type_wrapper_name(const model::NativeFunction& f);

// "at::Tensor add_Tensor(c10::DispatchKeySet ks, const at::Tensor & self) {".
void append_wrapper_head(std::string& text, const model::NativeFunction& f);

// The call of the operator with the keys that are left.
void append_redispatch(std::string& text,
                       const model::NativeFunction& f,
                       std::string_view dispatch_key_set);

// "m.impl("add.Tensor", TORCH_FN(TraceType::add_Tensor));" on three lines.
std::string wrapper_registration(const model::NativeFunction& f,
                                 std::string_view class_type);

// "auto result" or "auto [values, indices]".
std::string tie_return_values(const model::NativeFunction& f);
// What follows "return"; `f` returns something.
std::string get_return_value(const model::NativeFunction& f);

// One line of generated code, `depth` steps of two blanks to the right.
template <typename... Parts>
void append_line(std::string& text, std::size_t depth, const Parts&... parts) {
  text.append(2 * depth, ' ');
  str_append(text, parts..., "\n");
}

}  // namespace opgen::emit
