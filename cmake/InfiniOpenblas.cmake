# infini::openblas: the GEMM library of the embedded operators.
#
# The package scipy-openblas32 of PyPI: its symbols are prefixed (scipy_*), so
# that it shares a process with the BLAS that PyTorch exports.
#
# Out: infini::openblas, INFINI_OPENBLAS_LIBRARY (a file),
#      INFINI_OPENBLAS_LICENSE (a file of the build tree)

if(NOT INFINI_OPENBLAS_LIBRARY)
    include(InfiniPython)
    infini_query_python(openblas)
endif()

add_library(infini_openblas SHARED IMPORTED GLOBAL)
add_library(infini::openblas ALIAS infini_openblas)
set_target_properties(
    infini_openblas
    PROPERTIES
        IMPORTED_LOCATION "${INFINI_OPENBLAS_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${INFINI_OPENBLAS_INCLUDE_DIR}"
        INTERFACE_COMPILE_DEFINITIONS "BLAS_SYMBOL_PREFIX=scipy_"
)
