# The component `plugin`: what belongs into the Python package torch_infini.
#
#   cmake --install <build> --component plugin --prefix <...>/torch_infini
#
# installs the extension, the record of what it was built for and, of the
# embedded stack, the libraries. The extension finds those in lib/ beside it;
# an extension on an external stack has no RUNPATH at all.
#
# Expects the target _C (csrc/CMakeLists.txt). The component is no part of a
# plain `cmake --install`, which installs the embedded stack as a prefix.

set(_infini_runpath "")
set(_infini_bundled "")
if(TARGET infinirt AND INFINI_RT_SOURCE STREQUAL "embedded")
    list(APPEND _infini_bundled infinirt)
endif()
if(TARGET infiniops AND INFINI_OPS_SOURCE STREQUAL "embedded")
    list(APPEND _infini_bundled infiniops)
    install(
        PROGRAMS "${INFINI_OPENBLAS_LIBRARY}"
        DESTINATION lib
        COMPONENT plugin
        EXCLUDE_FROM_ALL
    )
    install(
        FILES "${INFINI_OPENBLAS_LICENSE}"
        DESTINATION lib
        RENAME LICENSE.scipy-openblas32.txt
        COMPONENT plugin
        EXCLUDE_FROM_ALL
    )
endif()
if(_infini_bundled)
    set(_infini_runpath "$ORIGIN/lib")
    set_target_properties(${_infini_bundled} PROPERTIES INSTALL_RPATH "$ORIGIN")
    install(
        TARGETS ${_infini_bundled}
        LIBRARY DESTINATION lib COMPONENT plugin EXCLUDE_FROM_ALL
    )
endif()

set_target_properties(
    _C
    PROPERTIES
        PREFIX ""
        SUFFIX "${INFINI_PYTHON_EXTENSION_SUFFIX}"
        INSTALL_RPATH "${_infini_runpath}"
)
install(TARGETS _C LIBRARY DESTINATION . COMPONENT plugin EXCLUDE_FROM_ALL)

# Read by torch_infini/_compatibility.py before the extension is loaded.
if(INFINI_TORCH_CXX11_ABI)
    set(_infini_abi true)
else()
    set(_infini_abi false)
endif()
file(
    CONFIGURE
    OUTPUT "${PROJECT_BINARY_DIR}/_build_info.json"
    CONTENT
        [=[{
  "torch_infini": "@PROJECT_VERSION@",
  "torch": "@INFINI_TORCH_VERSION@",
  "torch_minor": "@INFINI_TORCH_MINOR@",
  "cxx11_abi": @_infini_abi@,
  "stack": "@INFINI_STACK@",
  "infinirt": "@INFINI_RT_SOURCE@",
  "infiniops": "@INFINI_OPS_SOURCE@"
}
]=]
    @ONLY
)
install(
    FILES "${PROJECT_BINARY_DIR}/_build_info.json"
    DESTINATION .
    COMPONENT plugin
    EXCLUDE_FROM_ALL
)
