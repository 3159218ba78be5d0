#include "blas.h"

#include <climits>
#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include <cblas.h>
#include <dlfcn.h>
#include <infini/ops/error.h>

#include "parallel.h"

namespace infini::ops::cpu {

namespace {

struct Blas {
  decltype(&scipy_cblas_sgemm) sgemm = nullptr;
  decltype(&scipy_cblas_dgemm) dgemm = nullptr;
  std::string error;
};

template <class Function>
bool find(void* handle, const char* name, Function* function) {
  *function = reinterpret_cast<Function>(dlsym(handle, name));
  return *function != nullptr;
}

constexpr const char* kLibrary = "libscipy_openblas.so";

// From beside this library, by path because a sanitizer that wraps dlopen hides
// whose RUNPATH counts; else from where the loader looks.
void* open_library() {
  Dl_info info;
  if (dladdr(reinterpret_cast<void*>(&open_library), &info) != 0 &&
      info.dli_fname != nullptr) {
    std::string path = info.dli_fname;
    path.replace(path.rfind('/') + 1, std::string::npos, kLibrary);
    if (void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
      return handle;
    }
  }
  return dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
}

Blas open_blas() {
  Blas blas;
  void* handle = open_library();
  decltype(&scipy_openblas_set_num_threads) set_threads = nullptr;
  if (handle == nullptr || !find(handle, "scipy_cblas_sgemm", &blas.sgemm) ||
      !find(handle, "scipy_cblas_dgemm", &blas.dgemm) ||
      !find(handle, "scipy_openblas_set_num_threads", &set_threads)) {
    const char* reason = dlerror();
    blas.error = reason == nullptr ? "unknown error" : reason;
    return blas;
  }
  set_threads(1);
  return blas;
}

const Blas& blas() {
  static const Blas* const loaded = new Blas(open_blas());
  return *loaded;
}

// A matrix as BLAS wants it: one stride is 1, the other a leading dimension.
template <class T>
struct Operand {
  const T* data;
  CBLAS_TRANSPOSE transpose;
  int leading;
  std::unique_ptr<T[]> copy;
};

bool is_leading(std::ptrdiff_t stride, std::size_t length) {
  return std::cmp_greater_equal(stride, length > 1 ? length : 1) &&
         stride <= INT_MAX;
}

template <class T>
Operand<T> operand_of(Matrix<const T> matrix,
                      std::size_t rows,
                      std::size_t columns) {
  const auto at_least_one = [](std::size_t size) {
    return static_cast<int>(size > 1 ? size : 1);
  };
  if ((matrix.column == 1 || columns == 1) &&
      (is_leading(matrix.row, columns) || rows == 1)) {
    const int leading =
        rows == 1 ? at_least_one(columns) : static_cast<int>(matrix.row);
    return {matrix.data, CblasNoTrans, leading, nullptr};
  }
  if ((matrix.row == 1 || rows == 1) &&
      (is_leading(matrix.column, rows) || columns == 1)) {
    const int leading =
        columns == 1 ? at_least_one(rows) : static_cast<int>(matrix.column);
    return {matrix.data, CblasTrans, leading, nullptr};
  }
  std::unique_ptr<T[]> copy(new T[rows * columns]);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      copy[i * columns + j] =
          matrix.data[static_cast<std::ptrdiff_t>(i) * matrix.row +
                      static_cast<std::ptrdiff_t>(j) * matrix.column];
    }
  }
  const T* data = copy.get();
  return {data, CblasNoTrans, at_least_one(columns), std::move(copy)};
}

template <class T>
void call(int m,
          int n,
          int k,
          T alpha,
          const Operand<T>& a,
          const T* a_data,
          const Operand<T>& b,
          const T* b_data,
          T beta,
          T* c,
          int leading) {
  const auto function = [] {
    if constexpr (std::is_same_v<T, float>) {
      return blas().sgemm;
    } else {
      return blas().dgemm;
    }
  }();
  function(CblasRowMajor,
           a.transpose,
           b.transpose,
           m,
           n,
           k,
           alpha,
           a_data,
           a.leading,
           b_data,
           b.leading,
           beta,
           c,
           leading);
}

// Multiplications below which a second thread does not pay.
constexpr std::size_t kProductGrain = std::size_t{1} << 18;

// Blocks of c are cut along its longer side, in multiples of what the kernels
// unroll.
constexpr std::size_t kBlockStep = 16;

template <class T>
void multiply_blocks(std::size_t m,
                     std::size_t n,
                     std::size_t k,
                     T alpha,
                     const Operand<T>& a,
                     const Operand<T>& b,
                     T beta,
                     T* c,
                     int leading) {
  const bool by_rows = m > n;
  const std::size_t length = by_rows ? m : n;
  std::size_t parts = parts_of(m * n * k, kProductGrain);
  std::size_t step = (length + parts - 1) / parts;
  if (parts > 1) {
    step = (step + kBlockStep - 1) / kBlockStep * kBlockStep;
    parts = (length + step - 1) / step;
  }
  parallel_for(parts, [&](std::size_t part) {
    const std::size_t begin = part * step;
    const std::size_t size = length - begin < step ? length - begin : step;
    const std::size_t a_step = a.transpose == CblasNoTrans ? a.leading : 1;
    const std::size_t b_step = b.transpose == CblasNoTrans ? 1 : b.leading;
    call<T>(static_cast<int>(by_rows ? size : m),
            static_cast<int>(by_rows ? n : size),
            static_cast<int>(k),
            alpha,
            a,
            a.data + (by_rows ? begin * a_step : 0),
            b,
            b.data + (by_rows ? 0 : begin * b_step),
            beta,
            c + (by_rows ? begin * static_cast<std::size_t>(leading) : begin),
            leading);
  });
}

template <class T>
void scale(std::size_t m, std::size_t n, T beta, Matrix<T> c) {
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      T& value = c.data[static_cast<std::ptrdiff_t>(i) * c.row +
                        static_cast<std::ptrdiff_t>(j) * c.column];
      value = beta == 0 ? T{0} : beta * value;
    }
  }
}

}  // namespace

void load_blas() {
  if (!blas().error.empty()) {
    throw Error(
        "Gemm: expected libscipy_openblas.so beside libinfiniops.so or on the "
        "library "
        "path; got " +
        blas().error);
  }
}

template <class T>
void multiply(std::size_t m,
              std::size_t n,
              std::size_t k,
              T alpha,
              Matrix<const T> a,
              Matrix<const T> b,
              T beta,
              Matrix<T> c) {
  if (m == 0 || n == 0) {
    return;
  }
  if (k == 0) {
    scale(m, n, beta, c);
    return;
  }
  const bool row_major =
      (c.column == 1 || n == 1) && (m == 1 || is_leading(c.row, n));
  const bool column_major =
      (c.row == 1 || m == 1) && (n == 1 || is_leading(c.column, m));
  if (!row_major && column_major) {
    multiply<T>(n,
                m,
                k,
                alpha,
                {b.data, b.column, b.row},
                {a.data, a.column, a.row},
                beta,
                {c.data, c.column, c.row});
    return;
  }
  const Operand<T> left = operand_of(a, m, k);
  const Operand<T> right = operand_of(b, k, n);
  if (row_major) {
    const int leading = m == 1 ? static_cast<int>(n) : static_cast<int>(c.row);
    multiply_blocks<T>(m, n, k, alpha, left, right, beta, c.data, leading);
    return;
  }
  const std::unique_ptr<T[]> product(new T[m * n]);
  multiply_blocks<T>(
      m, n, k, alpha, left, right, T{0}, product.get(), static_cast<int>(n));
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      T& value = c.data[static_cast<std::ptrdiff_t>(i) * c.row +
                        static_cast<std::ptrdiff_t>(j) * c.column];
      value = product[i * n + j] + (beta == 0 ? T{0} : beta * value);
    }
  }
}

template void multiply<float>(std::size_t,
                              std::size_t,
                              std::size_t,
                              float,
                              Matrix<const float>,
                              Matrix<const float>,
                              float,
                              Matrix<float>);
template void multiply<double>(std::size_t,
                               std::size_t,
                               std::size_t,
                               double,
                               Matrix<const double>,
                               Matrix<const double>,
                               double,
                               Matrix<double>);

const char* blas_name() {
  return INFINI_OPENBLAS_NAME;
}

}  // namespace infini::ops::cpu
