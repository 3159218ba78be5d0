# The component `opgen`: the program, the static libraries, their headers and
# the CMake package.
#
#   cmake --install <build> --component opgen --prefix <prefix>
#
# Expects the targets of opgen/; the program may be missing.

include(CMakePackageConfigHelpers)
set(_opgen_package lib/cmake/opgen)
set(_opgen_targets)
foreach(
    _layer
    IN
    ITEMS text model schema api emit backend
)
    list(APPEND _opgen_targets opgen_${_layer})
    set_target_properties(opgen_${_layer} PROPERTIES EXPORT_NAME ${_layer})
    # What only its own sources include stays here.
    install(
        DIRECTORY "${PROJECT_SOURCE_DIR}/opgen/${_layer}"
        DESTINATION include/opgen
        COMPONENT opgen
        FILES_MATCHING
        PATTERN "*.h"
        PATTERN "yaml_builder.h" EXCLUDE
    )
endforeach()
if(TARGET opgen)
    list(APPEND _opgen_targets opgen)
endif()
install(
    TARGETS ${_opgen_targets}
    EXPORT opgenTargets
    RUNTIME DESTINATION bin COMPONENT opgen
    ARCHIVE DESTINATION lib COMPONENT opgen
    INCLUDES DESTINATION include
)
install(
    EXPORT opgenTargets
    NAMESPACE opgen::
    DESTINATION ${_opgen_package}
    COMPONENT opgen
)
configure_package_config_file(
    "${PROJECT_SOURCE_DIR}/cmake/opgenConfig.cmake.in"
    "${CMAKE_CURRENT_BINARY_DIR}/opgenConfig.cmake"
    INSTALL_DESTINATION ${_opgen_package}
)
write_basic_package_version_file(
    "${CMAKE_CURRENT_BINARY_DIR}/opgenConfigVersion.cmake"
    VERSION ${PROJECT_VERSION}
    COMPATIBILITY SameMinorVersion
)
install(
    FILES
        "${CMAKE_CURRENT_BINARY_DIR}/opgenConfig.cmake"
        "${CMAKE_CURRENT_BINARY_DIR}/opgenConfigVersion.cmake"
        "${PROJECT_SOURCE_DIR}/cmake/opgenGenerate.cmake"
        "${PROJECT_SOURCE_DIR}/cmake/opgenYaml.cmake"
    DESTINATION ${_opgen_package}
    COMPONENT opgen
)
