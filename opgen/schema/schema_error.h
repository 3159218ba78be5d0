// What is wrong inside of a schema string, before it is known where in which
// file the string stands.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "opgen/text/diagnostics.h"

namespace opgen::schema {

struct SchemaError {
  text::DiagnosticId id;
  std::size_t begin = 0;  // bytes from the start of the string
  std::size_t end = 0;
  std::vector<std::string> args;  // fill the holes of the message
  std::string suggestion;         // a name that may have been meant, or empty
};

using SchemaErrors = std::vector<SchemaError>;

// What schemas may say, depending on the PyTorch they belong to.
struct SchemaLanguage {
  bool dimname = false;  // the type Dimname, until PyTorch 2.12
};

// Turns parts of one string into ranges. Does not own the list of errors.
class SchemaReporter {
 public:
  SchemaReporter(std::string_view whole, SchemaErrors& errors)
      : whole_(whole), errors_(&errors) {}

  // `part` is a part of the string that was given to the constructor.
  void error(text::DiagnosticId id,
             std::string_view part,
             std::vector<std::string> args = {},
             std::string suggestion = {}) const {
    const auto begin = static_cast<std::size_t>(part.data() - whole_.data());
    errors_->push_back({id,
                        begin,
                        begin + part.size(),
                        std::move(args),
                        std::move(suggestion)});
  }

 private:
  std::string_view whole_;
  SchemaErrors* errors_;
};

}  // namespace opgen::schema
