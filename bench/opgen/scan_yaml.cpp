// Reads a YAML file with libyaml's parser and does nothing with it. Prints the
// seconds that takes.
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include <yaml.h>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: scan_yaml FILE\n", stderr);
    return 2;
  }
  const auto begin = std::chrono::steady_clock::now();
  std::ifstream stream(argv[1], std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  yaml_parser_t parser;
  yaml_parser_initialize(&parser);
  yaml_parser_set_input_string(
      &parser,
      reinterpret_cast<const unsigned char*>(text.data()),
      text.size());
  bool more = true;
  while (more) {
    yaml_event_t event;
    if (yaml_parser_parse(&parser, &event) == 0) {
      std::fprintf(stderr, "%s: no YAML\n", argv[1]);
      return 1;
    }
    more = event.type != YAML_STREAM_END_EVENT;
    yaml_event_delete(&event);
  }
  yaml_parser_delete(&parser);
  const std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - begin;
  std::printf("%.6f\n", seconds.count());
  return 0;
}
