# The program that generates the operator layer: opgen where it is part of this
# build, an installed one, or else its core, which is built here.
#
# In:  INFINI_TORCH_LIBRARY_DIR
# Out: opgen::opgen, opgen_generate(), INFINI_TORCHGEN_DIR: PyTorch's torchgen,
#      which carries native_functions.yaml
include(opgenGenerate)

cmake_path(
    SET INFINI_TORCHGEN_DIR
    NORMALIZE
    "${INFINI_TORCH_LIBRARY_DIR}/../../torchgen"
)
if(
    NOT EXISTS "${INFINI_TORCHGEN_DIR}/packaged/ATen/native/native_functions.yaml"
)
    message(
        FATAL_ERROR
        "PyTorch's native_functions.yaml was not found in "
        "${INFINI_TORCHGEN_DIR}; an installed PyTorch has it there."
    )
endif()

if(NOT TARGET opgen::opgen)
    find_package(opgen ${PROJECT_VERSION} CONFIG QUIET)
endif()
if(TARGET opgen::opgen)
    get_target_property(_infini_opgen_imported opgen::opgen IMPORTED)
    if(_infini_opgen_imported)
        message(STATUS "opgen: installed, ${opgen_DIR}")
    endif()
else()
    message(STATUS "opgen: its core is built here")
    set(OPGEN_CORE ON)
    add_subdirectory(opgen EXCLUDE_FROM_ALL)
endif()
