#include "opgen/emit/autograd_files_derivatives.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "opgen/api/cpp.h"
#include "opgen/api/error.h"

namespace opgen::emit {
namespace {

using model::FunctionSchema;
using model::NativeFunction;
using model::SchemaKind;

constexpr std::string_view kDefaultKey = "Default";
constexpr std::string_view kForeachPrefix = "_foreach_";

// torchgen's _skip_argument_len_check: the operator of one tensor also takes an
// alpha.
constexpr std::array<std::string_view, 8> kFewerArguments = {
    "_foreach_add.Scalar",
    "_foreach_add_.Scalar",
    "_foreach_add.ScalarList",
    "_foreach_add_.ScalarList",
    "_foreach_sub.Scalar",
    "_foreach_sub_.Scalar",
    "_foreach_sub.ScalarList",
    "_foreach_sub_.ScalarList",
};

bool is_foreach_func(const NativeFunction& f) {
  return f.root_name().starts_with(kForeachPrefix);
}

// "add" for "_foreach_add".
std::string_view foreach_base(const NativeFunction& f) {
  const std::string_view name = f.root_name();
  return name.substr(name.rfind(kForeachPrefix) + kForeachPrefix.size());
}

FunctionSchema signature_of(const NativeFunction& f) {
  FunctionSchema::SignatureOptions options;
  options.strip_default = true;
  return f.func.signature(options);
}

// The infos of the functions that satisfy a condition, by signature.
class BySignature {
 public:
  struct Entry {
    FunctionSchema signature;
    const DerivativeInfos* infos;
  };

  // What comes later replaces what has the same signature.
  void add(const DerivativeInfos& infos) {
    FunctionSchema signature = signature_of(*infos.func);
    auto& entries = by_base_[infos.func->root_name()];
    for (Entry& entry : entries) {
      if (entry.signature == signature) {
        entry.infos = &infos;
        return;
      }
    }
    entries.push_back({std::move(signature), &infos});
  }

  // In the order of their first functions.
  const std::vector<Entry>& of_base(std::string_view base) const {
    static const std::vector<Entry> none;
    const auto found = by_base_.find(base);
    return found == by_base_.end() ? none : found->second;
  }

  const DerivativeInfos* find(const NativeFunction& f) const {
    const std::vector<Entry>& entries = of_base(f.root_name());
    if (entries.empty()) {
      return nullptr;
    }
    const FunctionSchema signature = signature_of(f);
    for (const Entry& entry : entries) {
      if (entry.signature == signature) {
        return entry.infos;
      }
    }
    return nullptr;
  }

 private:
  std::unordered_map<std::string_view, std::vector<Entry>> by_base_;
};

bool is_reference_for_foreach(const NativeFunction& f,
                              const FunctionSchema& schema) {
  const auto arguments = f.func.arguments.flat_non_out();
  const auto references = schema.arguments.flat_non_out();
  const std::string name = f.func.name.str();
  if (arguments.size() != references.size() &&
      std::find(kFewerArguments.begin(), kFewerArguments.end(), name) ==
          kFewerArguments.end()) {
    return false;
  }
  const std::size_t count = std::min(arguments.size(), references.size());
  return std::equal(
      arguments.begin(),
      arguments.begin() + static_cast<std::ptrdiff_t>(count),
      references.begin(),
      [](const model::Argument& a, const model::Argument& reference) {
        return reference.type == a.type || reference.type == a.type->elem();
      });
}

}  // namespace

bool DerivativeInfos::has_derivatives() const {
  return std::any_of(
      by_key.begin(), by_key.end(), [](const DerivativeInfo& info) {
        return !info.args_with_derivatives.empty();
      });
}

const DerivativeInfo* DerivativeInfos::find(std::string_view key) const {
  const auto found = std::find_if(
      by_key.begin(), by_key.end(), [key](const DerivativeInfo& info) {
        return info.key == key;
      });
  return found == by_key.end() ? nullptr : &*found;
}

std::vector<const model::Return*> differentiable_outputs(
    const NativeFunction& f, const DerivativeInfos* info) {
  static const DerivativeInfo none;
  const DerivativeInfo* found =
      info == nullptr ? &none : info->find(kDefaultKey);
  if (found == nullptr) {
    throw api::ApiError("the view has no derivatives for the key Default");
  }
  const auto& returns = f.func.returns;
  const auto& flags = found->output_differentiability;
  if (flags && flags->size() != returns.size()) {
    throw api::ApiError(
        "output_differentiability must have an element for each result");
  }
  const std::vector<std::string> names = api::cpp::return_names(f);
  const auto& excluded = found->non_differentiable_arg_names;
  std::vector<const model::Return*> outputs;
  for (std::size_t i = 0; i < returns.size(); ++i) {
    const bool differentiable =
        flags ? (*flags)[i]
              : returns[i].type->is_tensor_like() &&
                    std::find(excluded.begin(), excluded.end(), names[i]) ==
                        excluded.end();
    if (differentiable) {
      outputs.push_back(&returns[i]);
    }
  }
  if (!flags && found->uses_single_grad && outputs.size() > 1) {
    outputs.erase(outputs.begin() + 1, outputs.end());
  }
  return outputs;
}

class Derivatives::Matcher {
 public:
  explicit Matcher(Derivatives& derivatives) : derivatives_(derivatives) {
    for (const DerivativeInfos& infos : derivatives.infos_) {
      exact_.emplace(infos.func, &infos);
      const bool functional =
          infos.func->func.kind() == SchemaKind::kFunctional;
      (functional ? functional_ : non_functional_).add(infos);
    }
  }

  const DerivativeInfos* find_info(const NativeFunction& f) {
    const bool generated = f.has_tag("generated");
    if (generated && f.func.kind() == SchemaKind::kOut) {
      return nullptr;
    }
    if (const auto found = exact_.find(&f); found != exact_.end()) {
      return found->second;
    }
    const bool foreach = is_foreach_func(f);
    if (!foreach) {
      if (const DerivativeInfos* found = functional_.find(f)) {
        return found;
      }
    }
    if (generated) {
      if (const DerivativeInfos* found = non_functional_.find(f)) {
        return found;
      }
    }
    return foreach ? gen_foreach_derivativeinfo(f) : nullptr;
  }

 private:
  static const BySignature::Entry* find_reference(const NativeFunction& f,
                                                  const BySignature& infos) {
    for (const auto& entry : infos.of_base(foreach_base(f))) {
      if (is_reference_for_foreach(f, entry.signature)) {
        return &entry;
      }
    }
    return nullptr;
  }

  const DerivativeInfos* gen_foreach_derivativeinfo(const NativeFunction& f) {
    const bool inplace = f.func.kind() == SchemaKind::kInplace;
    const BySignature::Entry* reference = find_reference(f, functional_);
    if (reference == nullptr && inplace &&
        f.func.name.str() == "_foreach_zero_") {
      reference = find_reference(f, non_functional_);
    }
    const DerivativeInfo* info =
        reference == nullptr ? nullptr : reference->infos->find(kDefaultKey);
    if (info == nullptr) {
      return nullptr;
    }
    DerivativeInfos made{&f, {}};
    DerivativeInfo& copy = made.by_key.emplace_back();
    if (inplace) {
      copy = *info;
    } else {
      copy.key = kDefaultKey;
      const auto arguments = f.func.arguments.flat_non_out();
      const auto references = reference->signature.arguments.flat_non_out();
      const auto& names = info->args_with_derivatives;
      for (std::size_t i = 0; i < std::min(arguments.size(), references.size());
           ++i) {
        if (std::find(names.begin(), names.end(), references[i].name) !=
            names.end()) {
          copy.args_with_derivatives.push_back(arguments[i].name);
        }
      }
    }
    return &derivatives_.infos_.emplace_back(std::move(made));
  }

  Derivatives& derivatives_;
  std::unordered_map<const NativeFunction*, const DerivativeInfos*> exact_;
  BySignature functional_;
  BySignature non_functional_;
};

Derivatives Derivatives::match(std::deque<DerivativeInfos> infos,
                               const model::NativeFunctions& program) {
  Derivatives derivatives;
  derivatives.infos_ = std::move(infos);
  Matcher matcher(derivatives);
  derivatives.by_id_.reserve(program.functions.size());
  for (const auto& f : program.functions) {
    derivatives.by_id_.push_back(matcher.find_info(*f));
  }
  return derivatives;
}

}  // namespace opgen::emit
