// C++ source text as tokens, as far as finding function definitions needs them:
// comments and the insides of literals are gone, of preprocessor lines only
// conditions are left.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace opgen::backend {

struct CppToken {
  enum class Kind : std::uint8_t {
    kName,     // identifiers and keywords
    kLiteral,  // numbers, strings and characters
    kPunct,    // "::" and "->" are one token, everything else one character
    // The text of these three is the condition: all of an #ifdef, what follows
    // an #if.
    kIf,
    kElif,
    kElse,
    kEndif,
  };

  Kind kind = Kind::kPunct;
  std::string_view text;  // a part of the source

  bool is(std::string_view punct_or_name) const {
    return kind <= Kind::kPunct && text == punct_or_name;
  }
};

// Any text has tokens: what is no C++ becomes tokens of one character, and a
// literal or comment without end reaches to the end of the text.
std::vector<CppToken> tokenize_cpp(std::string_view source);

}  // namespace opgen::backend
