# infini::torch: the installed PyTorch and the headers of its Python.
#
# PyTorch itself says where its headers and libraries are. find_package(Torch)
# is not used: that of a CUDA build demands a CUDA toolkit. setup.py passes the
# variables; without it (cmake --preset ...) they are asked for here.
#
# In:  INFINI_TORCH_INCLUDE_DIRS, INFINI_TORCH_LIBRARY_DIR,
#      INFINI_TORCH_CXX11_ABI (0 or 1), INFINI_TORCH_VERSION,
#      INFINI_TORCH_DEFINITIONS, INFINI_PYTHON_INCLUDE_DIR,
#      INFINI_PYTHON_EXTENSION_SUFFIX
# Out: infini::torch, INFINI_TORCH_MINOR (such as 2.13)

if(NOT INFINI_TORCH_INCLUDE_DIRS)
    infini_query_python(torch)
endif()

foreach(
    name
    IN
    ITEMS
        INFINI_TORCH_INCLUDE_DIRS
        INFINI_TORCH_LIBRARY_DIR
        INFINI_TORCH_CXX11_ABI
        INFINI_TORCH_VERSION
        INFINI_PYTHON_INCLUDE_DIR
        INFINI_PYTHON_EXTENSION_SUFFIX
)
    if("${${name}}" STREQUAL "")
        message(FATAL_ERROR "${name} is empty; see cmake/InfiniTorch.cmake.")
    endif()
endforeach()

if(NOT INFINI_TORCH_VERSION MATCHES "^[0-9]+\\.[0-9]+")
    message(FATAL_ERROR "PyTorch's version '${INFINI_TORCH_VERSION}' is odd.")
endif()
set(INFINI_TORCH_MINOR "${CMAKE_MATCH_0}")

# A function: the variables of a loop must not leak into the includer.
function(_infini_add_torch)
    add_library(infini_torch INTERFACE)
    add_library(infini::torch ALIAS infini_torch)
    target_include_directories(
        infini_torch
        SYSTEM
        INTERFACE ${INFINI_TORCH_INCLUDE_DIRS} "${INFINI_PYTHON_INCLUDE_DIR}"
    )
    target_compile_definitions(
        infini_torch
        INTERFACE
            "_GLIBCXX_USE_CXX11_ABI=${INFINI_TORCH_CXX11_ABI}"
            TORCH_API_INCLUDE_EXTENSION_H
            ${INFINI_TORCH_DEFINITIONS}
    )
    foreach(directory IN LISTS INFINI_TORCH_INCLUDE_DIRS)
        target_compile_options(
            infini_torch
            INTERFACE "-fmacro-prefix-map=${directory}/="
        )
    endforeach()
    foreach(name IN ITEMS c10 torch_cpu torch torch_python)
        find_library(
            INFINI_TORCH_LIBRARY_${name}
            "${name}"
            PATHS "${INFINI_TORCH_LIBRARY_DIR}"
            NO_DEFAULT_PATH
            NO_CACHE
            REQUIRED
        )
        target_link_libraries(
            infini_torch
            INTERFACE "${INFINI_TORCH_LIBRARY_${name}}"
        )
    endforeach()
endfunction()

_infini_add_torch()
message(
    STATUS
    "PyTorch ${INFINI_TORCH_VERSION} (CXX11 ABI ${INFINI_TORCH_CXX11_ABI})"
)
