// cuBLAS of the cpu target: calls whose types of data are arguments. Products are formed in double precision and rounded once.
// SPDX-License-Identifier: MIT OR Apache-2.0
#include "cublas_level1.hpp"
#include "cublas_level3.hpp"
#include "data_types.hpp"

using namespace cuf::cpu;
using namespace cuf::cpu::blas;
using cuf::half;

namespace {

/// A scalar of a type that an argument names.
struct typed_scalar {
    const void* device;
    c8 value;
    int type;
    c8 get() const { return device ? load(type, device, 0) : value; }
};
typed_scalar scalar_of(cublasHandle_t h, const void* p, int type)
{
    if (h->pointer_mode == device_mode) return {p, {}, type};
    return {nullptr, load(type, p, 0), type};
}

/// The type of the scalars for a compute type and types of A, B and C; -1: cuBLAS has no such product.
int scale_type(int compute, int a, int b, int c)
{
    if (a != b) return -1;
    switch (compute) {
    case 64:
    case 65: return a == r_16f && c == r_16f ? r_16f : -1;
    case 72:
    case 73: return a == r_8i && c == r_32i ? r_32i : -1;
    case 68:
    case 69:
        if ((a == r_16f || a == r_16bf) && (c == a || c == r_32f)) return r_32f;
        if (a == r_8i && c == r_32f) return r_32f;
        if (a == c_8i && c == c_32f) return c_32f;
        [[fallthrough]];
    case 74:
    case 75:
    case 77:
    case 78:
        if (a == r_32f && c == r_32f) return r_32f;
        return a == c_32f && c == c_32f ? c_32f : -1;
    case 70:
    case 71:
    case 79:
        if (a == r_64f && c == r_64f) return r_64f;
        return a == c_64f && c == c_64f ? c_64f : -1;
    default: return -1;
    }
}

struct matrix {
    const void* data;
    int type, ld;
};
/// The elements of a matrix, in a type that holds them all.
template <class T>
std::vector<T> elements(const matrix& m, int rows, int cols)
{
    std::vector<T> out(std::size_t(rows) * std::size_t(cols));
    for (std::int64_t j = 0; j < cols; ++j)
        for (std::int64_t i = 0; i < rows; ++i) {
            const c8 v = load(m.type, m.data, i + j * m.ld);
            if constexpr (is_complex<T>) out[std::size_t(i + j * rows)] = v;
            else out[std::size_t(i + j * rows)] = v.real();
        }
    return out;
}

struct shape {
    int transa, transb, m, n, k;
};

template <class T>
void multiply(const shape& s, c8 alpha, const matrix& a, const matrix& b, c8 beta, void* c, int ctype, int ldc)
{
    const int rows_a = s.transa == op_n ? s.m : s.k, cols_a = s.transa == op_n ? s.k : s.m;
    const int rows_b = s.transb == op_n ? s.k : s.n, cols_b = s.transb == op_n ? s.n : s.k;
    std::vector<T> x, y, z(std::size_t(s.m) * std::size_t(s.n));
    if (alpha != c8(0)) x = elements<T>(a, rows_a, cols_a), y = elements<T>(b, rows_b, cols_b);
    if (alpha != c8(0) && s.k > 0)
        product(s.transa, s.transb, s.m, s.n, s.k, T(1), x.data(), std::max(1, rows_a), y.data(), std::max(1, rows_b), T(0), z.data(), std::max(1, s.m));
    for (std::int64_t j = 0; j < s.n; ++j)
        for (std::int64_t i = 0; i < s.m; ++i) {
            c8 value = alpha * c8(z[std::size_t(i + j * s.m)]);
            if (beta != c8(0)) value += beta * load(ctype, c, i + j * ldc);
            store(ctype, c, i + j * ldc, value);
        }
}
void multiply_any(const shape& s, c8 alpha, const matrix& a, const matrix& b, c8 beta, void* c, int ctype, int ldc)
{
    if (is_complex_type(ctype)) multiply<c8>(s, alpha, a, b, beta, c, ctype, ldc);
    else multiply<double>(s, alpha, a, b, beta, c, ctype, ldc);
}

/// The checks of all the forms, then `work(alpha, beta)`.
template <class Work>
int checked(cublasHandle_t h, const shape& s, int scale, int lda, int ldb, int ldc, int batch, const void* alpha, const void* beta, const Work& work)
{
    if (!h) return not_initialized;
    if (!gemm_valid(s.transa, s.transb, s.m, s.n, s.k, lda, ldb, ldc) || batch < 0 || !alpha || !beta) return invalid_value;
    if (scale < 0) return not_supported;
    return run(h, [=, f = scalar_of(h, alpha, scale), g = scalar_of(h, beta, scale)] { work(f.get(), g.get()); });
}

int one_product(cublasHandle_t h, const shape& s, int scale, const void* alpha, const matrix& a, const matrix& b, const void* beta, void* c, int ctype,
                int ldc)
{
    return checked(h, s, scale, a.ld, b.ld, ldc, 0, alpha, beta, [=](c8 f, c8 g) { multiply_any(s, f, a, b, g, c, ctype, ldc); });
}

}  // namespace

extern "C" int cublasGemmEx(cublasHandle_t h, int transa, int transb, int m, int n, int k, const void* alpha, const void* a, int atype, int lda,
                            const void* b, int btype, int ldb, const void* beta, void* c, int ctype, int ldc, int compute, int)
{
    return one_product(h, {transa, transb, m, n, k}, scale_type(compute, atype, btype, ctype), alpha, {a, atype, lda}, {b, btype, ldb}, beta, c, ctype, ldc);
}
extern "C" int cublasSgemmEx(cublasHandle_t h, int transa, int transb, int m, int n, int k, const float* alpha, const void* a, int atype, int lda,
                             const void* b, int btype, int ldb, const float* beta, void* c, int ctype, int ldc)
{
    const int scale = is_complex_type(atype) ? -1 : scale_type(68, atype, btype, ctype);
    return one_product(h, {transa, transb, m, n, k}, scale, alpha, {a, atype, lda}, {b, btype, ldb}, beta, c, ctype, ldc);
}
extern "C" int cublasCgemmEx(cublasHandle_t h, int transa, int transb, int m, int n, int k, const c4* alpha, const void* a, int atype, int lda,
                             const void* b, int btype, int ldb, const c4* beta, void* c, int ctype, int ldc)
{
    const int scale = is_complex_type(atype) ? scale_type(68, atype, btype, ctype) : -1;
    return one_product(h, {transa, transb, m, n, k}, scale, alpha, {a, atype, lda}, {b, btype, ldb}, beta, c, ctype, ldc);
}
// Products of halves are those with a compute type of halves.
constexpr int compute_16f = 64;
extern "C" int cublasHgemm(cublasHandle_t h, int transa, int transb, int m, int n, int k, const half* alpha, const half* a, int lda, const half* b,
                           int ldb, const half* beta, half* c, int ldc)
{
    return cublasGemmEx(h, transa, transb, m, n, k, alpha, a, r_16f, lda, b, r_16f, ldb, beta, c, r_16f, ldc, compute_16f, 0);
}
extern "C" int cublasGemmBatchedEx(cublasHandle_t h, int transa, int transb, int m, int n, int k, const void* alpha, const void* const* a, int atype,
                                   int lda, const void* const* b, int btype, int ldb, const void* beta, void* const* c, int ctype, int ldc, int batch,
                                   int compute, int)
{
    const shape s{transa, transb, m, n, k};
    return checked(h, s, scale_type(compute, atype, btype, ctype), lda, ldb, ldc, batch, alpha, beta, [=](c8 f, c8 g) {
        for (int i = 0; i < batch; ++i) multiply_any(s, f, {a[i], atype, lda}, {b[i], btype, ldb}, g, c[i], ctype, ldc);
    });
}
extern "C" int cublasGemmStridedBatchedEx(cublasHandle_t h, int transa, int transb, int m, int n, int k, const void* alpha, const void* a, int atype,
                                          int lda, long long stride_a, const void* b, int btype, int ldb, long long stride_b, const void* beta, void* c,
                                          int ctype, int ldc, long long stride_c, int batch, int compute, int)
{
    const shape s{transa, transb, m, n, k};
    return checked(h, s, scale_type(compute, atype, btype, ctype), lda, ldb, ldc, batch, alpha, beta, [=](c8 f, c8 g) {
        const auto from = [](const void* p, int type, long long elements) { return static_cast<const char*>(p) + elements * (long long)(size_of(type)); };
        for (long long i = 0; i < batch; ++i)
            multiply_any(s, f, {from(a, atype, i * stride_a), atype, lda}, {from(b, btype, i * stride_b), btype, ldb}, g,
                         const_cast<char*>(from(c, ctype, i * stride_c)), ctype, ldc);
    });
}

namespace {

/// The types of vectors that the calls take, with the real type of the same precision.
int real_type(int type)
{
    switch (type) {
    case c_32f: return r_32f;
    case c_64f: return r_64f;
    case r_16f:
    case r_16bf:
    case r_32f:
    case r_64f: return type;
    default: return -1;
    }
}
/// A factor has the type of the data, or single precision where the data have less.
bool factor_type(int factor, int data) { return factor == data || (factor == r_32f && (data == r_16f || data == r_16bf)); }

std::vector<c8> vector_elements(int n, const void* x, int type, int inc)
{
    std::vector<c8> out(std::size_t(std::max(n, 0)));
    const std::int64_t first = inc < 0 ? std::int64_t(1 - n) * inc : 0;
    for (std::int64_t i = 0; i < n; ++i) out[std::size_t(i)] = load(type, x, first + i * inc);
    return out;
}
void put_elements(const std::vector<c8>& values, void* x, int type, int inc)
{
    const auto n = std::int64_t(values.size());
    const std::int64_t first = inc < 0 ? (1 - n) * inc : 0;
    for (std::int64_t i = 0; i < n; ++i) store(type, x, first + i * inc, values[std::size_t(i)]);
}

/// A norm of a vector: value(elements).
template <class Value>
int norm(cublasHandle_t h, int n, const void* x, int type, int inc, void* res, int res_type, const Value& value)
{
    if (!h) return not_initialized;
    if (!res) return invalid_value;
    if (real_type(type) < 0 || res_type != real_type(type)) return not_supported;
    return run(h, [=] {
        const auto v = inc < 1 ? std::vector<c8>{} : vector_elements(n, x, type, inc);
        store(res_type, res, 0, value(int(v.size()), v.data()));
    });
}
int product_of(cublasHandle_t h, int n, const void* x, int xtype, int incx, const void* y, int ytype, int incy, void* res, int res_type, bool conjugated)
{
    if (!h) return not_initialized;
    if (!res) return invalid_value;
    if (real_type(xtype) < 0 || xtype != ytype || xtype != res_type) return not_supported;
    return run(h, [=] {
        const auto u = vector_elements(n, x, xtype, incx), v = vector_elements(n, y, ytype, incy);
        store(res_type, res, 0, dot(int(u.size()), u.data(), 1, v.data(), 1, conjugated));
    });
}
int extreme(cublasHandle_t h, int n, const void* x, int type, int inc, int* res, int sign)
{
    if (!h) return not_initialized;
    if (!res) return invalid_value;
    if (real_type(type) < 0) return not_supported;
    return run(h, [=] {
        const auto v = inc < 1 ? std::vector<c8>{} : vector_elements(n, x, type, inc);
        *res = iamax(int(v.size()), v.data(), 1, sign);
    });
}

}  // namespace

extern "C" int cublasNrm2Ex(cublasHandle_t h, int n, const void* x, int xtype, int incx, void* res, int res_type, int)
{
    return norm(h, n, x, xtype, incx, res, res_type, [](int count, const c8* v) { return nrm2(count, v, 1); });
}
extern "C" int cublasAsumEx(cublasHandle_t h, int n, const void* x, int xtype, int incx, void* res, int res_type, int)
{
    return norm(h, n, x, xtype, incx, res, res_type, [](int count, const c8* v) { return asum(count, v, 1); });
}
extern "C" int cublasDotEx(cublasHandle_t h, int n, const void* x, int xtype, int incx, const void* y, int ytype, int incy, void* res, int res_type, int)
{
    return product_of(h, n, x, xtype, incx, y, ytype, incy, res, res_type, false);
}
extern "C" int cublasDotcEx(cublasHandle_t h, int n, const void* x, int xtype, int incx, const void* y, int ytype, int incy, void* res, int res_type, int)
{
    return product_of(h, n, x, xtype, incx, y, ytype, incy, res, res_type, true);
}
extern "C" int cublasAxpyEx(cublasHandle_t h, int n, const void* alpha, int alpha_type, const void* x, int xtype, int incx, void* y, int ytype, int incy,
                            int)
{
    if (!h) return not_initialized;
    if (!alpha) return invalid_value;
    if (real_type(xtype) < 0 || xtype != ytype || !factor_type(alpha_type, xtype)) return not_supported;
    return run(h, [=, a = scalar_of(h, alpha, alpha_type)] {
        const auto u = vector_elements(n, x, xtype, incx);
        auto v = vector_elements(n, y, ytype, incy);
        axpy(int(u.size()), a.get(), u.data(), 1, v.data(), 1);
        put_elements(v, y, ytype, incy);
    });
}
extern "C" int cublasScalEx(cublasHandle_t h, int n, const void* alpha, int alpha_type, void* x, int xtype, int incx, int)
{
    if (!h) return not_initialized;
    if (!alpha) return invalid_value;
    if (real_type(xtype) < 0 || !factor_type(alpha_type, xtype)) return not_supported;
    if (incx < 1) return success;
    return run(h, [=, a = scalar_of(h, alpha, alpha_type)] {
        auto v = vector_elements(n, x, xtype, incx);
        for (c8& each : v) each *= a.get();
        put_elements(v, x, xtype, incx);
    });
}
extern "C" int cublasCopyEx(cublasHandle_t h, int n, const void* x, int xtype, int incx, void* y, int ytype, int incy)
{
    if (!h) return not_initialized;
    if (real_type(xtype) < 0 || xtype != ytype) return not_supported;
    return run(h, [=] { put_elements(vector_elements(n, x, xtype, incx), y, ytype, incy); });
}
extern "C" int cublasSwapEx(cublasHandle_t h, int n, void* x, int xtype, int incx, void* y, int ytype, int incy)
{
    if (!h) return not_initialized;
    if (real_type(xtype) < 0 || xtype != ytype) return not_supported;
    return run(h, [=] {
        const auto u = vector_elements(n, x, xtype, incx);
        put_elements(vector_elements(n, y, ytype, incy), x, xtype, incx);
        put_elements(u, y, ytype, incy);
    });
}
extern "C" int cublasIamaxEx(cublasHandle_t h, int n, const void* x, int xtype, int incx, int* res) { return extreme(h, n, x, xtype, incx, res, 1); }
extern "C" int cublasIaminEx(cublasHandle_t h, int n, const void* x, int xtype, int incx, int* res) { return extreme(h, n, x, xtype, incx, res, -1); }
extern "C" int cublasHgemmBatched(cublasHandle_t h, int transa, int transb, int m, int n, int k, const half* alpha, const half* const* a, int lda,
                                  const half* const* b, int ldb, const half* beta, half* const* c, int ldc, int batch)
{
    const auto of = [](const half* const* p) { return reinterpret_cast<const void* const*>(p); };
    const auto out = reinterpret_cast<void* const*>(c);
    return cublasGemmBatchedEx(h, transa, transb, m, n, k, alpha, of(a), r_16f, lda, of(b), r_16f, ldb, beta, out, r_16f, ldc, batch, compute_16f, 0);
}
extern "C" int cublasHgemmStridedBatched(cublasHandle_t h, int transa, int transb, int m, int n, int k, const half* alpha, const half* a, int lda,
                                         long long stride_a, const half* b, int ldb, long long stride_b, const half* beta, half* c, int ldc,
                                         long long stride_c, int batch)
{
    return cublasGemmStridedBatchedEx(h, transa, transb, m, n, k, alpha, a, r_16f, lda, stride_a, b, r_16f, ldb, stride_b, beta, c, r_16f, ldc, stride_c,
                                      batch, compute_16f, 0);
}
