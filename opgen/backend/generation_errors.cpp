#include "opgen/backend/generation_errors.h"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "opgen/backend/generate.h"
#include "opgen/backend/program_filter.h"
#include "opgen/emit/register_dispatch_key_error.h"
#include "opgen/model/native_function.h"
#include "opgen/model/native_functions.h"
#include "opgen/schema/function_site.h"
#include "opgen/schema/load.h"
#include "opgen/text/characters.h"
#include "opgen/text/code_template.h"
#include "opgen/text/diagnostics.h"
#include "opgen/text/read_file.h"
#include "opgen/text/source.h"
#include "opgen/text/suggest.h"
#include "opgen/text/template_cache.h"

namespace opgen::backend {
namespace {

using model::NativeFunction;
using text::DiagnosticId;

// More are not looked for; each one costs a run.
constexpr std::size_t kMostOperators = 30;

struct Failure {
  std::string what;
  const NativeFunction* function = nullptr;  // null: the error names none
  std::optional<text::MissingValueError> hole;
  std::optional<text::TemplateFileError> unreadable;
};

// Nothing if make does not throw.
std::optional<Failure> try_make(const std::function<bool(Run&)>& make,
                                Run& run) {
  Failure failure;
  try {
    make(run);
    return std::nullopt;
  } catch (const emit::EmitError& error) {
    failure.what = error.what();
    failure.function = error.function;
  } catch (const text::MissingValueError& error) {
    failure.what = error.what();
    failure.hole = error;
  } catch (const text::TemplateFileError& error) {
    failure.what = error.what();
    failure.unreadable = error;
  } catch (const std::exception& error) {
    failure.what = error.what();
  }
  return failure;
}

// The place of `$name` or `${name}` in a template.
text::SourceRange find_hole(const text::SourceFile& file,
                            const std::string& name) {
  const std::string_view text = file.contents();
  for (std::size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    std::size_t begin = at;
    begin -= begin > 0 && text[begin - 1] == ',' ? 1 : 0;
    begin -= begin > 0 && text[begin - 1] == '{' ? 1 : 0;
    const char after =
        at + name.size() < text.size() ? text[at + name.size()] : ' ';
    if (begin > 0 && text[begin - 1] == '$' && !text::is_name_char(after)) {
      return {&file, at, at + name.size()};
    }
  }
  return {&file, 0, 0};
}

void report_hole(const text::MissingValueError& error, Run& run) {
  text::SourceRange place;
  std::string contents;
  if (text::read_file(error.path, contents).empty()) {
    const auto file = std::make_shared<const text::SourceFile>(
        error.path, std::move(contents));
    run.keep.push_back(file);
    place = find_hole(*file, error.hole());
  }
  run.diagnostics.error(DiagnosticId::kTemplateHole, place, {error.hole()})
      .did_you_mean(text::suggest(error.hole(), error.known()));
}

// The first line is the message; each further one is a note.
void report_operator(const NativeFunction& f,
                     const std::string& text,
                     const schema::FunctionSites& sites,
                     text::Diagnostics& diagnostics) {
  const std::string_view what = text;
  const std::size_t end = what.find('\n');
  text::Diagnostic& entry = diagnostics.error(
      DiagnosticId::kCannotGenerate,
      f.id < sites.size() ? sites[f.id].name : text::SourceRange{},
      {f.func.name.str(), what.substr(0, end)});
  std::string_view rest =
      end == std::string_view::npos ? "" : what.substr(end + 1);
  while (!rest.empty()) {
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    const std::size_t next = rest.find('\n');
    entry.note({}, std::string(rest.substr(0, next)));
    rest = next == std::string_view::npos ? "" : rest.substr(next + 1);
  }
}

class Reporter {
 public:
  Reporter(schema::LoadedFunctions& loaded,
           Run& run,
           const std::function<bool(Run&)>& make)
      : sites_(loaded.sites),
        program_(loaded.functions.value()),
        run_(run),
        make_(make),
        filter_(program_) {}

  // Reports a failure of the program without the operators that are known.
  // False if nothing is gained by another run.
  bool report(const Failure& failure) {
    filter_.restore();
    if (failure.hole) {
      report_hole(*failure.hole, run_);
      return false;
    }
    if (failure.unreadable) {
      run_.diagnostics.error(
          DiagnosticId::kFileCannotRead,
          {},
          {failure.unreadable->path, failure.unreadable->reason});
      return false;
    }
    const std::optional<Failure> found =
        failure.function == nullptr ? search() : failure;
    if (!found) {
      run_.diagnostics.error(
          DiagnosticId::kGenerationFailed, {}, {failure.what});
      return false;
    }
    const NativeFunction& f = *found->function;
    report_operator(f, found->what, sites_, run_.diagnostics);
    const Operators family = family_of(program_, f);
    known_.insert(known_.end(), family.begin(), family.end());
    return true;
  }

  // The failure that is left without the operators that are known.
  std::optional<Failure> next() {
    filter_.without(known_);
    return fails();
  }

 private:
  std::optional<Failure> fails() {
    Run part;
    part.threads = run_.threads;
    return try_make(make_, part);
  }

  // The families that are left.
  std::vector<Operators> families() {
    std::vector<Operators> all;
    std::vector<bool> done(program_.functions.size());
    for (const NativeFunction* f : known_) {
      done[f->id] = true;
    }
    for (const auto& f : program_.functions) {
      if (done[f->id]) {
        continue;
      }
      all.push_back(family_of(program_, *f));
      for (const NativeFunction* member : all.back()) {
        done[member->id] = true;
      }
    }
    return all;
  }

  // The failure of a family that fails by itself, by halving all that are left.
  // Nothing if it fails without any, or only several together do.
  std::optional<Failure> search() {
    if (alone({})) {
      return std::nullopt;
    }
    const std::vector<Operators> all = families();
    std::span<const Operators> left = all;
    while (left.size() > 1) {
      const std::size_t half = left.size() / 2;
      left = alone(left.first(half)) ? left.first(half) : left.subspan(half);
    }
    std::optional<Failure> failure;
    if (!left.empty()) {
      failure = alone(left);
    }
    if (failure && failure->function == nullptr) {
      failure->function = culprit(left[0]);
    }
    return failure;
  }

  std::optional<Failure> alone(std::span<const Operators> families) {
    Operators all;
    for (const Operators& family : families) {
      all.insert(all.end(), family.begin(), family.end());
    }
    filter_.only(all);
    std::optional<Failure> failure = fails();
    filter_.restore();
    return failure;
  }

  // The member without which the family does not fail; the first if none is.
  const NativeFunction* culprit(const Operators& family) {
    for (const NativeFunction* member : family) {
      filter_.only_without(family, *member);
      const bool still = fails().has_value();
      filter_.restore();
      if (!still) {
        return member;
      }
    }
    return family.front();
  }

  const schema::FunctionSites& sites_;
  model::NativeFunctions& program_;
  Run& run_;
  const std::function<bool(Run&)>& make_;
  ProgramFilter filter_;
  Operators known_;
};

}  // namespace

bool make_or_report(schema::LoadedFunctions& loaded,
                    Run& run,
                    const std::function<bool(Run&)>& make) {
  bool result = false;
  std::optional<Failure> failure = try_make(
      [&](Run& whole) {
        result = make(whole);
        return result;
      },
      run);
  if (!failure) {
    return result;
  }
  run.files.clear();
  Reporter reporter(loaded, run, make);
  for (std::size_t found = 0; failure; ++found) {
    if (found == kMostOperators) {
      run.diagnostics.error(DiagnosticId::kGenerationStopped,
                            {},
                            {std::to_string(kMostOperators)});
      break;
    }
    if (!reporter.report(*failure)) {
      break;
    }
    failure = reporter.next();
  }
  return false;
}

}  // namespace opgen::backend
