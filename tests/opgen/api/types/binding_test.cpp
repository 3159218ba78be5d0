#include "opgen/api/types/binding.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "opgen/api/types/ctype.h"

namespace opgen::api {
namespace {

Binding binding_of(std::string name, const CType* type, std::string value) {
  return {name, {name, type}, {}, std::move(value)};
}

TEST(Binding, declares_with_the_default_and_defines_without) {
  const Binding binding = binding_of("a", kLongT, "1");
  EXPECT_EQ(binding.decl(), "int64_t a=1");
  EXPECT_EQ(binding.defn(), "int64_t a");
  EXPECT_EQ(binding.no_default().decl(), "int64_t a");
}

TEST(Binding, keeps_its_meaning_when_renamed) {
  const Binding binding = binding_of("a", kLongT, "1").with_name("b");
  EXPECT_EQ(binding.decl(), "int64_t b=1");
  EXPECT_EQ(binding.nctype.name, "a");
}

TEST(Binding, joins_lists) {
  const std::vector<Binding> bindings{binding_of("a", kLongT, "1"),
                                      binding_of("b", kBoolT, "true")};
  std::string text;
  append_decls(text, bindings);
  text += '|';
  append_defns(text, bindings);
  text += '|';
  append_types(text, bindings);
  text += '|';
  append_names(text, bindings);
  EXPECT_EQ(text,
            "int64_t a=1, bool b=true|int64_t a, bool b|int64_t, bool|a, b");
}

TEST(NamedCType, loses_references_and_keeps_its_name) {
  const NamedCType type{"a", CType::const_ref(kTensorT)};
  EXPECT_EQ(type.remove_const_ref(), (NamedCType{"a", kTensorT}));
  EXPECT_EQ(type.with_name("b"), (NamedCType{"b", type.type}));
}

}  // namespace
}  // namespace opgen::api
