#include "opgen/emit/trace_type_record.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "opgen/api/cpp.h"
#include "opgen/emit/autograd_files_wrapper.h"
#include "opgen/model/function_schema.h"

namespace opgen::emit {
namespace {

using model::NativeFunction;
using model::SchemaKind;

constexpr std::string_view kForceOutplace =
    "if (tracer_state->force_outplace) {";

// Names under which operators are recorded.
std::string_view rename_trace(std::string_view name) {
  if (name == "zero") {
    return "zeros_like";
  }
  return name == "fill" ? "full_like" : name;
}

bool renames_with_more_arguments(const NativeFunction& f) {
  return f.root_name() == "fill" || f.root_name() == "zero";
}

bool is_inplace(const NativeFunction& f) {
  const SchemaKind kind = f.func.kind();
  return (kind == SchemaKind::kInplace || kind == SchemaKind::kOut) &&
         !f.func.name.name.dunder_method;
}

void append_op_name(std::string& text,
                    std::size_t depth,
                    std::string_view name) {
  append_line(text,
              depth,
              "op_name = c10::Symbol::fromQualString(\"aten::",
              rename_trace(name),
              "\");");
}

void append_trace_op_name(std::string& text, const NativeFunction& f) {
  const SchemaKind kind = f.func.kind();
  if (kind == SchemaKind::kFunctional || kind == SchemaKind::kOut ||
      f.func.name.name.dunder_method) {
    append_op_name(text, 2, f.func.name.name.str());
    return;
  }
  text.append("\n");
  append_line(text, 2, kForceOutplace);
  append_op_name(text, 3, f.root_name());
  append_line(text, 2, "} else {");
  append_op_name(text, 3, api::cpp::name(f.func));
  append_line(text, 2, "}");
}

void append_input(std::string& text,
                  std::size_t depth,
                  std::string_view name,
                  std::string_view input) {
  append_line(text,
              depth,
              "jit::tracer::addInputs(node, \"",
              name,
              "\", ",
              input,
              ");");
}

// Whether the functional variant takes tensor options where out= has the
// output.
bool is_factory_method(const NativeFunction& f) {
  const auto is_tensor = [](const auto& item) {
    return item.type->is_tensor_like();
  };
  const auto inputs = f.func.arguments.flat_non_out();
  return f.category_override == "factory" || f.root_name() == "normal" ||
         (std::any_of(
              f.func.returns.begin(), f.func.returns.end(), is_tensor) &&
          std::none_of(inputs.begin(), inputs.end(), is_tensor));
}

void append_output_inputs(std::string& text, const NativeFunction& f) {
  text.append("\n");
  append_line(text, 2, kForceOutplace);
  if (is_factory_method(f)) {
    append_input(text,
                 3,
                 "out",
                 "c10::optTypeMetaToScalarType(out.options().dtype_opt())");
    append_input(text, 3, "out", "out.options().layout()");
    append_input(text, 3, "out", "out.options().device()");
    append_input(text, 3, "out", "out.options().pinned_memory()");
  } else {
    text.append("\n");
  }
  append_line(text, 2, "} else {");
  for (const model::Argument& a : f.func.arguments.out()) {
    append_input(text, 3, a.name, a.name);
  }
  append_line(text, 2, "}");
}

void append_options_inputs(std::string& text) {
  append_line(text, 2, kForceOutplace);
  append_input(text, 5, "options", "::std::optional<ScalarType>()");
  append_input(text, 5, "options", "layout_or_default(::std::nullopt)");
  append_input(text, 5, "options", "device_or_default(::std::nullopt)");
  append_input(text, 5, "options", "pinned_memory_or_default(::std::nullopt)");
  append_line(text,
              5,
              "::std::optional<MemoryFormat> memory_format = "
              "c10::MemoryFormat::Preserve;");
  append_input(text, 5, "memory_format", "memory_format");
  append_line(text, 2, "} else {");
  text.append("\n");
  append_line(text, 2, "}");
}

void append_trace_inputs(std::string& text, const NativeFunction& f) {
  const auto inputs = f.func.arguments.flat_non_out();
  for (const model::Argument& a : inputs) {
    append_input(text, 2, a.name, a.name);
  }
  const bool out = f.func.is_out_fn();
  if (out) {
    append_output_inputs(text, f);
  }
  const bool options = is_inplace(f) && renames_with_more_arguments(f);
  if (out ? options : inputs.empty()) {
    text.append("\n");
  }
  if (options) {
    append_options_inputs(text);
  }
}

void append_outputs(std::string& text,
                    std::size_t depth,
                    const std::vector<std::string>& names) {
  if (names.empty()) {
    text.append("\n");
  }
  for (const std::string& name : names) {
    append_line(text, depth, "jit::tracer::addOutput(node, ", name, ");");
  }
}

}  // namespace

void append_prerecord_trace(std::string& text, const NativeFunction& f) {
  append_line(text, 1, "torch::jit::Node* node = nullptr;");
  append_line(
      text, 1, "std::shared_ptr<jit::tracer::TracingState> tracer_state;");
  append_line(text, 1, "if (jit::tracer::isTracing()) {");
  append_line(text, 2, "tracer_state = jit::tracer::getTracingState();");
  append_line(text, 2, "at::Symbol op_name;");
  append_trace_op_name(text, f);
  append_line(
      text, 2, "node = tracer_state->createNode(op_name, /*num_outputs=*/0);");
  append_line(text, 2, "jit::tracer::recordSourceLocation(node);");
  append_trace_inputs(text, f);
  append_line(text, 2, "tracer_state->insertNode(node);");
  if (is_inplace(f)) {
    const auto out = f.func.arguments.out();
    append_line(text,
                2,
                "jit::tracer::ensureUniqueIfOutOfPlaced(\"",
                api::cpp::name(f.func),
                "\", ",
                out.empty() ? std::string_view("self")
                            : std::string_view(out.front().name),
                ");");
  } else {
    text.append("\n");
  }
  append_line(text, 2, "jit::tracer::setTracingState(nullptr);");
  append_line(text, 1, "}");
}

void append_postrecord_trace(std::string& text, const NativeFunction& f) {
  append_line(text, 1, "if (tracer_state) {");
  append_line(
      text, 2, "jit::tracer::setTracingState(std::move(tracer_state));");
  const std::vector<std::string> returned = api::cpp::return_names(f);
  std::vector<std::string> outputs;
  for (const model::Argument& a : f.func.arguments.out()) {
    outputs.push_back(a.name);
  }
  if (outputs.empty() || outputs == returned) {
    append_outputs(text, 2, returned);
  } else {
    text.append("\n");
    append_line(text, 2, "if (force_outplace) {");
    append_outputs(text, 3, outputs);
    append_line(text, 2, "} else {");
    append_outputs(text, 3, returned);
    append_line(text, 2, "}");
  }
  append_line(text, 1, "}");
}

}  // namespace opgen::emit
