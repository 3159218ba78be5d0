// Where in its file an operator says what.
#pragma once

#include <vector>

#include "opgen/text/source.h"

namespace opgen::schema {

// A range without a file: the entry does not say it.
struct FunctionSite {
  text::SourceRange entry;   // where the entry begins
  text::SourceRange schema;  // the whole value of `func`
  text::SourceRange name;    // the operator's name in it
  text::SourceRange structured_delegate;
  text::SourceRange autogen;
  text::SourceRange tags;
  // Something about the entry is an error, so that what it says must not be
  // compared with other entries.
  bool broken = false;
};

// By NativeFunction::id. A generated function has the site of the function that
// it was generated from.
using FunctionSites = std::vector<FunctionSite>;

}  // namespace opgen::schema
