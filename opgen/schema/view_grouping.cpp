#include <algorithm>
#include <array>
#include <deque>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "opgen/schema/grouping.h"
#include "opgen/schema/signature_key.h"

namespace opgen::schema {

namespace {

using model::NativeFunction;
using model::NativeFunctionsViewGroup;
using model::SchemaKind;
using model::ViewSchemaKind;
using text::DiagnosticId;

// A schema kind, or after those the kind of a view.
using Kind = std::size_t;

constexpr Kind kAliasing = kSchemaKindCount;
constexpr Kind kAliasingInplace = kSchemaKindCount + 1;

Kind kind_of(const NativeFunction& f) {
  switch (f.view_schema_kind()) {
    case ViewSchemaKind::kAliasing:
      return kAliasing;
    case ViewSchemaKind::kAliasingInplace:
      return kAliasingInplace;
    case ViewSchemaKind::kNonAliasing:
      break;
  }
  return static_cast<Kind>(f.func.kind());
}

struct ViewPreGroup {
  std::vector<std::pair<Kind, const NativeFunction*>> functions;
  bool broken = false;

  const NativeFunction* get(Kind kind) const {
    for (const auto& [known, f] : functions) {
      if (known == kind) {
        return f;
      }
    }
    return nullptr;
  }
};

class ViewGrouper {
 public:
  ViewGrouper(FunctionRegistry& registry, model::NativeFunctions& result)
      : registry_(registry), result_(result) {}

  void run() {
    by_signature_.reserve(result_.functions.size());
    for (const auto& f : result_.functions) {
      add(*f);
    }
    for (const ViewPreGroup& group : groups_) {
      if (!group.broken) {
        maybe_create_view_group(group);
      }
    }
  }

 private:
  void add(const NativeFunction& f) {
    ViewPreGroup*& group = by_signature_[view_signature_key(f.func)];
    if (group == nullptr) {
      group = &groups_.emplace_back();
    }
    if (registry_.site(f).broken) {
      group->broken = true;
      return;
    }
    const Kind kind = kind_of(f);
    if (kind == kAliasingInplace && !f.has_tag("inplace_view")) {
      registry_.diagnostics().error(DiagnosticId::kNoInplaceViewTag,
                                    registry_.site(f).name,
                                    {f.func.name.str()});
      group->broken = true;
      return;
    }
    if (const NativeFunction* other = group->get(kind)) {
      registry_.diagnostics()
          .error(DiagnosticId::kDuplicateViewKind,
                 registry_.site(f).name,
                 {f.func.name.str(), other->func.name.str()})
          .note(registry_.site(*other).name,
                "'" + other->func.name.str() + "' is here");
      group->broken = true;
      return;
    }
    group->functions.emplace_back(kind, &f);
  }

  void maybe_create_view_group(const ViewPreGroup& group) {
    const NativeFunction* view = group.get(kAliasing);
    const NativeFunction* inplace = nullptr;
    const NativeFunction* copy = nullptr;
    if (view != nullptr) {
      inplace = group.get(kAliasingInplace);
      copy = group.get(static_cast<Kind>(SchemaKind::kFunctional));
      NativeFunctionsViewGroup& made = result_.view_groups.emplace_back();
      made.view = view;
      made.view_copy = copy;
      made.view_inplace = inplace;
      check(made);
      result_.native_functions_with_view_groups.emplace_back(&made);
    }
    for (const auto& [kind, f] : group.functions) {
      if (f != view && f != inplace && f != copy) {
        result_.native_functions_with_view_groups.emplace_back(f);
      }
    }
  }

  void check(const NativeFunctionsViewGroup& group) {
    const NativeFunction& view = *group.view;
    if (group.view_copy != nullptr) {
      check_copy(view, *group.view_copy);
    } else if (gets_generated_view_copy(view)) {
      registry_.diagnostics().error(
          DiagnosticId::kNoViewCopy,
          registry_.site(view).name,
          {view.func.name.str(), get_view_copy_name(view).str()});
    }
    if (group.view_inplace != nullptr) {
      check_inplace(view, *group.view_inplace);
    }
  }

  void check_copy(const NativeFunction& view, const NativeFunction& copy) {
    const std::string& base = copy.func.name.name.base;
    if (!base.ends_with("_copy") && !base.ends_with("_scatter")) {
      error(DiagnosticId::kViewCopyName, copy, view);
    }
    if (signature_key(view.func) != view_signature_key(copy.func)) {
      error(DiagnosticId::kViewCopySignature, copy, view);
    }
    if (!copy.has_tag("view_copy")) {
      error(DiagnosticId::kNoViewCopyTag, copy, view);
    }
  }

  void check_inplace(const NativeFunction& view,
                     const NativeFunction& inplace) {
    if (signature_key(view.func) != signature_key(inplace.func)) {
      error(DiagnosticId::kViewInplaceSignature, inplace, view);
    }
    if (view.has_composite_implicit_autograd_kernel &&
        !inplace.has_composite_implicit_autograd_kernel) {
      error(DiagnosticId::kViewInplaceComposite, inplace, view);
    }
    if (view.has_composite_implicit_autograd_nested_tensor_kernel &&
        !inplace.has_composite_implicit_autograd_nested_tensor_kernel) {
      error(DiagnosticId::kViewInplaceNestedComposite, inplace, view);
    }
  }

  void error(DiagnosticId id,
             const NativeFunction& f,
             const NativeFunction& other) {
    registry_.diagnostics()
        .error(id,
               registry_.site(f).name,
               {f.func.name.str(), other.func.name.str()})
        .note(registry_.site(other).name,
              "'" + other.func.name.str() + "' is here");
  }

  FunctionRegistry& registry_;
  model::NativeFunctions& result_;
  std::deque<ViewPreGroup> groups_;
  std::unordered_map<std::string, ViewPreGroup*> by_signature_;
};

}  // namespace

void get_grouped_by_view_native_functions(FunctionRegistry& registry,
                                          model::NativeFunctions& result) {
  ViewGrouper(registry, result).run();
}

}  // namespace opgen::schema
