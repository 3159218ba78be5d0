// Any text as a schema: what is accepted prints as it was written and is read
// again as the same; what is not has errors inside of the text.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz_tree.h"
#include "opgen/schema/schema_error.h"
#include "opgen/schema/schema_parser.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  using namespace opgen;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const bool dimname : {false, true}) {
    schema::SchemaErrors errors;
    const auto parsed =
        schema::parse_function_schema(text, {.dimname = dimname}, errors);
    for (const schema::SchemaError& error : errors) {
      if (error.begin > error.end || error.end > size) {
        fuzz::fail("an error outside of the text");
      }
    }
    if (!parsed) {
      if (errors.empty()) {
        fuzz::fail("refused without an error");
      }
      continue;
    }
    if (!errors.empty()) {
      fuzz::fail("accepted with errors");
    }
    const std::string printed = parsed->str();
    if (printed != text) {
      fuzz::fail("printed as '" + printed + "'");
    }
    const auto again =
        schema::parse_function_schema(printed, {.dimname = dimname}, errors);
    if (!again || !errors.empty() || again->str() != printed) {
      fuzz::fail("what is printed is not read again");
    }
    parsed->kind();
    parsed->signature();
  }
  return 0;
}
