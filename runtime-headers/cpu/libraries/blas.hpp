// BLAS by Fortran's symbols, overloaded by type; characters come with their hidden lengths.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "cublas.hpp"

namespace cuf::cpu::blas {

extern "C" {
void sgemv_(const char*, const int*, const int*, const float*, const float*, const int*, const float*, const int*, const float*, float*, const int*,
            std::size_t);
void dgemv_(const char*, const int*, const int*, const double*, const double*, const int*, const double*, const int*, const double*, double*,
            const int*, std::size_t);
void cgemv_(const char*, const int*, const int*, const c4*, const c4*, const int*, const c4*, const int*, const c4*, c4*, const int*, std::size_t);
void zgemv_(const char*, const int*, const int*, const c8*, const c8*, const int*, const c8*, const int*, const c8*, c8*, const int*, std::size_t);
void sgbmv_(const char*, const int*, const int*, const int*, const int*, const float*, const float*, const int*, const float*, const int*,
            const float*, float*, const int*, std::size_t);
void dgbmv_(const char*, const int*, const int*, const int*, const int*, const double*, const double*, const int*, const double*, const int*,
            const double*, double*, const int*, std::size_t);
void cgbmv_(const char*, const int*, const int*, const int*, const int*, const c4*, const c4*, const int*, const c4*, const int*, const c4*, c4*,
            const int*, std::size_t);
void zgbmv_(const char*, const int*, const int*, const int*, const int*, const c8*, const c8*, const int*, const c8*, const int*, const c8*, c8*,
            const int*, std::size_t);
void strmv_(const char*, const char*, const char*, const int*, const float*, const int*, float*, const int*, std::size_t, std::size_t, std::size_t);
void dtrmv_(const char*, const char*, const char*, const int*, const double*, const int*, double*, const int*, std::size_t, std::size_t, std::size_t);
void ctrmv_(const char*, const char*, const char*, const int*, const c4*, const int*, c4*, const int*, std::size_t, std::size_t, std::size_t);
void ztrmv_(const char*, const char*, const char*, const int*, const c8*, const int*, c8*, const int*, std::size_t, std::size_t, std::size_t);
void stbmv_(const char*, const char*, const char*, const int*, const int*, const float*, const int*, float*, const int*, std::size_t, std::size_t,
            std::size_t);
void dtbmv_(const char*, const char*, const char*, const int*, const int*, const double*, const int*, double*, const int*, std::size_t, std::size_t,
            std::size_t);
void ctbmv_(const char*, const char*, const char*, const int*, const int*, const c4*, const int*, c4*, const int*, std::size_t, std::size_t,
            std::size_t);
void ztbmv_(const char*, const char*, const char*, const int*, const int*, const c8*, const int*, c8*, const int*, std::size_t, std::size_t,
            std::size_t);
void stpmv_(const char*, const char*, const char*, const int*, const float*, float*, const int*, std::size_t, std::size_t, std::size_t);
void dtpmv_(const char*, const char*, const char*, const int*, const double*, double*, const int*, std::size_t, std::size_t, std::size_t);
void ctpmv_(const char*, const char*, const char*, const int*, const c4*, c4*, const int*, std::size_t, std::size_t, std::size_t);
void ztpmv_(const char*, const char*, const char*, const int*, const c8*, c8*, const int*, std::size_t, std::size_t, std::size_t);
void strsv_(const char*, const char*, const char*, const int*, const float*, const int*, float*, const int*, std::size_t, std::size_t, std::size_t);
void dtrsv_(const char*, const char*, const char*, const int*, const double*, const int*, double*, const int*, std::size_t, std::size_t, std::size_t);
void ctrsv_(const char*, const char*, const char*, const int*, const c4*, const int*, c4*, const int*, std::size_t, std::size_t, std::size_t);
void ztrsv_(const char*, const char*, const char*, const int*, const c8*, const int*, c8*, const int*, std::size_t, std::size_t, std::size_t);
void stbsv_(const char*, const char*, const char*, const int*, const int*, const float*, const int*, float*, const int*, std::size_t, std::size_t,
            std::size_t);
void dtbsv_(const char*, const char*, const char*, const int*, const int*, const double*, const int*, double*, const int*, std::size_t, std::size_t,
            std::size_t);
void ctbsv_(const char*, const char*, const char*, const int*, const int*, const c4*, const int*, c4*, const int*, std::size_t, std::size_t,
            std::size_t);
void ztbsv_(const char*, const char*, const char*, const int*, const int*, const c8*, const int*, c8*, const int*, std::size_t, std::size_t,
            std::size_t);
void stpsv_(const char*, const char*, const char*, const int*, const float*, float*, const int*, std::size_t, std::size_t, std::size_t);
void dtpsv_(const char*, const char*, const char*, const int*, const double*, double*, const int*, std::size_t, std::size_t, std::size_t);
void ctpsv_(const char*, const char*, const char*, const int*, const c4*, c4*, const int*, std::size_t, std::size_t, std::size_t);
void ztpsv_(const char*, const char*, const char*, const int*, const c8*, c8*, const int*, std::size_t, std::size_t, std::size_t);
void sgemm_(const char*, const char*, const int*, const int*, const int*, const float*, const float*, const int*, const float*, const int*,
            const float*, float*, const int*, std::size_t, std::size_t);
void dgemm_(const char*, const char*, const int*, const int*, const int*, const double*, const double*, const int*, const double*, const int*,
            const double*, double*, const int*, std::size_t, std::size_t);
void cgemm_(const char*, const char*, const int*, const int*, const int*, const c4*, const c4*, const int*, const c4*, const int*, const c4*, c4*,
            const int*, std::size_t, std::size_t);
void zgemm_(const char*, const char*, const int*, const int*, const int*, const c8*, const c8*, const int*, const c8*, const int*, const c8*, c8*,
            const int*, std::size_t, std::size_t);
void ssymm_(const char*, const char*, const int*, const int*, const float*, const float*, const int*, const float*, const int*, const float*, float*,
            const int*, std::size_t, std::size_t);
void dsymm_(const char*, const char*, const int*, const int*, const double*, const double*, const int*, const double*, const int*, const double*,
            double*, const int*, std::size_t, std::size_t);
void csymm_(const char*, const char*, const int*, const int*, const c4*, const c4*, const int*, const c4*, const int*, const c4*, c4*, const int*,
            std::size_t, std::size_t);
void zsymm_(const char*, const char*, const int*, const int*, const c8*, const c8*, const int*, const c8*, const int*, const c8*, c8*, const int*,
            std::size_t, std::size_t);
void ssyrk_(const char*, const char*, const int*, const int*, const float*, const float*, const int*, const float*, float*, const int*, std::size_t,
            std::size_t);
void dsyrk_(const char*, const char*, const int*, const int*, const double*, const double*, const int*, const double*, double*, const int*,
            std::size_t, std::size_t);
void csyrk_(const char*, const char*, const int*, const int*, const c4*, const c4*, const int*, const c4*, c4*, const int*, std::size_t, std::size_t);
void zsyrk_(const char*, const char*, const int*, const int*, const c8*, const c8*, const int*, const c8*, c8*, const int*, std::size_t, std::size_t);
void ssyr2k_(const char*, const char*, const int*, const int*, const float*, const float*, const int*, const float*, const int*, const float*, float*,
             const int*, std::size_t, std::size_t);
void dsyr2k_(const char*, const char*, const int*, const int*, const double*, const double*, const int*, const double*, const int*, const double*,
             double*, const int*, std::size_t, std::size_t);
void csyr2k_(const char*, const char*, const int*, const int*, const c4*, const c4*, const int*, const c4*, const int*, const c4*, c4*, const int*,
             std::size_t, std::size_t);
void zsyr2k_(const char*, const char*, const int*, const int*, const c8*, const c8*, const int*, const c8*, const int*, const c8*, c8*, const int*,
             std::size_t, std::size_t);
void strmm_(const char*, const char*, const char*, const char*, const int*, const int*, const float*, const float*, const int*, float*, const int*,
            std::size_t, std::size_t, std::size_t, std::size_t);
void dtrmm_(const char*, const char*, const char*, const char*, const int*, const int*, const double*, const double*, const int*, double*, const int*,
            std::size_t, std::size_t, std::size_t, std::size_t);
void ctrmm_(const char*, const char*, const char*, const char*, const int*, const int*, const c4*, const c4*, const int*, c4*, const int*,
            std::size_t, std::size_t, std::size_t, std::size_t);
void ztrmm_(const char*, const char*, const char*, const char*, const int*, const int*, const c8*, const c8*, const int*, c8*, const int*,
            std::size_t, std::size_t, std::size_t, std::size_t);
void strsm_(const char*, const char*, const char*, const char*, const int*, const int*, const float*, const float*, const int*, float*, const int*,
            std::size_t, std::size_t, std::size_t, std::size_t);
void dtrsm_(const char*, const char*, const char*, const char*, const int*, const int*, const double*, const double*, const int*, double*, const int*,
            std::size_t, std::size_t, std::size_t, std::size_t);
void ctrsm_(const char*, const char*, const char*, const char*, const int*, const int*, const c4*, const c4*, const int*, c4*, const int*,
            std::size_t, std::size_t, std::size_t, std::size_t);
void ztrsm_(const char*, const char*, const char*, const char*, const int*, const int*, const c8*, const c8*, const int*, c8*, const int*,
            std::size_t, std::size_t, std::size_t, std::size_t);
void ssymv_(const char*, const int*, const float*, const float*, const int*, const float*, const int*, const float*, float*, const int*, std::size_t);
void dsymv_(const char*, const int*, const double*, const double*, const int*, const double*, const int*, const double*, double*, const int*,
            std::size_t);
void ssbmv_(const char*, const int*, const int*, const float*, const float*, const int*, const float*, const int*, const float*, float*, const int*,
            std::size_t);
void dsbmv_(const char*, const int*, const int*, const double*, const double*, const int*, const double*, const int*, const double*, double*,
            const int*, std::size_t);
void sspmv_(const char*, const int*, const float*, const float*, const float*, const int*, const float*, float*, const int*, std::size_t);
void dspmv_(const char*, const int*, const double*, const double*, const double*, const int*, const double*, double*, const int*, std::size_t);
void sger_(const int*, const int*, const float*, const float*, const int*, const float*, const int*, float*, const int*);
void dger_(const int*, const int*, const double*, const double*, const int*, const double*, const int*, double*, const int*);
void ssyr_(const char*, const int*, const float*, const float*, const int*, float*, const int*, std::size_t);
void dsyr_(const char*, const int*, const double*, const double*, const int*, double*, const int*, std::size_t);
void sspr_(const char*, const int*, const float*, const float*, const int*, float*, std::size_t);
void dspr_(const char*, const int*, const double*, const double*, const int*, double*, std::size_t);
void ssyr2_(const char*, const int*, const float*, const float*, const int*, const float*, const int*, float*, const int*, std::size_t);
void dsyr2_(const char*, const int*, const double*, const double*, const int*, const double*, const int*, double*, const int*, std::size_t);
void sspr2_(const char*, const int*, const float*, const float*, const int*, const float*, const int*, float*, std::size_t);
void dspr2_(const char*, const int*, const double*, const double*, const int*, const double*, const int*, double*, std::size_t);
void chemv_(const char*, const int*, const c4*, const c4*, const int*, const c4*, const int*, const c4*, c4*, const int*, std::size_t);
void zhemv_(const char*, const int*, const c8*, const c8*, const int*, const c8*, const int*, const c8*, c8*, const int*, std::size_t);
void chbmv_(const char*, const int*, const int*, const c4*, const c4*, const int*, const c4*, const int*, const c4*, c4*, const int*, std::size_t);
void zhbmv_(const char*, const int*, const int*, const c8*, const c8*, const int*, const c8*, const int*, const c8*, c8*, const int*, std::size_t);
void chpmv_(const char*, const int*, const c4*, const c4*, const c4*, const int*, const c4*, c4*, const int*, std::size_t);
void zhpmv_(const char*, const int*, const c8*, const c8*, const c8*, const int*, const c8*, c8*, const int*, std::size_t);
void cgeru_(const int*, const int*, const c4*, const c4*, const int*, const c4*, const int*, c4*, const int*);
void zgeru_(const int*, const int*, const c8*, const c8*, const int*, const c8*, const int*, c8*, const int*);
void cgerc_(const int*, const int*, const c4*, const c4*, const int*, const c4*, const int*, c4*, const int*);
void zgerc_(const int*, const int*, const c8*, const c8*, const int*, const c8*, const int*, c8*, const int*);
void cher_(const char*, const int*, const float*, const c4*, const int*, c4*, const int*, std::size_t);
void zher_(const char*, const int*, const double*, const c8*, const int*, c8*, const int*, std::size_t);
void chpr_(const char*, const int*, const float*, const c4*, const int*, c4*, std::size_t);
void zhpr_(const char*, const int*, const double*, const c8*, const int*, c8*, std::size_t);
void cher2_(const char*, const int*, const c4*, const c4*, const int*, const c4*, const int*, c4*, const int*, std::size_t);
void zher2_(const char*, const int*, const c8*, const c8*, const int*, const c8*, const int*, c8*, const int*, std::size_t);
void chpr2_(const char*, const int*, const c4*, const c4*, const int*, const c4*, const int*, c4*, std::size_t);
void zhpr2_(const char*, const int*, const c8*, const c8*, const int*, const c8*, const int*, c8*, std::size_t);
void chemm_(const char*, const char*, const int*, const int*, const c4*, const c4*, const int*, const c4*, const int*, const c4*, c4*, const int*,
            std::size_t, std::size_t);
void zhemm_(const char*, const char*, const int*, const int*, const c8*, const c8*, const int*, const c8*, const int*, const c8*, c8*, const int*,
            std::size_t, std::size_t);
void cherk_(const char*, const char*, const int*, const int*, const float*, const c4*, const int*, const float*, c4*, const int*, std::size_t,
            std::size_t);
void zherk_(const char*, const char*, const int*, const int*, const double*, const c8*, const int*, const double*, c8*, const int*, std::size_t,
            std::size_t);
void cher2k_(const char*, const char*, const int*, const int*, const c4*, const c4*, const int*, const c4*, const int*, const float*, c4*, const int*,
             std::size_t, std::size_t);
void zher2k_(const char*, const char*, const int*, const int*, const c8*, const c8*, const int*, const c8*, const int*, const double*, c8*,
             const int*, std::size_t, std::size_t);
}

inline void gemv(char a, int b, int c, float d, const float* e, int f, const float* g, int h, float i, float* j, int k)
{
    sgemv_(&a, &b, &c, &d, e, &f, g, &h, &i, j, &k, 1);
}
inline void gemv(char a, int b, int c, double d, const double* e, int f, const double* g, int h, double i, double* j, int k)
{
    dgemv_(&a, &b, &c, &d, e, &f, g, &h, &i, j, &k, 1);
}
inline void gemv(char a, int b, int c, c4 d, const c4* e, int f, const c4* g, int h, c4 i, c4* j, int k)
{
    cgemv_(&a, &b, &c, &d, e, &f, g, &h, &i, j, &k, 1);
}
inline void gemv(char a, int b, int c, c8 d, const c8* e, int f, const c8* g, int h, c8 i, c8* j, int k)
{
    zgemv_(&a, &b, &c, &d, e, &f, g, &h, &i, j, &k, 1);
}
inline void gbmv(char a, int b, int c, int d, int e, float f, const float* g, int h, const float* i, int j, float k, float* l, int m)
{
    sgbmv_(&a, &b, &c, &d, &e, &f, g, &h, i, &j, &k, l, &m, 1);
}
inline void gbmv(char a, int b, int c, int d, int e, double f, const double* g, int h, const double* i, int j, double k, double* l, int m)
{
    dgbmv_(&a, &b, &c, &d, &e, &f, g, &h, i, &j, &k, l, &m, 1);
}
inline void gbmv(char a, int b, int c, int d, int e, c4 f, const c4* g, int h, const c4* i, int j, c4 k, c4* l, int m)
{
    cgbmv_(&a, &b, &c, &d, &e, &f, g, &h, i, &j, &k, l, &m, 1);
}
inline void gbmv(char a, int b, int c, int d, int e, c8 f, const c8* g, int h, const c8* i, int j, c8 k, c8* l, int m)
{
    zgbmv_(&a, &b, &c, &d, &e, &f, g, &h, i, &j, &k, l, &m, 1);
}
inline void trmv(char a, char b, char c, int d, const float* e, int f, float* g, int h) { strmv_(&a, &b, &c, &d, e, &f, g, &h, 1, 1, 1); }
inline void trmv(char a, char b, char c, int d, const double* e, int f, double* g, int h) { dtrmv_(&a, &b, &c, &d, e, &f, g, &h, 1, 1, 1); }
inline void trmv(char a, char b, char c, int d, const c4* e, int f, c4* g, int h) { ctrmv_(&a, &b, &c, &d, e, &f, g, &h, 1, 1, 1); }
inline void trmv(char a, char b, char c, int d, const c8* e, int f, c8* g, int h) { ztrmv_(&a, &b, &c, &d, e, &f, g, &h, 1, 1, 1); }
inline void tbmv(char a, char b, char c, int d, int e, const float* f, int g, float* h, int i) { stbmv_(&a, &b, &c, &d, &e, f, &g, h, &i, 1, 1, 1); }
inline void tbmv(char a, char b, char c, int d, int e, const double* f, int g, double* h, int i)
{
    dtbmv_(&a, &b, &c, &d, &e, f, &g, h, &i, 1, 1, 1);
}
inline void tbmv(char a, char b, char c, int d, int e, const c4* f, int g, c4* h, int i) { ctbmv_(&a, &b, &c, &d, &e, f, &g, h, &i, 1, 1, 1); }
inline void tbmv(char a, char b, char c, int d, int e, const c8* f, int g, c8* h, int i) { ztbmv_(&a, &b, &c, &d, &e, f, &g, h, &i, 1, 1, 1); }
inline void tpmv(char a, char b, char c, int d, const float* e, float* f, int g) { stpmv_(&a, &b, &c, &d, e, f, &g, 1, 1, 1); }
inline void tpmv(char a, char b, char c, int d, const double* e, double* f, int g) { dtpmv_(&a, &b, &c, &d, e, f, &g, 1, 1, 1); }
inline void tpmv(char a, char b, char c, int d, const c4* e, c4* f, int g) { ctpmv_(&a, &b, &c, &d, e, f, &g, 1, 1, 1); }
inline void tpmv(char a, char b, char c, int d, const c8* e, c8* f, int g) { ztpmv_(&a, &b, &c, &d, e, f, &g, 1, 1, 1); }
inline void trsv(char a, char b, char c, int d, const float* e, int f, float* g, int h) { strsv_(&a, &b, &c, &d, e, &f, g, &h, 1, 1, 1); }
inline void trsv(char a, char b, char c, int d, const double* e, int f, double* g, int h) { dtrsv_(&a, &b, &c, &d, e, &f, g, &h, 1, 1, 1); }
inline void trsv(char a, char b, char c, int d, const c4* e, int f, c4* g, int h) { ctrsv_(&a, &b, &c, &d, e, &f, g, &h, 1, 1, 1); }
inline void trsv(char a, char b, char c, int d, const c8* e, int f, c8* g, int h) { ztrsv_(&a, &b, &c, &d, e, &f, g, &h, 1, 1, 1); }
inline void tbsv(char a, char b, char c, int d, int e, const float* f, int g, float* h, int i) { stbsv_(&a, &b, &c, &d, &e, f, &g, h, &i, 1, 1, 1); }
inline void tbsv(char a, char b, char c, int d, int e, const double* f, int g, double* h, int i)
{
    dtbsv_(&a, &b, &c, &d, &e, f, &g, h, &i, 1, 1, 1);
}
inline void tbsv(char a, char b, char c, int d, int e, const c4* f, int g, c4* h, int i) { ctbsv_(&a, &b, &c, &d, &e, f, &g, h, &i, 1, 1, 1); }
inline void tbsv(char a, char b, char c, int d, int e, const c8* f, int g, c8* h, int i) { ztbsv_(&a, &b, &c, &d, &e, f, &g, h, &i, 1, 1, 1); }
inline void tpsv(char a, char b, char c, int d, const float* e, float* f, int g) { stpsv_(&a, &b, &c, &d, e, f, &g, 1, 1, 1); }
inline void tpsv(char a, char b, char c, int d, const double* e, double* f, int g) { dtpsv_(&a, &b, &c, &d, e, f, &g, 1, 1, 1); }
inline void tpsv(char a, char b, char c, int d, const c4* e, c4* f, int g) { ctpsv_(&a, &b, &c, &d, e, f, &g, 1, 1, 1); }
inline void tpsv(char a, char b, char c, int d, const c8* e, c8* f, int g) { ztpsv_(&a, &b, &c, &d, e, f, &g, 1, 1, 1); }
inline void gemm(char a, char b, int c, int d, int e, float f, const float* g, int h, const float* i, int j, float k, float* l, int m)
{
    sgemm_(&a, &b, &c, &d, &e, &f, g, &h, i, &j, &k, l, &m, 1, 1);
}
inline void gemm(char a, char b, int c, int d, int e, double f, const double* g, int h, const double* i, int j, double k, double* l, int m)
{
    dgemm_(&a, &b, &c, &d, &e, &f, g, &h, i, &j, &k, l, &m, 1, 1);
}
inline void gemm(char a, char b, int c, int d, int e, c4 f, const c4* g, int h, const c4* i, int j, c4 k, c4* l, int m)
{
    cgemm_(&a, &b, &c, &d, &e, &f, g, &h, i, &j, &k, l, &m, 1, 1);
}
inline void gemm(char a, char b, int c, int d, int e, c8 f, const c8* g, int h, const c8* i, int j, c8 k, c8* l, int m)
{
    zgemm_(&a, &b, &c, &d, &e, &f, g, &h, i, &j, &k, l, &m, 1, 1);
}
inline void symm(char a, char b, int c, int d, float e, const float* f, int g, const float* h, int i, float j, float* k, int l)
{
    ssymm_(&a, &b, &c, &d, &e, f, &g, h, &i, &j, k, &l, 1, 1);
}
inline void symm(char a, char b, int c, int d, double e, const double* f, int g, const double* h, int i, double j, double* k, int l)
{
    dsymm_(&a, &b, &c, &d, &e, f, &g, h, &i, &j, k, &l, 1, 1);
}
inline void symm(char a, char b, int c, int d, c4 e, const c4* f, int g, const c4* h, int i, c4 j, c4* k, int l)
{
    csymm_(&a, &b, &c, &d, &e, f, &g, h, &i, &j, k, &l, 1, 1);
}
inline void symm(char a, char b, int c, int d, c8 e, const c8* f, int g, const c8* h, int i, c8 j, c8* k, int l)
{
    zsymm_(&a, &b, &c, &d, &e, f, &g, h, &i, &j, k, &l, 1, 1);
}
inline void syrk(char a, char b, int c, int d, float e, const float* f, int g, float h, float* i, int j)
{
    ssyrk_(&a, &b, &c, &d, &e, f, &g, &h, i, &j, 1, 1);
}
inline void syrk(char a, char b, int c, int d, double e, const double* f, int g, double h, double* i, int j)
{
    dsyrk_(&a, &b, &c, &d, &e, f, &g, &h, i, &j, 1, 1);
}
inline void syrk(char a, char b, int c, int d, c4 e, const c4* f, int g, c4 h, c4* i, int j) { csyrk_(&a, &b, &c, &d, &e, f, &g, &h, i, &j, 1, 1); }
inline void syrk(char a, char b, int c, int d, c8 e, const c8* f, int g, c8 h, c8* i, int j) { zsyrk_(&a, &b, &c, &d, &e, f, &g, &h, i, &j, 1, 1); }
inline void syr2k(char a, char b, int c, int d, float e, const float* f, int g, const float* h, int i, float j, float* k, int l)
{
    ssyr2k_(&a, &b, &c, &d, &e, f, &g, h, &i, &j, k, &l, 1, 1);
}
inline void syr2k(char a, char b, int c, int d, double e, const double* f, int g, const double* h, int i, double j, double* k, int l)
{
    dsyr2k_(&a, &b, &c, &d, &e, f, &g, h, &i, &j, k, &l, 1, 1);
}
inline void syr2k(char a, char b, int c, int d, c4 e, const c4* f, int g, const c4* h, int i, c4 j, c4* k, int l)
{
    csyr2k_(&a, &b, &c, &d, &e, f, &g, h, &i, &j, k, &l, 1, 1);
}
inline void syr2k(char a, char b, int c, int d, c8 e, const c8* f, int g, const c8* h, int i, c8 j, c8* k, int l)
{
    zsyr2k_(&a, &b, &c, &d, &e, f, &g, h, &i, &j, k, &l, 1, 1);
}
inline void trmm(char a, char b, char c, char d, int e, int f, float g, const float* h, int i, float* j, int k)
{
    strmm_(&a, &b, &c, &d, &e, &f, &g, h, &i, j, &k, 1, 1, 1, 1);
}
inline void trmm(char a, char b, char c, char d, int e, int f, double g, const double* h, int i, double* j, int k)
{
    dtrmm_(&a, &b, &c, &d, &e, &f, &g, h, &i, j, &k, 1, 1, 1, 1);
}
inline void trmm(char a, char b, char c, char d, int e, int f, c4 g, const c4* h, int i, c4* j, int k)
{
    ctrmm_(&a, &b, &c, &d, &e, &f, &g, h, &i, j, &k, 1, 1, 1, 1);
}
inline void trmm(char a, char b, char c, char d, int e, int f, c8 g, const c8* h, int i, c8* j, int k)
{
    ztrmm_(&a, &b, &c, &d, &e, &f, &g, h, &i, j, &k, 1, 1, 1, 1);
}
inline void trsm(char a, char b, char c, char d, int e, int f, float g, const float* h, int i, float* j, int k)
{
    strsm_(&a, &b, &c, &d, &e, &f, &g, h, &i, j, &k, 1, 1, 1, 1);
}
inline void trsm(char a, char b, char c, char d, int e, int f, double g, const double* h, int i, double* j, int k)
{
    dtrsm_(&a, &b, &c, &d, &e, &f, &g, h, &i, j, &k, 1, 1, 1, 1);
}
inline void trsm(char a, char b, char c, char d, int e, int f, c4 g, const c4* h, int i, c4* j, int k)
{
    ctrsm_(&a, &b, &c, &d, &e, &f, &g, h, &i, j, &k, 1, 1, 1, 1);
}
inline void trsm(char a, char b, char c, char d, int e, int f, c8 g, const c8* h, int i, c8* j, int k)
{
    ztrsm_(&a, &b, &c, &d, &e, &f, &g, h, &i, j, &k, 1, 1, 1, 1);
}
inline void symv(char a, int b, float c, const float* d, int e, const float* f, int g, float h, float* i, int j)
{
    ssymv_(&a, &b, &c, d, &e, f, &g, &h, i, &j, 1);
}
inline void symv(char a, int b, double c, const double* d, int e, const double* f, int g, double h, double* i, int j)
{
    dsymv_(&a, &b, &c, d, &e, f, &g, &h, i, &j, 1);
}
inline void sbmv(char a, int b, int c, float d, const float* e, int f, const float* g, int h, float i, float* j, int k)
{
    ssbmv_(&a, &b, &c, &d, e, &f, g, &h, &i, j, &k, 1);
}
inline void sbmv(char a, int b, int c, double d, const double* e, int f, const double* g, int h, double i, double* j, int k)
{
    dsbmv_(&a, &b, &c, &d, e, &f, g, &h, &i, j, &k, 1);
}
inline void spmv(char a, int b, float c, const float* d, const float* e, int f, float g, float* h, int i)
{
    sspmv_(&a, &b, &c, d, e, &f, &g, h, &i, 1);
}
inline void spmv(char a, int b, double c, const double* d, const double* e, int f, double g, double* h, int i)
{
    dspmv_(&a, &b, &c, d, e, &f, &g, h, &i, 1);
}
inline void ger(int a, int b, float c, const float* d, int e, const float* f, int g, float* h, int i) { sger_(&a, &b, &c, d, &e, f, &g, h, &i); }
inline void ger(int a, int b, double c, const double* d, int e, const double* f, int g, double* h, int i) { dger_(&a, &b, &c, d, &e, f, &g, h, &i); }
inline void syr(char a, int b, float c, const float* d, int e, float* f, int g) { ssyr_(&a, &b, &c, d, &e, f, &g, 1); }
inline void syr(char a, int b, double c, const double* d, int e, double* f, int g) { dsyr_(&a, &b, &c, d, &e, f, &g, 1); }
inline void spr(char a, int b, float c, const float* d, int e, float* f) { sspr_(&a, &b, &c, d, &e, f, 1); }
inline void spr(char a, int b, double c, const double* d, int e, double* f) { dspr_(&a, &b, &c, d, &e, f, 1); }
inline void syr2(char a, int b, float c, const float* d, int e, const float* f, int g, float* h, int i)
{
    ssyr2_(&a, &b, &c, d, &e, f, &g, h, &i, 1);
}
inline void syr2(char a, int b, double c, const double* d, int e, const double* f, int g, double* h, int i)
{
    dsyr2_(&a, &b, &c, d, &e, f, &g, h, &i, 1);
}
inline void spr2(char a, int b, float c, const float* d, int e, const float* f, int g, float* h) { sspr2_(&a, &b, &c, d, &e, f, &g, h, 1); }
inline void spr2(char a, int b, double c, const double* d, int e, const double* f, int g, double* h) { dspr2_(&a, &b, &c, d, &e, f, &g, h, 1); }
inline void hemv(char a, int b, c4 c, const c4* d, int e, const c4* f, int g, c4 h, c4* i, int j) { chemv_(&a, &b, &c, d, &e, f, &g, &h, i, &j, 1); }
inline void hemv(char a, int b, c8 c, const c8* d, int e, const c8* f, int g, c8 h, c8* i, int j) { zhemv_(&a, &b, &c, d, &e, f, &g, &h, i, &j, 1); }
inline void hbmv(char a, int b, int c, c4 d, const c4* e, int f, const c4* g, int h, c4 i, c4* j, int k)
{
    chbmv_(&a, &b, &c, &d, e, &f, g, &h, &i, j, &k, 1);
}
inline void hbmv(char a, int b, int c, c8 d, const c8* e, int f, const c8* g, int h, c8 i, c8* j, int k)
{
    zhbmv_(&a, &b, &c, &d, e, &f, g, &h, &i, j, &k, 1);
}
inline void hpmv(char a, int b, c4 c, const c4* d, const c4* e, int f, c4 g, c4* h, int i) { chpmv_(&a, &b, &c, d, e, &f, &g, h, &i, 1); }
inline void hpmv(char a, int b, c8 c, const c8* d, const c8* e, int f, c8 g, c8* h, int i) { zhpmv_(&a, &b, &c, d, e, &f, &g, h, &i, 1); }
inline void geru(int a, int b, c4 c, const c4* d, int e, const c4* f, int g, c4* h, int i) { cgeru_(&a, &b, &c, d, &e, f, &g, h, &i); }
inline void geru(int a, int b, c8 c, const c8* d, int e, const c8* f, int g, c8* h, int i) { zgeru_(&a, &b, &c, d, &e, f, &g, h, &i); }
inline void gerc(int a, int b, c4 c, const c4* d, int e, const c4* f, int g, c4* h, int i) { cgerc_(&a, &b, &c, d, &e, f, &g, h, &i); }
inline void gerc(int a, int b, c8 c, const c8* d, int e, const c8* f, int g, c8* h, int i) { zgerc_(&a, &b, &c, d, &e, f, &g, h, &i); }
inline void her(char a, int b, float c, const c4* d, int e, c4* f, int g) { cher_(&a, &b, &c, d, &e, f, &g, 1); }
inline void her(char a, int b, double c, const c8* d, int e, c8* f, int g) { zher_(&a, &b, &c, d, &e, f, &g, 1); }
inline void hpr(char a, int b, float c, const c4* d, int e, c4* f) { chpr_(&a, &b, &c, d, &e, f, 1); }
inline void hpr(char a, int b, double c, const c8* d, int e, c8* f) { zhpr_(&a, &b, &c, d, &e, f, 1); }
inline void her2(char a, int b, c4 c, const c4* d, int e, const c4* f, int g, c4* h, int i) { cher2_(&a, &b, &c, d, &e, f, &g, h, &i, 1); }
inline void her2(char a, int b, c8 c, const c8* d, int e, const c8* f, int g, c8* h, int i) { zher2_(&a, &b, &c, d, &e, f, &g, h, &i, 1); }
inline void hpr2(char a, int b, c4 c, const c4* d, int e, const c4* f, int g, c4* h) { chpr2_(&a, &b, &c, d, &e, f, &g, h, 1); }
inline void hpr2(char a, int b, c8 c, const c8* d, int e, const c8* f, int g, c8* h) { zhpr2_(&a, &b, &c, d, &e, f, &g, h, 1); }
inline void hemm(char a, char b, int c, int d, c4 e, const c4* f, int g, const c4* h, int i, c4 j, c4* k, int l)
{
    chemm_(&a, &b, &c, &d, &e, f, &g, h, &i, &j, k, &l, 1, 1);
}
inline void hemm(char a, char b, int c, int d, c8 e, const c8* f, int g, const c8* h, int i, c8 j, c8* k, int l)
{
    zhemm_(&a, &b, &c, &d, &e, f, &g, h, &i, &j, k, &l, 1, 1);
}
inline void herk(char a, char b, int c, int d, float e, const c4* f, int g, float h, c4* i, int j)
{
    cherk_(&a, &b, &c, &d, &e, f, &g, &h, i, &j, 1, 1);
}
inline void herk(char a, char b, int c, int d, double e, const c8* f, int g, double h, c8* i, int j)
{
    zherk_(&a, &b, &c, &d, &e, f, &g, &h, i, &j, 1, 1);
}
inline void her2k(char a, char b, int c, int d, c4 e, const c4* f, int g, const c4* h, int i, float j, c4* k, int l)
{
    cher2k_(&a, &b, &c, &d, &e, f, &g, h, &i, &j, k, &l, 1, 1);
}
inline void her2k(char a, char b, int c, int d, c8 e, const c8* f, int g, const c8* h, int i, double j, c8* k, int l)
{
    zher2k_(&a, &b, &c, &d, &e, f, &g, h, &i, &j, k, &l, 1, 1);
}

}  // namespace cuf::cpu::blas
