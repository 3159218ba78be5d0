// YAML text as PyYAML's yaml.dump writes it with CSafeDumper, block style, a
// width without bound and no aliases.
//
// libyaml does the writing, except for documents of simple scalars, which do
// not need it. The caller gives the entries of a mapping in their order: PyYAML
// sorts a dict by its keys, torchgen's OrderedDict keeps its own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "opgen/text/yaml_block_writer.h"

namespace opgen::text {

class YamlWriter {
 public:
  // Mappings take keys and values in turn. Collections without elements are
  // written as {} and [].
  void begin_mapping() { events_.add(YamlEvents::Kind::kBeginMapping); }

  void end_mapping() { events_.add(YamlEvents::Kind::kEndMapping); }

  void begin_sequence() { events_.add(YamlEvents::Kind::kBeginSequence); }

  void end_sequence() { events_.add(YamlEvents::Kind::kEndSequence); }

  // Text is UTF-8; other bytes are written as U+FFFD.
  void string(std::string_view text);
  void boolean(bool value);
  void integer(std::int64_t value);
  // A whole number of any size: decimal digits without leading zeros, after a
  // "-" where it is negative.
  void integer(std::string_view digits);
  void real(double value);
  void null();

  // Forgets what was given.
  void clear() { events_.clear(); }

  // The document. Throws std::logic_error if the calls did not make up one.
  std::string write() const;
  // The same by libyaml, whatever the scalars.
  std::string write_with_libyaml() const;

 private:
  YamlEvents events_;
};

// repr() of a float.
std::string python_float_repr(double value);

}  // namespace opgen::text
