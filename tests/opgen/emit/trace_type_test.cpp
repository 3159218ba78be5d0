#include "opgen/emit/trace_type.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "tests/opgen/api/functions.h"

namespace opgen::emit {
namespace {

using api::function_of;

constexpr std::string_view kKeys =
    "ks & c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER, "
    "c10::DispatchKey::Tracer)";

bool is_traced(std::string_view schema) {
  return should_trace(*function_of(schema));
}

TEST(TraceType, records_functions_that_return_tensors) {
  EXPECT_TRUE(is_traced("abs(Tensor self) -> Tensor"));
  EXPECT_TRUE(is_traced("split(Tensor self, int n) -> Tensor[]"));
  EXPECT_FALSE(is_traced("dim(Tensor self) -> int"));
  EXPECT_FALSE(is_traced("_foreach_abs_(Tensor(a!)[] self) -> ()"));
  EXPECT_FALSE(is_traced("set.s(Tensor self, Storage source) -> Tensor"));
  EXPECT_FALSE(is_traced("conv1d(Tensor input) -> Tensor"));
  EXPECT_FALSE(is_traced("conv1d.padding(Tensor input) -> Tensor"));
}

TEST(TraceType, calls_only_what_it_does_not_record) {
  const auto f = function_of("dim(Tensor self) -> int");
  EXPECT_EQ(trace_method_definition(*f),
            "int64_t dim(c10::DispatchKeySet ks, const at::Tensor & self) {\n"
            "  auto result =at::_ops::dim::redispatch(" +
                std::string(kKeys) +
                ", self);\n"
                "  return result;\n"
                "}\n");
}

TEST(TraceType, records_a_function_of_two_results) {
  const auto f = function_of(
      "sort(Tensor self, int dim=-1) -> (Tensor values, Tensor indices)");
  EXPECT_EQ(
      trace_method_definition(*f),
      R"(::std::tuple<at::Tensor,at::Tensor> sort(c10::DispatchKeySet ks, const at::Tensor & self, int64_t dim) {
  torch::jit::Node* node = nullptr;
  std::shared_ptr<jit::tracer::TracingState> tracer_state;
  if (jit::tracer::isTracing()) {
    tracer_state = jit::tracer::getTracingState();
    at::Symbol op_name;
    op_name = c10::Symbol::fromQualString("aten::sort");
    node = tracer_state->createNode(op_name, /*num_outputs=*/0);
    jit::tracer::recordSourceLocation(node);
    jit::tracer::addInputs(node, "self", self);
    jit::tracer::addInputs(node, "dim", dim);
    tracer_state->insertNode(node);

    jit::tracer::setTracingState(nullptr);
  }
  auto [values, indices] =at::_ops::sort::redispatch()" +
          std::string(kKeys) + R"(, self, dim);
  if (tracer_state) {
    jit::tracer::setTracingState(std::move(tracer_state));
    jit::tracer::addOutput(node, values);
    jit::tracer::addOutput(node, indices);
  }
  return std::make_tuple(std::move(values), std::move(indices));
}
)");
}

TEST(TraceType, gives_renamed_operators_more_inputs) {
  const std::string text = trace_method_definition(
      *function_of("zero_(Tensor(a!) self) -> Tensor(a!)"));
  EXPECT_NE(text.find(R"(
    at::Symbol op_name;

    if (tracer_state->force_outplace) {
      op_name = c10::Symbol::fromQualString("aten::zeros_like");
    } else {
      op_name = c10::Symbol::fromQualString("aten::zero_");
    }
)"),
            std::string::npos);
  EXPECT_NE(text.find(R"(
    jit::tracer::addInputs(node, "self", self);
    if (tracer_state->force_outplace) {
          jit::tracer::addInputs(node, "options", ::std::optional<ScalarType>());
)"),
            std::string::npos);
}

TEST(TraceType, records_the_options_of_a_factorys_output) {
  const std::string text = trace_method_definition(
      *function_of("eye.out(int n, *, Tensor(a!) out) -> Tensor(a!)"));
  EXPECT_NE(text.find(R"(
    jit::tracer::addInputs(node, "n", n);

    if (tracer_state->force_outplace) {
      jit::tracer::addInputs(node, "out", c10::optTypeMetaToScalarType(out.options().dtype_opt()));
)"),
            std::string::npos);
}

}  // namespace
}  // namespace opgen::emit
