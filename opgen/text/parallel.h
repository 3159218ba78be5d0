// Loops over independent items on several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace opgen::text {

// Calls body(i) once for every i below count, in any order, on up to `threads`
// threads, the caller's among them. Rethrows the exception of the lowest i that
// threw; the other items still run.
void parallel_for(std::size_t count,
                  std::size_t threads,
                  const std::function<void(std::size_t)>& body);

}  // namespace opgen::text
