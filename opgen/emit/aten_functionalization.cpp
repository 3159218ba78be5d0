#include <memory>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "opgen/emit/aten.h"
#include "opgen/emit/composite_kernels.h"
#include "opgen/emit/composite_kernels_view_copy.h"
#include "opgen/emit/env.h"
#include "opgen/emit/functionalization.h"
#include "opgen/emit/register_dispatch_key_error.h"
#include "opgen/emit/view_meta.h"

namespace opgen::emit {
namespace {

using model::DispatchKey;
using model::FunctionOrAnyGroup;
using model::NativeFunction;
using model::NativeFunctionsGroup;
using model::NativeFunctionsViewGroup;

using Texts = std::vector<std::string>;

void append_headers(const NativeFunction* f, Texts& headers) {
  if (f != nullptr) {
    headers.push_back("#include <ATen/ops/" + f->root_name() + "_native.h>");
    headers.push_back("#include <ATen/ops/" + f->root_name() + "_ops.h>");
  }
}

struct OpHeaders {
  Texts& headers;

  void operator()(const NativeFunction* f) const { append_headers(f, headers); }

  void operator()(const NativeFunctionsGroup* g) const {
    for (const NativeFunction* f : g->functions()) {
      append_headers(f, headers);
    }
  }

  void operator()(const NativeFunctionsViewGroup* g) const {
    append_headers(g->view, headers);
    append_headers(g->view_copy, headers);
  }
};

Texts gen_op_headers(const FunctionOrAnyGroup& item) {
  Texts headers;
  std::visit(OpHeaders{headers}, item);
  return headers;
}

const std::string& root_name_of(const FunctionOrAnyGroup& item) {
  return std::visit(
      [](const auto* any) -> const std::string& { return any->root_name(); },
      item);
}

// Whose entry an error in the item's code is about.
const NativeFunction& function_of(const FunctionOrAnyGroup& item) {
  if (const auto* group = std::get_if<const NativeFunctionsGroup*>(&item)) {
    return *(*group)->out;
  }
  if (const auto* group = std::get_if<const NativeFunctionsViewGroup*>(&item)) {
    return *(*group)->view;
  }
  return *std::get<const NativeFunction*>(item);
}

// Groups first, then view groups, then the functions that are in neither.
std::vector<FunctionOrAnyGroup> all_groups(const AtenRun& run) {
  std::vector<FunctionOrAnyGroup> groups;
  std::unordered_set<const NativeFunction*> grouped;
  const auto add = [&](const auto* group) {
    groups.emplace_back(group);
    for (const NativeFunction* f : group->functions()) {
      grouped.insert(f);
    }
  };
  for (const auto* group : run.structured_native_functions) {
    add(group);
  }
  for (const auto* group : run.view_groups) {
    add(group);
  }
  for (const auto& f : run.program.functions) {
    if (!grouped.contains(f.get())) {
      groups.emplace_back(f.get());
    }
  }
  return groups;
}

void gen_registrations(const AtenRun& run) {
  const auto groups =
      std::make_shared<const std::vector<FunctionOrAnyGroup>>(all_groups(run));
  text::FileManager::Sharded sharded;
  sharded.filename = "RegisterFunctionalization.cpp";
  sharded.template_fn = "RegisterFunctionalization.cpp";
  sharded.items = groups->size();
  sharded.key = [groups](std::size_t i) -> std::string_view {
    return root_name_of((*groups)[i]);
  };
  sharded.env = [&run, groups](std::size_t i) {
    const FunctionOrAnyGroup& item = (*groups)[i];
    Texts definitions;
    Texts registrations;
    native_function_manager(function_of(item), [&] {
      gen_functionalization_definition(run.selector, item, definitions);
      gen_functionalization_registration(
          run.selector,
          item,
          run.backend_index(DispatchKey::kCompositeImplicitAutograd),
          registrations);
    });
    return env_of("ops_headers",
                  gen_op_headers(item),
                  "func_definitions",
                  std::move(definitions),
                  "func_registrations",
                  std::move(registrations));
  };
  sharded.num_shards = 4;
  sharded.sharded_keys = {"ops_headers",
                          "func_definitions",
                          "func_registrations",
                          "func_add_back_views_definitions",
                          "func_add_back_views_registrations"};
  run.files.cpu.write_sharded(std::move(sharded));
}

void gen_views(const AtenRun& run) {
  run.files.cpu.write("FunctionalInverses.h", [&run] {
    Texts texts;
    for (const auto* g : run.view_groups) {
      if (auto made = gen_functionalization_view_inverse_declaration(*g)) {
        texts.push_back(std::move(*made));
      }
    }
    return env_of("view_inverse_declarations", std::move(texts));
  });
  run.files.cpu.write("ViewMetaClasses.h", [&run] {
    Texts texts;
    for (const auto* g : run.view_groups) {
      gen_functionalization_view_meta_classes_decl(run.selector, *g, texts);
    }
    return env_of("view_meta_declarations", std::move(texts));
  });
  run.files.cpu.write("ViewMetaClasses.cpp", [&run] {
    Texts texts;
    Texts headers;
    for (const auto* g : run.view_groups) {
      gen_functionalization_view_meta_classes_impl(run.selector, *g, texts);
      OpHeaders{headers}(g);
    }
    return env_of("view_meta_implementations",
                  std::move(texts),
                  "op_headers",
                  std::move(headers));
  });
}

// One text with a pair of lines per function.
std::string kernel_headers(const std::vector<const NativeFunction*>& all) {
  std::string text;
  for (const NativeFunction* f : all) {
    if (!text.empty()) {
      text += '\n';
    }
    text += "#include <ATen/ops/" + f->root_name() + "_ops.h>\n";
    text += "#include <ATen/ops/" + f->root_name() + "_native.h>";
  }
  return text;
}

Texts composite_headers(const AtenRun& run) {
  Texts headers;
  for (const auto* g : run.view_groups) {
    std::vector<const NativeFunction*> all{g->view};
    if (g->view_copy != nullptr) {
      all.push_back(g->view_copy);
    }
    headers.push_back(kernel_headers(all));
  }
  for (const auto* g : run.structured_native_functions) {
    std::vector<const NativeFunction*> all;
    for (const NativeFunction* f : {g->inplace, g->mutable_, g->functional}) {
      if (f != nullptr && !f->has_tag("generated")) {
        all.push_back(f);
      }
    }
    headers.push_back(kernel_headers(all));
  }
  return headers;
}

void gen_composites(const AtenRun& run) {
  run.files.cpu.write("CompositeViewCopyKernels.cpp", [&run] {
    Texts view_copies;
    Texts functional;
    Texts out;
    const model::BackendIndex& index =
        run.backend_index(DispatchKey::kCompositeExplicitAutogradNonFunctional);
    const auto append = [](Texts& texts, std::optional<std::string> made) {
      if (made) {
        texts.push_back(std::move(*made));
      }
    };
    for (const auto* g : run.view_groups) {
      append(view_copies, gen_composite_view_copy_kernel(*g, index));
    }
    for (const auto* g : run.structured_native_functions) {
      append(functional, gen_composite_functional_kernel(*g));
      append(out, gen_composite_out_kernel(*g));
    }
    return env_of("ops_headers",
                  composite_headers(run),
                  "CompositeViewCopyKernel_Definitions",
                  std::move(view_copies),
                  "GeneratedCompositeFunctional_Definitions",
                  std::move(functional),
                  "GeneratedCompositeOut_Definitions",
                  std::move(out));
  });
}

}  // namespace

void gen_functionalization_sources(const AtenRun& run) {
  gen_registrations(run);
  gen_views(run);
  gen_composites(run);
}

}  // namespace opgen::emit
