#include "opgen/schema/native_function_entry.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "opgen/schema/dispatch_table.h"
#include "opgen/schema/entry_fields.h"
#include "opgen/schema/namespace_helper.h"
#include "opgen/schema/native_function_check.h"
#include "opgen/schema/operator_name_parser.h"
#include "opgen/schema/precompute_parser.h"
#include "opgen/schema/schema_parser.h"
#include "opgen/schema/schema_report.h"
#include "opgen/schema/split_list.h"
#include "opgen/schema/tag_list.h"
#include "opgen/schema/ufunc_parser.h"
#include "opgen/text/suggest.h"

namespace opgen::schema {

namespace {

using model::BackendMetadata;
using model::DispatchKey;
using model::NativeFunction;
using text::DiagnosticId;
using text::YamlNode;

constexpr DispatchKey kUfuncKeys[] = {DispatchKey::kCUDA, DispatchKey::kCPU};

// A value that Python takes for false.
bool is_false(const YamlNode& node) {
  switch (node.kind()) {
    case text::YamlKind::kSequence:
      return node.items().empty();
    case text::YamlKind::kMapping:
      return false;
    case text::YamlKind::kScalar:
      break;
  }
  return (node.is_string() && node.value().empty()) ||
         (node.is_bool() && !node.as_bool()) || node.as_int() == 0 ||
         node.as_float() == 0.0;
}

class EntryParser {
 public:
  EntryParser(const YamlNode& node,
              const EntryContext& context,
              text::Diagnostics& diagnostics)
      : node_(node),
        context_(context),
        diagnostics_(diagnostics),
        fields_(node, diagnostics) {}

  NativeFunctionEntry parse() {
    entry_.site.entry = fields_.range(Field::kFunc);
    entry_.function = std::make_unique<NativeFunction>();
    if (!parse_func()) {
      entry_.function = nullptr;
      return std::move(entry_);
    }
    NativeFunction& f = *entry_.function;
    parse_location(f);
    parse_booleans(f);
    parse_variants(f);
    parse_strings(f);
    parse_structured(f);
    parse_no_default_args(f);
    parse_tags(f);
    parse_dispatch(f);
    parse_autogen(f);
    parse_ufunc(f);
    set_dispatch_flags(f);
    check_native_function(f, fields_, entry_.site, diagnostics_);
    return std::move(entry_);
  }

 private:
  template <typename... Holes>
  text::Diagnostic& error(DiagnosticId id, Field field, Holes... holes) {
    return diagnostics_.error(id, fields_.range(field), {holes...});
  }

  bool parse_func() {
    const YamlNode* node = fields_.find(Field::kFunc);
    if (node == nullptr || node->is_null()) {
      error(DiagnosticId::kNoFunc, Field::kFunc);
      return false;
    }
    const auto text = fields_.get_string(Field::kFunc);
    if (!text) {
      return false;
    }
    const auto named = from_namespaced_entity(*text, 1);
    if (!named) {
      error(DiagnosticId::kSchemaNamespaces, Field::kFunc);
      return false;
    }
    SchemaErrors errors;
    auto schema =
        parse_function_schema(named->entity_name, context_.language, errors);
    report_errors(*node, named->entity_name, errors, diagnostics_);
    if (!schema) {
      return false;
    }
    NativeFunction& f = *entry_.function;
    f.namespace_ = named->cpp_namespace.empty() ? std::string_view("aten")
                                                : named->cpp_namespace;
    f.func = std::move(*schema);
    entry_.site.schema = node->range();
    entry_.site.name = range_of(
        *node, named->entity_name.substr(0, named->entity_name.find('(')));
    return true;
  }

  void parse_location(NativeFunction& f) const {
    const text::SourceFile& file = *node_.range().file;
    f.loc.file = file.path();
    f.loc.line = static_cast<int>(file.position(node_.range().begin).line);
  }

  void parse_booleans(NativeFunction& f) {
    f.use_const_ref_for_mutable_tensors =
        fields_.get_bool(Field::kUseConstRefForMutableTensors, false);
    if (f.use_const_ref_for_mutable_tensors && f.func.is_out_fn()) {
      error(DiagnosticId::kConstRefOfOut, Field::kUseConstRefForMutableTensors);
    }
    f.manual_kernel_registration =
        fields_.get_bool(Field::kManualKernelRegistration, false);
    f.manual_cpp_binding = fields_.get_bool(Field::kManualCppBinding, false);
    f.device_guard = fields_.get_bool(Field::kDeviceGuard, true);
    f.structured = fields_.get_bool(Field::kStructured, false);
  }

  void parse_variants(NativeFunction& f) {
    const auto text = fields_.get_string(Field::kVariants);
    if (!text) {
      return;
    }
    f.function_variant = false;
    for (const std::string_view part : split_list(*text, ", ")) {
      if (part == "function") {
        f.function_variant = true;
      } else if (part == "method") {
        f.method_variant = true;
      } else {
        diagnostics_
            .error(DiagnosticId::kUnknownVariant,
                   range_of(*fields_.find(Field::kVariants), part),
                   {part})
            .did_you_mean(text::suggest(
                part, std::vector<std::string_view>{"function", "method"}));
      }
    }
  }

  void parse_strings(NativeFunction& f) {
    const auto check = fields_.get_optional_string(Field::kDeviceCheck);
    if (check == "NoCheck") {
      f.device_check = model::DeviceCheckType::kNoCheck;
    } else if (check && *check != "ExactSame") {
      error(DiagnosticId::kUnknownDeviceCheck, Field::kDeviceCheck, *check)
          .did_you_mean(text::suggest(
              *check, std::vector<std::string_view>{"NoCheck", "ExactSame"}));
    }
    f.python_module = fields_.get_optional_string(Field::kPythonModule);
    if (f.python_module && f.method_variant) {
      error(
          DiagnosticId::kModuleMethod, Field::kPythonModule, *f.python_module);
    }
    f.category_override = fields_.get_optional_string(Field::kCategoryOverride);
  }

  std::optional<std::string_view> get_unqualified(Field field) {
    const auto text = fields_.get_optional_string(field);
    if (text && text->find("::") != std::string_view::npos) {
      error(DiagnosticId::kStructuredNamespace, field, name_of(field));
      return std::nullopt;
    }
    return text;
  }

  void parse_structured(NativeFunction& f) {
    if (const auto text = get_unqualified(Field::kStructuredDelegate)) {
      const YamlNode& node = *fields_.find(Field::kStructuredDelegate);
      entry_.site.structured_delegate = node.range();
      f.structured_delegate = parse_name(node, *text);
    }
    f.structured_inherits = get_unqualified(Field::kStructuredInherits);
    const YamlNode* precomputed = fields_.find(Field::kPrecomputed);
    if (precomputed == nullptr || precomputed->is_null()) {
      return;
    }
    if (!f.structured) {
      error(DiagnosticId::kPrecomputedNotStructured, Field::kPrecomputed);
    } else if (!is_false(*precomputed)) {
      if (precomputed->is_sequence()) {
        f.precomputed =
            parse_precompute(*precomputed, context_.language, diagnostics_);
      } else {
        fields_.wrong_type(Field::kPrecomputed, "a list");
      }
    }
  }

  std::optional<model::OperatorName> parse_name(const YamlNode& node,
                                                std::string_view text) {
    SchemaErrors errors;
    auto name = parse_operator_name(text, SchemaReporter(text, errors));
    report_errors(node, text, errors, diagnostics_);
    return name;
  }

  void parse_no_default_args(NativeFunction& f) {
    const YamlNode* node = fields_.find(Field::kCppNoDefaultArgs);
    if (node == nullptr) {
      return;
    }
    if (!node->is_sequence()) {
      fields_.wrong_type(Field::kCppNoDefaultArgs, "a list");
      return;
    }
    for (const YamlNode* item : node->items()) {
      if (!item->is_string()) {
        diagnostics_.error(
            DiagnosticId::kArgumentNameType, item->range(), {item->describe()});
        continue;
      }
      f.cpp_no_default_args.emplace_back(item->value());
    }
    std::sort(f.cpp_no_default_args.begin(), f.cpp_no_default_args.end());
    f.cpp_no_default_args.erase(
        std::unique(f.cpp_no_default_args.begin(), f.cpp_no_default_args.end()),
        f.cpp_no_default_args.end());
  }

  void parse_tags(NativeFunction& f) {
    const YamlNode* node = fields_.find(Field::kTags);
    if (node != nullptr) {
      entry_.site.tags = node->range();
      if (node->is_string() || node->is_sequence()) {
        f.tags = parse_tag_list(*node, context_.valid_tags, diagnostics_);
      } else {
        fields_.wrong_type(Field::kTags, "a tag or a list of tags");
      }
    }
    add_implied_tags(f, context_.valid_tags);
  }

  void parse_dispatch(NativeFunction& f) {
    const YamlNode* node = fields_.find(Field::kDispatch);
    if (node == nullptr || node->is_null()) {
      if (!f.part_of_structured_group()) {
        entry_.kernels = implicit_dispatch_table(f, entry_.site, diagnostics_);
      }
      return;
    }
    if (!node->is_mapping()) {
      fields_.wrong_type(Field::kDispatch, "a mapping");
      return;
    }
    if (f.manual_kernel_registration) {
      error(DiagnosticId::kManualDispatch, Field::kDispatch);
    }
    entry_.kernels = parse_dispatch_table(*node, f, context_, diagnostics_);
    check_composites();
    check_delegated(f);
  }

  bool has_kernel(DispatchKey key) const {
    return find_kernel(entry_.kernels, key) != nullptr;
  }

  void check_composites() {
    const auto count = std::count_if(
        entry_.kernels.begin(), entry_.kernels.end(), [](const auto& kernel) {
          return model::is_generic_dispatch_key(kernel.first);
        });
    const bool nested_twin =
        count == 2 &&
        has_kernel(DispatchKey::kCompositeImplicitAutogradNestedTensor) &&
        !has_kernel(DispatchKey::kCompositeExplicitAutogradNonFunctional);
    if (count > 1 && !nested_twin) {
      error(DiagnosticId::kSeveralComposites, Field::kDispatch);
    }
  }

  void check_delegated(const NativeFunction& f) {
    if (!f.structured_delegate) {
      return;
    }
    for (const auto& [key, metadata] : entry_.kernels) {
      if (model::is_structured_dispatch_key(key)) {
        error(DiagnosticId::kDelegatedKernel, Field::kDispatch, name_of(key));
      }
    }
  }

  void parse_autogen(NativeFunction& f) {
    const auto text = fields_.get_string(Field::kAutogen);
    if (!text || text->empty()) {
      return;
    }
    const YamlNode& node = *fields_.find(Field::kAutogen);
    entry_.site.autogen = node.range();
    for (const std::string_view part : split_list(*text, ", ")) {
      if (auto name = parse_name(node, part)) {
        f.autogen.push_back(std::move(*name));
      }
    }
  }

  void parse_ufunc(NativeFunction& f) {
    const YamlNode* node = fields_.find(Field::kUfuncInnerLoop);
    if (node == nullptr) {
      return;
    }
    if (!node->is_string() && !node->is_mapping()) {
      fields_.wrong_type(Field::kUfuncInnerLoop, "a string or a mapping");
      return;
    }
    f.ufunc_inner_loop = parse_ufunc_inner_loop(*node, diagnostics_);
    if (f.ufunc_inner_loop.empty()) {
      return;
    }
    if (!f.structured) {
      error(DiagnosticId::kUfuncNotStructured, Field::kUfuncInnerLoop);
      return;
    }
    for (const DispatchKey key : kUfuncKeys) {
      if (has_kernel(key)) {
        error(DiagnosticId::kUfuncDispatch, Field::kDispatch, name_of(key));
      }
      BackendMetadata metadata;
      metadata.kernel = "ufunc_" + f.func.name.name.str() + "_";
      metadata.kernel += name_of(key);
      metadata.structured = true;
      metadata.cpp_namespace = model::kDefaultKernelNamespace;
      set_kernel(entry_.kernels, key, std::move(metadata));
    }
  }

  void set_dispatch_flags(NativeFunction& f) const {
    f.has_composite_implicit_autograd_kernel =
        has_kernel(DispatchKey::kCompositeImplicitAutograd);
    f.has_composite_implicit_autograd_nested_tensor_kernel =
        has_kernel(DispatchKey::kCompositeImplicitAutogradNestedTensor);
    f.has_composite_explicit_autograd_kernel =
        has_kernel(DispatchKey::kCompositeExplicitAutograd);
    f.has_composite_explicit_autograd_non_functional_kernel =
        has_kernel(DispatchKey::kCompositeExplicitAutogradNonFunctional);
    const std::size_t implicit =
        (f.has_composite_implicit_autograd_kernel ? 1U : 0U) +
        (f.has_composite_implicit_autograd_nested_tensor_kernel ? 1U : 0U);
    f.is_abstract = f.structured_delegate.has_value() || implicit == 0 ||
                    implicit != entry_.kernels.size();
  }

  const YamlNode& node_;
  const EntryContext& context_;
  text::Diagnostics& diagnostics_;
  EntryFields fields_;
  NativeFunctionEntry entry_;
};

}  // namespace

NativeFunctionEntry parse_native_function_entry(
    const YamlNode& node,
    const EntryContext& context,
    text::Diagnostics& diagnostics) {
  const std::size_t errors_before = diagnostics.error_count();
  NativeFunctionEntry entry = EntryParser(node, context, diagnostics).parse();
  entry.site.broken = diagnostics.error_count() != errors_before;
  return entry;
}

}  // namespace opgen::schema
