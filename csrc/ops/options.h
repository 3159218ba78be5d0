// Options that take one of a few names, from Python or from the environment.
#pragma once

#include <cstddef>
#include <string_view>

#include <c10/util/ArrayRef.h>

namespace torch_infini {

// The position of `value` among `names`. Raises ValueError that lists them.
std::size_t parse_option(std::string_view what,
                         std::string_view value,
                         c10::ArrayRef<std::string_view> names);

// The same for an environment variable; `otherwise` when it is unset or empty.
std::size_t option_from_environment(const char* variable,
                                    c10::ArrayRef<std::string_view> names,
                                    std::size_t otherwise);

// "exact": a provider stands before host only where its result equals PyTorch
// CPU's bit for bit. "fast": faster kernels that differ within a stated bound
// go first. From INFINI_NUMERICS at first.
void set_numerics(std::string_view mode);
std::string_view get_numerics();

}  // namespace torch_infini
