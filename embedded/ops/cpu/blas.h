// Matrix products of row-major float and double matrices, on one thread of
// OpenBLAS per block.
//
// OpenBLAS (scipy-openblas32: prefixed names, so that it cannot be mixed up
// with the BLAS inside PyTorch) is loaded at the first product from beside this
// library, not when the library is loaded: it is large and starts a thread.
#pragma once

#include <cstddef>

namespace infini::ops::cpu {

// A matrix whose element (i, j) is data[i * row + j * column]; strides in
// elements.
template <class T>
struct Matrix {
  T* data;
  std::ptrdiff_t row;
  std::ptrdiff_t column;
};

// Loads OpenBLAS. Throws `Error` when it cannot be loaded.
void load_blas();

// c[m, n] = alpha * a[m, k] @ b[k, n] + beta * c, with beta == 0 not reading c.
// Any strides; c does not overlap a or b. Uses several threads where that pays.
template <class T>
void multiply(std::size_t m,
              std::size_t n,
              std::size_t k,
              T alpha,
              Matrix<const T> a,
              Matrix<const T> b,
              T beta,
              Matrix<T> c);

// Where the products come from; static storage.
const char* blas_name();

}  // namespace infini::ops::cpu
