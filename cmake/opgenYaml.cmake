# The target opgen::yaml: libyaml, the one library that generation needs.
#
# Used by opgen's own build and, installed, by opgenConfig.cmake. The static
# library is preferred, so that a program needs no package to run. Where there
# is none, OPGEN_YAML_MISSING says what to install.

set(OPGEN_YAML_MISSING "")
if(TARGET opgen::yaml)
    return()
endif()
find_path(OPGEN_YAML_INCLUDE_DIR yaml.h)
find_library(OPGEN_YAML_LIBRARY NAMES libyaml.a yaml)
mark_as_advanced(OPGEN_YAML_INCLUDE_DIR OPGEN_YAML_LIBRARY)
if(NOT OPGEN_YAML_INCLUDE_DIR OR NOT OPGEN_YAML_LIBRARY)
    set(OPGEN_YAML_MISSING
        "libyaml was not found. Install: sudo apt-get install libyaml-dev"
    )
    return()
endif()
add_library(opgen::yaml UNKNOWN IMPORTED GLOBAL)
set_target_properties(
    opgen::yaml
    PROPERTIES
        IMPORTED_LOCATION "${OPGEN_YAML_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${OPGEN_YAML_INCLUDE_DIR}"
)
