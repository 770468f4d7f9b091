// cuSPARSE of the cpu target: tridiagonal and pentadiagonal systems.
// SPDX-License-Identifier: MIT OR Apache-2.0
#include "cusparse.hpp"

using namespace cuf::cpu::sparse;

namespace {

/// A band matrix with `lower` diagonals below and `upper` above, row by row, with room for what exchanges of rows bring.
template <class T>
class band {
public:
    band(std::int64_t n, int lower, int upper) : n_(n), lower_(lower), width_(lower + 1 + upper + lower), data_(std::size_t(n * width_)) {}
    T& at(std::int64_t i, std::int64_t j) { return data_[std::size_t(i * width_ + j - i + lower_)]; }

    /// Gauss elimination of the matrix with right-hand sides x(i, c), with exchanges of rows if `pivoting`.
    template <class X>
    void solve(bool pivoting, int columns, const X& x)
    {
        const auto last_column = [&](std::int64_t i) { return std::min(n_, i - lower_ + width_); };
        for (std::int64_t k = 0; k < n_; ++k) {
            const std::int64_t last_row = std::min(n_, k + lower_ + 1);
            std::int64_t pivot = k;
            for (std::int64_t i = k + 1; i < last_row && pivoting; ++i)
                if (std::abs(at(i, k)) > std::abs(at(pivot, k))) pivot = i;
            const std::int64_t end = last_column(k);
            if (pivot != k) {
                for (std::int64_t j = k; j < end; ++j) std::swap(at(k, j), at(pivot, j));
                for (int c = 0; c < columns; ++c) std::swap(x(k, c), x(pivot, c));
            }
            for (std::int64_t i = k + 1; i < last_row; ++i) {
                const T factor = at(i, k) / at(k, k);
                if (factor == T(0)) continue;
                for (std::int64_t j = k + 1; j < end; ++j) at(i, j) -= factor * at(k, j);
                for (int c = 0; c < columns; ++c) x(i, c) -= factor * x(k, c);
            }
        }
        for (int c = 0; c < columns; ++c)
            for (std::int64_t i = n_ - 1; i >= 0; --i) {
                T sum = x(i, c);
                for (std::int64_t j = i + 1; j < last_column(i); ++j) sum -= at(i, j) * x(j, c);
                x(i, c) = sum / at(i, i);
            }
    }

private:
    std::int64_t n_;
    int lower_, width_;
    std::vector<T> data_;
};

/// Element i of a diagonal that starts at `offset` and has elements every `stride`.
struct layout {
    std::int64_t offset, stride;
    template <class T>
    T& of(T* data, std::int64_t i) const
    {
        return data[offset + i * stride];
    }
};

template <class T, class X>
void tridiagonal(bool pivoting, std::int64_t m, const layout& l, const T* dl, const T* d, const T* du, int columns, const X& x)
{
    band<T> a(m, 1, 1);
    for (std::int64_t i = 0; i < m; ++i) {
        a.at(i, i) = l.of(d, i);
        if (i > 0) a.at(i, i - 1) = l.of(dl, i);
        if (i + 1 < m) a.at(i, i + 1) = l.of(du, i);
    }
    a.solve(pivoting, columns, x);
}

int answer(cusparseHandle_t h, bool good, std::size_t* bytes)
{
    if (!h) return not_initialized;
    if (!good || !bytes) return invalid_value;
    *bytes = buffer_bytes;
    return success;
}

template <class T>
int size_gtsv2(cusparseHandle_t h, int m, int n, const T*, const T*, const T*, const T*, int ldb, std::size_t* bytes)
{
    return answer(h, m >= 3 && n >= 0 && ldb >= m, bytes);
}
template <class T>
int solve_columns(cusparseHandle_t h, bool pivoting, int m, int n, const T* dl, const T* d, const T* du, T* b, int ldb)
{
    if (!h) return not_initialized;
    if (m < 3 || n < 0 || ldb < m) return invalid_value;
    return run(h, [=] { tridiagonal(pivoting, m, {0, 1}, dl, d, du, n, [=](std::int64_t i, int c) -> T& { return b[i + std::int64_t(c) * ldb]; }); });
}
template <class T>
int do_gtsv2(cusparseHandle_t h, int m, int n, const T* dl, const T* d, const T* du, T* b, int ldb, void*)
{
    return solve_columns(h, true, m, n, dl, d, du, b, ldb);
}
template <class T>
int size_gtsv2_nopivot(cusparseHandle_t h, int m, int n, const T* dl, const T* d, const T* du, const T* b, int ldb, std::size_t* bytes)
{
    return size_gtsv2(h, m, n, dl, d, du, b, ldb, bytes);
}
template <class T>
int do_gtsv2_nopivot(cusparseHandle_t h, int m, int n, const T* dl, const T* d, const T* du, T* b, int ldb, void*)
{
    return solve_columns(h, false, m, n, dl, d, du, b, ldb);
}
template <class T>
int size_gtsv2StridedBatch(cusparseHandle_t h, int m, const T*, const T*, const T*, const T*, int batch, int stride, std::size_t* bytes)
{
    return answer(h, m >= 3 && batch >= 0 && stride >= m, bytes);
}
template <class T>
int do_gtsv2StridedBatch(cusparseHandle_t h, int m, const T* dl, const T* d, const T* du, T* x, int batch, int stride, void*)
{
    if (!h) return not_initialized;
    if (m < 3 || batch < 0 || stride < m) return invalid_value;
    return run(h, [=] {
        for (std::int64_t k = 0; k < batch; ++k) {
            const layout l{k * stride, 1};
            tridiagonal(false, m, l, dl, d, du, 1, [=](std::int64_t i, int) -> T& { return l.of(x, i); });
        }
    });
}
/// algo 0: without exchanges of rows, 1: with them, 2: by orthogonal factors, which exchanges stand for.
template <class T>
int size_gtsvInterleavedBatch(cusparseHandle_t h, int algo, int m, const T*, const T*, const T*, const T*, int batch, std::size_t* bytes)
{
    return answer(h, algo >= 0 && algo <= 2 && m >= 1 && batch >= 0, bytes);
}
/// Systems side by side: element i of system k is x(k + i*batch).
template <class T>
int do_gtsvInterleavedBatch(cusparseHandle_t h, int algo, int m, T* dl, T* d, T* du, T* x, int batch, void*)
{
    if (!h) return not_initialized;
    if (algo < 0 || algo > 2 || m < 1 || batch < 0) return invalid_value;
    return run(h, [=] {
        for (std::int64_t k = 0; k < batch; ++k) {
            const layout l{k, batch};
            tridiagonal(algo != 0, m, l, dl, d, du, 1, [=](std::int64_t i, int) -> T& { return l.of(x, i); });
        }
    });
}
template <class T>
int size_gpsvInterleavedBatch(cusparseHandle_t h, int algo, int m, const T*, const T*, const T*, const T*, const T*, const T*, int batch, std::size_t* bytes)
{
    return answer(h, algo == 0 && m >= 1 && batch >= 0, bytes);
}
template <class T>
int do_gpsvInterleavedBatch(cusparseHandle_t h, int algo, int m, T* ds, T* dl, T* d, T* du, T* dw, T* x, int batch, void*)
{
    if (!h) return not_initialized;
    if (algo != 0 || m < 1 || batch < 0) return invalid_value;
    return run(h, [=] {
        for (std::int64_t k = 0; k < batch; ++k) {
            const layout l{k, batch};
            band<T> a(m, 2, 2);
            const T* diagonals[] = {ds, dl, d, du, dw};
            for (std::int64_t i = 0; i < m; ++i)
                for (std::int64_t j = std::max<std::int64_t>(0, i - 2); j <= std::min<std::int64_t>(m - 1, i + 2); ++j)
                    a.at(i, j) = l.of(diagonals[j - i + 2], i);
            a.solve(true, 1, [=](std::int64_t i, int) -> T& { return l.of(x, i); });
        }
    });
}

}  // namespace

extern "C" int cusparseSgtsv2_bufferSizeExt(cusparseHandle_t h, int m, int n, const float* dl, const float* d, const float* du, const float* b,
                                            int ldb, std::size_t* bytes)
{
    return size_gtsv2(h, m, n, dl, d, du, b, ldb, bytes);
}
extern "C" int cusparseDgtsv2_bufferSizeExt(cusparseHandle_t h, int m, int n, const double* dl, const double* d, const double* du, const double* b,
                                            int ldb, std::size_t* bytes)
{
    return size_gtsv2(h, m, n, dl, d, du, b, ldb, bytes);
}
extern "C" int cusparseCgtsv2_bufferSizeExt(cusparseHandle_t h, int m, int n, const c4* dl, const c4* d, const c4* du, const c4* b, int ldb,
                                            std::size_t* bytes)
{
    return size_gtsv2(h, m, n, dl, d, du, b, ldb, bytes);
}
extern "C" int cusparseZgtsv2_bufferSizeExt(cusparseHandle_t h, int m, int n, const c8* dl, const c8* d, const c8* du, const c8* b, int ldb,
                                            std::size_t* bytes)
{
    return size_gtsv2(h, m, n, dl, d, du, b, ldb, bytes);
}
extern "C" int cusparseSgtsv2(cusparseHandle_t h, int m, int n, const float* dl, const float* d, const float* du, float* b, int ldb, void* buffer)
{
    return do_gtsv2(h, m, n, dl, d, du, b, ldb, buffer);
}
extern "C" int cusparseDgtsv2(cusparseHandle_t h, int m, int n, const double* dl, const double* d, const double* du, double* b, int ldb, void* buffer)
{
    return do_gtsv2(h, m, n, dl, d, du, b, ldb, buffer);
}
extern "C" int cusparseCgtsv2(cusparseHandle_t h, int m, int n, const c4* dl, const c4* d, const c4* du, c4* b, int ldb, void* buffer)
{
    return do_gtsv2(h, m, n, dl, d, du, b, ldb, buffer);
}
extern "C" int cusparseZgtsv2(cusparseHandle_t h, int m, int n, const c8* dl, const c8* d, const c8* du, c8* b, int ldb, void* buffer)
{
    return do_gtsv2(h, m, n, dl, d, du, b, ldb, buffer);
}
extern "C" int cusparseSgtsv2_nopivot_bufferSizeExt(cusparseHandle_t h, int m, int n, const float* dl, const float* d, const float* du,
                                                    const float* b, int ldb, std::size_t* bytes)
{
    return size_gtsv2_nopivot(h, m, n, dl, d, du, b, ldb, bytes);
}
extern "C" int cusparseDgtsv2_nopivot_bufferSizeExt(cusparseHandle_t h, int m, int n, const double* dl, const double* d, const double* du,
                                                    const double* b, int ldb, std::size_t* bytes)
{
    return size_gtsv2_nopivot(h, m, n, dl, d, du, b, ldb, bytes);
}
extern "C" int cusparseCgtsv2_nopivot_bufferSizeExt(cusparseHandle_t h, int m, int n, const c4* dl, const c4* d, const c4* du, const c4* b, int ldb,
                                                    std::size_t* bytes)
{
    return size_gtsv2_nopivot(h, m, n, dl, d, du, b, ldb, bytes);
}
extern "C" int cusparseZgtsv2_nopivot_bufferSizeExt(cusparseHandle_t h, int m, int n, const c8* dl, const c8* d, const c8* du, const c8* b, int ldb,
                                                    std::size_t* bytes)
{
    return size_gtsv2_nopivot(h, m, n, dl, d, du, b, ldb, bytes);
}
extern "C" int cusparseSgtsv2_nopivot(cusparseHandle_t h, int m, int n, const float* dl, const float* d, const float* du, float* b, int ldb,
                                      void* buffer)
{
    return do_gtsv2_nopivot(h, m, n, dl, d, du, b, ldb, buffer);
}
extern "C" int cusparseDgtsv2_nopivot(cusparseHandle_t h, int m, int n, const double* dl, const double* d, const double* du, double* b, int ldb,
                                      void* buffer)
{
    return do_gtsv2_nopivot(h, m, n, dl, d, du, b, ldb, buffer);
}
extern "C" int cusparseCgtsv2_nopivot(cusparseHandle_t h, int m, int n, const c4* dl, const c4* d, const c4* du, c4* b, int ldb, void* buffer)
{
    return do_gtsv2_nopivot(h, m, n, dl, d, du, b, ldb, buffer);
}
extern "C" int cusparseZgtsv2_nopivot(cusparseHandle_t h, int m, int n, const c8* dl, const c8* d, const c8* du, c8* b, int ldb, void* buffer)
{
    return do_gtsv2_nopivot(h, m, n, dl, d, du, b, ldb, buffer);
}
extern "C" int cusparseSgtsv2StridedBatch_bufferSizeExt(cusparseHandle_t h, int m, const float* dl, const float* d, const float* du, const float* x,
                                                        int batch, int stride, std::size_t* bytes)
{
    return size_gtsv2StridedBatch(h, m, dl, d, du, x, batch, stride, bytes);
}
extern "C" int cusparseDgtsv2StridedBatch_bufferSizeExt(cusparseHandle_t h, int m, const double* dl, const double* d, const double* du,
                                                        const double* x, int batch, int stride, std::size_t* bytes)
{
    return size_gtsv2StridedBatch(h, m, dl, d, du, x, batch, stride, bytes);
}
extern "C" int cusparseCgtsv2StridedBatch_bufferSizeExt(cusparseHandle_t h, int m, const c4* dl, const c4* d, const c4* du, const c4* x, int batch,
                                                        int stride, std::size_t* bytes)
{
    return size_gtsv2StridedBatch(h, m, dl, d, du, x, batch, stride, bytes);
}
extern "C" int cusparseZgtsv2StridedBatch_bufferSizeExt(cusparseHandle_t h, int m, const c8* dl, const c8* d, const c8* du, const c8* x, int batch,
                                                        int stride, std::size_t* bytes)
{
    return size_gtsv2StridedBatch(h, m, dl, d, du, x, batch, stride, bytes);
}
extern "C" int cusparseSgtsv2StridedBatch(cusparseHandle_t h, int m, const float* dl, const float* d, const float* du, float* x, int batch,
                                          int stride, void* buffer)
{
    return do_gtsv2StridedBatch(h, m, dl, d, du, x, batch, stride, buffer);
}
extern "C" int cusparseDgtsv2StridedBatch(cusparseHandle_t h, int m, const double* dl, const double* d, const double* du, double* x, int batch,
                                          int stride, void* buffer)
{
    return do_gtsv2StridedBatch(h, m, dl, d, du, x, batch, stride, buffer);
}
extern "C" int cusparseCgtsv2StridedBatch(cusparseHandle_t h, int m, const c4* dl, const c4* d, const c4* du, c4* x, int batch, int stride,
                                          void* buffer)
{
    return do_gtsv2StridedBatch(h, m, dl, d, du, x, batch, stride, buffer);
}
extern "C" int cusparseZgtsv2StridedBatch(cusparseHandle_t h, int m, const c8* dl, const c8* d, const c8* du, c8* x, int batch, int stride,
                                          void* buffer)
{
    return do_gtsv2StridedBatch(h, m, dl, d, du, x, batch, stride, buffer);
}
extern "C" int cusparseSgtsvInterleavedBatch_bufferSizeExt(cusparseHandle_t h, int algo, int m, const float* dl, const float* d, const float* du,
                                                           const float* x, int batch, std::size_t* bytes)
{
    return size_gtsvInterleavedBatch(h, algo, m, dl, d, du, x, batch, bytes);
}
extern "C" int cusparseDgtsvInterleavedBatch_bufferSizeExt(cusparseHandle_t h, int algo, int m, const double* dl, const double* d, const double* du,
                                                           const double* x, int batch, std::size_t* bytes)
{
    return size_gtsvInterleavedBatch(h, algo, m, dl, d, du, x, batch, bytes);
}
extern "C" int cusparseCgtsvInterleavedBatch_bufferSizeExt(cusparseHandle_t h, int algo, int m, const c4* dl, const c4* d, const c4* du, const c4* x,
                                                           int batch, std::size_t* bytes)
{
    return size_gtsvInterleavedBatch(h, algo, m, dl, d, du, x, batch, bytes);
}
extern "C" int cusparseZgtsvInterleavedBatch_bufferSizeExt(cusparseHandle_t h, int algo, int m, const c8* dl, const c8* d, const c8* du, const c8* x,
                                                           int batch, std::size_t* bytes)
{
    return size_gtsvInterleavedBatch(h, algo, m, dl, d, du, x, batch, bytes);
}
extern "C" int cusparseSgtsvInterleavedBatch(cusparseHandle_t h, int algo, int m, float* dl, float* d, float* du, float* x, int batch, void* buffer)
{
    return do_gtsvInterleavedBatch(h, algo, m, dl, d, du, x, batch, buffer);
}
extern "C" int cusparseDgtsvInterleavedBatch(cusparseHandle_t h, int algo, int m, double* dl, double* d, double* du, double* x, int batch,
                                             void* buffer)
{
    return do_gtsvInterleavedBatch(h, algo, m, dl, d, du, x, batch, buffer);
}
extern "C" int cusparseCgtsvInterleavedBatch(cusparseHandle_t h, int algo, int m, c4* dl, c4* d, c4* du, c4* x, int batch, void* buffer)
{
    return do_gtsvInterleavedBatch(h, algo, m, dl, d, du, x, batch, buffer);
}
extern "C" int cusparseZgtsvInterleavedBatch(cusparseHandle_t h, int algo, int m, c8* dl, c8* d, c8* du, c8* x, int batch, void* buffer)
{
    return do_gtsvInterleavedBatch(h, algo, m, dl, d, du, x, batch, buffer);
}
extern "C" int cusparseSgpsvInterleavedBatch_bufferSizeExt(cusparseHandle_t h, int algo, int m, const float* ds, const float* dl, const float* d,
                                                           const float* du, const float* dw, const float* x, int batch, std::size_t* bytes)
{
    return size_gpsvInterleavedBatch(h, algo, m, ds, dl, d, du, dw, x, batch, bytes);
}
extern "C" int cusparseDgpsvInterleavedBatch_bufferSizeExt(cusparseHandle_t h, int algo, int m, const double* ds, const double* dl, const double* d,
                                                           const double* du, const double* dw, const double* x, int batch, std::size_t* bytes)
{
    return size_gpsvInterleavedBatch(h, algo, m, ds, dl, d, du, dw, x, batch, bytes);
}
extern "C" int cusparseCgpsvInterleavedBatch_bufferSizeExt(cusparseHandle_t h, int algo, int m, const c4* ds, const c4* dl, const c4* d, const c4* du,
                                                           const c4* dw, const c4* x, int batch, std::size_t* bytes)
{
    return size_gpsvInterleavedBatch(h, algo, m, ds, dl, d, du, dw, x, batch, bytes);
}
extern "C" int cusparseZgpsvInterleavedBatch_bufferSizeExt(cusparseHandle_t h, int algo, int m, const c8* ds, const c8* dl, const c8* d, const c8* du,
                                                           const c8* dw, const c8* x, int batch, std::size_t* bytes)
{
    return size_gpsvInterleavedBatch(h, algo, m, ds, dl, d, du, dw, x, batch, bytes);
}
extern "C" int cusparseSgpsvInterleavedBatch(cusparseHandle_t h, int algo, int m, float* ds, float* dl, float* d, float* du, float* dw, float* x,
                                             int batch, void* buffer)
{
    return do_gpsvInterleavedBatch(h, algo, m, ds, dl, d, du, dw, x, batch, buffer);
}
extern "C" int cusparseDgpsvInterleavedBatch(cusparseHandle_t h, int algo, int m, double* ds, double* dl, double* d, double* du, double* dw,
                                             double* x, int batch, void* buffer)
{
    return do_gpsvInterleavedBatch(h, algo, m, ds, dl, d, du, dw, x, batch, buffer);
}
extern "C" int cusparseCgpsvInterleavedBatch(cusparseHandle_t h, int algo, int m, c4* ds, c4* dl, c4* d, c4* du, c4* dw, c4* x, int batch,
                                             void* buffer)
{
    return do_gpsvInterleavedBatch(h, algo, m, ds, dl, d, du, dw, x, batch, buffer);
}
extern "C" int cusparseZgpsvInterleavedBatch(cusparseHandle_t h, int algo, int m, c8* ds, c8* dl, c8* d, c8* du, c8* dw, c8* x, int batch,
                                             void* buffer)
{
    return do_gpsvInterleavedBatch(h, algo, m, ds, dl, d, du, dw, x, batch, buffer);
}
