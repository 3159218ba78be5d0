// `opgen explain`: what is generated for one operator, and where.
//
// How lines are found: everything is generated twice, with the operator's
// family (its group, as functional, in-place and out= variants) and without it,
// and the texts are compared. A line is listed if and only if it is not there
// without the family, so nothing depends on names that happen to look alike,
// nor on the form of the text. Which line belongs to which member is decided in
// the same way, in a program that consists of the family alone and from which
// one member at a time is taken.
//
// Guarantee: the lines listed are exactly those that would go with the family,
// blank lines, white space at the start of lines and the numbers of lists of
// tags aside. `shared` lines belong to the group as a whole, e.g. to a
// structured kernel, or a file that exists only for the family. Where the same
// lines could be said to have gone from two neighbouring places, one of the two
// is shown.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "opgen/backend/generate.h"
#include "opgen/emit/options.h"
#include "opgen/model/native_functions.h"

namespace opgen::backend {

// Lines first to last of a file, counted from 1.
struct LineRange {
  std::size_t first = 0;
  std::size_t last = 0;
  bool shared = false;

  bool operator==(const LineRange&) const = default;
};

struct ExplainedFile {
  std::string kind;  // what the file holds, e.g. "kernel registrations"
  std::string path;
  std::vector<LineRange> ranges;
  std::vector<std::string> lines;  // of all ranges, if they were asked for
};

struct Explanation {
  std::string name;            // "aten::add.Tensor"
  std::string schema;          // without namespace
  std::string file;            // that it stands in
  std::size_t line = 0;        // 0 if it is generated
  std::string generated_from;  // an operator, where torchgen adds this one
  std::vector<std::string> variants;
  // Key and kernel with its namespace.
  std::vector<std::pair<std::string, std::string>> dispatch;
  std::string structured;  // "structured", "delegates to add.out" or empty
  std::vector<std::string> group;   // other members, with what they are
  std::vector<std::string> family;  // all names that went
  std::vector<std::string> autogen;
  std::vector<std::string> tags;
  std::vector<ExplainedFile> files;  // by kind, then path
};

struct ExplainRequest {
  emit::AtenOptions aten;
  // As in AutogradRequest; without derivatives.yaml there are no such files.
  std::string autograd_path;
  std::string name;
  bool with_lines = false;
};

// One explanation per overload if the name is a base name. Empty, with
// diagnostics, for an unknown name or inputs with errors.
std::vector<Explanation> explain(const ExplainRequest& request, Run& run);

// For people: a page of text. For programs: {"operators": [...]}.
std::string explanations_text(const std::vector<Explanation>& explanations);
std::string explanations_json(const std::vector<Explanation>& explanations);

}  // namespace opgen::backend
