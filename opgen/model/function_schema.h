// A function schema: `add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1)
// -> Tensor`.
//
// Values of these classes are immutable once built. Each prints exactly the
// text that it was parsed from.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "opgen/model/operator_name.h"
#include "opgen/model/type.h"

namespace opgen::model {

// What may alias what: the part in parentheses of `Tensor(a! -> *)`.
struct Annotation {
  std::vector<std::string> alias_set;  // one or two letters
  bool is_write = false;
  std::vector<std::string> alias_set_after;  // empty, letters or "*"

  std::string str() const;
  bool operator==(const Annotation&) const = default;
};

struct Argument {
  std::string name;
  const Type* type = nullptr;
  std::optional<std::string> default_value;  // as the schema spells it
  std::optional<Annotation> annotation;

  bool is_write() const { return annotation && annotation->is_write; }

  std::string str() const;
  void append_to(std::string& text) const;
  bool operator==(const Argument&) const = default;
};

struct Return {
  std::optional<std::string> name;
  const Type* type = nullptr;
  std::optional<Annotation> annotation;

  bool is_write() const { return annotation && annotation->is_write; }

  std::string str() const;
  void append_to(std::string& text) const;
  bool operator==(const Return&) const = default;
};

// `self`, where it has to be told apart from other arguments.
struct SelfArgument {
  const Argument* argument;
};

// The four arguments dtype, layout, device and pin_memory, in this order.
struct TensorOptionsArguments {
  std::span<const Argument, 4> all;

  const Argument& dtype() const { return all[0]; }

  const Argument& layout() const { return all[1]; }

  const Argument& device() const { return all[2]; }

  const Argument& pin_memory() const { return all[3]; }
};

using AnyArgument =
    std::variant<const Argument*, SelfArgument, TensorOptionsArguments>;

// The arguments of a schema in the order it lists them: what precedes self,
// self, what follows it; keyword-only ones before the tensor options, the
// options, after them; outputs (mutable keyword-only arguments).
class Arguments {
 public:
  Arguments() = default;
  // `all` in schema order; the counts say where the parts end. Finds self
  // (the first positional argument of that name) and the tensor options.
  Arguments(std::vector<Argument> all,
            std::size_t positional,
            std::size_t outputs);

  std::span<const Argument> flat_all() const { return all_; }

  std::span<const Argument> flat_positional() const {
    return flat_all().first(positional_);
  }

  std::span<const Argument> flat_kwarg_only() const {
    return flat_all().subspan(positional_, out_begin_ - positional_);
  }

  std::span<const Argument> flat_non_out() const {
    return flat_all().first(out_begin_);
  }

  std::span<const Argument> out() const {
    return flat_all().subspan(out_begin_);
  }

  std::span<const Argument> pre_self_positional() const;
  // Null if no positional argument is called self.
  const Argument* self_arg() const;
  std::span<const Argument> post_self_positional() const;
  std::span<const Argument> pre_tensor_options_kwarg_only() const;
  std::optional<TensorOptionsArguments> tensor_options() const;
  std::span<const Argument> post_tensor_options_kwarg_only() const;

  // With self and the tensor options as one entry each. The entries point into
  // this object.
  std::vector<AnyArgument> positional() const;
  std::vector<AnyArgument> kwarg_only() const;
  std::vector<AnyArgument> non_out() const;
  std::vector<AnyArgument> all() const;

  std::vector<std::string> mutable_arg_names() const;
  bool has_tensor_arg() const;
  bool has_symint_arg() const;
  bool has_generator_arg() const;

  // Without annotations, tensor options and outputs.
  Arguments signature(bool strip_default = false) const;
  Arguments remove_self_annotation() const;
  Arguments with_out_args(std::vector<Argument> outs) const;
  // See has_bernoulli_p_schema.
  Arguments with_bernoulli_default() const;

  std::string str() const;
  bool operator==(const Arguments&) const = default;

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  std::vector<Argument> all_;
  std::size_t positional_ = 0;
  std::size_t out_begin_ = 0;
  std::size_t self_ = kNone;
  std::size_t options_ = kNone;  // where the four tensor options begin
};

enum class SchemaKind : std::uint8_t {
  kFunctional,
  kInplace,
  kOut,
  kMutable,
  kScratch,
};

class FunctionSchema {
 public:
  OperatorName name;
  Arguments arguments;
  std::vector<Return> returns;

  FunctionSchema() = default;
  FunctionSchema(OperatorName name,
                 Arguments arguments,
                 std::vector<Return> returns);

  SchemaKind kind() const { return kind_; }

  bool is_functional_fn() const;  // the overload's name contains "functional"

  bool is_out_fn() const { return !arguments.out().empty(); }

  bool is_mutable() const;

  bool modifies_arguments() const {
    return kind_ == SchemaKind::kInplace || kind_ == SchemaKind::kOut ||
           kind_ == SchemaKind::kMutable;
  }

  bool has_symint() const { return has_symint_; }

  bool returns_are_aliased() const;
  // Per return the argument that it aliases. A return that aliases several is a
  // diagnostic of the schema parser.
  std::vector<std::optional<std::string>> aliased_return_names() const;

  struct SignatureOptions {
    bool strip_default = false;
    bool strip_view_copy_name = false;
    bool keep_return_names = false;
  };

  // The functional schema that all variants of an operator have in common.
  FunctionSchema signature() const { return signature(SignatureOptions{}); }

  FunctionSchema signature(SignatureOptions options) const;
  FunctionSchema view_signature() const;
  FunctionSchema with_name(OperatorName new_name) const;

  std::string str() const;
  bool operator==(const FunctionSchema&) const = default;

 private:
  SchemaKind kind_ = SchemaKind::kFunctional;
  bool has_symint_ = false;
};

// Whether this is bernoulli.p, whose twins have the default 0.5 for p that it
// itself must not have (it would be ambiguous). Its signature gets the default.
bool has_bernoulli_p_schema(const OperatorName& name);

// The base name of the view that an operator called `base` is the copying twin
// of: `narrow` for `narrow_copy`, `slice_inverse` for `slice_scatter`; other
// names stay as they are.
std::string view_base_name(std::string base);

// Where dtype, layout, device and pin_memory first stand one after the other.
std::optional<std::size_t> find_tensor_options(
    std::span<const Argument> kwarg_only);

}  // namespace opgen::model
