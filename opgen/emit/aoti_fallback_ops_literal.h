// A reader for Python modules that hold nothing but data: assignments of
// strings, lists, sets, tuples and dicts with strings as keys.
//
// Anything else in the module is an error with its position; nothing of it is
// run.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace opgen::emit {

struct PythonLiteral {
  enum class Kind : std::uint8_t { kString, kList, kDict };

  Kind kind = Kind::kString;
  std::string text;                  // of a string
  std::vector<PythonLiteral> items;  // of a list, set, tuple or dict
  std::vector<std::string> keys;     // of a dict: keys[i] leads to items[i]

  // Null if there is none. The last of equal keys counts, as in Python.
  const PythonLiteral* find(std::string_view key) const;
};

struct PythonModule {
  // In the order of the file.
  std::vector<std::pair<std::string, PythonLiteral>> variables;

  // What was assigned last; null if nothing was.
  const PythonLiteral* find(std::string_view name) const;
};

struct PythonModuleError {
  int line = 0;    // from 1; 0 if there is no error
  int column = 0;  // from 1, in bytes
  std::string message;
};

// Fills `module`; leaves it unspecified in case of an error.
PythonModuleError read_python_module(std::string_view source,
                                     PythonModule& module);

}  // namespace opgen::emit
