// cuBLAS of the cpu target: the first form of its C functions (cublas.h), for programs that bind to them by interfaces of their own. Options
// are letters, scalars are values, functions have results, and the last status is asked for. They call the forms with a handle. A program
// may have functions of these names itself.
// SPDX-License-Identifier: MIT OR Apache-2.0
#include "cublas.hpp"
#include <cstdlib>

using namespace cuf::cpu;
using namespace cuf::cpu::blas;

extern "C" int cublasCreate_v2(cublasHandle_t* h);

namespace {

int last_status = success;

/// The handle of the functions without one. It lasts as long as the program.
cublasHandle_t own()
{
    static cublasHandle_t handle = [] {
        cublasHandle_t made = nullptr;
        last_status = cublasCreate_v2(&made);
        return made;
    }();
    return handle;
}

/// Keeps the status of a call until it is asked for.
void note(int status)
{
    if (status != success) last_status = status;
}

/// The result of a function, for which the stream is waited for.
template <class T, class Call>
T result(const Call& call)
{
    T value{};
    note(call(&value));
    if (cudaStreamSynchronize(own()->stream) != cudaSuccess) note(execution_failed);
    return value;
}

int op(char c)
{
    switch (c) {
    case 'n': case 'N': return op_n;
    case 't': case 'T': return op_t;
    case 'c': case 'C': return op_c;
    default: return -1;
    }
}
int fill(char c) { return c == 'l' || c == 'L' ? lower : c == 'u' || c == 'U' ? upper : -1; }
int diag(char c) { return c == 'n' || c == 'N' ? non_unit : c == 'u' || c == 'U' ? unit : -1; }
int side(char c) { return c == 'l' || c == 'L' ? left : c == 'r' || c == 'R' ? right : -1; }

}  // namespace

extern "C" [[gnu::weak]] int cublasInit() { return own() ? success : not_initialized; }
extern "C" [[gnu::weak]] int cublasShutdown() { return success; }
extern "C" [[gnu::weak]] int cublasGetError()
{
    const int status = last_status;
    last_status = success;
    return status;
}
extern "C" [[gnu::weak]] int cublasSetKernelStream(cudaStream_t stream)
{
    own()->stream = stream;
    return success;
}
extern "C" [[gnu::weak]] int cublasAlloc(int n, int size, void** p)
{
    if (n <= 0 || size <= 0 || !p) return invalid_value;
    return cudaMalloc(p, std::size_t(n) * std::size_t(size)) == cudaSuccess ? success : alloc_failed;
}
extern "C" [[gnu::weak]] int cublasFree(const void* p) { return cudaFree(const_cast<void*>(p)) == cudaSuccess ? success : execution_failed; }

extern "C" int cublasIsamax_v2(cublasHandle_t, int, const float*, int, int*);
extern "C" [[gnu::weak]] int cublasIsamax(int n, const float* x, int incx)
{
    return result<int>([=](int* value) { return cublasIsamax_v2(own(), n, x, incx, value); });
}
extern "C" int cublasIdamax_v2(cublasHandle_t, int, const double*, int, int*);
extern "C" [[gnu::weak]] int cublasIdamax(int n, const double* x, int incx)
{
    return result<int>([=](int* value) { return cublasIdamax_v2(own(), n, x, incx, value); });
}
extern "C" int cublasIcamax_v2(cublasHandle_t, int, const c4*, int, int*);
extern "C" [[gnu::weak]] int cublasIcamax(int n, const c4* x, int incx)
{
    return result<int>([=](int* value) { return cublasIcamax_v2(own(), n, x, incx, value); });
}
extern "C" int cublasIzamax_v2(cublasHandle_t, int, const c8*, int, int*);
extern "C" [[gnu::weak]] int cublasIzamax(int n, const c8* x, int incx)
{
    return result<int>([=](int* value) { return cublasIzamax_v2(own(), n, x, incx, value); });
}
extern "C" int cublasIsamin_v2(cublasHandle_t, int, const float*, int, int*);
extern "C" [[gnu::weak]] int cublasIsamin(int n, const float* x, int incx)
{
    return result<int>([=](int* value) { return cublasIsamin_v2(own(), n, x, incx, value); });
}
extern "C" int cublasIdamin_v2(cublasHandle_t, int, const double*, int, int*);
extern "C" [[gnu::weak]] int cublasIdamin(int n, const double* x, int incx)
{
    return result<int>([=](int* value) { return cublasIdamin_v2(own(), n, x, incx, value); });
}
extern "C" int cublasIcamin_v2(cublasHandle_t, int, const c4*, int, int*);
extern "C" [[gnu::weak]] int cublasIcamin(int n, const c4* x, int incx)
{
    return result<int>([=](int* value) { return cublasIcamin_v2(own(), n, x, incx, value); });
}
extern "C" int cublasIzamin_v2(cublasHandle_t, int, const c8*, int, int*);
extern "C" [[gnu::weak]] int cublasIzamin(int n, const c8* x, int incx)
{
    return result<int>([=](int* value) { return cublasIzamin_v2(own(), n, x, incx, value); });
}
extern "C" int cublasSasum_v2(cublasHandle_t, int, const float*, int, float*);
extern "C" [[gnu::weak]] float cublasSasum(int n, const float* x, int incx)
{
    return result<float>([=](float* value) { return cublasSasum_v2(own(), n, x, incx, value); });
}
extern "C" int cublasDasum_v2(cublasHandle_t, int, const double*, int, double*);
extern "C" [[gnu::weak]] double cublasDasum(int n, const double* x, int incx)
{
    return result<double>([=](double* value) { return cublasDasum_v2(own(), n, x, incx, value); });
}
extern "C" int cublasScasum_v2(cublasHandle_t, int, const c4*, int, float*);
extern "C" [[gnu::weak]] float cublasScasum(int n, const c4* x, int incx)
{
    return result<float>([=](float* value) { return cublasScasum_v2(own(), n, x, incx, value); });
}
extern "C" int cublasDzasum_v2(cublasHandle_t, int, const c8*, int, double*);
extern "C" [[gnu::weak]] double cublasDzasum(int n, const c8* x, int incx)
{
    return result<double>([=](double* value) { return cublasDzasum_v2(own(), n, x, incx, value); });
}
extern "C" int cublasSnrm2_v2(cublasHandle_t, int, const float*, int, float*);
extern "C" [[gnu::weak]] float cublasSnrm2(int n, const float* x, int incx)
{
    return result<float>([=](float* value) { return cublasSnrm2_v2(own(), n, x, incx, value); });
}
extern "C" int cublasDnrm2_v2(cublasHandle_t, int, const double*, int, double*);
extern "C" [[gnu::weak]] double cublasDnrm2(int n, const double* x, int incx)
{
    return result<double>([=](double* value) { return cublasDnrm2_v2(own(), n, x, incx, value); });
}
extern "C" int cublasScnrm2_v2(cublasHandle_t, int, const c4*, int, float*);
extern "C" [[gnu::weak]] float cublasScnrm2(int n, const c4* x, int incx)
{
    return result<float>([=](float* value) { return cublasScnrm2_v2(own(), n, x, incx, value); });
}
extern "C" int cublasDznrm2_v2(cublasHandle_t, int, const c8*, int, double*);
extern "C" [[gnu::weak]] double cublasDznrm2(int n, const c8* x, int incx)
{
    return result<double>([=](double* value) { return cublasDznrm2_v2(own(), n, x, incx, value); });
}
extern "C" int cublasSaxpy_v2(cublasHandle_t, int, const float*, const float*, int, float*, int);
extern "C" [[gnu::weak]] void cublasSaxpy(int n, float alpha, const float* x, int incx, float* y, int incy)
{
    note(cublasSaxpy_v2(own(), n, &alpha, x, incx, y, incy));
}
extern "C" int cublasDaxpy_v2(cublasHandle_t, int, const double*, const double*, int, double*, int);
extern "C" [[gnu::weak]] void cublasDaxpy(int n, double alpha, const double* x, int incx, double* y, int incy)
{
    note(cublasDaxpy_v2(own(), n, &alpha, x, incx, y, incy));
}
extern "C" int cublasCaxpy_v2(cublasHandle_t, int, const c4*, const c4*, int, c4*, int);
extern "C" [[gnu::weak]] void cublasCaxpy(int n, c4 alpha, const c4* x, int incx, c4* y, int incy)
{
    note(cublasCaxpy_v2(own(), n, &alpha, x, incx, y, incy));
}
extern "C" int cublasZaxpy_v2(cublasHandle_t, int, const c8*, const c8*, int, c8*, int);
extern "C" [[gnu::weak]] void cublasZaxpy(int n, c8 alpha, const c8* x, int incx, c8* y, int incy)
{
    note(cublasZaxpy_v2(own(), n, &alpha, x, incx, y, incy));
}
extern "C" int cublasScopy_v2(cublasHandle_t, int, const float*, int, float*, int);
extern "C" [[gnu::weak]] void cublasScopy(int n, const float* x, int incx, float* y, int incy) { note(cublasScopy_v2(own(), n, x, incx, y, incy)); }
extern "C" int cublasDcopy_v2(cublasHandle_t, int, const double*, int, double*, int);
extern "C" [[gnu::weak]] void cublasDcopy(int n, const double* x, int incx, double* y, int incy) { note(cublasDcopy_v2(own(), n, x, incx, y, incy)); }
extern "C" int cublasCcopy_v2(cublasHandle_t, int, const c4*, int, c4*, int);
extern "C" [[gnu::weak]] void cublasCcopy(int n, const c4* x, int incx, c4* y, int incy) { note(cublasCcopy_v2(own(), n, x, incx, y, incy)); }
extern "C" int cublasZcopy_v2(cublasHandle_t, int, const c8*, int, c8*, int);
extern "C" [[gnu::weak]] void cublasZcopy(int n, const c8* x, int incx, c8* y, int incy) { note(cublasZcopy_v2(own(), n, x, incx, y, incy)); }
extern "C" int cublasSswap_v2(cublasHandle_t, int, float*, int, float*, int);
extern "C" [[gnu::weak]] void cublasSswap(int n, float* x, int incx, float* y, int incy) { note(cublasSswap_v2(own(), n, x, incx, y, incy)); }
extern "C" int cublasDswap_v2(cublasHandle_t, int, double*, int, double*, int);
extern "C" [[gnu::weak]] void cublasDswap(int n, double* x, int incx, double* y, int incy) { note(cublasDswap_v2(own(), n, x, incx, y, incy)); }
extern "C" int cublasCswap_v2(cublasHandle_t, int, c4*, int, c4*, int);
extern "C" [[gnu::weak]] void cublasCswap(int n, c4* x, int incx, c4* y, int incy) { note(cublasCswap_v2(own(), n, x, incx, y, incy)); }
extern "C" int cublasZswap_v2(cublasHandle_t, int, c8*, int, c8*, int);
extern "C" [[gnu::weak]] void cublasZswap(int n, c8* x, int incx, c8* y, int incy) { note(cublasZswap_v2(own(), n, x, incx, y, incy)); }
extern "C" int cublasSdot_v2(cublasHandle_t, int, const float*, int, const float*, int, float*);
extern "C" [[gnu::weak]] float cublasSdot(int n, const float* x, int incx, const float* y, int incy)
{
    return result<float>([=](float* value) { return cublasSdot_v2(own(), n, x, incx, y, incy, value); });
}
extern "C" int cublasDdot_v2(cublasHandle_t, int, const double*, int, const double*, int, double*);
extern "C" [[gnu::weak]] double cublasDdot(int n, const double* x, int incx, const double* y, int incy)
{
    return result<double>([=](double* value) { return cublasDdot_v2(own(), n, x, incx, y, incy, value); });
}
extern "C" int cublasCdotu_v2(cublasHandle_t, int, const c4*, int, const c4*, int, c4*);
extern "C" [[gnu::weak]] c4 cublasCdotu(int n, const c4* x, int incx, const c4* y, int incy)
{
    return result<c4>([=](c4* value) { return cublasCdotu_v2(own(), n, x, incx, y, incy, value); });
}
extern "C" int cublasZdotu_v2(cublasHandle_t, int, const c8*, int, const c8*, int, c8*);
extern "C" [[gnu::weak]] c8 cublasZdotu(int n, const c8* x, int incx, const c8* y, int incy)
{
    return result<c8>([=](c8* value) { return cublasZdotu_v2(own(), n, x, incx, y, incy, value); });
}
extern "C" int cublasCdotc_v2(cublasHandle_t, int, const c4*, int, const c4*, int, c4*);
extern "C" [[gnu::weak]] c4 cublasCdotc(int n, const c4* x, int incx, const c4* y, int incy)
{
    return result<c4>([=](c4* value) { return cublasCdotc_v2(own(), n, x, incx, y, incy, value); });
}
extern "C" int cublasZdotc_v2(cublasHandle_t, int, const c8*, int, const c8*, int, c8*);
extern "C" [[gnu::weak]] c8 cublasZdotc(int n, const c8* x, int incx, const c8* y, int incy)
{
    return result<c8>([=](c8* value) { return cublasZdotc_v2(own(), n, x, incx, y, incy, value); });
}
extern "C" int cublasSscal_v2(cublasHandle_t, int, const float*, float*, int);
extern "C" [[gnu::weak]] void cublasSscal(int n, float alpha, float* x, int incx) { note(cublasSscal_v2(own(), n, &alpha, x, incx)); }
extern "C" int cublasDscal_v2(cublasHandle_t, int, const double*, double*, int);
extern "C" [[gnu::weak]] void cublasDscal(int n, double alpha, double* x, int incx) { note(cublasDscal_v2(own(), n, &alpha, x, incx)); }
extern "C" int cublasCscal_v2(cublasHandle_t, int, const c4*, c4*, int);
extern "C" [[gnu::weak]] void cublasCscal(int n, c4 alpha, c4* x, int incx) { note(cublasCscal_v2(own(), n, &alpha, x, incx)); }
extern "C" int cublasZscal_v2(cublasHandle_t, int, const c8*, c8*, int);
extern "C" [[gnu::weak]] void cublasZscal(int n, c8 alpha, c8* x, int incx) { note(cublasZscal_v2(own(), n, &alpha, x, incx)); }
extern "C" int cublasCsscal_v2(cublasHandle_t, int, const float*, c4*, int);
extern "C" [[gnu::weak]] void cublasCsscal(int n, float alpha, c4* x, int incx) { note(cublasCsscal_v2(own(), n, &alpha, x, incx)); }
extern "C" int cublasZdscal_v2(cublasHandle_t, int, const double*, c8*, int);
extern "C" [[gnu::weak]] void cublasZdscal(int n, double alpha, c8* x, int incx) { note(cublasZdscal_v2(own(), n, &alpha, x, incx)); }
extern "C" int cublasSrot_v2(cublasHandle_t, int, float*, int, float*, int, const float*, const float*);
extern "C" [[gnu::weak]] void cublasSrot(int n, float* x, int incx, float* y, int incy, float c, float s)
{
    note(cublasSrot_v2(own(), n, x, incx, y, incy, &c, &s));
}
extern "C" int cublasDrot_v2(cublasHandle_t, int, double*, int, double*, int, const double*, const double*);
extern "C" [[gnu::weak]] void cublasDrot(int n, double* x, int incx, double* y, int incy, double c, double s)
{
    note(cublasDrot_v2(own(), n, x, incx, y, incy, &c, &s));
}
extern "C" int cublasCrot_v2(cublasHandle_t, int, c4*, int, c4*, int, const float*, const c4*);
extern "C" [[gnu::weak]] void cublasCrot(int n, c4* x, int incx, c4* y, int incy, float c, c4 s)
{
    note(cublasCrot_v2(own(), n, x, incx, y, incy, &c, &s));
}
extern "C" int cublasZrot_v2(cublasHandle_t, int, c8*, int, c8*, int, const double*, const c8*);
extern "C" [[gnu::weak]] void cublasZrot(int n, c8* x, int incx, c8* y, int incy, double c, c8 s)
{
    note(cublasZrot_v2(own(), n, x, incx, y, incy, &c, &s));
}
extern "C" int cublasCsrot_v2(cublasHandle_t, int, c4*, int, c4*, int, const float*, const float*);
extern "C" [[gnu::weak]] void cublasCsrot(int n, c4* x, int incx, c4* y, int incy, float c, float s)
{
    note(cublasCsrot_v2(own(), n, x, incx, y, incy, &c, &s));
}
extern "C" int cublasZdrot_v2(cublasHandle_t, int, c8*, int, c8*, int, const double*, const double*);
extern "C" [[gnu::weak]] void cublasZdrot(int n, c8* x, int incx, c8* y, int incy, double c, double s)
{
    note(cublasZdrot_v2(own(), n, x, incx, y, incy, &c, &s));
}
extern "C" int cublasSrotg_v2(cublasHandle_t, float*, float*, float*, float*);
extern "C" [[gnu::weak]] void cublasSrotg(float* a, float* b, float* c, float* s) { note(cublasSrotg_v2(own(), a, b, c, s)); }
extern "C" int cublasDrotg_v2(cublasHandle_t, double*, double*, double*, double*);
extern "C" [[gnu::weak]] void cublasDrotg(double* a, double* b, double* c, double* s) { note(cublasDrotg_v2(own(), a, b, c, s)); }
extern "C" int cublasCrotg_v2(cublasHandle_t, c4*, c4*, float*, c4*);
extern "C" [[gnu::weak]] void cublasCrotg(c4* a, c4* b, float* c, c4* s) { note(cublasCrotg_v2(own(), a, b, c, s)); }
extern "C" int cublasZrotg_v2(cublasHandle_t, c8*, c8*, double*, c8*);
extern "C" [[gnu::weak]] void cublasZrotg(c8* a, c8* b, double* c, c8* s) { note(cublasZrotg_v2(own(), a, b, c, s)); }
extern "C" int cublasSrotm_v2(cublasHandle_t, int, float*, int, float*, int, const float*);
extern "C" [[gnu::weak]] void cublasSrotm(int n, float* x, int incx, float* y, int incy, const float* param)
{
    note(cublasSrotm_v2(own(), n, x, incx, y, incy, param));
}
extern "C" int cublasDrotm_v2(cublasHandle_t, int, double*, int, double*, int, const double*);
extern "C" [[gnu::weak]] void cublasDrotm(int n, double* x, int incx, double* y, int incy, const double* param)
{
    note(cublasDrotm_v2(own(), n, x, incx, y, incy, param));
}
extern "C" int cublasSrotmg_v2(cublasHandle_t, float*, float*, float*, const float*, float*);
extern "C" [[gnu::weak]] void cublasSrotmg(float* d1, float* d2, float* x1, const float* y1, float* param)
{
    note(cublasSrotmg_v2(own(), d1, d2, x1, y1, param));
}
extern "C" int cublasDrotmg_v2(cublasHandle_t, double*, double*, double*, const double*, double*);
extern "C" [[gnu::weak]] void cublasDrotmg(double* d1, double* d2, double* x1, const double* y1, double* param)
{
    note(cublasDrotmg_v2(own(), d1, d2, x1, y1, param));
}
extern "C" int cublasSgemv_v2(cublasHandle_t, int, int, int, const float*, const float*, int, const float*, int, const float*, float*, int);
extern "C" [[gnu::weak]] void cublasSgemv(char trans, int m, int n, float alpha, const float* a, int lda, const float* x, int incx, float beta,
        float* y, int incy)
{
    note(cublasSgemv_v2(own(), op(trans), m, n, &alpha, a, lda, x, incx, &beta, y, incy));
}
extern "C" int cublasDgemv_v2(cublasHandle_t, int, int, int, const double*, const double*, int, const double*, int, const double*, double*, int);
extern "C" [[gnu::weak]] void cublasDgemv(char trans, int m, int n, double alpha, const double* a, int lda, const double* x, int incx, double beta,
        double* y, int incy)
{
    note(cublasDgemv_v2(own(), op(trans), m, n, &alpha, a, lda, x, incx, &beta, y, incy));
}
extern "C" int cublasCgemv_v2(cublasHandle_t, int, int, int, const c4*, const c4*, int, const c4*, int, const c4*, c4*, int);
extern "C" [[gnu::weak]] void cublasCgemv(char trans, int m, int n, c4 alpha, const c4* a, int lda, const c4* x, int incx, c4 beta, c4* y, int incy)
{
    note(cublasCgemv_v2(own(), op(trans), m, n, &alpha, a, lda, x, incx, &beta, y, incy));
}
extern "C" int cublasZgemv_v2(cublasHandle_t, int, int, int, const c8*, const c8*, int, const c8*, int, const c8*, c8*, int);
extern "C" [[gnu::weak]] void cublasZgemv(char trans, int m, int n, c8 alpha, const c8* a, int lda, const c8* x, int incx, c8 beta, c8* y, int incy)
{
    note(cublasZgemv_v2(own(), op(trans), m, n, &alpha, a, lda, x, incx, &beta, y, incy));
}
extern "C" int cublasSgbmv_v2(cublasHandle_t, int, int, int, int, int, const float*, const float*, int, const float*, int, const float*, float*, int);
extern "C" [[gnu::weak]] void cublasSgbmv(char trans, int m, int n, int kl, int ku, float alpha, const float* a, int lda, const float* x, int incx,
        float beta, float* y, int incy)
{
    note(cublasSgbmv_v2(own(), op(trans), m, n, kl, ku, &alpha, a, lda, x, incx, &beta, y, incy));
}
extern "C" int cublasDgbmv_v2(cublasHandle_t, int, int, int, int, int, const double*, const double*, int, const double*, int, const double*,
        double*, int);
extern "C" [[gnu::weak]] void cublasDgbmv(char trans, int m, int n, int kl, int ku, double alpha, const double* a, int lda, const double* x,
        int incx, double beta, double* y, int incy)
{
    note(cublasDgbmv_v2(own(), op(trans), m, n, kl, ku, &alpha, a, lda, x, incx, &beta, y, incy));
}
extern "C" int cublasCgbmv_v2(cublasHandle_t, int, int, int, int, int, const c4*, const c4*, int, const c4*, int, const c4*, c4*, int);
extern "C" [[gnu::weak]] void cublasCgbmv(char trans, int m, int n, int kl, int ku, c4 alpha, const c4* a, int lda, const c4* x, int incx, c4 beta,
        c4* y, int incy)
{
    note(cublasCgbmv_v2(own(), op(trans), m, n, kl, ku, &alpha, a, lda, x, incx, &beta, y, incy));
}
extern "C" int cublasZgbmv_v2(cublasHandle_t, int, int, int, int, int, const c8*, const c8*, int, const c8*, int, const c8*, c8*, int);
extern "C" [[gnu::weak]] void cublasZgbmv(char trans, int m, int n, int kl, int ku, c8 alpha, const c8* a, int lda, const c8* x, int incx, c8 beta,
        c8* y, int incy)
{
    note(cublasZgbmv_v2(own(), op(trans), m, n, kl, ku, &alpha, a, lda, x, incx, &beta, y, incy));
}
extern "C" int cublasSsymv_v2(cublasHandle_t, int, int, const float*, const float*, int, const float*, int, const float*, float*, int);
extern "C" [[gnu::weak]] void cublasSsymv(char uplo, int n, float alpha, const float* a, int lda, const float* x, int incx, float beta, float* y,
        int incy)
{
    note(cublasSsymv_v2(own(), fill(uplo), n, &alpha, a, lda, x, incx, &beta, y, incy));
}
extern "C" int cublasDsymv_v2(cublasHandle_t, int, int, const double*, const double*, int, const double*, int, const double*, double*, int);
extern "C" [[gnu::weak]] void cublasDsymv(char uplo, int n, double alpha, const double* a, int lda, const double* x, int incx, double beta,
        double* y, int incy)
{
    note(cublasDsymv_v2(own(), fill(uplo), n, &alpha, a, lda, x, incx, &beta, y, incy));
}
extern "C" int cublasChemv_v2(cublasHandle_t, int, int, const c4*, const c4*, int, const c4*, int, const c4*, c4*, int);
extern "C" [[gnu::weak]] void cublasChemv(char uplo, int n, c4 alpha, const c4* a, int lda, const c4* x, int incx, c4 beta, c4* y, int incy)
{
    note(cublasChemv_v2(own(), fill(uplo), n, &alpha, a, lda, x, incx, &beta, y, incy));
}
extern "C" int cublasZhemv_v2(cublasHandle_t, int, int, const c8*, const c8*, int, const c8*, int, const c8*, c8*, int);
extern "C" [[gnu::weak]] void cublasZhemv(char uplo, int n, c8 alpha, const c8* a, int lda, const c8* x, int incx, c8 beta, c8* y, int incy)
{
    note(cublasZhemv_v2(own(), fill(uplo), n, &alpha, a, lda, x, incx, &beta, y, incy));
}
extern "C" int cublasSsbmv_v2(cublasHandle_t, int, int, int, const float*, const float*, int, const float*, int, const float*, float*, int);
extern "C" [[gnu::weak]] void cublasSsbmv(char uplo, int n, int k, float alpha, const float* a, int lda, const float* x, int incx, float beta,
        float* y, int incy)
{
    note(cublasSsbmv_v2(own(), fill(uplo), n, k, &alpha, a, lda, x, incx, &beta, y, incy));
}
extern "C" int cublasDsbmv_v2(cublasHandle_t, int, int, int, const double*, const double*, int, const double*, int, const double*, double*, int);
extern "C" [[gnu::weak]] void cublasDsbmv(char uplo, int n, int k, double alpha, const double* a, int lda, const double* x, int incx, double beta,
        double* y, int incy)
{
    note(cublasDsbmv_v2(own(), fill(uplo), n, k, &alpha, a, lda, x, incx, &beta, y, incy));
}
extern "C" int cublasChbmv_v2(cublasHandle_t, int, int, int, const c4*, const c4*, int, const c4*, int, const c4*, c4*, int);
extern "C" [[gnu::weak]] void cublasChbmv(char uplo, int n, int k, c4 alpha, const c4* a, int lda, const c4* x, int incx, c4 beta, c4* y, int incy)
{
    note(cublasChbmv_v2(own(), fill(uplo), n, k, &alpha, a, lda, x, incx, &beta, y, incy));
}
extern "C" int cublasZhbmv_v2(cublasHandle_t, int, int, int, const c8*, const c8*, int, const c8*, int, const c8*, c8*, int);
extern "C" [[gnu::weak]] void cublasZhbmv(char uplo, int n, int k, c8 alpha, const c8* a, int lda, const c8* x, int incx, c8 beta, c8* y, int incy)
{
    note(cublasZhbmv_v2(own(), fill(uplo), n, k, &alpha, a, lda, x, incx, &beta, y, incy));
}
extern "C" int cublasSspmv_v2(cublasHandle_t, int, int, const float*, const float*, const float*, int, const float*, float*, int);
extern "C" [[gnu::weak]] void cublasSspmv(char uplo, int n, float alpha, const float* ap, const float* x, int incx, float beta, float* y, int incy)
{
    note(cublasSspmv_v2(own(), fill(uplo), n, &alpha, ap, x, incx, &beta, y, incy));
}
extern "C" int cublasDspmv_v2(cublasHandle_t, int, int, const double*, const double*, const double*, int, const double*, double*, int);
extern "C" [[gnu::weak]] void cublasDspmv(char uplo, int n, double alpha, const double* ap, const double* x, int incx, double beta, double* y,
        int incy)
{
    note(cublasDspmv_v2(own(), fill(uplo), n, &alpha, ap, x, incx, &beta, y, incy));
}
extern "C" int cublasChpmv_v2(cublasHandle_t, int, int, const c4*, const c4*, const c4*, int, const c4*, c4*, int);
extern "C" [[gnu::weak]] void cublasChpmv(char uplo, int n, c4 alpha, const c4* ap, const c4* x, int incx, c4 beta, c4* y, int incy)
{
    note(cublasChpmv_v2(own(), fill(uplo), n, &alpha, ap, x, incx, &beta, y, incy));
}
extern "C" int cublasZhpmv_v2(cublasHandle_t, int, int, const c8*, const c8*, const c8*, int, const c8*, c8*, int);
extern "C" [[gnu::weak]] void cublasZhpmv(char uplo, int n, c8 alpha, const c8* ap, const c8* x, int incx, c8 beta, c8* y, int incy)
{
    note(cublasZhpmv_v2(own(), fill(uplo), n, &alpha, ap, x, incx, &beta, y, incy));
}
extern "C" int cublasStrmv_v2(cublasHandle_t, int, int, int, int, const float*, int, float*, int);
extern "C" [[gnu::weak]] void cublasStrmv(char uplo, char trans, char d, int n, const float* a, int lda, float* x, int incx)
{
    note(cublasStrmv_v2(own(), fill(uplo), op(trans), diag(d), n, a, lda, x, incx));
}
extern "C" int cublasDtrmv_v2(cublasHandle_t, int, int, int, int, const double*, int, double*, int);
extern "C" [[gnu::weak]] void cublasDtrmv(char uplo, char trans, char d, int n, const double* a, int lda, double* x, int incx)
{
    note(cublasDtrmv_v2(own(), fill(uplo), op(trans), diag(d), n, a, lda, x, incx));
}
extern "C" int cublasCtrmv_v2(cublasHandle_t, int, int, int, int, const c4*, int, c4*, int);
extern "C" [[gnu::weak]] void cublasCtrmv(char uplo, char trans, char d, int n, const c4* a, int lda, c4* x, int incx)
{
    note(cublasCtrmv_v2(own(), fill(uplo), op(trans), diag(d), n, a, lda, x, incx));
}
extern "C" int cublasZtrmv_v2(cublasHandle_t, int, int, int, int, const c8*, int, c8*, int);
extern "C" [[gnu::weak]] void cublasZtrmv(char uplo, char trans, char d, int n, const c8* a, int lda, c8* x, int incx)
{
    note(cublasZtrmv_v2(own(), fill(uplo), op(trans), diag(d), n, a, lda, x, incx));
}
extern "C" int cublasStrsv_v2(cublasHandle_t, int, int, int, int, const float*, int, float*, int);
extern "C" [[gnu::weak]] void cublasStrsv(char uplo, char trans, char d, int n, const float* a, int lda, float* x, int incx)
{
    note(cublasStrsv_v2(own(), fill(uplo), op(trans), diag(d), n, a, lda, x, incx));
}
extern "C" int cublasDtrsv_v2(cublasHandle_t, int, int, int, int, const double*, int, double*, int);
extern "C" [[gnu::weak]] void cublasDtrsv(char uplo, char trans, char d, int n, const double* a, int lda, double* x, int incx)
{
    note(cublasDtrsv_v2(own(), fill(uplo), op(trans), diag(d), n, a, lda, x, incx));
}
extern "C" int cublasCtrsv_v2(cublasHandle_t, int, int, int, int, const c4*, int, c4*, int);
extern "C" [[gnu::weak]] void cublasCtrsv(char uplo, char trans, char d, int n, const c4* a, int lda, c4* x, int incx)
{
    note(cublasCtrsv_v2(own(), fill(uplo), op(trans), diag(d), n, a, lda, x, incx));
}
extern "C" int cublasZtrsv_v2(cublasHandle_t, int, int, int, int, const c8*, int, c8*, int);
extern "C" [[gnu::weak]] void cublasZtrsv(char uplo, char trans, char d, int n, const c8* a, int lda, c8* x, int incx)
{
    note(cublasZtrsv_v2(own(), fill(uplo), op(trans), diag(d), n, a, lda, x, incx));
}
extern "C" int cublasStbmv_v2(cublasHandle_t, int, int, int, int, int, const float*, int, float*, int);
extern "C" [[gnu::weak]] void cublasStbmv(char uplo, char trans, char d, int n, int k, const float* a, int lda, float* x, int incx)
{
    note(cublasStbmv_v2(own(), fill(uplo), op(trans), diag(d), n, k, a, lda, x, incx));
}
extern "C" int cublasDtbmv_v2(cublasHandle_t, int, int, int, int, int, const double*, int, double*, int);
extern "C" [[gnu::weak]] void cublasDtbmv(char uplo, char trans, char d, int n, int k, const double* a, int lda, double* x, int incx)
{
    note(cublasDtbmv_v2(own(), fill(uplo), op(trans), diag(d), n, k, a, lda, x, incx));
}
extern "C" int cublasCtbmv_v2(cublasHandle_t, int, int, int, int, int, const c4*, int, c4*, int);
extern "C" [[gnu::weak]] void cublasCtbmv(char uplo, char trans, char d, int n, int k, const c4* a, int lda, c4* x, int incx)
{
    note(cublasCtbmv_v2(own(), fill(uplo), op(trans), diag(d), n, k, a, lda, x, incx));
}
extern "C" int cublasZtbmv_v2(cublasHandle_t, int, int, int, int, int, const c8*, int, c8*, int);
extern "C" [[gnu::weak]] void cublasZtbmv(char uplo, char trans, char d, int n, int k, const c8* a, int lda, c8* x, int incx)
{
    note(cublasZtbmv_v2(own(), fill(uplo), op(trans), diag(d), n, k, a, lda, x, incx));
}
extern "C" int cublasStbsv_v2(cublasHandle_t, int, int, int, int, int, const float*, int, float*, int);
extern "C" [[gnu::weak]] void cublasStbsv(char uplo, char trans, char d, int n, int k, const float* a, int lda, float* x, int incx)
{
    note(cublasStbsv_v2(own(), fill(uplo), op(trans), diag(d), n, k, a, lda, x, incx));
}
extern "C" int cublasDtbsv_v2(cublasHandle_t, int, int, int, int, int, const double*, int, double*, int);
extern "C" [[gnu::weak]] void cublasDtbsv(char uplo, char trans, char d, int n, int k, const double* a, int lda, double* x, int incx)
{
    note(cublasDtbsv_v2(own(), fill(uplo), op(trans), diag(d), n, k, a, lda, x, incx));
}
extern "C" int cublasCtbsv_v2(cublasHandle_t, int, int, int, int, int, const c4*, int, c4*, int);
extern "C" [[gnu::weak]] void cublasCtbsv(char uplo, char trans, char d, int n, int k, const c4* a, int lda, c4* x, int incx)
{
    note(cublasCtbsv_v2(own(), fill(uplo), op(trans), diag(d), n, k, a, lda, x, incx));
}
extern "C" int cublasZtbsv_v2(cublasHandle_t, int, int, int, int, int, const c8*, int, c8*, int);
extern "C" [[gnu::weak]] void cublasZtbsv(char uplo, char trans, char d, int n, int k, const c8* a, int lda, c8* x, int incx)
{
    note(cublasZtbsv_v2(own(), fill(uplo), op(trans), diag(d), n, k, a, lda, x, incx));
}
extern "C" int cublasStpmv_v2(cublasHandle_t, int, int, int, int, const float*, float*, int);
extern "C" [[gnu::weak]] void cublasStpmv(char uplo, char trans, char d, int n, const float* ap, float* x, int incx)
{
    note(cublasStpmv_v2(own(), fill(uplo), op(trans), diag(d), n, ap, x, incx));
}
extern "C" int cublasDtpmv_v2(cublasHandle_t, int, int, int, int, const double*, double*, int);
extern "C" [[gnu::weak]] void cublasDtpmv(char uplo, char trans, char d, int n, const double* ap, double* x, int incx)
{
    note(cublasDtpmv_v2(own(), fill(uplo), op(trans), diag(d), n, ap, x, incx));
}
extern "C" int cublasCtpmv_v2(cublasHandle_t, int, int, int, int, const c4*, c4*, int);
extern "C" [[gnu::weak]] void cublasCtpmv(char uplo, char trans, char d, int n, const c4* ap, c4* x, int incx)
{
    note(cublasCtpmv_v2(own(), fill(uplo), op(trans), diag(d), n, ap, x, incx));
}
extern "C" int cublasZtpmv_v2(cublasHandle_t, int, int, int, int, const c8*, c8*, int);
extern "C" [[gnu::weak]] void cublasZtpmv(char uplo, char trans, char d, int n, const c8* ap, c8* x, int incx)
{
    note(cublasZtpmv_v2(own(), fill(uplo), op(trans), diag(d), n, ap, x, incx));
}
extern "C" int cublasStpsv_v2(cublasHandle_t, int, int, int, int, const float*, float*, int);
extern "C" [[gnu::weak]] void cublasStpsv(char uplo, char trans, char d, int n, const float* ap, float* x, int incx)
{
    note(cublasStpsv_v2(own(), fill(uplo), op(trans), diag(d), n, ap, x, incx));
}
extern "C" int cublasDtpsv_v2(cublasHandle_t, int, int, int, int, const double*, double*, int);
extern "C" [[gnu::weak]] void cublasDtpsv(char uplo, char trans, char d, int n, const double* ap, double* x, int incx)
{
    note(cublasDtpsv_v2(own(), fill(uplo), op(trans), diag(d), n, ap, x, incx));
}
extern "C" int cublasCtpsv_v2(cublasHandle_t, int, int, int, int, const c4*, c4*, int);
extern "C" [[gnu::weak]] void cublasCtpsv(char uplo, char trans, char d, int n, const c4* ap, c4* x, int incx)
{
    note(cublasCtpsv_v2(own(), fill(uplo), op(trans), diag(d), n, ap, x, incx));
}
extern "C" int cublasZtpsv_v2(cublasHandle_t, int, int, int, int, const c8*, c8*, int);
extern "C" [[gnu::weak]] void cublasZtpsv(char uplo, char trans, char d, int n, const c8* ap, c8* x, int incx)
{
    note(cublasZtpsv_v2(own(), fill(uplo), op(trans), diag(d), n, ap, x, incx));
}
extern "C" int cublasSger_v2(cublasHandle_t, int, int, const float*, const float*, int, const float*, int, float*, int);
extern "C" [[gnu::weak]] void cublasSger(int m, int n, float alpha, const float* x, int incx, const float* y, int incy, float* a, int lda)
{
    note(cublasSger_v2(own(), m, n, &alpha, x, incx, y, incy, a, lda));
}
extern "C" int cublasDger_v2(cublasHandle_t, int, int, const double*, const double*, int, const double*, int, double*, int);
extern "C" [[gnu::weak]] void cublasDger(int m, int n, double alpha, const double* x, int incx, const double* y, int incy, double* a, int lda)
{
    note(cublasDger_v2(own(), m, n, &alpha, x, incx, y, incy, a, lda));
}
extern "C" int cublasCgeru_v2(cublasHandle_t, int, int, const c4*, const c4*, int, const c4*, int, c4*, int);
extern "C" [[gnu::weak]] void cublasCgeru(int m, int n, c4 alpha, const c4* x, int incx, const c4* y, int incy, c4* a, int lda)
{
    note(cublasCgeru_v2(own(), m, n, &alpha, x, incx, y, incy, a, lda));
}
extern "C" int cublasZgeru_v2(cublasHandle_t, int, int, const c8*, const c8*, int, const c8*, int, c8*, int);
extern "C" [[gnu::weak]] void cublasZgeru(int m, int n, c8 alpha, const c8* x, int incx, const c8* y, int incy, c8* a, int lda)
{
    note(cublasZgeru_v2(own(), m, n, &alpha, x, incx, y, incy, a, lda));
}
extern "C" int cublasCgerc_v2(cublasHandle_t, int, int, const c4*, const c4*, int, const c4*, int, c4*, int);
extern "C" [[gnu::weak]] void cublasCgerc(int m, int n, c4 alpha, const c4* x, int incx, const c4* y, int incy, c4* a, int lda)
{
    note(cublasCgerc_v2(own(), m, n, &alpha, x, incx, y, incy, a, lda));
}
extern "C" int cublasZgerc_v2(cublasHandle_t, int, int, const c8*, const c8*, int, const c8*, int, c8*, int);
extern "C" [[gnu::weak]] void cublasZgerc(int m, int n, c8 alpha, const c8* x, int incx, const c8* y, int incy, c8* a, int lda)
{
    note(cublasZgerc_v2(own(), m, n, &alpha, x, incx, y, incy, a, lda));
}
extern "C" int cublasSsyr_v2(cublasHandle_t, int, int, const float*, const float*, int, float*, int);
extern "C" [[gnu::weak]] void cublasSsyr(char uplo, int n, float alpha, const float* x, int incx, float* a, int lda)
{
    note(cublasSsyr_v2(own(), fill(uplo), n, &alpha, x, incx, a, lda));
}
extern "C" int cublasDsyr_v2(cublasHandle_t, int, int, const double*, const double*, int, double*, int);
extern "C" [[gnu::weak]] void cublasDsyr(char uplo, int n, double alpha, const double* x, int incx, double* a, int lda)
{
    note(cublasDsyr_v2(own(), fill(uplo), n, &alpha, x, incx, a, lda));
}
extern "C" int cublasCher_v2(cublasHandle_t, int, int, const float*, const c4*, int, c4*, int);
extern "C" [[gnu::weak]] void cublasCher(char uplo, int n, float alpha, const c4* x, int incx, c4* a, int lda)
{
    note(cublasCher_v2(own(), fill(uplo), n, &alpha, x, incx, a, lda));
}
extern "C" int cublasZher_v2(cublasHandle_t, int, int, const double*, const c8*, int, c8*, int);
extern "C" [[gnu::weak]] void cublasZher(char uplo, int n, double alpha, const c8* x, int incx, c8* a, int lda)
{
    note(cublasZher_v2(own(), fill(uplo), n, &alpha, x, incx, a, lda));
}
extern "C" int cublasSspr_v2(cublasHandle_t, int, int, const float*, const float*, int, float*);
extern "C" [[gnu::weak]] void cublasSspr(char uplo, int n, float alpha, const float* x, int incx, float* ap)
{
    note(cublasSspr_v2(own(), fill(uplo), n, &alpha, x, incx, ap));
}
extern "C" int cublasDspr_v2(cublasHandle_t, int, int, const double*, const double*, int, double*);
extern "C" [[gnu::weak]] void cublasDspr(char uplo, int n, double alpha, const double* x, int incx, double* ap)
{
    note(cublasDspr_v2(own(), fill(uplo), n, &alpha, x, incx, ap));
}
extern "C" int cublasChpr_v2(cublasHandle_t, int, int, const float*, const c4*, int, c4*);
extern "C" [[gnu::weak]] void cublasChpr(char uplo, int n, float alpha, const c4* x, int incx, c4* ap)
{
    note(cublasChpr_v2(own(), fill(uplo), n, &alpha, x, incx, ap));
}
extern "C" int cublasZhpr_v2(cublasHandle_t, int, int, const double*, const c8*, int, c8*);
extern "C" [[gnu::weak]] void cublasZhpr(char uplo, int n, double alpha, const c8* x, int incx, c8* ap)
{
    note(cublasZhpr_v2(own(), fill(uplo), n, &alpha, x, incx, ap));
}
extern "C" int cublasSsyr2_v2(cublasHandle_t, int, int, const float*, const float*, int, const float*, int, float*, int);
extern "C" [[gnu::weak]] void cublasSsyr2(char uplo, int n, float alpha, const float* x, int incx, const float* y, int incy, float* a, int lda)
{
    note(cublasSsyr2_v2(own(), fill(uplo), n, &alpha, x, incx, y, incy, a, lda));
}
extern "C" int cublasDsyr2_v2(cublasHandle_t, int, int, const double*, const double*, int, const double*, int, double*, int);
extern "C" [[gnu::weak]] void cublasDsyr2(char uplo, int n, double alpha, const double* x, int incx, const double* y, int incy, double* a, int lda)
{
    note(cublasDsyr2_v2(own(), fill(uplo), n, &alpha, x, incx, y, incy, a, lda));
}
extern "C" int cublasCher2_v2(cublasHandle_t, int, int, const c4*, const c4*, int, const c4*, int, c4*, int);
extern "C" [[gnu::weak]] void cublasCher2(char uplo, int n, c4 alpha, const c4* x, int incx, const c4* y, int incy, c4* a, int lda)
{
    note(cublasCher2_v2(own(), fill(uplo), n, &alpha, x, incx, y, incy, a, lda));
}
extern "C" int cublasZher2_v2(cublasHandle_t, int, int, const c8*, const c8*, int, const c8*, int, c8*, int);
extern "C" [[gnu::weak]] void cublasZher2(char uplo, int n, c8 alpha, const c8* x, int incx, const c8* y, int incy, c8* a, int lda)
{
    note(cublasZher2_v2(own(), fill(uplo), n, &alpha, x, incx, y, incy, a, lda));
}
extern "C" int cublasSspr2_v2(cublasHandle_t, int, int, const float*, const float*, int, const float*, int, float*);
extern "C" [[gnu::weak]] void cublasSspr2(char uplo, int n, float alpha, const float* x, int incx, const float* y, int incy, float* ap)
{
    note(cublasSspr2_v2(own(), fill(uplo), n, &alpha, x, incx, y, incy, ap));
}
extern "C" int cublasDspr2_v2(cublasHandle_t, int, int, const double*, const double*, int, const double*, int, double*);
extern "C" [[gnu::weak]] void cublasDspr2(char uplo, int n, double alpha, const double* x, int incx, const double* y, int incy, double* ap)
{
    note(cublasDspr2_v2(own(), fill(uplo), n, &alpha, x, incx, y, incy, ap));
}
extern "C" int cublasChpr2_v2(cublasHandle_t, int, int, const c4*, const c4*, int, const c4*, int, c4*);
extern "C" [[gnu::weak]] void cublasChpr2(char uplo, int n, c4 alpha, const c4* x, int incx, const c4* y, int incy, c4* ap)
{
    note(cublasChpr2_v2(own(), fill(uplo), n, &alpha, x, incx, y, incy, ap));
}
extern "C" int cublasZhpr2_v2(cublasHandle_t, int, int, const c8*, const c8*, int, const c8*, int, c8*);
extern "C" [[gnu::weak]] void cublasZhpr2(char uplo, int n, c8 alpha, const c8* x, int incx, const c8* y, int incy, c8* ap)
{
    note(cublasZhpr2_v2(own(), fill(uplo), n, &alpha, x, incx, y, incy, ap));
}
extern "C" int cublasSgemm_v2(cublasHandle_t, int, int, int, int, int, const float*, const float*, int, const float*, int, const float*, float*, int);
extern "C" [[gnu::weak]] void cublasSgemm(char transa, char transb, int m, int n, int k, float alpha, const float* a, int lda, const float* b,
        int ldb, float beta, float* c, int ldc)
{
    note(cublasSgemm_v2(own(), op(transa), op(transb), m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc));
}
extern "C" int cublasDgemm_v2(cublasHandle_t, int, int, int, int, int, const double*, const double*, int, const double*, int, const double*,
        double*, int);
extern "C" [[gnu::weak]] void cublasDgemm(char transa, char transb, int m, int n, int k, double alpha, const double* a, int lda, const double* b,
        int ldb, double beta, double* c, int ldc)
{
    note(cublasDgemm_v2(own(), op(transa), op(transb), m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc));
}
extern "C" int cublasCgemm_v2(cublasHandle_t, int, int, int, int, int, const c4*, const c4*, int, const c4*, int, const c4*, c4*, int);
extern "C" [[gnu::weak]] void cublasCgemm(char transa, char transb, int m, int n, int k, c4 alpha, const c4* a, int lda, const c4* b, int ldb,
        c4 beta, c4* c, int ldc)
{
    note(cublasCgemm_v2(own(), op(transa), op(transb), m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc));
}
extern "C" int cublasZgemm_v2(cublasHandle_t, int, int, int, int, int, const c8*, const c8*, int, const c8*, int, const c8*, c8*, int);
extern "C" [[gnu::weak]] void cublasZgemm(char transa, char transb, int m, int n, int k, c8 alpha, const c8* a, int lda, const c8* b, int ldb,
        c8 beta, c8* c, int ldc)
{
    note(cublasZgemm_v2(own(), op(transa), op(transb), m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc));
}
extern "C" int cublasSsymm_v2(cublasHandle_t, int, int, int, int, const float*, const float*, int, const float*, int, const float*, float*, int);
extern "C" [[gnu::weak]] void cublasSsymm(char s, char uplo, int m, int n, float alpha, const float* a, int lda, const float* b, int ldb,
        float beta, float* c, int ldc)
{
    note(cublasSsymm_v2(own(), side(s), fill(uplo), m, n, &alpha, a, lda, b, ldb, &beta, c, ldc));
}
extern "C" int cublasDsymm_v2(cublasHandle_t, int, int, int, int, const double*, const double*, int, const double*, int, const double*, double*, int);
extern "C" [[gnu::weak]] void cublasDsymm(char s, char uplo, int m, int n, double alpha, const double* a, int lda, const double* b, int ldb,
        double beta, double* c, int ldc)
{
    note(cublasDsymm_v2(own(), side(s), fill(uplo), m, n, &alpha, a, lda, b, ldb, &beta, c, ldc));
}
extern "C" int cublasCsymm_v2(cublasHandle_t, int, int, int, int, const c4*, const c4*, int, const c4*, int, const c4*, c4*, int);
extern "C" [[gnu::weak]] void cublasCsymm(char s, char uplo, int m, int n, c4 alpha, const c4* a, int lda, const c4* b, int ldb, c4 beta, c4* c,
        int ldc)
{
    note(cublasCsymm_v2(own(), side(s), fill(uplo), m, n, &alpha, a, lda, b, ldb, &beta, c, ldc));
}
extern "C" int cublasZsymm_v2(cublasHandle_t, int, int, int, int, const c8*, const c8*, int, const c8*, int, const c8*, c8*, int);
extern "C" [[gnu::weak]] void cublasZsymm(char s, char uplo, int m, int n, c8 alpha, const c8* a, int lda, const c8* b, int ldb, c8 beta, c8* c,
        int ldc)
{
    note(cublasZsymm_v2(own(), side(s), fill(uplo), m, n, &alpha, a, lda, b, ldb, &beta, c, ldc));
}
extern "C" int cublasChemm_v2(cublasHandle_t, int, int, int, int, const c4*, const c4*, int, const c4*, int, const c4*, c4*, int);
extern "C" [[gnu::weak]] void cublasChemm(char s, char uplo, int m, int n, c4 alpha, const c4* a, int lda, const c4* b, int ldb, c4 beta, c4* c,
        int ldc)
{
    note(cublasChemm_v2(own(), side(s), fill(uplo), m, n, &alpha, a, lda, b, ldb, &beta, c, ldc));
}
extern "C" int cublasZhemm_v2(cublasHandle_t, int, int, int, int, const c8*, const c8*, int, const c8*, int, const c8*, c8*, int);
extern "C" [[gnu::weak]] void cublasZhemm(char s, char uplo, int m, int n, c8 alpha, const c8* a, int lda, const c8* b, int ldb, c8 beta, c8* c,
        int ldc)
{
    note(cublasZhemm_v2(own(), side(s), fill(uplo), m, n, &alpha, a, lda, b, ldb, &beta, c, ldc));
}
extern "C" int cublasSsyrk_v2(cublasHandle_t, int, int, int, int, const float*, const float*, int, const float*, float*, int);
extern "C" [[gnu::weak]] void cublasSsyrk(char uplo, char trans, int n, int k, float alpha, const float* a, int lda, float beta, float* c, int ldc)
{
    note(cublasSsyrk_v2(own(), fill(uplo), op(trans), n, k, &alpha, a, lda, &beta, c, ldc));
}
extern "C" int cublasDsyrk_v2(cublasHandle_t, int, int, int, int, const double*, const double*, int, const double*, double*, int);
extern "C" [[gnu::weak]] void cublasDsyrk(char uplo, char trans, int n, int k, double alpha, const double* a, int lda, double beta, double* c,
        int ldc)
{
    note(cublasDsyrk_v2(own(), fill(uplo), op(trans), n, k, &alpha, a, lda, &beta, c, ldc));
}
extern "C" int cublasCsyrk_v2(cublasHandle_t, int, int, int, int, const c4*, const c4*, int, const c4*, c4*, int);
extern "C" [[gnu::weak]] void cublasCsyrk(char uplo, char trans, int n, int k, c4 alpha, const c4* a, int lda, c4 beta, c4* c, int ldc)
{
    note(cublasCsyrk_v2(own(), fill(uplo), op(trans), n, k, &alpha, a, lda, &beta, c, ldc));
}
extern "C" int cublasZsyrk_v2(cublasHandle_t, int, int, int, int, const c8*, const c8*, int, const c8*, c8*, int);
extern "C" [[gnu::weak]] void cublasZsyrk(char uplo, char trans, int n, int k, c8 alpha, const c8* a, int lda, c8 beta, c8* c, int ldc)
{
    note(cublasZsyrk_v2(own(), fill(uplo), op(trans), n, k, &alpha, a, lda, &beta, c, ldc));
}
extern "C" int cublasCherk_v2(cublasHandle_t, int, int, int, int, const float*, const c4*, int, const float*, c4*, int);
extern "C" [[gnu::weak]] void cublasCherk(char uplo, char trans, int n, int k, float alpha, const c4* a, int lda, float beta, c4* c, int ldc)
{
    note(cublasCherk_v2(own(), fill(uplo), op(trans), n, k, &alpha, a, lda, &beta, c, ldc));
}
extern "C" int cublasZherk_v2(cublasHandle_t, int, int, int, int, const double*, const c8*, int, const double*, c8*, int);
extern "C" [[gnu::weak]] void cublasZherk(char uplo, char trans, int n, int k, double alpha, const c8* a, int lda, double beta, c8* c, int ldc)
{
    note(cublasZherk_v2(own(), fill(uplo), op(trans), n, k, &alpha, a, lda, &beta, c, ldc));
}
extern "C" int cublasSsyr2k_v2(cublasHandle_t, int, int, int, int, const float*, const float*, int, const float*, int, const float*, float*, int);
extern "C" [[gnu::weak]] void cublasSsyr2k(char uplo, char trans, int n, int k, float alpha, const float* a, int lda, const float* b, int ldb,
        float beta, float* c, int ldc)
{
    note(cublasSsyr2k_v2(own(), fill(uplo), op(trans), n, k, &alpha, a, lda, b, ldb, &beta, c, ldc));
}
extern "C" int cublasDsyr2k_v2(cublasHandle_t, int, int, int, int, const double*, const double*, int, const double*, int, const double*, double*,
        int);
extern "C" [[gnu::weak]] void cublasDsyr2k(char uplo, char trans, int n, int k, double alpha, const double* a, int lda, const double* b, int ldb,
        double beta, double* c, int ldc)
{
    note(cublasDsyr2k_v2(own(), fill(uplo), op(trans), n, k, &alpha, a, lda, b, ldb, &beta, c, ldc));
}
extern "C" int cublasCsyr2k_v2(cublasHandle_t, int, int, int, int, const c4*, const c4*, int, const c4*, int, const c4*, c4*, int);
extern "C" [[gnu::weak]] void cublasCsyr2k(char uplo, char trans, int n, int k, c4 alpha, const c4* a, int lda, const c4* b, int ldb, c4 beta,
        c4* c, int ldc)
{
    note(cublasCsyr2k_v2(own(), fill(uplo), op(trans), n, k, &alpha, a, lda, b, ldb, &beta, c, ldc));
}
extern "C" int cublasZsyr2k_v2(cublasHandle_t, int, int, int, int, const c8*, const c8*, int, const c8*, int, const c8*, c8*, int);
extern "C" [[gnu::weak]] void cublasZsyr2k(char uplo, char trans, int n, int k, c8 alpha, const c8* a, int lda, const c8* b, int ldb, c8 beta,
        c8* c, int ldc)
{
    note(cublasZsyr2k_v2(own(), fill(uplo), op(trans), n, k, &alpha, a, lda, b, ldb, &beta, c, ldc));
}
extern "C" int cublasCher2k_v2(cublasHandle_t, int, int, int, int, const c4*, const c4*, int, const c4*, int, const float*, c4*, int);
extern "C" [[gnu::weak]] void cublasCher2k(char uplo, char trans, int n, int k, c4 alpha, const c4* a, int lda, const c4* b, int ldb, float beta,
        c4* c, int ldc)
{
    note(cublasCher2k_v2(own(), fill(uplo), op(trans), n, k, &alpha, a, lda, b, ldb, &beta, c, ldc));
}
extern "C" int cublasZher2k_v2(cublasHandle_t, int, int, int, int, const c8*, const c8*, int, const c8*, int, const double*, c8*, int);
extern "C" [[gnu::weak]] void cublasZher2k(char uplo, char trans, int n, int k, c8 alpha, const c8* a, int lda, const c8* b, int ldb, double beta,
        c8* c, int ldc)
{
    note(cublasZher2k_v2(own(), fill(uplo), op(trans), n, k, &alpha, a, lda, b, ldb, &beta, c, ldc));
}
extern "C" int cublasStrsm_v2(cublasHandle_t, int, int, int, int, int, int, const float*, const float*, int, float*, int);
extern "C" [[gnu::weak]] void cublasStrsm(char s, char uplo, char trans, char d, int m, int n, float alpha, const float* a, int lda, float* b,
        int ldb)
{
    note(cublasStrsm_v2(own(), side(s), fill(uplo), op(trans), diag(d), m, n, &alpha, a, lda, b, ldb));
}
extern "C" int cublasDtrsm_v2(cublasHandle_t, int, int, int, int, int, int, const double*, const double*, int, double*, int);
extern "C" [[gnu::weak]] void cublasDtrsm(char s, char uplo, char trans, char d, int m, int n, double alpha, const double* a, int lda, double* b,
        int ldb)
{
    note(cublasDtrsm_v2(own(), side(s), fill(uplo), op(trans), diag(d), m, n, &alpha, a, lda, b, ldb));
}
extern "C" int cublasCtrsm_v2(cublasHandle_t, int, int, int, int, int, int, const c4*, const c4*, int, c4*, int);
extern "C" [[gnu::weak]] void cublasCtrsm(char s, char uplo, char trans, char d, int m, int n, c4 alpha, const c4* a, int lda, c4* b, int ldb)
{
    note(cublasCtrsm_v2(own(), side(s), fill(uplo), op(trans), diag(d), m, n, &alpha, a, lda, b, ldb));
}
extern "C" int cublasZtrsm_v2(cublasHandle_t, int, int, int, int, int, int, const c8*, const c8*, int, c8*, int);
extern "C" [[gnu::weak]] void cublasZtrsm(char s, char uplo, char trans, char d, int m, int n, c8 alpha, const c8* a, int lda, c8* b, int ldb)
{
    note(cublasZtrsm_v2(own(), side(s), fill(uplo), op(trans), diag(d), m, n, &alpha, a, lda, b, ldb));
}
extern "C" int cublasStrmm_v2(cublasHandle_t, int, int, int, int, int, int, const float*, const float*, int, const float*, int, float*, int);
extern "C" [[gnu::weak]] void cublasStrmm(char s, char uplo, char trans, char d, int m, int n, float alpha, const float* a, int lda, float* b,
        int ldb)
{
    note(cublasStrmm_v2(own(), side(s), fill(uplo), op(trans), diag(d), m, n, &alpha, a, lda, b, ldb, b, ldb));
}
extern "C" int cublasDtrmm_v2(cublasHandle_t, int, int, int, int, int, int, const double*, const double*, int, const double*, int, double*, int);
extern "C" [[gnu::weak]] void cublasDtrmm(char s, char uplo, char trans, char d, int m, int n, double alpha, const double* a, int lda, double* b,
        int ldb)
{
    note(cublasDtrmm_v2(own(), side(s), fill(uplo), op(trans), diag(d), m, n, &alpha, a, lda, b, ldb, b, ldb));
}
extern "C" int cublasCtrmm_v2(cublasHandle_t, int, int, int, int, int, int, const c4*, const c4*, int, const c4*, int, c4*, int);
extern "C" [[gnu::weak]] void cublasCtrmm(char s, char uplo, char trans, char d, int m, int n, c4 alpha, const c4* a, int lda, c4* b, int ldb)
{
    note(cublasCtrmm_v2(own(), side(s), fill(uplo), op(trans), diag(d), m, n, &alpha, a, lda, b, ldb, b, ldb));
}
extern "C" int cublasZtrmm_v2(cublasHandle_t, int, int, int, int, int, int, const c8*, const c8*, int, const c8*, int, c8*, int);
extern "C" [[gnu::weak]] void cublasZtrmm(char s, char uplo, char trans, char d, int m, int n, c8 alpha, const c8* a, int lda, c8* b, int ldb)
{
    note(cublasZtrmm_v2(own(), side(s), fill(uplo), op(trans), diag(d), m, n, &alpha, a, lda, b, ldb, b, ldb));
}
