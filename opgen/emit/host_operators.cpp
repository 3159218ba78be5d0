#include "opgen/emit/host_operators.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "opgen/api/types/binding.h"
#include "opgen/api/types/signatures.h"
#include "opgen/emit/register_dispatch_key_error.h"
#include "opgen/emit/str_append.h"
#include "opgen/model/dispatch_key.h"
#include "opgen/model/function_schema.h"
#include "opgen/model/type.h"

namespace opgen::emit {
namespace {

using model::Argument;
using model::BaseTy;
using model::NativeFunction;
using model::Type;

bool is_supported(const Type* type) {
  for (const BaseTy base : {BaseTy::kStorage,
                            BaseTy::kStream,
                            BaseTy::kDevice,
                            BaseTy::kDimname,
                            BaseTy::kQScheme,
                            BaseTy::kGraphModule}) {
    if (type->is_base_ty_like(base)) {
      return false;
    }
  }
  return true;
}

const Argument& argument_of(const api::Binding& binding) {
  if (const auto* plain = std::get_if<const Argument*>(&binding.argument)) {
    return **plain;
  }
  return *std::get<model::SelfArgument>(binding.argument).argument;
}

// A generator that is asked for, or none.
bool draws_from_the_default_generator(const NativeFunction& f) {
  return f.has_tag("nondeterministic_seeded") &&
         !f.func.arguments.has_generator_arg();
}

std::size_t position_of(const NativeFunction& f, const Argument& argument) {
  const auto all = f.func.arguments.flat_all();
  return static_cast<std::size_t>(
      std::find_if(all.begin(),
                   all.end(),
                   [&](const Argument& a) { return a.name == argument.name; }) -
      all.begin());
}

bool returns_its_arguments(const NativeFunction& f) {
  return std::all_of(f.func.returns.begin(),
                     f.func.returns.end(),
                     [](const model::Return& r) { return r.is_write(); });
}

// Whether what the kernel writes to keeps its size and its storage. Kernels
// that are not structured may resize also in place.
bool keeps_what_it_writes(const NativeFunction& f) {
  return f.func.kind() == model::SchemaKind::kInplace &&
         f.part_of_structured_group();
}

// The arguments that the results are, in the order of the results.
std::string returned_arguments(const NativeFunction& f) {
  const auto names = f.func.aliased_return_names();
  std::string text;
  str_append_joined(
      text, names, ", ", [](const auto& name) { return name.value_or(""); });
  return text;
}

// Whether the operator is ATen's, returns no view, takes no storage, and tells
// its device by a tensor.
bool can_be_wrapped(const NativeFunction& f) {
  if (f.namespace_ != "aten" || f.is_view_op() ||
      f.manual_kernel_registration || f.func.arguments.tensor_options() ||
      draws_from_the_default_generator(f)) {
    return false;
  }
  const auto arguments = f.func.arguments.flat_all();
  const bool supported =
      std::all_of(arguments.begin(), arguments.end(), [](const Argument& a) {
        return is_supported(a.type);
      });
  return supported && f.func.arguments.has_tensor_arg();
}

}  // namespace

std::string host_wrapper(const NativeFunction& f,
                         const std::string& name,
                         std::size_t index) {
  const auto group = api::CppSignatureGroup::from_native_function(f, false);
  const api::CppSignature& sig = group.most_faithful_signature();
  const auto arguments = sig.arguments();
  std::string text;
  str_append(text,
             "// aten::",
             f.func.str(),
             "\n",
             sig.returns_type()->cpp_type(),
             " ",
             name,
             "(c10::OperatorKernel*, c10::DispatchKeySet, ");
  api::append_defns(text, arguments);
  str_append(text, ") {\n  HostCall call_(", std::to_string(index), ");\n");
  std::string passed;
  const char* const write = keeps_what_it_writes(f) ? "in_place(" : "io(";
  for (const api::Binding& binding : arguments) {
    const Argument& argument = argument_of(binding);
    str_append(passed, passed.empty() ? "" : ", ");
    if (argument.type->is_tensor_like()) {
      str_append(text,
                 "  auto&& ",
                 binding.name,
                 "_ = call_.",
                 argument.is_write() ? write : "in(",
                 binding.name,
                 ", ",
                 std::to_string(position_of(f, argument)),
                 ");\n");
      str_append(passed, binding.name, "_");
    } else if (argument.type->is_generator_like()) {
      str_append(passed, "call_.generator(", binding.name, ")");
    } else {
      passed.append(binding.name);
    }
  }
  const std::string call = "at::cpu::" + sig.name() + "(" + passed + ")";
  if (!returns_its_arguments(f)) {
    str_append(text, "  return call_.result(", call, ");\n}\n");
    return text;
  }
  str_append(text, "  ", call, ";\n  call_.finish();\n");
  if (!f.func.returns.empty()) {
    const bool several = f.func.returns.size() > 1;
    str_append(text,
               "  return ",
               several ? "{" : "",
               returned_arguments(f),
               several ? "}" : "",
               ";\n");
  }
  text.append("}\n");
  return text;
}

namespace {

std::string host_operator_file(const HostOperatorsOptions& options,
                               const std::vector<const NativeFunction*>& fs,
                               std::size_t shard) {
  std::string text;
  str_append(text,
             "// Generated by opgen backend from native_functions.yaml.\n"
             "#include <ATen/CPUFunctions.h>\n\n#include \"",
             options.header,
             "\"\n\nnamespace ",
             options.cpp_namespace,
             " {\nnamespace {\n\n");
  std::string entries;
  for (std::size_t i = shard; i < fs.size(); i += options.shards) {
    const NativeFunction& f = *fs[i];
    const std::string name = "k" + std::to_string(i);
    text.append(
        native_function_manager(f, [&] { return host_wrapper(f, name, i); }));
    text.append("\n");
    str_append(entries,
               "    {\"aten::",
               f.func.name.name.str(),
               "\", \"",
               f.func.name.overload_name,
               "\", host_kernel_of(&",
               name,
               "), ",
               std::to_string(i),
               "},\n");
  }
  str_append(text,
             "const HostEntry kEntries[] = {\n",
             entries,
             "};\n\n}  // namespace\n\nstd::span<const HostEntry> "
             "host_operators_",
             std::to_string(shard),
             "() {\n  return kEntries;\n}\n\n}  // namespace ",
             options.cpp_namespace,
             "\n");
  return text;
}

std::string table_file(const HostOperatorsOptions& options, std::size_t count) {
  std::string declarations;
  std::string calls;
  for (std::size_t i = 0; i < options.shards; ++i) {
    const std::string name = "host_operators_" + std::to_string(i) + "()";
    str_append(declarations, "std::span<const HostEntry> ", name, ";\n");
    str_append(calls, i == 0 ? "" : ", ", name);
  }
  std::string text;
  str_append(text,
             "// Generated by opgen backend from native_functions.yaml.\n"
             "#include \"",
             options.header,
             "\"\n\nnamespace ",
             options.cpp_namespace,
             " {\n\n",
             declarations,
             "\nstd::vector<std::span<const HostEntry>> host_operators() {\n"
             "  return {",
             calls,
             "};\n}\n\nstd::size_t host_operator_count() {\n  return ",
             std::to_string(count),
             ";\n}\n\n}  // namespace ",
             options.cpp_namespace,
             "\n");
  return text;
}

}  // namespace

std::vector<const NativeFunction*> host_operators(
    const model::NativeFunctions& program) {
  const auto& cpu = program.backend_indices.at(model::DispatchKey::kCPU);
  std::vector<const NativeFunction*> found;
  const auto add = [&](const NativeFunction& f, bool has_kernel) {
    if (has_kernel && can_be_wrapped(f)) {
      found.push_back(&f);
    }
  };
  for (const auto& item : program.grouped_native_functions) {
    if (const auto* f = std::get_if<const NativeFunction*>(&item)) {
      add(**f, cpu.has_kernel(**f));
      continue;
    }
    const auto& g = *std::get<const model::NativeFunctionsGroup*>(item);
    for (const NativeFunction* f : g.functions()) {
      // One structured kernel serves all variants but mutable ones.
      const bool structured = f->part_of_structured_group();
      add(*f, structured ? cpu.has_kernel(g) : cpu.has_kernel(*f));
    }
  }
  return found;
}

std::vector<text::OutputFile> host_operator_files(
    const HostOperatorsOptions& options,
    const model::NativeFunctions& program) {
  const auto fs = host_operators(program);
  std::vector<text::OutputFile> files;
  for (std::size_t i = 0; i < options.shards; ++i) {
    files.push_back(
        {options.install_dir + "/operators_" + std::to_string(i) + ".cpp",
         host_operator_file(options, fs, i)});
  }
  files.push_back(
      {options.install_dir + "/operators.cpp", table_file(options, fs.size())});
  return files;
}

}  // namespace opgen::emit
