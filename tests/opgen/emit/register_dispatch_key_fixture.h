// Functions, groups and kernels for the tests of registrations.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "opgen/emit/register_dispatch_key.h"
#include "tests/opgen/api/functions.h"

namespace opgen::emit {

using Texts = std::vector<std::string>;

inline const model::SelectiveBuilder kEverything =
    model::SelectiveBuilder::get_nop_selector();

inline model::BackendIndex index_of(model::DispatchKey key) {
  model::BackendIndex index;
  index.dispatch_key = key;
  return index;
}

// The variants of one operator, with ids by which they can have kernels.
struct Variants {
  Variants(std::string_view functional_schema,
           std::string_view out_schema,
           std::string_view inplace_schema = "") {
    group.functional = add(functional_schema);
    group.out = add(out_schema);
    if (!inplace_schema.empty()) {
      group.inplace = add(inplace_schema);
    }
  }

  model::NativeFunction* add(std::string_view schema) {
    functions.push_back(api::function_of(schema));
    functions.back()->namespace_ = "aten";
    functions.back()->id = static_cast<std::uint32_t>(functions.size() - 1);
    return functions.back().get();
  }

  // Makes the variants structured, as those of one structured operator are.
  void make_structured() {
    for (const auto& f : functions) {
      if (f.get() == group.out) {
        f->structured = true;
      } else {
        f->structured_delegate = group.out->func.name;
      }
    }
  }

  std::vector<std::unique_ptr<model::NativeFunction>> functions;
  model::NativeFunctionsGroup group;
};

struct AddVariants : Variants {
  AddVariants()
      : Variants("add(Tensor self, Tensor other) -> Tensor",
                 "add.out(Tensor self, Tensor other, *, Tensor(a!) out) -> "
                 "Tensor(a!)",
                 "add_(Tensor(a!) self, Tensor other) -> Tensor(a!)") {}
};

inline RegisterDispatchKey generator_of(const model::BackendIndex& index,
                                        Target target) {
  return {.backend_index = &index,
          .target = target,
          .selector = &kEverything,
          .class_method_name = std::nullopt};
}

inline Texts generate(const RegisterDispatchKey& generator,
                      const model::FunctionOrGroup& item) {
  Texts out;
  generator.generate(item, out);
  EXPECT_TRUE(out.empty() || generator.may_generate(item));
  return out;
}

inline Texts generate(const model::BackendIndex& index,
                      Target target,
                      const model::FunctionOrGroup& item) {
  return generate(generator_of(index, target), item);
}

}  // namespace opgen::emit
