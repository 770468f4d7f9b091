// cuBLAS of the cpu target: handles, modes, texts of errors, copies of vectors and matrices.
// SPDX-License-Identifier: MIT OR Apache-2.0
#include "cublas.hpp"
#include <cstring>

using namespace cuf::cpu;
using namespace cuf::cpu::blas;

namespace {

constexpr int version = 130100;

struct status_text {
    int code;
    const char* name;
    const char* text;
};
constexpr status_text texts[] = {
    {0, "CUBLAS_STATUS_SUCCESS", "success"},
    {1, "CUBLAS_STATUS_NOT_INITIALIZED", "the library was not initialized"},
    {3, "CUBLAS_STATUS_ALLOC_FAILED", "the resource allocation failed"},
    {7, "CUBLAS_STATUS_INVALID_VALUE", "an unsupported value or parameter was passed to the function"},
    {8, "CUBLAS_STATUS_ARCH_MISMATCH", "the function requires a feature absent from the device architecture"},
    {11, "CUBLAS_STATUS_MAPPING_ERROR", "an access to GPU memory space failed"},
    {13, "CUBLAS_STATUS_EXECUTION_FAILED", "the GPU program failed to execute"},
    {14, "CUBLAS_STATUS_INTERNAL_ERROR", "an internal operation failed"},
    {15, "CUBLAS_STATUS_NOT_SUPPORTED", "the functionality requested is not supported"},
    {16, "CUBLAS_STATUS_LICENSE_ERROR", "the functionality requested requires some license"},
};

/// Copies n elements between two vectors, of which one is the host's.
int copy_vector(int n, int size, const void* x, int incx, void* y, int incy, cudaStream_t stream)
{
    if (size <= 0 || incx <= 0 || incy <= 0) return invalid_value;
    if (n <= 0) return success;
    const auto work = [=] {
        for (std::int64_t i = 0; i < n; ++i)
            std::memcpy(static_cast<char*>(y) + i * incy * size, static_cast<const char*>(x) + i * incx * size, std::size_t(size));
    };
    return submit_work(stream, work) == cudaSuccess ? success : execution_failed;
}

int copy_matrix(int rows, int cols, int size, const void* a, int lda, void* b, int ldb, cudaStream_t stream)
{
    if (rows < 0 || cols < 0 || size <= 0 || !is_lead(lda, rows) || !is_lead(ldb, rows)) return invalid_value;
    const auto work = [=] {
        for (std::int64_t j = 0; j < cols; ++j)
            std::memcpy(static_cast<char*>(b) + j * ldb * size, static_cast<const char*>(a) + j * lda * size, std::size_t(rows) * std::size_t(size));
    };
    return submit_work(stream, work) == cudaSuccess ? success : execution_failed;
}

}  // namespace

extern "C" int cublasCreate_v2(cublasHandle_t* h)
{
    if (!h) return invalid_value;
    *h = new cublasContext;
    return success;
}
extern "C" int cublasDestroy_v2(cublasHandle_t h)
{
    if (!h) return not_initialized;
    delete h;
    return success;
}
extern "C" int cublasGetVersion_v2(cublasHandle_t, int* value)
{
    if (!value) return invalid_value;
    *value = version;
    return success;
}
extern "C" int cublasGetProperty(int property, int* value)
{
    if (!value || property < 0 || property > 2) return invalid_value;
    *value = property == 0 ? version / 10000 : property == 1 ? version / 100 % 100 : version % 100;
    return success;
}
extern "C" int cublasSetStream_v2(cublasHandle_t h, cudaStream_t stream)
{
    if (!h) return not_initialized;
    h->stream = stream;
    return success;
}
extern "C" int cublasGetStream_v2(cublasHandle_t h, cudaStream_t* stream)
{
    if (!h) return not_initialized;
    if (!stream) return invalid_value;
    *stream = h->stream;
    return success;
}
extern "C" int cublasSetPointerMode_v2(cublasHandle_t h, int mode)
{
    if (!h) return not_initialized;
    if (mode != host_mode && mode != device_mode) return invalid_value;
    h->pointer_mode = mode;
    return success;
}
extern "C" int cublasGetPointerMode_v2(cublasHandle_t h, int* mode)
{
    if (!h) return not_initialized;
    if (!mode) return invalid_value;
    *mode = h->pointer_mode;
    return success;
}
extern "C" int cublasSetAtomicsMode(cublasHandle_t h, int mode)
{
    if (!h) return not_initialized;
    if (mode != 0 && mode != 1) return invalid_value;
    h->atomics_mode = mode;
    return success;
}
extern "C" int cublasGetAtomicsMode(cublasHandle_t h, int* mode)
{
    if (!h) return not_initialized;
    if (!mode) return invalid_value;
    *mode = h->atomics_mode;
    return success;
}
extern "C" int cublasSetMathMode(cublasHandle_t h, int mode)
{
    if (!h) return not_initialized;
    if (mode < 0 || mode > 31) return invalid_value;
    h->math_mode = mode;
    return success;
}
extern "C" int cublasGetMathMode(cublasHandle_t h, int* mode)
{
    if (!h) return not_initialized;
    if (!mode) return invalid_value;
    *mode = h->math_mode;
    return success;
}
extern "C" int cublasSetSmCountTarget(cublasHandle_t h, int count)
{
    if (!h) return not_initialized;
    if (count < 0) return invalid_value;
    h->sm_count = count;
    return success;
}
extern "C" int cublasGetSmCountTarget(cublasHandle_t h, int* count)
{
    if (!h) return not_initialized;
    if (!count) return invalid_value;
    *count = h->sm_count;
    return success;
}
/// No work space is needed here.
extern "C" int cublasSetWorkspace_v2(cublasHandle_t h, void*, std::size_t) { return h ? success : not_initialized; }

extern "C" const char* cublasGetStatusName(int code)
{
    for (const auto& t : texts)
        if (t.code == code) return t.name;
    return "unknown";
}
extern "C" const char* cublasGetStatusString(int code)
{
    for (const auto& t : texts)
        if (t.code == code) return t.text;
    return "unknown";
}

extern "C" int cublasSetVector(int n, int size, const void* x, int incx, void* y, int incy) { return copy_vector(n, size, x, incx, y, incy, nullptr); }
extern "C" int cublasGetVector(int n, int size, const void* x, int incx, void* y, int incy) { return copy_vector(n, size, x, incx, y, incy, nullptr); }
extern "C" int cublasSetVectorAsync(int n, int size, const void* x, int incx, void* y, int incy, cudaStream_t stream)
{
    return copy_vector(n, size, x, incx, y, incy, stream);
}
extern "C" int cublasGetVectorAsync(int n, int size, const void* x, int incx, void* y, int incy, cudaStream_t stream)
{
    return copy_vector(n, size, x, incx, y, incy, stream);
}
extern "C" int cublasSetMatrix(int rows, int cols, int size, const void* a, int lda, void* b, int ldb)
{
    return copy_matrix(rows, cols, size, a, lda, b, ldb, nullptr);
}
extern "C" int cublasGetMatrix(int rows, int cols, int size, const void* a, int lda, void* b, int ldb)
{
    return copy_matrix(rows, cols, size, a, lda, b, ldb, nullptr);
}
extern "C" int cublasSetMatrixAsync(int rows, int cols, int size, const void* a, int lda, void* b, int ldb, cudaStream_t stream)
{
    return copy_matrix(rows, cols, size, a, lda, b, ldb, stream);
}
extern "C" int cublasGetMatrixAsync(int rows, int cols, int size, const void* a, int lda, void* b, int ldb, cudaStream_t stream)
{
    return copy_matrix(rows, cols, size, a, lda, b, ldb, stream);
}
