// Paths as pathlib.PurePosixPath treats them; nothing here asks the file
// system.
//
// A normal path has no empty and no "." component; ".." stays.
#pragma once

#include <string>
#include <string_view>

namespace opgen::text {

bool is_absolute_path(std::string_view path);

// The normal form; "." for a path without components.
std::string normal_path(std::string_view path);

// PurePosixPath(base) / path, in normal form.
std::string join_path(std::string_view base, std::string_view path);

// The part before the last "/"; "." if there is none, "/" for "/name".
std::string parent_path(std::string_view path);
std::string_view path_name(std::string_view path);
// The name without its last suffix: "a" for "x/a.cpp".
std::string_view path_stem(std::string_view path);
std::string with_stem(std::string_view path, std::string_view stem);

// The order of two paths in normal form: that of their components.
bool path_less(std::string_view a, std::string_view b);

}  // namespace opgen::text
