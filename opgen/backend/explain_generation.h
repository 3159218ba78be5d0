// Everything that is generated from one tree: what `opgen aten`, `opgen
// autograd` and `opgen unboxing` write, made in memory from one loaded program.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "opgen/backend/generate.h"
#include "opgen/emit/aten_keys.h"
#include "opgen/emit/autograd_files_derivatives.h"
#include "opgen/emit/options.h"
#include "opgen/model/selective_builder.h"
#include "opgen/schema/load.h"

namespace opgen::backend {

// Texts by path.
using FileTexts = std::map<std::string, std::string>;

class WholeGeneration {
 public:
  struct Inputs {
    emit::AtenOptions aten;             // source_path and what to generate
    std::string autograd_path;          // as in AutogradRequest
    std::string native_functions_path;  // empty: the one in source_path
  };

  // Reads the inputs. program() is null, with diagnostics, if that fails.
  WholeGeneration(const Inputs& inputs, Run& run);

  model::NativeFunctions* program() const;

  const schema::LoadedFunctions& loaded() const { return *loaded_; }

  // From the program as it is now. Nothing, with diagnostics, if it cannot be
  // generated.
  std::optional<FileTexts> make(Run& run) const;
  // Throws what emitters throw.
  FileTexts make_or_throw(std::size_t threads) const;

 private:
  void add_files(Run& run) const;

  emit::AtenOptions options_;
  emit::AtenKeys keys_;
  std::shared_ptr<schema::LoadedFunctions> loaded_;
  std::string autograd_path_;  // empty: no files of autograd
  bool has_unboxing_ = false;
  std::optional<emit::Derivatives> derivatives_;
  model::SelectiveBuilder selector_;
};

// What a file of a whole generation holds: "kernel registrations". The order of
// kinds is that of their numbers.
struct OutputKind {
  int order = 0;
  std::string_view name;
};

OutputKind kind_of_output(std::string_view path);

}  // namespace opgen::backend
