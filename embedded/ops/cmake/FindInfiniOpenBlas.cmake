# Finds scipy-openblas32, the OpenBLAS of PyPI whose names are prefixed with `scipy_`.
#
# Input: INFINI_OPENBLAS_ROOT, the folder that holds include/cblas.h and lib/libscipy_openblas.so;
# where it is not given, the Python interpreter (Python_EXECUTABLE, or the first on PATH) is asked.
# Output: INFINI_OPENBLAS_LIBRARY_DIR, INFINI_OPENBLAS_INCLUDE_DIR, INFINI_OPENBLAS_LIBRARY, INFINI_OPENBLAS_LICENSE,
# INFINI_OPENBLAS_VERSION.

set(INFINI_OPENBLAS_ROOT "" CACHE PATH "Folder of the Python package scipy_openblas32")

set(openblas_root "${INFINI_OPENBLAS_ROOT}")
if(NOT openblas_root)
    if(NOT Python_EXECUTABLE)
        find_package(Python COMPONENTS Interpreter)
    endif()
    if(Python_EXECUTABLE)
        execute_process(
            COMMAND
                "${Python_EXECUTABLE}" -c
                "import os, scipy_openblas32 as o; print(os.path.dirname(o.get_lib_dir()), end='')"
            OUTPUT_VARIABLE openblas_root
            ERROR_QUIET
        )
    endif()
endif()

set(INFINI_OPENBLAS_INCLUDE_DIR "${openblas_root}/include")
set(INFINI_OPENBLAS_LIBRARY_DIR "${openblas_root}/lib")
set(INFINI_OPENBLAS_LIBRARY "${INFINI_OPENBLAS_LIBRARY_DIR}/libscipy_openblas.so")
if(
    NOT openblas_root
    OR NOT EXISTS "${INFINI_OPENBLAS_INCLUDE_DIR}/cblas.h"
    OR NOT EXISTS "${INFINI_OPENBLAS_LIBRARY}"
)
    message(
        FATAL_ERROR
        "scipy-openblas32 was not found (INFINI_OPENBLAS_ROOT='${INFINI_OPENBLAS_ROOT}', "
        "Python_EXECUTABLE='${Python_EXECUTABLE}'). Install it with: pip install scipy-openblas32"
    )
endif()

file(
    STRINGS "${INFINI_OPENBLAS_INCLUDE_DIR}/openblas_config.h" openblas_version
    REGEX "define OPENBLAS_VERSION"
)
string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" INFINI_OPENBLAS_VERSION "${openblas_version}")
file(GLOB openblas_licenses "${openblas_root}-*.dist-info/licenses/LICENSE*")
list(GET openblas_licenses 0 INFINI_OPENBLAS_LICENSE)
