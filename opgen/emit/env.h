// Fills the holes of a template in one expression.
#pragma once

#include <string>
#include <utility>

#include "opgen/text/code_template.h"

namespace opgen::emit {

inline void fill_env(text::Env& /*env*/) {}

template <class V, class... Rest>
void fill_env(text::Env& env, std::string key, V&& value, Rest&&... rest) {
  env.set(std::move(key), text::Value(std::forward<V>(value)));
  fill_env(env, std::forward<Rest>(rest)...);
}

// env_of("name", value, "other", value): values are strings or lists of them.
template <class... Args>
text::Env env_of(Args&&... args) {
  text::Env env;
  fill_env(env, std::forward<Args>(args)...);
  return env;
}

}  // namespace opgen::emit
