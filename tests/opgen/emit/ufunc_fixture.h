// An operator like add.Tensor for the tests of ufunc kernels.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/opgen/emit/register_dispatch_key_fixture.h"

namespace opgen::emit {

struct UfuncAdd : Variants {
  UfuncAdd()
      : Variants(
            "add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> "
            "Tensor",
            "add.out(Tensor self, Tensor other, *, Scalar alpha=1, "
            "Tensor(a!) out) -> Tensor(a!)") {
    make_structured();
  }

  void add_loop(model::UfuncKey key,
                std::string name,
                std::vector<model::ScalarType> dtypes) {
    functions[1]->ufunc_inner_loop.emplace_back(
        key, model::UfuncInnerLoop{std::move(name), std::move(dtypes), key});
  }
};

}  // namespace opgen::emit
