#include "opgen/emit/trace_type.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "opgen/api/cpp.h"
#include "opgen/emit/autograd_files_wrapper.h"
#include "opgen/emit/env.h"
#include "opgen/emit/register_dispatch_key_error.h"
#include "opgen/emit/trace_type_record.h"
#include "opgen/model/function_schema.h"
#include "opgen/model/type.h"

namespace opgen::emit {
namespace {

using model::NativeFunction;
using model::SchemaKind;

using Texts = std::vector<std::string>;

// torchgen's DONT_RECORD_TRACE: what these are made of is recorded instead.
constexpr std::array<std::string_view, 12> kNotRecorded = {
    "convolution",
    "conv1d",
    "conv2d",
    "conv3d",
    "conv_transpose1d",
    "conv_transpose2d",
    "conv_transpose3d",
    "lstm_cell",
    "gru_cell",
    "rnn_tanh_cell",
    "rnn_relu_cell",
    "_coalesced",
};

constexpr std::string_view kTraceKeys =
    "ks & c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER, "
    "c10::DispatchKey::Tracer)";

}  // namespace

bool should_trace(const NativeFunction& f) {
  const auto arguments = f.func.arguments.flat_all();
  const auto& returns = f.func.returns;
  return std::none_of(arguments.begin(),
                      arguments.end(),
                      [](const model::Argument& a) {
                        return a.type->is(model::BaseTy::kStorage);
                      }) &&
         std::any_of(
             returns.begin(),
             returns.end(),
             [](const model::Return& r) { return r.type->is_tensor_like(); }) &&
         std::find(kNotRecorded.begin(), kNotRecorded.end(), f.root_name()) ==
             kNotRecorded.end();
}

std::string trace_method_definition(const NativeFunction& f) {
  const bool traced = should_trace(f);
  const bool returns = !f.func.returns.empty();
  const SchemaKind kind = f.func.kind();
  std::string text;
  text.reserve(2048);
  append_wrapper_head(text, f);
  if (traced) {
    append_prerecord_trace(text, f);
  }
  text.append("  ");
  if (returns &&
      (kind == SchemaKind::kFunctional || kind == SchemaKind::kMutable)) {
    str_append(text, tie_return_values(f), " =");
  }
  append_redispatch(text, f, kTraceKeys);
  if (traced) {
    append_postrecord_trace(text, f);
  }
  if (returns) {
    append_line(text, 1, "return ", get_return_value(f), ";");
  }
  text.append("}\n");
  return text;
}

void gen_trace_type(const AutogradRun& run) {
  std::vector<const NativeFunction*> functions;
  for (const auto& f : run.program.functions) {
    if (!has_manual_wrapper(api::cpp::name(f->func))) {
      functions.push_back(f.get());
    }
  }
  text::FileManager::Sharded sharded;
  sharded.filename = "TraceType.cpp";
  sharded.template_fn = "TraceType.cpp";
  sharded.items = functions.size();
  sharded.key = [functions](std::size_t i) -> std::string_view {
    return functions[i]->root_name();
  };
  sharded.env = [functions = std::move(functions)](std::size_t i) {
    const NativeFunction& f = *functions[i];
    return env_of("ops_headers",
                  Texts{"#include <ATen/ops/" + f.root_name() + "_ops.h>"},
                  "trace_method_definitions",
                  Texts{native_function_manager(
                      f, [&f] { return trace_method_definition(f); })},
                  "trace_wrapper_registrations",
                  Texts{wrapper_registration(f, "TraceType")});
  };
  sharded.num_shards = run.options.trace_shards;
  sharded.base_env = generated_comment(run, "TraceType.cpp");
  sharded.sharded_keys = {
      "ops_headers", "trace_method_definitions", "trace_wrapper_registrations"};
  run.files.write_sharded(std::move(sharded));
}

}  // namespace opgen::emit
