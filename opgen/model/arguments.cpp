#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "opgen/model/function_schema.h"

namespace opgen::model {

namespace {

struct TensorOption {
  std::string_view name;
  BaseTy type;
};

constexpr std::array<TensorOption, 4> kTensorOptions = {{
    {"dtype", BaseTy::kScalarType},
    {"layout", BaseTy::kLayout},
    {"device", BaseTy::kDevice},
    {"pin_memory", BaseTy::kBool},
}};

bool is_tensor_option(const Argument& argument, const TensorOption& option) {
  if (argument.name != option.name) {
    return false;
  }
  const Type* type = argument.type;
  return type->is(option.type) ||
         (type->is_optional() && type->elem()->is(option.type));
}

Argument without_annotation(const Argument& argument, bool strip_default) {
  Argument result;
  result.name = argument.name;
  result.type = argument.type;
  if (!strip_default) {
    result.default_value = argument.default_value;
  }
  return result;
}

bool any_has_type(std::span<const Argument> arguments, BaseTy base) {
  return std::any_of(
      arguments.begin(), arguments.end(), [base](const Argument& a) {
        return a.type->is_base_ty_like(base);
      });
}

}  // namespace

std::optional<std::size_t> find_tensor_options(
    std::span<const Argument> kwarg_only) {
  constexpr std::size_t kCount = kTensorOptions.size();
  for (std::size_t i = 0; i + kCount <= kwarg_only.size(); ++i) {
    if (std::equal(kTensorOptions.begin(),
                   kTensorOptions.end(),
                   kwarg_only.begin() + static_cast<std::ptrdiff_t>(i),
                   [](const TensorOption& option, const Argument& argument) {
                     return is_tensor_option(argument, option);
                   })) {
      return i;
    }
  }
  return std::nullopt;
}

Arguments::Arguments(std::vector<Argument> all,
                     std::size_t positional,
                     std::size_t outputs)
    : all_(std::move(all)),
      positional_(positional),
      out_begin_(all_.size() - outputs) {
  for (std::size_t i = 0; i < positional_; ++i) {
    if (all_[i].name == "self") {
      self_ = i;
      break;
    }
  }
  if (const auto found = find_tensor_options(flat_kwarg_only())) {
    options_ = positional_ + *found;
  }
}

std::span<const Argument> Arguments::pre_self_positional() const {
  return flat_all().first(self_ == kNone ? 0 : self_);
}

const Argument* Arguments::self_arg() const {
  return self_ == kNone ? nullptr : &all_[self_];
}

std::span<const Argument> Arguments::post_self_positional() const {
  return flat_positional().subspan(self_ == kNone ? 0 : self_ + 1);
}

std::span<const Argument> Arguments::pre_tensor_options_kwarg_only() const {
  const std::size_t end = options_ == kNone ? out_begin_ : options_;
  return flat_all().subspan(positional_, end - positional_);
}

std::optional<TensorOptionsArguments> Arguments::tensor_options() const {
  if (options_ == kNone) {
    return std::nullopt;
  }
  return TensorOptionsArguments{flat_all().subspan(options_).first<4>()};
}

std::span<const Argument> Arguments::post_tensor_options_kwarg_only() const {
  const std::size_t begin =
      options_ == kNone ? out_begin_ : options_ + kTensorOptions.size();
  return flat_all().subspan(begin, out_begin_ - begin);
}

std::vector<AnyArgument> Arguments::positional() const {
  std::vector<AnyArgument> result;
  result.reserve(positional_);
  for (std::size_t i = 0; i < positional_; ++i) {
    if (i == self_) {
      result.emplace_back(SelfArgument{&all_[i]});
    } else {
      result.emplace_back(&all_[i]);
    }
  }
  return result;
}

std::vector<AnyArgument> Arguments::kwarg_only() const {
  std::vector<AnyArgument> result;
  result.reserve(out_begin_ - positional_);
  for (const Argument& argument : pre_tensor_options_kwarg_only()) {
    result.emplace_back(&argument);
  }
  if (const auto options = tensor_options()) {
    result.emplace_back(*options);
  }
  for (const Argument& argument : post_tensor_options_kwarg_only()) {
    result.emplace_back(&argument);
  }
  return result;
}

std::vector<AnyArgument> Arguments::non_out() const {
  std::vector<AnyArgument> result = positional();
  const std::vector<AnyArgument> rest = kwarg_only();
  result.insert(result.end(), rest.begin(), rest.end());
  return result;
}

std::vector<AnyArgument> Arguments::all() const {
  std::vector<AnyArgument> result = non_out();
  for (const Argument& argument : out()) {
    result.emplace_back(&argument);
  }
  return result;
}

std::vector<std::string> Arguments::mutable_arg_names() const {
  std::vector<std::string> names;
  for (const Argument& argument : all_) {
    if (argument.is_write()) {
      names.push_back(argument.name);
    }
  }
  return names;
}

bool Arguments::has_tensor_arg() const {
  return any_has_type(flat_non_out(), BaseTy::kTensor);
}

bool Arguments::has_symint_arg() const {
  return any_has_type(flat_non_out(), BaseTy::kSymInt);
}

bool Arguments::has_generator_arg() const {
  return any_has_type(flat_non_out(), BaseTy::kGenerator);
}

Arguments Arguments::signature(bool strip_default) const {
  Arguments result;
  result.all_.reserve(out_begin_);
  for (std::size_t i = 0; i < out_begin_; ++i) {
    if (options_ != kNone && i == options_) {
      i += kTensorOptions.size() - 1;
      continue;
    }
    result.all_.push_back(without_annotation(all_[i], strip_default));
  }
  result.positional_ = positional_;
  result.out_begin_ = result.all_.size();
  result.self_ = self_;
  return result;
}

Arguments Arguments::remove_self_annotation() const {
  Arguments result = *this;
  if (self_ != kNone) {
    result.all_[self_].annotation.reset();
  }
  return result;
}

Arguments Arguments::with_out_args(std::vector<Argument> outs) const {
  if (!out().empty()) {
    throw std::logic_error("with_out_args: there are output arguments");
  }
  Arguments result = *this;
  result.all_.insert(result.all_.end(),
                     std::make_move_iterator(outs.begin()),
                     std::make_move_iterator(outs.end()));
  return result;
}

Arguments Arguments::with_bernoulli_default() const {
  Arguments result = *this;
  for (Argument& argument : result.all_) {
    if (argument.type->is(BaseTy::kFloat) && argument.name.starts_with('p') &&
        !argument.default_value) {
      argument.default_value = "0.5" + argument.name.substr(1);
      argument.name = "p";
    }
  }
  return result;
}

std::string Arguments::str() const {
  std::string text;
  for (std::size_t i = 0; i < all_.size(); ++i) {
    if (i > 0) {
      text += ", ";
    }
    if (i == positional_) {
      text += "*, ";
    }
    all_[i].append_to(text);
  }
  return text;
}

}  // namespace opgen::model
