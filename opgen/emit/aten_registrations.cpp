#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "opgen/emit/aten.h"
#include "opgen/emit/device_headers.h"
#include "opgen/emit/env.h"
#include "opgen/emit/meta_functions.h"
#include "opgen/emit/native_functions.h"
#include "opgen/emit/ufunc.h"

namespace opgen::emit {
namespace {

using model::DispatchKey;
using model::FunctionOrGroup;
using model::NativeFunction;
using model::NativeFunctionsGroup;

using Texts = std::vector<std::string>;

bool is_registered(const AtenRun& run,
                   const FunctionOrGroup& item,
                   DispatchKey key) {
  const model::BackendIndex& index = run.backend_index(key);
  if (index.get_kernel(item) != nullptr) {
    return true;
  }
  const bool made_for_structured =
      key == DispatchKey::kMeta ||
      key == DispatchKey::kCompositeExplicitAutogradNonFunctional;
  if (const auto* group = std::get_if<const NativeFunctionsGroup*>(&item)) {
    const auto functions = (*group)->functions();
    return std::any_of(functions.begin(),
                       functions.end(),
                       [&](const auto* f) { return index.has_kernel(*f); }) ||
           ((*group)->structured() && made_for_structured);
  }
  return std::get<const NativeFunction*>(item)->structured &&
         made_for_structured;
}

Texts operator_headers(const AtenRun& run, DispatchKey key) {
  const bool functional =
      key == DispatchKey::kCompositeExplicitAutogradNonFunctional;
  const bool has_functions = run.keys.functions_keys.contains(key);
  if (!run.options.per_operator_headers) {
    Texts headers{"#include <ATen/NativeFunctions.h>"};
    if (functional) {
      headers.emplace_back("#include <ATen/Functions.h>");
    }
    if (has_functions) {
      headers.push_back("#include <ATen/" + std::string(name_of(key)) +
                        "Functions.h>");
    }
    return headers;
  }
  std::set<std::string> headers;
  for (const std::uint32_t place : run.items_of(key)) {
    const FunctionOrGroup& item = run.program.grouped_native_functions[place];
    if (!is_registered(run, item, key)) {
      continue;
    }
    const std::string prefix = "#include <ATen/ops/" + root_name(item);
    headers.insert(prefix + "_native.h>");
    if (functional) {
      headers.insert(prefix + ".h>");
    }
    if (has_functions) {
      headers.insert(prefix + "_" + lower_name_of(key) + "_dispatch.h>");
    }
  }
  return {headers.begin(), headers.end()};
}

text::Env base_env(const AtenRun& run, DispatchKey key) {
  const model::BackendIndex& index = run.backend_index(key);
  const bool helpers =
      key != DispatchKey::kCompositeImplicitAutogradNestedTensor;
  const std::string_view device_headers =
      run.options.rocm ? kHipHeaders : kCudaHeaders;
  return env_of(
      "extra_cuda_headers",
      std::string(model::is_cuda_dispatch_key(key) ? device_headers
                                                   : std::string_view()),
      "external_backend_headers",
      "",
      "dispatch_headers",
      gen_registration_headers(
          index, run.options.per_operator_headers, run.options.rocm),
      "ops_headers",
      operator_headers(run, key),
      "dispatch_helpers",
      helpers ? gen_registration_helpers(index) : Texts{});
}

void gen_registrations(const AtenRun& run, DispatchKey key) {
  const RegistrationSettings settings{
      .selector = &run.selector,
      .rocm = run.options.rocm,
      .symint = true,
      .skip_dispatcher_op_registration =
          run.options.skip_dispatcher_op_registration,
      .gen_dispatch_helpers =
          key != DispatchKey::kCompositeImplicitAutogradNestedTensor,
      .named_tensors = run.named_tensors,
      .definitions_template = &run.jobs.templates()->get(
          run.options.source_path +
          "/templates/RegisterDispatchDefinitions.ini")};
  const auto& grouped = run.program.grouped_native_functions;
  text::FileManager::Sharded sharded;
  sharded.filename = "Register" + std::string(name_of(key)) + ".cpp";
  sharded.template_fn = "RegisterDispatchKey.cpp";
  const auto items =
      std::make_shared<const std::vector<std::uint32_t>>(run.items_of(key));
  sharded.items = items->size();
  sharded.key = [&grouped, items](std::size_t i) -> std::string_view {
    return root_name(grouped[(*items)[i]]);
  };
  sharded.env = [&run, &grouped, items, key, settings](std::size_t i) {
    return env_of("dispatch_definitions",
                  get_native_function_definitions(
                      std::span(grouped).subspan((*items)[i], 1),
                      run.backend_index(key),
                      settings));
  };
  sharded.num_shards = key == DispatchKey::kCPU ? 4 : 1;
  sharded.base_env = base_env(run, key);
  sharded.sharded_keys = {"dispatch_definitions"};
  run.files.of(key).write_sharded(std::move(sharded));
}

std::string meta_declaration(const NativeFunctionsGroup& g) {
  return compute_meta_function_declaration(g).value_or("None");
}

void gen_ufunc_cpu(const AtenRun& run, const NativeFunctionsGroup& g) {
  const std::string name = g.functional->func.name.name.str();
  run.files.cpu.write_with_template(
      "UfuncCPU_" + name + ".cpp", "UfuncCPU.cpp", [&run, &g] {
        return env_of("meta_declaration",
                      meta_declaration(g),
                      "native_declaration",
                      compute_native_function_declaration(
                          &g, run.backend_index(DispatchKey::kCPU)),
                      "native_definitions",
                      compute_ufunc_cpu(g));
      });
  run.files.cpu_vec.write_with_template(
      "UfuncCPUKernel_" + name + ".cpp", "UfuncCPUKernel.cpp", [name, &g] {
        return env_of(
            "name", name, "native_definitions", compute_ufunc_cpu_kernel(g));
      });
}

void gen_ufunc_cuda(const AtenRun& run, const NativeFunctionsGroup& g) {
  const std::string name = g.functional->func.name.name.str();
  run.files.cuda.write_with_template(
      "UfuncCUDA_" + name + ".cu", "UfuncCUDA.cu", [&run, &g, name] {
        return env_of("name",
                      name,
                      "cuda_headers",
                      run.options.rocm
                          ? "#include <ATen/native/hip/Loops.cuh>"
                          : "#include <ATen/native/cuda/Loops.cuh>",
                      "meta_declaration",
                      meta_declaration(g),
                      "native_declaration",
                      compute_native_function_declaration(
                          &g, run.backend_index(DispatchKey::kCUDA)),
                      "native_definitions",
                      compute_ufunc_cuda(g));
      });
}

}  // namespace

void gen_dispatch_key_sources(const AtenRun& run) {
  for (const DispatchKey key : run.keys.dispatch_keys) {
    gen_registrations(run, key);
    if (!model::is_ufunc_dispatch_key(key)) {
      continue;
    }
    for (const NativeFunctionsGroup* g : run.structured_native_functions) {
      if (g->out->ufunc_inner_loop.empty()) {
        continue;
      }
      if (key == DispatchKey::kCPU) {
        gen_ufunc_cpu(run, *g);
      } else {
        gen_ufunc_cuda(run, *g);
      }
    }
  }
}

}  // namespace opgen::emit
