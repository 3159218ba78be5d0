#include "matrix_product.h"

#include <climits>
#include <cstddef>
#include <memory>
#include <ostream>
#include <utility>

#include "blas.h"
#include "detached.h"
#include "plan.h"
#include "rows.h"

namespace infini::ops::cpu {

namespace {

// The last two dimensions of a tensor, after a transposition; strides in bytes.
struct Face {
  std::size_t rows;
  std::size_t columns;
  std::ptrdiff_t row_stride;
  std::ptrdiff_t column_stride;
  DataType dtype;
};

std::ostream& operator<<(std::ostream& stream, const Face& face) {
  return stream << "[" << face.rows << ", " << face.columns << "]";
}

Face face_of(const Tensor& tensor, bool transposed) {
  const std::size_t last = tensor.shape().size() - 1;
  const auto unit = static_cast<std::ptrdiff_t>(size_of(tensor.dtype()));
  Face face{tensor.shape()[last - 1],
            tensor.shape()[last],
            tensor.strides()[last - 1] * unit,
            tensor.strides()[last] * unit,
            tensor.dtype()};
  if (transposed) {
    std::swap(face.rows, face.columns);
    std::swap(face.row_stride, face.column_stride);
  }
  return face;
}

template <class T>
Matrix<T> matrix_of(char* data, const Face& face) {
  const auto unit = static_cast<std::ptrdiff_t>(sizeof(T));
  return {reinterpret_cast<T*>(data),
          face.row_stride / unit,
          face.column_stride / unit};
}

template <class T>
Matrix<const T> constant(Matrix<T> matrix) {
  return {matrix.data, matrix.row, matrix.column};
}

// Row-major float copy of a face, or back.
void widen(const char* from, const Face& face, float* to) {
  const auto row = static_cast<std::ptrdiff_t>(face.columns * sizeof(float));
  cast_kernel(face.dtype,
              DataType::kFloat32)({reinterpret_cast<char*>(to),
                                   from,
                                   {face.columns, face.rows},
                                   {sizeof(float), row},
                                   {face.column_stride, face.row_stride}});
}

void narrow(const float* from, char* to, const Face& face) {
  const auto row = static_cast<std::ptrdiff_t>(face.columns * sizeof(float));
  cast_kernel(DataType::kFloat32,
              face.dtype)({to,
                           reinterpret_cast<const char*>(from),
                           {face.columns, face.rows},
                           {face.column_stride, face.row_stride},
                           {sizeof(float), row}});
}

struct Product {
  Face a;
  Face b;
  Face c;
  float alpha;
  float beta;
};

template <class T>
void multiply_faces(const Product& product, char* a, char* b, char* c) {
  multiply<T>(product.c.rows,
              product.c.columns,
              product.a.columns,
              static_cast<T>(product.alpha),
              constant(matrix_of<T>(a, product.a)),
              constant(matrix_of<T>(b, product.b)),
              static_cast<T>(product.beta),
              matrix_of<T>(c, product.c));
}

// 16-bit floats: the whole product in float, rounded once.
class WidenedProduct {
 public:
  explicit WidenedProduct(const Product& product)
      : product_(product),
        a_(new float[product.a.rows * product.a.columns]),
        b_(new float[product.b.rows * product.b.columns]),
        c_(new float[product.c.rows * product.c.columns]) {}

  void run(const char* a, const char* b, char* c) {
    if (a != last_a_) {
      widen(a, product_.a, a_.get());
      last_a_ = a;
    }
    if (b != last_b_) {
      widen(b, product_.b, b_.get());
      last_b_ = b;
    }
    if (product_.beta != 0) {
      widen(c, product_.c, c_.get());
    }
    multiply<float>(
        product_.c.rows,
        product_.c.columns,
        product_.a.columns,
        product_.alpha,
        {a_.get(), static_cast<std::ptrdiff_t>(product_.a.columns), 1},
        {b_.get(), static_cast<std::ptrdiff_t>(product_.b.columns), 1},
        product_.beta,
        {c_.get(), static_cast<std::ptrdiff_t>(product_.c.columns), 1});
    narrow(c_.get(), c, product_.c);
  }

 private:
  const Product& product_;
  std::unique_ptr<float[]> a_;
  std::unique_ptr<float[]> b_;
  std::unique_ptr<float[]> c_;
  const char* last_a_ = nullptr;
  const char* last_b_ = nullptr;
};

void check_shapes(const Context& context, const Product& product) {
  const Face& c = product.c;
  if (product.a.rows != c.rows || product.b.columns != c.columns ||
      product.a.columns != product.b.rows) {
    fail(context,
         "matrices [m, k] and [k, n] for an output [m, n] after the "
         "transpositions, not ",
         product.a,
         " and ",
         product.b,
         " for ",
         c);
  }
  for (const std::size_t size : {c.rows, c.columns, product.a.columns}) {
    if (size > static_cast<std::size_t>(INT_MAX)) {
      fail(context, "matrix sizes below 2**31");
    }
  }
}

std::ptrdiff_t batch_stride(const Tensor& tensor, std::size_t from_end) {
  const std::size_t dimensions = tensor.shape().size();
  if (from_end > dimensions || tensor.shape()[dimensions - from_end] == 1) {
    return 0;
  }
  return tensor.strides()[dimensions - from_end] *
         static_cast<std::ptrdiff_t>(size_of(tensor.dtype()));
}

// The loop over the batch. An input's batch sizes are the output's, 1 or
// missing.
Plan<3> plan_batch(const Context& context,
                   const Tensor& a,
                   const Tensor& b,
                   const Tensor& c) {
  Plan<3> plan;
  plan.base[0] = data_of(c);
  plan.base[1] = data_of(a);
  plan.base[2] = data_of(b);
  const std::size_t dimensions = c.shape().size();
  for (const Tensor* input : {&a, &b}) {
    const std::size_t own = input->shape().size();
    bool fits = own <= dimensions;
    for (std::size_t d = 3; fits && d <= own; ++d) {
      fits = input->shape()[own - d] == 1 ||
             input->shape()[own - d] == c.shape()[dimensions - d];
    }
    if (!fits) {
      fail(context, "batch dimensions that broadcast to those of the output");
    }
  }
  for (std::size_t d = 3; d <= dimensions; ++d) {
    plan.append(c.shape()[dimensions - d],
                {batch_stride(c, d), batch_stride(a, d), batch_stride(b, d)});
  }
  plan.simplify();
  return plan;
}

// One product with more rows instead of a batch, where b is the same throughout
// and the rows of a and c go on from one matrix to the next.
void join_rows(Plan<3>* plan, Product* product) {
  const auto rows = static_cast<std::ptrdiff_t>(product->c.rows);
  const auto joined = plan->size[0] * product->c.rows;
  if (plan->dimensions == 1 && plan->size[0] > 1 && plan->stride[0][2] == 0 &&
      plan->stride[0][0] == product->c.row_stride * rows &&
      plan->stride[0][1] == product->a.row_stride * rows &&
      joined <= static_cast<std::size_t>(INT_MAX)) {
    product->c.rows = joined;
    product->a.rows = joined;
    plan->size[0] = 1;
  }
}

void fill_with_bias(const Tensor& bias, const Tensor& c) {
  const Tensor::Strides strides = [&] {
    Tensor::Strides zeros(c.shape().size(), 0);
    zeros.back() = bias.shape()[0] == 1 ? 0 : bias.strides()[0];
    return zeros;
  }();
  cast(Config(),
       Tensor(data_of(bias), c.shape(), bias.dtype(), bias.device(), strides),
       c);
}

void run(const Product& product, Plan<3>* plan) {
  if (product.c.dtype == DataType::kFloat32) {
    for_each_block<0>(*plan, [&](const Plan<3>& at) {
      multiply_faces<float>(product, at.base[1], at.base[2], at.base[0]);
    });
  } else if (product.c.dtype == DataType::kFloat64) {
    for_each_block<0>(*plan, [&](const Plan<3>& at) {
      multiply_faces<double>(product, at.base[1], at.base[2], at.base[0]);
    });
  } else {
    WidenedProduct widened(product);
    for_each_block<0>(*plan, [&](const Plan<3>& at) {
      widened.run(at.base[1], at.base[2], at.base[0]);
    });
  }
}

}  // namespace

void multiply_tensors(const Context& context,
                      const Tensor& a,
                      const Tensor& b,
                      const GemmOptions& options,
                      const Tensor* bias,
                      const Tensor& c) {
  check_float(context, context.out());
  check_same_dtype(context);
  check_output(context);
  for (const Tensor* tensor : {&a, &b, &c}) {
    if (tensor->shape().size() < 2) {
      fail(context, "matrices of at least two dimensions");
    }
  }
  Product product{face_of(a, options.trans_a),
                  face_of(b, options.trans_b),
                  face_of(c, false),
                  options.alpha,
                  bias != nullptr ? 1.0F : options.beta};
  check_shapes(context, product);
  plan_batch(context, a, b, c);
  if (elements_of(c) == 0) {
    return;
  }
  load_blas();
  const Detached left(a, c);
  const Detached right(b, c);
  product.a = face_of(left.tensor(), options.trans_a);
  product.b = face_of(right.tensor(), options.trans_b);
  Plan<3> plan = plan_batch(context, left.tensor(), right.tensor(), c);
  join_rows(&plan, &product);
  if (bias != nullptr) {
    fill_with_bias(Detached(*bias, c).tensor(), c);
  }
  run(product, &plan);
}

}  // namespace infini::ops::cpu
