#include "opgen/schema/grouping.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace opgen::schema {

namespace {

using model::NativeFunction;
using model::NativeFunctionsGroup;
using model::SchemaKind;
using text::DiagnosticId;

std::string join(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    if (!text.empty()) {
      text += ", ";
    }
    text += name;
  }
  return text;
}

class GroupChecker {
 public:
  GroupChecker(const NativeFunctionsGroup& group, FunctionRegistry& registry)
      : group_(group), registry_(registry), functions_(group.functions()) {}

  void check() {
    for (const NativeFunction* f : functions_) {
      check_member(*f);
    }
    if (group_.mutable_ != nullptr &&
        !group_.functional->func.name.name.functional_overload) {
      error(DiagnosticId::kFunctionalName, *group_.functional, group_.mutable_);
    }
    if (group_.structured()) {
      check_structured();
    }
    if (!missing_) {
      check_autogen();
    }
  }

 private:
  text::Diagnostic& error(DiagnosticId id,
                          const NativeFunction& f,
                          const NativeFunction* other) {
    text::Diagnostic& diagnostic = registry_.diagnostics().error(
        id,
        registry_.site(f).name,
        {f.func.name.str(), other == nullptr ? "" : other->func.name.str()});
    if (other != nullptr) {
      diagnostic.note(registry_.site(*other).name,
                      "'" + other->func.name.str() + "' is here");
    }
    return diagnostic;
  }

  void check_member(const NativeFunction& f) {
    if (group_.structured() && f.has_tag("generated")) {
      missing_ = true;
      error(DiagnosticId::kStructuredVariantMissing, f, group_.out);
    } else if (group_.structured() != f.part_of_structured_group()) {
      error(group_.structured() ? DiagnosticId::kUnstructuredVariant
                                : DiagnosticId::kStructuredVariant,
            f,
            group_.out);
    }
    if (f.namespace_ != group_.functional->namespace_) {
      error(DiagnosticId::kVariantNamespace, f, group_.functional);
    }
  }

  void check_structured() {
    const NativeFunction& out = *group_.out;
    if (out.has_composite_implicit_autograd_kernel ||
        out.has_composite_implicit_autograd_nested_tensor_kernel) {
      error(DiagnosticId::kStructuredComposite, out, nullptr);
    }
    for (const NativeFunction* f : {group_.functional, group_.inplace}) {
      if (f != nullptr && f->structured_delegate &&
          *f->structured_delegate != out.func.name) {
        error(DiagnosticId::kWrongDelegate, *f, group_.out);
      }
    }
  }

  void check_autogen() {
    std::set<std::string> generated;
    std::set<std::string> expected;
    const NativeFunction* listing = nullptr;
    const NativeFunction* written = nullptr;
    for (const NativeFunction* f : functions_) {
      if (f->has_tag("generated")) {
        generated.insert(f->func.name.str());
      } else {
        written = f;
      }
      for (const model::OperatorName& name : f->autogen) {
        listing = f;
        expected.insert(name.str());
      }
    }
    if (expected == generated || written == nullptr) {
      return;
    }
    if (expected.empty()) {
      registry_.diagnostics().error(DiagnosticId::kNoAutogen,
                                    registry_.site(*written).name,
                                    {join(generated)});
    } else if (generated.empty()) {
      registry_.diagnostics().error(DiagnosticId::kNeedlessAutogen,
                                    registry_.site(*listing).autogen,
                                    {join(expected)});
    } else {
      registry_.diagnostics().error(DiagnosticId::kWrongAutogen,
                                    registry_.site(*listing).autogen,
                                    {join(generated), join(expected)});
    }
  }

  const NativeFunctionsGroup& group_;
  FunctionRegistry& registry_;
  std::vector<const NativeFunction*> functions_;
  bool missing_ = false;
};

class Grouper {
 public:
  Grouper(FunctionRegistry& registry, model::NativeFunctions& result)
      : registry_(registry), result_(result) {}

  void add(const PreGroup& group) {
    if (is_broken(group)) {
      return;
    }
    if (group.functions.size() == 1 || !check_kinds(group) ||
        group.get(SchemaKind::kOut) == nullptr) {
      add_lone(group);
      return;
    }
    NativeFunctionsGroup& made = result_.groups.emplace_back();
    made.functional = group.get(SchemaKind::kFunctional);
    made.inplace = group.get(SchemaKind::kInplace);
    made.mutable_ = group.get(SchemaKind::kMutable);
    made.out = group.get(SchemaKind::kOut);
    GroupChecker(made, registry_).check();
    result_.grouped_native_functions.emplace_back(&made);
  }

 private:
  bool is_broken(const PreGroup& group) const {
    return std::any_of(
        group.functions.begin(),
        group.functions.end(),
        [this](const NativeFunction* f) { return registry_.site(*f).broken; });
  }

  bool check_kinds(const PreGroup& group) {
    const NativeFunction& first = *group.functions.front();
    const NativeFunction& second = *group.functions.back();
    const NativeFunction* scratch = group.get(SchemaKind::kScratch);
    if (scratch != nullptr) {
      registry_.diagnostics().error(DiagnosticId::kScratchVariant,
                                    registry_.site(*scratch).name,
                                    {scratch->func.name.str()});
      return false;
    }
    if (group.get(SchemaKind::kFunctional) == nullptr) {
      registry_.diagnostics()
          .error(DiagnosticId::kNoFunctionalVariant,
                 registry_.site(first).name,
                 {first.func.name.str(), second.func.name.str()})
          .note(registry_.site(second).name,
                "'" + second.func.name.str() + "' is here");
      return false;
    }
    return true;
  }

  void add_lone(const PreGroup& group) {
    for (const NativeFunction* f : group.functions) {
      if (f->has_tag("generated")) {
        registry_.diagnostics().error(DiagnosticId::kGeneratedNotGrouped,
                                      registry_.site(*f).name,
                                      {f->func.str()});
      }
      result_.grouped_native_functions.emplace_back(f);
    }
  }

  FunctionRegistry& registry_;
  model::NativeFunctions& result_;
};

}  // namespace

void get_grouped_native_functions(const PreGroups& pre_groups,
                                  FunctionRegistry& registry,
                                  model::NativeFunctions& result) {
  Grouper grouper(registry, result);
  for (const PreGroup& group : pre_groups.groups()) {
    grouper.add(group);
  }
}

}  // namespace opgen::schema
