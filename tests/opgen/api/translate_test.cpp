#include "opgen/api/translate.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "opgen/api/types/binding.h"
#include "opgen/api/types/ctype.h"

namespace opgen::api {
namespace {

const CType* const kConstTensor = CType::const_ref(kTensorT);
const CType* const kMutTensor = CType::mut_ref(kTensorT);

std::string translated(const std::vector<Expr>& context,
                       const NamedCType& goal,
                       TranslateOptions options) {
  const std::vector<NamedCType> goals{goal};
  return translate(context, goals, options).front().expr;
}

// From one expression `e` of another type and the same name.
void expect_converts(const CType* from,
                     const CType* to,
                     std::string_view expected,
                     TranslateOptions options = {}) {
  EXPECT_EQ(translated({{"e", {"x", from}}}, {"x", to}, options), expected)
      << from->cpp_type() << " to " << to->cpp_type();
}

void expect_converts_if_expensive(const CType* from,
                                  const CType* to,
                                  std::string_view expected) {
  EXPECT_THROW(translated({{"e", {"x", from}}}, {"x", to}, {}), UnsatError);
  expect_converts(from, to, expected, {.allow_expensive_conversions = true});
}

void expect_makes(const std::vector<Expr>& context,
                  const NamedCType& goal,
                  std::string_view expected,
                  TranslateOptions options = {}) {
  EXPECT_EQ(translated(context, goal, options), expected);
}

void expect_unsat(const std::vector<Expr>& context, const NamedCType& goal) {
  EXPECT_THROW(translated(context, goal, {}), UnsatError);
}

TEST(Translate, takes_what_is_there) {
  expect_converts(kTensorT, kTensorT, "e");
}

TEST(Translate, needs_the_same_name) {
  expect_unsat({{"e", {"y", kTensorT}}}, {"x", kTensorT});
}

TEST(Translate, binds_references_to_values_and_mutable_references) {
  expect_converts(kTensorT, kConstTensor, "e");
  expect_converts(kTensorT, kMutTensor, "e");
  expect_converts(kMutTensor, kConstTensor, "e");
}

TEST(Translate, casts_constness_away_from_tensors_only) {
  expect_converts(kConstTensor, kMutTensor, "const_cast<Tensor&>(e)");
  expect_unsat({{"e", {"x", CType::const_ref(kScalarT)}}},
               {"x", CType::mut_ref(kScalarT)});
}

TEST(Translate, does_not_make_values_of_references) {
  expect_unsat({{"e", {"x", kConstTensor}}}, {"x", kTensorT});
}

TEST(Translate, lets_the_last_binding_win) {
  expect_makes(
      {{"a", {"x", kTensorT}}, {"b", {"x", kTensorT}}}, {"x", kTensorT}, "b");
}

TEST(Translate, prefers_what_is_there_to_what_follows) {
  expect_makes({{"a", {"x", kOptionalTensorRefT}},
                {"b", {"x", CType::const_ref(CType::optional(kTensorT))}},
                {"c", {"x", kOptionalTensorRefT}}},
               {"x", kOptionalTensorRefT},
               "c");
}

TEST(Translate, converts_symint_and_int) {
  expect_converts(kSymIntT, kLongT, "e.guard_int(__FILE__, __LINE__)");
  expect_converts(kLongT, kSymIntT, "e");
  expect_converts(
      kSymIntArrayRefT, kIntArrayRefT, "C10_AS_INTARRAYREF_SLOW(e)");
  expect_converts(
      kIntArrayRefT, kSymIntArrayRefT, "c10::fromIntArrayRefSlow(e)");
  expect_converts(CType::optional(kSymIntT),
                  CType::optional(kLongT),
                  "e.has_value() ? ::std::make_optional(e->guard_int(__FILE__, "
                  "__LINE__)) : ::std::nullopt");
  expect_converts(CType::optional(kLongT),
                  CType::optional(kSymIntT),
                  "e.has_value() ? ::std::make_optional(c10::SymInt(*e)) : "
                  "::std::nullopt");
  expect_converts(kOptionalSymIntArrayRefT,
                  kOptionalIntArrayRefT,
                  "e.has_value() ? "
                  "::std::make_optional(C10_AS_INTARRAYREF_SLOW(*e)) : "
                  "::std::nullopt");
  expect_converts(kOptionalIntArrayRefT,
                  kOptionalSymIntArrayRefT,
                  "e.has_value() ? "
                  "::std::make_optional(c10::fromIntArrayRefSlow(*e)) : "
                  "::std::nullopt");
}

TEST(Translate, treats_array_ref_of_long_as_int_array_ref) {
  expect_converts(kIntArrayRefT, CType::array_ref(kLongT), "e");
  expect_converts(
      kSymIntArrayRefT, CType::array_ref(kLongT), "C10_AS_INTARRAYREF_SLOW(e)");
}

TEST(Translate, refers_to_owned_values) {
  expect_converts(CType::vector(kLongT), kIntArrayRefT, "e");
  expect_converts(CType::vector(kSymIntT), kSymIntArrayRefT, "e");
  expect_converts(
      CType::optional(CType::vector(kLongT)), kOptionalIntArrayRefT, "e");
  expect_converts(CType::optional(kScalarT), kOptionalScalarRefT, "e");
  expect_converts(CType::optional(kTensorT), kOptionalTensorRefT, "e");
}

TEST(Translate, makes_owned_values_if_it_may_be_expensive) {
  expect_converts_if_expensive(kIntArrayRefT, CType::vector(kLongT), "e.vec()");
  expect_converts_if_expensive(
      kSymIntArrayRefT, CType::vector(kSymIntT), "e.vec()");
  expect_converts_if_expensive(
      kOptionalIntArrayRefT,
      CType::optional(CType::vector(kLongT)),
      "e.has_value() ? ::std::make_optional(e->vec()) : ::std::nullopt");
  expect_converts_if_expensive(
      kOptionalScalarRefT,
      CType::optional(kScalarT),
      "e.has_value() ? ::std::make_optional(e) : ::std::nullopt");
  expect_converts_if_expensive(
      kOptionalTensorRefT,
      CType::optional(kTensorT),
      "e.has_value() ? ::std::make_optional(e) : ::std::nullopt");
}

TEST(Translate, infers_from_constructors) {
  expect_converts(CType::const_ref(CType::optional(kTensorT)),
                  kOptionalTensorRefT,
                  "((e.has_value() && (*e).defined()) ? "
                  "at::OptionalTensorRef(*e) : at::OptionalTensorRef())");
  expect_converts(CType::const_ref(CType::optional(kScalarT)),
                  kOptionalScalarRefT,
                  "(e.has_value() ? at::OptionalScalarRef(&(e.value())) : "
                  "at::OptionalScalarRef())");
  expect_converts(
      CType::const_ref(kScalarT), kOpmathTParam, "(e).to<opmath_t>()");
  expect_converts(kScalarTParam, kOpmathTParam, "static_cast<opmath_t>(e)");
  expect_converts(CType::const_ref(CType::list(CType::optional(kTensorT))),
                  kIOptTensorListRefT,
                  "at::IOptTensorListRef(e)");
}

TEST(Translate, takes_this_for_self_in_methods) {
  expect_makes({{"e", {"self", kConstTensor}}},
               {"self", kConstTensor},
               "const_cast<Tensor&>(*this)",
               {.method = true});
  expect_makes(
      {}, {"self", kMutTensor}, "const_cast<Tensor&>(*this)", {.method = true});
}

TEST(TranslateOptions, gathers_four_arguments) {
  expect_makes({{"d", {"dtype", CType::optional(kScalarTypeT)}},
                {"l", {"layout", CType::optional(kLayoutT)}},
                {"c", {"device", CType::optional(kDeviceT)}},
                {"p", {"pin_memory", CType::optional(kBoolT)}}},
               {"options", kTensorOptionsT},
               "TensorOptions().dtype(d).layout(l).device(c).pinned_memory(p)");
}

TEST(TranslateOptions, takes_them_apart) {
  const std::vector<Expr> context{{"o", {"options", kTensorOptionsT}},
                                  {"out", {"out", kConstTensor}}};
  expect_makes(context,
               {"dtype", CType::optional(kScalarTypeT)},
               "c10::optTypeMetaToScalarType(o.dtype_opt())");
  expect_makes(
      context, {"layout", CType::optional(kLayoutT)}, "o.layout_opt()");
  expect_makes(
      context, {"device", CType::optional(kDeviceT)}, "o.device_opt()");
  expect_makes(context,
               {"pin_memory", CType::optional(kBoolT)},
               "o.pinned_memory_opt()");
}

TEST(TranslateOptions, asks_the_output_where_there_are_none) {
  const std::vector<Expr> context{{"o", {"out", kMutTensor}}};
  expect_makes(
      context, {"dtype", CType::optional(kScalarTypeT)}, "o.scalar_type()");
  expect_makes(context, {"layout", CType::optional(kLayoutT)}, "o.layout()");
  expect_makes(context, {"device", CType::optional(kDeviceT)}, "o.device()");
  expect_makes(
      context, {"pin_memory", CType::optional(kBoolT)}, "::std::nullopt");
  expect_unsat({}, {"pin_memory", CType::optional(kBoolT)});
}

TEST(TranslateMemoryFormat, is_checked_against_options) {
  const NamedCType goal{"memory_format", CType::optional(kMemoryFormatT)};
  const Expr format{"m",
                    {std::string(kPossiblyRedundantMemoryFormat),
                     CType::optional(kMemoryFormatT)}};
  expect_makes({format}, goal, "m");
  const std::vector<Expr> context{format, {"o", {"options", kTensorOptionsT}}};
  expect_makes(
      context,
      goal,
      "c10::impl::check_tensor_options_and_extract_memory_format(o, m)");
  const std::vector<NamedCType> both{
      goal, {"options", CType::const_ref(kTensorOptionsT)}};
  EXPECT_EQ(join_exprs(translate(context, both)), "m, o");
}

TEST(UnsatError, names_the_goal_and_the_context) {
  try {
    translated({{"e", {"y", kLongT}}}, {"x", kTensorT}, {});
    FAIL();
  } catch (const UnsatError& error) {
    EXPECT_STREQ(error.what(),
                 "nothing in scope makes 'at::Tensor x'; in scope are:\n"
                 "  int64_t y = e");
  }
}

TEST(AppendTranslated, joins_the_expressions) {
  const std::vector<Expr> context{{"a", {"x", kLongT}}, {"b", {"y", kSymIntT}}};
  const std::vector<NamedCType> goals{{"y", kLongT}, {"x", kLongT}};
  std::string text = "call(";
  append_translated(text, context, goals);
  EXPECT_EQ(text, "call(b.guard_int(__FILE__, __LINE__), a");
}

TEST(AppendTranslated, leaves_the_text_alone_if_it_fails) {
  const std::vector<Expr> context{{"a", {"x", kLongT}}};
  const std::vector<NamedCType> goals{{"x", kLongT}, {"y", kLongT}};
  std::string text = "call(";
  EXPECT_THROW(append_translated(text, context, goals), UnsatError);
  EXPECT_EQ(text, "call(");
}

}  // namespace
}  // namespace opgen::api
