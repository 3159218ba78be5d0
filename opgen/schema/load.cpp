#include "opgen/schema/load.h"

#include <string_view>
#include <utility>

#include "opgen/schema/function_registry.h"
#include "opgen/schema/grouping.h"
#include "opgen/schema/native_function_entry.h"
#include "opgen/schema/native_function_generation.h"
#include "opgen/schema/pre_groups.h"
#include "opgen/schema/tag_list.h"
#include "opgen/schema/tags_yaml.h"
#include "opgen/text/yaml.h"

namespace opgen::schema {

namespace {

using model::NativeFunctions;
using text::DiagnosticId;
using text::YamlDocument;
using text::YamlNode;

YamlDocument open(const std::string& path,
                  const std::shared_ptr<const text::SourceFile>& file,
                  text::Diagnostics& diagnostics) {
  return file == nullptr ? YamlDocument::read(path, diagnostics)
                         : YamlDocument(file, diagnostics);
}

class Loader {
 public:
  Loader(const LoadOptions& options,
         LoadedFunctions& loaded,
         text::Diagnostics& diagnostics)
      : options_(options),
        loaded_(loaded),
        diagnostics_(diagnostics),
        registry_(result_, loaded.sites, diagnostics) {}

  void run() {
    const std::size_t errors_before = diagnostics_.error_count();
    load_tags();
    const bool complete = load_functions();
    if (complete) {
      group();
    }
    if (diagnostics_.error_count() == errors_before) {
      loaded_.functions = std::move(result_);
    }
  }

 private:
  void load_tags() {
    const YamlDocument document =
        open(options_.tags_path, options_.tags, diagnostics_);
    loaded_.tags_file = document.shared_file();
    if (document.root() != nullptr) {
      result_.valid_tags = parse_tags_yaml(*document.root(), diagnostics_);
      tags_known_ = true;
    }
  }

  // False if there is an entry whose schema cannot be read.
  bool load_functions() {
    const YamlDocument document = open(options_.native_functions_path,
                                       options_.native_functions,
                                       diagnostics_);
    loaded_.native_functions_file = document.shared_file();
    const YamlNode* root = document.root();
    if (root == nullptr || !tags_known_) {
      return false;
    }
    if (!root->is_sequence()) {
      diagnostics_.error(
          DiagnosticId::kFunctionsNotList, root->range(), {root->describe()});
      return false;
    }
    const EntryContext context = make_context();
    result_.functions.reserve(root->items().size() + kUsuallyGenerated);
    loaded_.sites.reserve(root->items().size() + kUsuallyGenerated);
    result_.by_name.reserve(root->items().size() + kUsuallyGenerated);
    bool complete = true;
    for (const YamlNode* node : root->items()) {
      complete = load_entry(*node, context) && complete;
    }
    return complete;
  }

  EntryContext make_context() const {
    EntryContext context;
    context.valid_keys =
        options_.valid_keys.empty()
            ? model::all_dispatch_keys()
            : std::span<const model::DispatchKey>(options_.valid_keys);
    context.ignore_keys = &options_.ignore_keys;
    for (const auto& [tag, description] : result_.valid_tags) {
      context.valid_tags.emplace_back(tag);
    }
    // PyTorch 2.13 took the type Dimname away and brought the tag out.
    context.language.dimname = !is_valid_tag(context.valid_tags, "out");
    return context;
  }

  bool load_entry(const YamlNode& node, const EntryContext& context) {
    if (!node.is_mapping()) {
      diagnostics_.error(
          DiagnosticId::kEntryNotMapping, node.range(), {node.describe()});
      return false;
    }
    NativeFunctionEntry entry =
        parse_native_function_entry(node, context, diagnostics_);
    if (entry.function == nullptr) {
      return false;
    }
    registry_.add(std::move(entry.function),
                  std::move(entry.kernels),
                  std::move(entry.site));
    return true;
  }

  void group() {
    error_check_native_functions(registry_);
    PreGroups groups(result_.functions.size());
    for (const auto& f : result_.functions) {
      if (const model::NativeFunction* other = groups.add(*f)) {
        diagnostics_
            .error(DiagnosticId::kDuplicateSchemaKind,
                   registry_.site(*f).name,
                   {f->func.str()})
            .note(registry_.site(*other).name, "the other variant is here");
        registry_.site(*f).broken = true;
        registry_.site(*other).broken = true;
      }
    }
    if (options_.generate_missing_functions) {
      add_generated_native_functions(registry_, groups);
    }
    registry_.finish();
    get_grouped_native_functions(groups, registry_, result_);
    // Only PyTorch makes the operators that views need for their groups.
    if (options_.generate_missing_functions) {
      get_grouped_by_view_native_functions(registry_, result_);
    }
  }

  static constexpr std::size_t kUsuallyGenerated = 600;

  const LoadOptions& options_;
  LoadedFunctions& loaded_;
  text::Diagnostics& diagnostics_;
  NativeFunctions result_;
  FunctionRegistry registry_;
  bool tags_known_ = false;
};

}  // namespace

LoadedFunctions load_native_functions(const LoadOptions& options,
                                      text::Diagnostics& diagnostics) {
  LoadedFunctions loaded;
  Loader(options, loaded, diagnostics).run();
  return loaded;
}

}  // namespace opgen::schema
