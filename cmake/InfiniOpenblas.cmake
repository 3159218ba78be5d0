# Where the GEMM library of the embedded operators is: the package
# scipy-openblas32 of INFINI_PYTHON. Its symbols are prefixed (scipy_*), so that
# it shares a process with the BLAS that PyTorch exports.
#
# Out: INFINI_OPENBLAS_ROOT, which embedded/ops takes; INFINI_OPENBLAS_LIBRARY
#      and INFINI_OPENBLAS_LICENSE, the files that a wheel carries.

infini_query_python(openblas)
