// What the property tests ask opgen::schema; see
// tests/opgen/test_properties.py.
//
//   opgen_print_schemas                       lines are schemas; prints each as
//   it
//                                             was understood, or "error: ..."
//   opgen_print_schemas FUNCTIONS.yaml TAGS.yaml
//                                             prints the schemas of all
//                                             functions, the generated ones too
#include <cstdio>
#include <iostream>
#include <string>

#include "opgen/schema/load.h"
#include "opgen/schema/schema_error.h"
#include "opgen/schema/schema_parser.h"
#include "opgen/text/diagnostics.h"

namespace {

using namespace opgen;

std::string understood(const std::string& line) {
  schema::SchemaErrors errors;
  const auto parsed = schema::parse_function_schema(line, {}, errors);
  if (parsed) {
    return parsed->str();
  }
  return "error: " + std::string(text::diagnostic_name(errors.at(0).id));
}

int print_all(const char* functions, const char* tags) {
  text::Diagnostics diagnostics;
  schema::LoadOptions options;
  options.native_functions_path = functions;
  options.tags_path = tags;
  const schema::LoadedFunctions loaded =
      schema::load_native_functions(options, diagnostics);
  std::fputs(diagnostics.to_text().c_str(), stderr);
  if (!loaded.functions) {
    return 1;
  }
  for (const auto& f : loaded.functions->functions) {
    std::cout << f->func.str() << '\n';
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  if (argc == 3) {
    return print_all(argv[1], argv[2]);
  }
  std::string line;
  while (std::getline(std::cin, line)) {
    std::cout << understood(line) << '\n';
  }
  return 0;
}
