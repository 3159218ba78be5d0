#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "opgen/api/cpp.h"
#include "opgen/emit/autograd_files_derivatives_load.h"
#include "opgen/model/dispatch_key.h"
#include "opgen/model/function_schema.h"
#include "opgen/text/characters.h"
#include "opgen/text/python_text.h"

namespace opgen::emit {
namespace {

using model::NativeFunction;
using text::DiagnosticId;
using text::Diagnostics;

using Names = std::vector<std::string>;

bool contains(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool uses_ident(std::string_view formula, std::string_view ident) {
  for (std::size_t begin = formula.find(ident); begin != std::string_view::npos;
       begin = formula.find(ident, begin + 1)) {
    const std::size_t end = begin + ident.size();
    if ((begin == 0 || !text::is_word(formula[begin - 1])) &&
        (end == formula.size() || !text::is_word(formula[end]))) {
      return true;
    }
  }
  return false;
}

bool is_non_differentiable(std::string_view formula) {
  constexpr std::string_view kWord = "non_differentiable";
  formula = text::strip(formula);
  return formula.size() == kWord.size() &&
         std::equal(
             formula.begin(), formula.end(), kWord.begin(), [](char a, char b) {
               return text::to_lower(a) == b;
             });
}

// Keys that derivatives may be given for: torchgen's AUTOGRAD_KEYS.
bool is_autograd_key(std::string_view key) {
  constexpr std::string_view kPrefix = "Autograd";
  if (!key.starts_with(kPrefix) || !model::parse_dispatch_key(key)) {
    return false;
  }
  return model::parse_dispatch_key(key.substr(kPrefix.size())).has_value();
}

// The arguments of the C++ function: tensor options count as one.
Names cpp_argument_names(const NativeFunction& f) {
  const auto& arguments = f.func.arguments;
  const auto options = arguments.tensor_options();
  Names names;
  for (const model::Argument& a : arguments.flat_all()) {
    if (!options || &a < options->all.data() ||
        &a >= options->all.data() + options->all.size()) {
      names.push_back(a.name);
    }
  }
  if (options) {
    names.emplace_back("options");
  }
  return names;
}

class Creator {
 public:
  Creator(const model::NativeFunctions& program, Diagnostics& diagnostics)
      : program_(program), diagnostics_(diagnostics) {
    for (const auto& item : program.native_functions_with_view_groups) {
      if (const auto* group =
              std::get_if<const model::NativeFunctionsViewGroup*>(&item)) {
        for (const NativeFunction* f : (*group)->functions()) {
          by_base_[f->root_name()].push_back(f);
        }
      } else {
        const auto* f = std::get<const NativeFunction*>(item);
        by_base_[f->root_name()].push_back(f);
      }
    }
  }

  void add(const DerivativeEntry& entry) {
    const NativeFunction* schema_function = find_schema(entry);
    if (schema_function == nullptr) {
      return;
    }
    const std::string defn_name(
        std::string_view(entry.schema)
            .substr(0, entry.schema.find_first_of(".(")));
    const NativeFunction* canonical =
        canonical_function(*schema_function, defn_name);
    if (canonical == nullptr) {
      diagnostics_.error(DiagnosticId::kDerivativesNoVariant,
                         entry.range,
                         {entry.schema, defn_name});
      return;
    }
    const Names arguments = cpp_argument_names(*canonical);
    for (const std::string_view name : {"grad_input_mask", "result"}) {
      if (contains(arguments, name)) {
        diagnostics_.error(DiagnosticId::kDerivativesReservedName,
                           entry.range,
                           {canonical->func.name.str(), name});
        return;
      }
    }
    DerivativeInfos made{canonical, {}};
    for (const DerivativeFormulas& formulas : entry.dispatch) {
      if (auto info = create_info(formulas, arguments)) {
        info->output_differentiability = entry.output_differentiability;
        made.by_key.push_back(std::move(*info));
      }
    }
    const auto [known, is_new] = index_.emplace(canonical, infos_.size());
    if (is_new) {
      infos_.push_back(std::move(made));
    } else {
      infos_[known->second] = std::move(made);
    }
  }

  void add_view_copy_derivatives() {
    std::map<const NativeFunction*, const NativeFunction*> copies;
    for (const auto& item : program_.native_functions_with_view_groups) {
      if (const auto* group =
              std::get_if<const model::NativeFunctionsViewGroup*>(&item)) {
        copies.emplace((*group)->view, (*group)->view_copy);
      }
    }
    const std::size_t written = infos_.size();
    for (std::size_t i = 0; i < written; ++i) {
      const auto copy = copies.find(infos_[i].func);
      if (copy != copies.end() && copy->second != nullptr &&
          !infos_[i].by_key.empty() && !index_.contains(copy->second)) {
        DerivativeInfos made{copy->second, infos_[i].by_key};
        infos_.push_back(std::move(made));
      }
    }
  }

  std::deque<DerivativeInfos> take() { return std::move(infos_); }

 private:
  const NativeFunction* find_schema(const DerivativeEntry& entry) {
    const std::string_view schema = entry.schema;
    const NativeFunction* f = program_.find(schema.substr(0, schema.find('(')));
    std::string known = f == nullptr ? "" : f->func.str();
    if (known == schema && by_base_.contains(f->root_name())) {
      return f;
    }
    diagnostics_
        .error(DiagnosticId::kDerivativesUnknownSchema, entry.range, {schema})
        .did_you_mean(std::move(known));
    return nullptr;
  }

  const NativeFunction* canonical_function(const NativeFunction& f,
                                           std::string_view name) {
    const auto& candidates = by_base_.find(f.root_name())->second;
    const model::FunctionSchema signature = f.func.signature();
    const auto is_variant = [&](const NativeFunction* g) {
      return g == &f || g->func.signature() == signature;
    };
    for (const NativeFunction* g : candidates) {
      if (!g->func.is_functional_fn() && !g->func.is_out_fn() &&
          g->func.name.name.str() == name && is_variant(g)) {
        return g;
      }
    }
    const auto first =
        std::find_if(candidates.begin(), candidates.end(), is_variant);
    const bool inplace =
        api::cpp::name((*first)->func) == std::string(name) + "_";
    return inplace ? *first : nullptr;
  }

  std::optional<DerivativeInfo> create_info(const DerivativeFormulas& formulas,
                                            const Names& arguments) {
    if (formulas.key != "Default" && !is_autograd_key(formulas.key)) {
      diagnostics_.error(
          DiagnosticId::kDerivativesKey, formulas.range, {formulas.key});
      return std::nullopt;
    }
    DerivativeInfo info;
    info.key = formulas.key;
    Names differentiable;
    for (const auto& [raw_names, formula] : formulas.formulas) {
      Names names;
      for (const std::string_view name : text::split(raw_names, ",")) {
        names.emplace_back(text::strip(name));
      }
      if (!contains(arguments, names.front())) {
        continue;  // the derivative of a result
      }
      const bool none = is_non_differentiable(formula);
      Names& all = none ? info.non_differentiable_arg_names : differentiable;
      all.insert(all.end(), names.begin(), names.end());
      info.uses_single_grad =
          info.uses_single_grad || (!none && uses_ident(formula, "grad"));
    }
    for (const std::string& name : info.non_differentiable_arg_names) {
      if (contains(differentiable, name)) {
        diagnostics_.error(
            DiagnosticId::kDerivativesOverlap, formulas.range, {name});
        return std::nullopt;
      }
    }
    std::copy_if(
        arguments.begin(),
        arguments.end(),
        std::back_inserter(info.args_with_derivatives),
        [&](const auto& name) { return contains(differentiable, name); });
    return info;
  }

  const model::NativeFunctions& program_;
  Diagnostics& diagnostics_;
  std::unordered_map<std::string_view, std::vector<const NativeFunction*>>
      by_base_;
  std::deque<DerivativeInfos> infos_;
  std::map<const NativeFunction*, std::size_t> index_;
};

}  // namespace

std::deque<DerivativeInfos> create_differentiability_infos(
    const std::vector<DerivativeEntry>& entries,
    const model::NativeFunctions& program,
    Diagnostics& diagnostics) {
  Creator creator(program, diagnostics);
  for (const DerivativeEntry& entry : entries) {
    creator.add(entry);
  }
  creator.add_view_copy_derivatives();
  return creator.take();
}

}  // namespace opgen::emit
