#include "opgen/api/solver.h"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "opgen/api/types/binding.h"
#include "opgen/api/types/ctype.h"

namespace opgen::api::detail {
namespace {

struct Inference {
  const CType* given;
  const CType* follows;
  Pattern pattern;
};

struct Conversion {
  const CType* goal;
  const CType* needed;
  Pattern pattern;
  bool expensive = false;
};

using Kind = CType::Kind;

const CType* const kConstTensor = CType::const_ref(kTensorT);
const CType* const kConstOptions = CType::const_ref(kTensorOptionsT);
const CType* const kLongArrayRef = CType::array_ref(kLongT);
const CType* const kLongVector = CType::vector(kLongT);
const CType* const kSymIntVector = CType::vector(kSymIntT);
const CType* const kOptionalLongVector = CType::optional(kLongVector);
const CType* const kOptionalLong = CType::optional(kLongT);
const CType* const kOptionalSymInt = CType::optional(kSymIntT);
const CType* const kOptionalTensor = CType::optional(kTensorT);
const CType* const kOptionalScalar = CType::optional(kScalarT);
const CType* const kOptionalScalarType = CType::optional(kScalarTypeT);
const CType* const kOptionalLayout = CType::optional(kLayoutT);
const CType* const kOptionalDevice = CType::optional(kDeviceT);
const CType* const kOptionalBool = CType::optional(kBoolT);
const CType* const kOptionalMemoryFormat = CType::optional(kMemoryFormatT);

const std::array<Inference, 5> kInferences{{
    {CType::const_ref(kOptionalTensor),
     kOptionalTensorRefT,
     "(($0.has_value() && (*$0).defined()) ? at::OptionalTensorRef(*$0) : "
     "at::OptionalTensorRef())"},
    {CType::const_ref(kScalarT), kOpmathTParam, "($0).to<opmath_t>()"},
    {CType::const_ref(kOptionalScalar),
     kOptionalScalarRefT,
     "($0.has_value() ? at::OptionalScalarRef(&($0.value())) : "
     "at::OptionalScalarRef())"},
    {kScalarTParam, kOpmathTParam, "static_cast<opmath_t>($0)"},
    {CType::const_ref(CType::list(kOptionalTensor)),
     kIOptTensorListRefT,
     "at::IOptTensorListRef($0)"},
}};

// For one goal the first conversion whose need is met is taken.
const std::array<Conversion, 18> kConversions{{
    {kIntArrayRefT, kLongVector, kAsIs},
    {kIntArrayRefT, kSymIntArrayRefT, "C10_AS_INTARRAYREF_SLOW($0)"},
    {kSymIntArrayRefT, kIntArrayRefT, "c10::fromIntArrayRefSlow($0)"},
    {kSymIntArrayRefT, kSymIntVector, kAsIs},
    {kSymIntT, kLongT, kAsIs},
    {kOptionalSymInt,
     kOptionalLong,
     "$0.has_value() ? ::std::make_optional(c10::SymInt(*$0)) : "
     "::std::nullopt"},
    {kLongT, kSymIntT, "$0.guard_int(__FILE__, __LINE__)"},
    {kOptionalLong,
     kOptionalSymInt,
     "$0.has_value() ? ::std::make_optional($0->guard_int(__FILE__, "
     "__LINE__)) : ::std::nullopt"},
    {kOptionalIntArrayRefT, kOptionalLongVector, kAsIs},
    {kOptionalIntArrayRefT,
     kOptionalSymIntArrayRefT,
     "$0.has_value() ? ::std::make_optional(C10_AS_INTARRAYREF_SLOW(*$0)) : "
     "::std::nullopt"},
    {kOptionalSymIntArrayRefT,
     kOptionalIntArrayRefT,
     "$0.has_value() ? ::std::make_optional(c10::fromIntArrayRefSlow(*$0)) : "
     "::std::nullopt"},
    {kOptionalScalarRefT, kOptionalScalar, kAsIs},
    {kOptionalTensorRefT, kOptionalTensor, kAsIs},
    {kLongVector, kIntArrayRefT, "$0.vec()", true},
    {kSymIntVector, kSymIntArrayRefT, "$0.vec()", true},
    {kOptionalLongVector,
     kOptionalIntArrayRefT,
     "$0.has_value() ? ::std::make_optional($0->vec()) : ::std::nullopt",
     true},
    {kOptionalScalar,
     kOptionalScalarRefT,
     "$0.has_value() ? ::std::make_optional($0) : ::std::nullopt",
     true},
    {kOptionalTensor,
     kOptionalTensorRefT,
     "$0.has_value() ? ::std::make_optional($0) : ::std::nullopt",
     true},
}};

template <typename AppendHole>
void fill(std::string& text, Pattern pattern, AppendHole append_hole) {
  std::size_t begin = 0;
  for (;;) {
    const std::size_t hole = pattern.find('$', begin);
    if (hole == Pattern::npos) {
      text.append(pattern, begin);
      return;
    }
    text.append(pattern, begin, hole - begin);
    append_hole(static_cast<std::size_t>(pattern[hole + 1] - '0'));
    begin = hole + 2;
  }
}

void append_fact(std::string& text, const Fact& fact) {
  if (fact.pattern == kAsIs) {
    text += fact.expr;
    return;
  }
  fill(text, fact.pattern, [&](std::size_t) { text += fact.expr; });
}

}  // namespace

void Solution::append_to(std::string& text) const {
  if (pattern == kAsIs) {
    append_fact(text, *facts[0]);
    return;
  }
  fill(text, pattern, [&](std::size_t i) { append_fact(text, *facts[i]); });
}

Solver::Solver(std::size_t bindings,
               bool wants_options,
               bool allow_expensive_conversions)
    : wants_options_(wants_options),
      allow_expensive_conversions_(allow_expensive_conversions) {
  facts_.reserve(2 * bindings + 2);
}

void Solver::add(std::string_view expr, const NamedCType& type) {
  facts_.push_back({type.type, type.name, expr, kAsIs});
  if (!type.type->is(Kind::kConstRef) && type.type != kScalarTParam) {
    return;  // nothing follows
  }
  for (const Inference& inference : kInferences) {
    if (type.type == inference.given) {
      facts_.push_back({inference.follows, type.name, expr, inference.pattern});
    }
  }
}

void Solver::add_method_self() {
  constexpr std::string_view kSelf = "const_cast<Tensor&>(*this)";
  facts_.push_back({CType::mut_ref(kTensorT), "self", kSelf, kAsIs});
  facts_.push_back({kConstTensor, "self", kSelf, kAsIs});
}

const Fact* Solver::find(std::string_view name, const CType* type) const {
  for (std::size_t i = facts_.size(); i > 0; --i) {
    const Fact& fact = facts_[i - 1];
    if (fact.type == type && fact.name == name) {
      return &fact;
    }
  }
  return nullptr;
}

const Fact* Solver::find_direct(std::string_view name,
                                const CType* type) const {
  for (;;) {
    if (const Fact* fact = find(name, type)) {
      return fact;
    }
    if (type->is(Kind::kConstRef)) {
      type = CType::mut_ref(type->elem());
    } else if (type->is(Kind::kMutRef)) {
      type = type->elem();
    } else if (type == kLongArrayRef) {
      type = kIntArrayRefT;
    } else {
      return nullptr;
    }
  }
}

bool Solver::solve(Goal goal, Solution& solution) const {
  if (const Fact* fact = find(goal.name, goal.type)) {
    solution = {kAsIs, {fact}};
    return true;
  }
  if (goal.type->is(Kind::kConstRef) &&
      solve({CType::mut_ref(goal.type->elem()), goal.name}, solution)) {
    return true;
  }
  if (goal.type->is(Kind::kMutRef) &&
      solve({goal.type->elem(), goal.name}, solution)) {
    return true;
  }
  if (goal.type == kLongArrayRef) {
    return solve({kIntArrayRefT, goal.name}, solution);
  }
  return convert(goal, solution);
}

bool Solver::convert(Goal goal, Solution& solution) const {
  if (goal.type == kOptionalMemoryFormat && goal.name == "memory_format") {
    return make_memory_format(solution);
  }
  if (goal.type == kTensorOptionsT && goal.name == "options") {
    return make_options(solution);
  }
  if (goal.type == kOptionalScalarType && goal.name == "dtype") {
    return make_option("c10::optTypeMetaToScalarType($0.dtype_opt())",
                       "$0.scalar_type()",
                       solution);
  }
  if (goal.type == kOptionalLayout && goal.name == "layout") {
    return make_option("$0.layout_opt()", "$0.layout()", solution);
  }
  if (goal.type == kOptionalDevice && goal.name == "device") {
    return make_option("$0.device_opt()", "$0.device()", solution);
  }
  if (goal.type == kOptionalBool && goal.name == "pin_memory") {
    return make_option("$0.pinned_memory_opt()", "::std::nullopt", solution);
  }
  for (const Conversion& conversion : kConversions) {
    if (goal.type == conversion.goal &&
        (!conversion.expensive || allow_expensive_conversions_)) {
      if (const Fact* fact = find_direct(goal.name, conversion.needed)) {
        solution = {conversion.pattern, {fact}};
        return true;
      }
    }
  }
  if (goal.type->is(Kind::kMutRef) && goal.type->elem() == kTensorT) {
    if (const Fact* fact = find_direct(goal.name, kConstTensor)) {
      solution = {"const_cast<Tensor&>($0)", {fact}};
      return true;
    }
  }
  return false;
}

bool Solver::make_memory_format(Solution& solution) const {
  const Fact* memory_format =
      find_direct(kPossiblyRedundantMemoryFormat, kOptionalMemoryFormat);
  if (memory_format == nullptr) {
    return false;
  }
  const Fact* options =
      wants_options_ ? nullptr : find_direct("options", kConstOptions);
  if (options == nullptr) {
    solution = {kAsIs, {memory_format}};
  } else {
    solution = {
        "c10::impl::check_tensor_options_and_extract_memory_format($0, $1)",
        {options, memory_format}};
  }
  return true;
}

bool Solver::make_options(Solution& solution) const {
  const Fact* dtype = find_direct("dtype", kOptionalScalarType);
  const Fact* layout = find_direct("layout", kOptionalLayout);
  const Fact* device = find_direct("device", kOptionalDevice);
  const Fact* pin_memory = find_direct("pin_memory", kOptionalBool);
  if (dtype == nullptr || layout == nullptr || device == nullptr ||
      pin_memory == nullptr) {
    return false;
  }
  solution = {
      "TensorOptions().dtype($0).layout($1).device($2).pinned_memory($3)",
      {dtype, layout, device, pin_memory}};
  return true;
}

bool Solver::make_option(Pattern from_options,
                         Pattern from_out,
                         Solution& solution) const {
  if (const Fact* options = find_direct("options", kConstOptions)) {
    solution = {from_options, {options}};
    return true;
  }
  if (const Fact* out = find_direct("out", kConstTensor)) {
    solution = {from_out, {out}};
    return true;
  }
  return false;
}

std::string Solver::explain(Goal goal) const {
  std::string text = "nothing in scope makes '";
  text.append(goal.type->cpp_type()).append(" ").append(goal.name);
  text += facts_.empty() ? "': there is nothing" : "'; in scope are:";
  for (const Fact& fact : facts_) {
    text.append("\n  ").append(fact.type->cpp_type()).append(" ");
    text.append(fact.name).append(" = ");
    append_fact(text, fact);
  }
  return text;
}

bool is_options_goal(std::string_view name, const CType* type) {
  return type == kConstOptions && name == "options";
}

}  // namespace opgen::api::detail
