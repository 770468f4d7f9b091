// cuBLAS of the cpu target: vectors.
// SPDX-License-Identifier: MIT OR Apache-2.0
#include "cublas_level1.hpp"

using namespace cuf::cpu;
using namespace cuf::cpu::blas;

namespace {

/// Does the work if there are a handle and all the arguments.
template <class Work, class... Pointers>
int checked(cublasHandle_t h, const Work& work, const Pointers*... p)
{
    if (!h) return not_initialized;
    if ((... || !p)) return invalid_value;
    return run(h, work);
}

template <class T>
int do_axpy(cublasHandle_t h, int n, const T* a, const T* x, int incx, T* y, int incy)
{
    if (!h) return not_initialized;
    if (!a) return invalid_value;
    return run(h, [=, alpha = scalar_of(h, a)] { axpy(n, alpha.get(), x, incx, y, incy); });
}
template <class S, class T>
int do_scal(cublasHandle_t h, int n, const S* a, T* x, int incx)
{
    if (!h) return not_initialized;
    if (!a) return invalid_value;
    return run(h, [=, alpha = scalar_of(h, a)] { scal(n, alpha.get(), x, incx); });
}
template <class T>
int do_dot(cublasHandle_t h, int n, const T* x, int incx, const T* y, int incy, T* res, bool conjugated = false)
{
    return checked(h, [=] { *res = dot(n, x, incx, y, incy, conjugated); }, res);
}
template <class T>
int do_asum(cublasHandle_t h, int n, const T* x, int incx, real_of<T>* res)
{
    return checked(h, [=] { *res = asum(n, x, incx); }, res);
}
template <class T>
int do_nrm2(cublasHandle_t h, int n, const T* x, int incx, real_of<T>* res)
{
    return checked(h, [=] { *res = nrm2(n, x, incx); }, res);
}
template <class T>
int do_iamax(cublasHandle_t h, int n, const T* x, int incx, int* res, int sign)
{
    return checked(h, [=] { *res = iamax(n, x, incx, sign); }, res);
}
template <class T>
int do_copy(cublasHandle_t h, int n, const T* x, int incx, T* y, int incy)
{
    return checked(h, [=] { copy(n, x, incx, y, incy); });
}
template <class T>
int do_swap(cublasHandle_t h, int n, T* x, int incx, T* y, int incy)
{
    return checked(h, [=] { blas::swap(n, x, incx, y, incy); });
}
template <class T, class S>
int do_rot(cublasHandle_t h, int n, T* x, int incx, T* y, int incy, const real_of<T>* c, const S* s)
{
    if (!h) return not_initialized;
    if (!c || !s) return invalid_value;
    return run(h, [=, cosine = scalar_of(h, c), sine = scalar_of(h, s)] { rot(n, x, incx, y, incy, cosine.get(), sine.get()); });
}
template <class T>
int do_rotg(cublasHandle_t h, T* a, T* b, real_of<T>* c, T* s)
{
    return checked(h, [=] { rotg(a, b, c, s); }, a, b, c, s);
}
template <class T>
int do_rotm(cublasHandle_t h, int n, T* x, int incx, T* y, int incy, const T* param)
{
    if (!h) return not_initialized;
    if (!param) return invalid_value;
    struct five {
        T at[5];
    };
    return run(h, [=, p = scalar_of(h, reinterpret_cast<const five*>(param))] { rotm(n, x, incx, y, incy, p.get().at); });
}
template <class T>
int do_rotmg(cublasHandle_t h, T* d1, T* d2, T* x1, const T* y1, T* param)
{
    return checked(h, [=] { rotmg(d1, d2, x1, y1, param); }, d1, d2, x1, y1, param);
}

}  // namespace

extern "C" int cublasIsamax_v2(cublasHandle_t h, int n, const float* x, int incx, int* res) { return do_iamax(h, n, x, incx, res, 1); }
extern "C" int cublasIdamax_v2(cublasHandle_t h, int n, const double* x, int incx, int* res) { return do_iamax(h, n, x, incx, res, 1); }
extern "C" int cublasIcamax_v2(cublasHandle_t h, int n, const c4* x, int incx, int* res) { return do_iamax(h, n, x, incx, res, 1); }
extern "C" int cublasIzamax_v2(cublasHandle_t h, int n, const c8* x, int incx, int* res) { return do_iamax(h, n, x, incx, res, 1); }
extern "C" int cublasIsamin_v2(cublasHandle_t h, int n, const float* x, int incx, int* res) { return do_iamax(h, n, x, incx, res, -1); }
extern "C" int cublasIdamin_v2(cublasHandle_t h, int n, const double* x, int incx, int* res) { return do_iamax(h, n, x, incx, res, -1); }
extern "C" int cublasIcamin_v2(cublasHandle_t h, int n, const c4* x, int incx, int* res) { return do_iamax(h, n, x, incx, res, -1); }
extern "C" int cublasIzamin_v2(cublasHandle_t h, int n, const c8* x, int incx, int* res) { return do_iamax(h, n, x, incx, res, -1); }

extern "C" int cublasSasum_v2(cublasHandle_t h, int n, const float* x, int incx, float* res) { return do_asum(h, n, x, incx, res); }
extern "C" int cublasDasum_v2(cublasHandle_t h, int n, const double* x, int incx, double* res) { return do_asum(h, n, x, incx, res); }
extern "C" int cublasScasum_v2(cublasHandle_t h, int n, const c4* x, int incx, float* res) { return do_asum(h, n, x, incx, res); }
extern "C" int cublasDzasum_v2(cublasHandle_t h, int n, const c8* x, int incx, double* res) { return do_asum(h, n, x, incx, res); }

extern "C" int cublasSnrm2_v2(cublasHandle_t h, int n, const float* x, int incx, float* res) { return do_nrm2(h, n, x, incx, res); }
extern "C" int cublasDnrm2_v2(cublasHandle_t h, int n, const double* x, int incx, double* res) { return do_nrm2(h, n, x, incx, res); }
extern "C" int cublasScnrm2_v2(cublasHandle_t h, int n, const c4* x, int incx, float* res) { return do_nrm2(h, n, x, incx, res); }
extern "C" int cublasDznrm2_v2(cublasHandle_t h, int n, const c8* x, int incx, double* res) { return do_nrm2(h, n, x, incx, res); }

extern "C" int cublasSaxpy_v2(cublasHandle_t h, int n, const float* a, const float* x, int incx, float* y, int incy)
{
    return do_axpy(h, n, a, x, incx, y, incy);
}
extern "C" int cublasDaxpy_v2(cublasHandle_t h, int n, const double* a, const double* x, int incx, double* y, int incy)
{
    return do_axpy(h, n, a, x, incx, y, incy);
}
extern "C" int cublasCaxpy_v2(cublasHandle_t h, int n, const c4* a, const c4* x, int incx, c4* y, int incy)
{
    return do_axpy(h, n, a, x, incx, y, incy);
}
extern "C" int cublasZaxpy_v2(cublasHandle_t h, int n, const c8* a, const c8* x, int incx, c8* y, int incy)
{
    return do_axpy(h, n, a, x, incx, y, incy);
}
extern "C" int cublasScopy_v2(cublasHandle_t h, int n, const float* x, int incx, float* y, int incy) { return do_copy(h, n, x, incx, y, incy); }
extern "C" int cublasDcopy_v2(cublasHandle_t h, int n, const double* x, int incx, double* y, int incy) { return do_copy(h, n, x, incx, y, incy); }
extern "C" int cublasCcopy_v2(cublasHandle_t h, int n, const c4* x, int incx, c4* y, int incy) { return do_copy(h, n, x, incx, y, incy); }
extern "C" int cublasZcopy_v2(cublasHandle_t h, int n, const c8* x, int incx, c8* y, int incy) { return do_copy(h, n, x, incx, y, incy); }
extern "C" int cublasSswap_v2(cublasHandle_t h, int n, float* x, int incx, float* y, int incy) { return do_swap(h, n, x, incx, y, incy); }
extern "C" int cublasDswap_v2(cublasHandle_t h, int n, double* x, int incx, double* y, int incy) { return do_swap(h, n, x, incx, y, incy); }
extern "C" int cublasCswap_v2(cublasHandle_t h, int n, c4* x, int incx, c4* y, int incy) { return do_swap(h, n, x, incx, y, incy); }
extern "C" int cublasZswap_v2(cublasHandle_t h, int n, c8* x, int incx, c8* y, int incy) { return do_swap(h, n, x, incx, y, incy); }

extern "C" int cublasSdot_v2(cublasHandle_t h, int n, const float* x, int incx, const float* y, int incy, float* res)
{
    return do_dot(h, n, x, incx, y, incy, res);
}
extern "C" int cublasDdot_v2(cublasHandle_t h, int n, const double* x, int incx, const double* y, int incy, double* res)
{
    return do_dot(h, n, x, incx, y, incy, res);
}
extern "C" int cublasCdotu_v2(cublasHandle_t h, int n, const c4* x, int incx, const c4* y, int incy, c4* res)
{
    return do_dot(h, n, x, incx, y, incy, res);
}
extern "C" int cublasZdotu_v2(cublasHandle_t h, int n, const c8* x, int incx, const c8* y, int incy, c8* res)
{
    return do_dot(h, n, x, incx, y, incy, res);
}
extern "C" int cublasCdotc_v2(cublasHandle_t h, int n, const c4* x, int incx, const c4* y, int incy, c4* res)
{
    return do_dot(h, n, x, incx, y, incy, res, true);
}
extern "C" int cublasZdotc_v2(cublasHandle_t h, int n, const c8* x, int incx, const c8* y, int incy, c8* res)
{
    return do_dot(h, n, x, incx, y, incy, res, true);
}

extern "C" int cublasSscal_v2(cublasHandle_t h, int n, const float* a, float* x, int incx) { return do_scal(h, n, a, x, incx); }
extern "C" int cublasDscal_v2(cublasHandle_t h, int n, const double* a, double* x, int incx) { return do_scal(h, n, a, x, incx); }
extern "C" int cublasCscal_v2(cublasHandle_t h, int n, const c4* a, c4* x, int incx) { return do_scal(h, n, a, x, incx); }
extern "C" int cublasZscal_v2(cublasHandle_t h, int n, const c8* a, c8* x, int incx) { return do_scal(h, n, a, x, incx); }
extern "C" int cublasCsscal_v2(cublasHandle_t h, int n, const float* a, c4* x, int incx) { return do_scal(h, n, a, x, incx); }
extern "C" int cublasZdscal_v2(cublasHandle_t h, int n, const double* a, c8* x, int incx) { return do_scal(h, n, a, x, incx); }

extern "C" int cublasSrot_v2(cublasHandle_t h, int n, float* x, int incx, float* y, int incy, const float* c, const float* s)
{
    return do_rot(h, n, x, incx, y, incy, c, s);
}
extern "C" int cublasDrot_v2(cublasHandle_t h, int n, double* x, int incx, double* y, int incy, const double* c, const double* s)
{
    return do_rot(h, n, x, incx, y, incy, c, s);
}
extern "C" int cublasCrot_v2(cublasHandle_t h, int n, c4* x, int incx, c4* y, int incy, const float* c, const c4* s)
{
    return do_rot(h, n, x, incx, y, incy, c, s);
}
extern "C" int cublasZrot_v2(cublasHandle_t h, int n, c8* x, int incx, c8* y, int incy, const double* c, const c8* s)
{
    return do_rot(h, n, x, incx, y, incy, c, s);
}
extern "C" int cublasCsrot_v2(cublasHandle_t h, int n, c4* x, int incx, c4* y, int incy, const float* c, const float* s)
{
    return do_rot(h, n, x, incx, y, incy, c, s);
}
extern "C" int cublasZdrot_v2(cublasHandle_t h, int n, c8* x, int incx, c8* y, int incy, const double* c, const double* s)
{
    return do_rot(h, n, x, incx, y, incy, c, s);
}
extern "C" int cublasSrotg_v2(cublasHandle_t h, float* a, float* b, float* c, float* s) { return do_rotg(h, a, b, c, s); }
extern "C" int cublasDrotg_v2(cublasHandle_t h, double* a, double* b, double* c, double* s) { return do_rotg(h, a, b, c, s); }
extern "C" int cublasCrotg_v2(cublasHandle_t h, c4* a, c4* b, float* c, c4* s) { return do_rotg(h, a, b, c, s); }
extern "C" int cublasZrotg_v2(cublasHandle_t h, c8* a, c8* b, double* c, c8* s) { return do_rotg(h, a, b, c, s); }
extern "C" int cublasSrotm_v2(cublasHandle_t h, int n, float* x, int incx, float* y, int incy, const float* param)
{
    return do_rotm(h, n, x, incx, y, incy, param);
}
extern "C" int cublasDrotm_v2(cublasHandle_t h, int n, double* x, int incx, double* y, int incy, const double* param)
{
    return do_rotm(h, n, x, incx, y, incy, param);
}
extern "C" int cublasSrotmg_v2(cublasHandle_t h, float* d1, float* d2, float* x1, const float* y1, float* param)
{
    return do_rotmg(h, d1, d2, x1, y1, param);
}
extern "C" int cublasDrotmg_v2(cublasHandle_t h, double* d1, double* d2, double* x1, const double* y1, double* param)
{
    return do_rotmg(h, d1, d2, x1, y1, param);
}
