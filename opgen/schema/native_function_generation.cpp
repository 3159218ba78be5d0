#include "opgen/schema/native_function_generation.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "opgen/schema/dispatch_table.h"
#include "opgen/schema/schema_check.h"

namespace opgen::schema {

namespace {

using model::BackendMetadata;
using model::DispatchKey;
using model::FunctionSchema;
using model::NativeFunction;
using model::Return;
using model::SchemaKind;
using text::DiagnosticId;

constexpr std::array<std::string_view, 2> kOutOpsThatDontGetGroupedProperly = {
    "adaptive_avg_pool3d_backward.grad_input",
    "_slow_conv2d_backward.grad_input",
};

constexpr std::array<std::string_view, 2> kMutableOpsThatCannotGetAnOutVariant =
    {
        "_cummax_helper",
        "_cummin_helper",
};

constexpr std::array<std::string_view, 38>
    kFunctionalOpsThatCannotGetAnOutVariant = {
        "_assert_async",
        "_assert_async.msg",
        "_assert_tensor_metadata",
        "_cslt_sparse_mm_search",
        "_assert_scalar",
        "_dimI",
        "_dimV",
        "_has_same_storage_numel",
        "_linalg_check_errors",
        "_local_scalar_dense",
        "_nested_tensor_from_mask_left_aligned",
        "_nnz",
        "_use_cudnn_ctc_loss",
        "_use_cudnn_ctc_loss.Tensor",
        "_use_miopen_ctc_loss",
        "_use_miopen_ctc_loss.Tensor",
        "_validate_compressed_sparse_indices",
        "allclose",
        "dense_dim",
        "equal",
        "is_coalesced",
        "is_pinned",
        "is_same_size",
        "is_set_to",
        "q_per_channel_axis",
        "q_scale",
        "q_zero_point",
        "qscheme",
        "record_stream",
        "sparse_dim",
        "sym_constrain_range",
        "sym_constrain_range_for_size",
        "_nested_tensor_storage_offsets",
        "_chunk_grad_outputs_efficient_attention",
        "_fused_sdp_choice",
        "_print",
        "_sink_tokens",
        "_nested_get_ragged_idx",
};

constexpr std::string_view kInplaceOpThatDoesNotGetGroupedProperly =
    "polygamma_";

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& names,
              const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool has_tensor_like_return(const FunctionSchema& func) {
  return std::any_of(func.returns.begin(),
                     func.returns.end(),
                     [](const Return& r) { return r.type->is_tensor_like(); });
}

FunctionSchema functional_schema(const FunctionSchema& func) {
  FunctionSchema::SignatureOptions options;
  options.keep_return_names = true;
  model::OperatorName name = func.name.remove_inplace();
  name.name.functional_overload = func.kind() == SchemaKind::kMutable;
  return func.signature(options).with_name(std::move(name));
}

class Generator {
 public:
  explicit Generator(FunctionRegistry& registry)
      : registry_(registry),
        tags_variants_(
            std::any_of(registry.functions().valid_tags.begin(),
                        registry.functions().valid_tags.end(),
                        [](const auto& tag) { return tag.first == "out"; })) {}

  // What was generated, in order.
  std::vector<const NativeFunction*> run(const PreGroups& groups) {
    for (const PreGroup& group : groups.groups()) {
      complete(group);
    }
    return std::move(generated_);
  }

 private:
  bool is_broken(const PreGroup& group) const {
    return std::any_of(
        group.functions.begin(),
        group.functions.end(),
        [this](const NativeFunction* f) { return registry_.site(*f).broken; });
  }

  static bool needs_no_variants(const PreGroup& group) {
    const auto& all = group.functions;
    const bool only_scratch =
        all.size() == 1 && group.get(SchemaKind::kScratch) != nullptr;
    const bool manual =
        std::all_of(all.begin(), all.end(), [](const NativeFunction* f) {
          return f->manual_cpp_binding;
        });
    const bool views =
        std::any_of(all.begin(), all.end(), [](const NativeFunction* f) {
          return f->is_view_op() && f->func.name.name.str() != "set_";
        });
    const bool composite =
        std::all_of(all.begin(), all.end(), [](const NativeFunction* f) {
          return f->has_composite_implicit_autograd_kernel;
        });
    const bool core =
        std::any_of(all.begin(), all.end(), [](const NativeFunction* f) {
          return f->has_tag("core");
        });
    return only_scratch || manual || views || (composite && !core);
  }

  void complete(const PreGroup& group) {
    if (is_broken(group) || needs_no_variants(group)) {
      return;
    }
    const NativeFunction* out = group.get(SchemaKind::kOut);
    if (out != nullptr && group.functions.size() == 1) {
      const std::string name = out->func.name.str();
      if (!contains(kOutOpsThatDontGetGroupedProperly, name)) {
        error(DiagnosticId::kOutWithoutVariants, *out, name);
      }
      return;
    }
    const NativeFunction* inplace = group.get(SchemaKind::kInplace);
    if (inplace != nullptr &&
        inplace->func.name.str() == kInplaceOpThatDoesNotGetGroupedProperly) {
      return;
    }
    const NativeFunction& base = base_function(group);
    const bool valid = base.func.kind() == SchemaKind::kInplace ||
                       has_tensor_like_return(base.func);
    if (out == nullptr && !valid) {
      check_needs_no_out(base);
    }
    const bool gets_out = out == nullptr && valid && needs_out(base);
    if (gets_out && !generate(base, SchemaKind::kOut)) {
      return;
    }
    if (group.get(SchemaKind::kFunctional) == nullptr &&
        (out != nullptr || gets_out)) {
      generate(base, SchemaKind::kFunctional);
    }
  }

  static const NativeFunction& base_function(const PreGroup& group) {
    for (const SchemaKind kind :
         {SchemaKind::kMutable, SchemaKind::kInplace, SchemaKind::kOut}) {
      if (const NativeFunction* f = group.get(kind)) {
        return *f;
      }
    }
    return *group.get(SchemaKind::kFunctional);
  }

  static bool needs_out(const NativeFunction& base) {
    return std::any_of(base.autogen.begin(),
                       base.autogen.end(),
                       [](const model::OperatorName& name) {
                         return name.str().find("out") != std::string::npos;
                       });
  }

  void check_needs_no_out(const NativeFunction& base) {
    const std::string name = base.func.name.str();
    if (!contains(kMutableOpsThatCannotGetAnOutVariant, name) &&
        !contains(kFunctionalOpsThatCannotGetAnOutVariant, name)) {
      error(DiagnosticId::kNoOutVariant, base, name);
    }
  }

  void error(DiagnosticId id,
             const NativeFunction& f,
             const std::string& name) {
    registry_.site(f).broken = true;
    registry_.diagnostics().error(id, registry_.site(f).name, {name});
  }

  std::optional<FunctionSchema> make_schema(const FunctionSchema& func,
                                            SchemaKind kind) {
    if (kind == SchemaKind::kFunctional) {
      return functional_schema(func);
    }
    switch (func.kind()) {
      case SchemaKind::kInplace:
        return self_to_out_signature(func);
      case SchemaKind::kMutable:
        return mutable_to_out_signature(func);
      case SchemaKind::kFunctional:
        return functional_to_out_signature(func);
      case SchemaKind::kOut:
      case SchemaKind::kScratch:
        break;
    }
    return std::nullopt;
  }

  // After an error the group of `f` is not checked any further.
  bool generate(const NativeFunction& f, SchemaKind kind) {
    if (kind == SchemaKind::kOut && f.func.kind() != SchemaKind::kInplace &&
        f.func.returns_are_aliased()) {
      error(DiagnosticId::kGenerateMutableReturn, f, f.func.name.str());
      return false;
    }
    auto schema = make_schema(f.func, kind);
    if (!schema) {
      error(DiagnosticId::kGenerateLetters, f, f.func.name.str());
      return false;
    }
    if (!check(f, *schema)) {
      return false;
    }
    BackendMetadata metadata;
    metadata.kernel = schema->kind() == SchemaKind::kOut
                          ? schema->name.unambiguous_name()
                          : kernel_base_name(*schema);
    if (f.func.has_symint()) {
      metadata.kernel += "_symint";
    }
    metadata.cpp_namespace = model::kDefaultKernelNamespace;
    Kernels kernels;
    kernels.emplace_back(DispatchKey::kCompositeExplicitAutograd,
                         std::move(metadata));
    generated_.push_back(&registry_.add(make_function(f, std::move(*schema)),
                                        std::move(kernels),
                                        registry_.site(f)));
    return true;
  }

  bool check(const NativeFunction& f, const FunctionSchema& schema) {
    const auto violations = check_schema(schema);
    if (!violations.empty()) {
      registry_.site(f).broken = true;
    }
    for (const SchemaViolation& violation : violations) {
      const std::string_view hole = violation.args.empty()
                                        ? std::string_view()
                                        : std::string_view(violation.args[0]);
      const std::string_view second = violation.args.size() < 2
                                          ? std::string_view()
                                          : std::string_view(violation.args[1]);
      registry_.diagnostics()
          .error(violation.id, registry_.site(f).name, {hole, second})
          .note({}, "in the variant to be generated, '" + schema.str() + "'");
    }
    return violations.empty();
  }

  std::unique_ptr<NativeFunction> make_function(const NativeFunction& f,
                                                FunctionSchema schema) const {
    auto result = std::make_unique<NativeFunction>();
    result->namespace_ = f.namespace_;
    result->use_const_ref_for_mutable_tensors =
        f.use_const_ref_for_mutable_tensors;
    result->device_guard = false;
    result->device_check = model::DeviceCheckType::kNoCheck;
    result->loc = f.loc;
    result->is_abstract = f.is_abstract;
    result->has_composite_explicit_autograd_kernel = true;
    result->tags.emplace_back("generated");
    for (const std::string_view tag :
         {"nondeterministic_seeded", "view_copy", "pt2_compliant_tag"}) {
      if (f.has_tag(tag)) {
        result->tags.emplace_back(tag);
      }
    }
    if (tags_variants_ && schema.is_out_fn()) {
      result->tags.emplace_back("out");
    }
    if (tags_variants_ && schema.name.name.inplace) {
      result->tags.emplace_back("inplace");
    }
    std::sort(result->tags.begin(), result->tags.end());
    result->func = std::move(schema);
    return result;
  }

  FunctionRegistry& registry_;
  bool tags_variants_;  // since PyTorch 2.13
  std::vector<const NativeFunction*> generated_;
};

}  // namespace

void add_generated_native_functions(FunctionRegistry& registry,
                                    PreGroups& groups) {
  for (const NativeFunction* f : Generator(registry).run(groups)) {
    if (const NativeFunction* other = groups.add(*f)) {
      registry.diagnostics()
          .error(DiagnosticId::kDuplicateSchemaKind,
                 registry.site(*f).name,
                 {f->func.str()})
          .note(registry.site(*other).name, "the other variant is here");
      registry.site(*f).broken = true;
    }
  }
}

}  // namespace opgen::schema
