# Checks the files of scipy-openblas32, the OpenBLAS of PyPI whose names are
# prefixed with `scipy_`.
#
# In: INFINI_OPENBLAS_ROOT, the package's folder with include/cblas.h and
#     lib/libscipy_openblas.so; INFINI_OPENBLAS_LICENSE, optional, its licence.
# Out: INFINI_OPENBLAS_{INCLUDE_DIR,LIBRARY_DIR,LIBRARY,LICENSE,VERSION}

set(INFINI_OPENBLAS_INCLUDE_DIR "${INFINI_OPENBLAS_ROOT}/include")
set(INFINI_OPENBLAS_LIBRARY_DIR "${INFINI_OPENBLAS_ROOT}/lib")
set(INFINI_OPENBLAS_LIBRARY
    "${INFINI_OPENBLAS_LIBRARY_DIR}/libscipy_openblas.so"
)
if(NOT INFINI_OPENBLAS_LICENSE)
    file(
        GLOB INFINI_OPENBLAS_LICENSE
        "${INFINI_OPENBLAS_ROOT}-*.dist-info/licenses/LICENSE*"
    )
endif()
foreach(
    file
    "${INFINI_OPENBLAS_INCLUDE_DIR}/cblas.h"
    "${INFINI_OPENBLAS_LIBRARY}"
    "${INFINI_OPENBLAS_LICENSE}"
)
    if(NOT INFINI_OPENBLAS_ROOT OR NOT EXISTS "${file}")
        message(
            FATAL_ERROR
            "scipy-openblas32 was not found: INFINI_OPENBLAS_ROOT is "
            "'${INFINI_OPENBLAS_ROOT}' and '${file}' does not exist. "
            "Install it with: pip install scipy-openblas32"
        )
    endif()
endforeach()

file(
    STRINGS "${INFINI_OPENBLAS_INCLUDE_DIR}/openblas_config.h"
    openblas_version
    REGEX "define OPENBLAS_VERSION"
)
string(
    REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+"
    INFINI_OPENBLAS_VERSION
    "${openblas_version}"
)
