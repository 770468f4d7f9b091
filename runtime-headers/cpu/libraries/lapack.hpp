// LAPACK by Fortran's symbols, overloaded by type; characters come with their hidden lengths. Work space is the routines' own (with_work).
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "blas.hpp"
#include <vector>

namespace cuf::cpu::blas {

extern "C" {
void sgetrf_(const int*, const int*, float*, const int*, int*, int*);
void dgetrf_(const int*, const int*, double*, const int*, int*, int*);
void cgetrf_(const int*, const int*, c4*, const int*, int*, int*);
void zgetrf_(const int*, const int*, c8*, const int*, int*, int*);
void sgetrs_(const char*, const int*, const int*, const float*, const int*, const int*, float*, const int*, int*, std::size_t);
void dgetrs_(const char*, const int*, const int*, const double*, const int*, const int*, double*, const int*, int*, std::size_t);
void cgetrs_(const char*, const int*, const int*, const c4*, const int*, const int*, c4*, const int*, int*, std::size_t);
void zgetrs_(const char*, const int*, const int*, const c8*, const int*, const int*, c8*, const int*, int*, std::size_t);
void sgetri_(const int*, float*, const int*, const int*, float*, const int*, int*);
void dgetri_(const int*, double*, const int*, const int*, double*, const int*, int*);
void cgetri_(const int*, c4*, const int*, const int*, c4*, const int*, int*);
void zgetri_(const int*, c8*, const int*, const int*, c8*, const int*, int*);
void sgeqrf_(const int*, const int*, float*, const int*, float*, float*, const int*, int*);
void dgeqrf_(const int*, const int*, double*, const int*, double*, double*, const int*, int*);
void cgeqrf_(const int*, const int*, c4*, const int*, c4*, c4*, const int*, int*);
void zgeqrf_(const int*, const int*, c8*, const int*, c8*, c8*, const int*, int*);
void sgels_(const char*, const int*, const int*, const int*, float*, const int*, float*, const int*, float*, const int*, int*, std::size_t);
void dgels_(const char*, const int*, const int*, const int*, double*, const int*, double*, const int*, double*, const int*, int*, std::size_t);
void cgels_(const char*, const int*, const int*, const int*, c4*, const int*, c4*, const int*, c4*, const int*, int*, std::size_t);
void zgels_(const char*, const int*, const int*, const int*, c8*, const int*, c8*, const int*, c8*, const int*, int*, std::size_t);
void spotrf_(const char*, const int*, float*, const int*, int*, std::size_t);
void dpotrf_(const char*, const int*, double*, const int*, int*, std::size_t);
void cpotrf_(const char*, const int*, c4*, const int*, int*, std::size_t);
void zpotrf_(const char*, const int*, c8*, const int*, int*, std::size_t);
void spotrs_(const char*, const int*, const int*, const float*, const int*, float*, const int*, int*, std::size_t);
void dpotrs_(const char*, const int*, const int*, const double*, const int*, double*, const int*, int*, std::size_t);
void cpotrs_(const char*, const int*, const int*, const c4*, const int*, c4*, const int*, int*, std::size_t);
void zpotrs_(const char*, const int*, const int*, const c8*, const int*, c8*, const int*, int*, std::size_t);
void spotri_(const char*, const int*, float*, const int*, int*, std::size_t);
void dpotri_(const char*, const int*, double*, const int*, int*, std::size_t);
void cpotri_(const char*, const int*, c4*, const int*, int*, std::size_t);
void zpotri_(const char*, const int*, c8*, const int*, int*, std::size_t);
void ssytrf_(const char*, const int*, float*, const int*, int*, float*, const int*, int*, std::size_t);
void dsytrf_(const char*, const int*, double*, const int*, int*, double*, const int*, int*, std::size_t);
void csytrf_(const char*, const int*, c4*, const int*, int*, c4*, const int*, int*, std::size_t);
void zsytrf_(const char*, const int*, c8*, const int*, int*, c8*, const int*, int*, std::size_t);
void sormqr_(const char*, const char*, const int*, const int*, const int*, const float*, const int*, const float*, float*, const int*, float*,
             const int*, int*, std::size_t, std::size_t);
void dormqr_(const char*, const char*, const int*, const int*, const int*, const double*, const int*, const double*, double*, const int*, double*,
             const int*, int*, std::size_t, std::size_t);
void cunmqr_(const char*, const char*, const int*, const int*, const int*, const c4*, const int*, const c4*, c4*, const int*, c4*, const int*, int*,
             std::size_t, std::size_t);
void zunmqr_(const char*, const char*, const int*, const int*, const int*, const c8*, const int*, const c8*, c8*, const int*, c8*, const int*, int*,
             std::size_t, std::size_t);
void sorgqr_(const int*, const int*, const int*, float*, const int*, const float*, float*, const int*, int*);
void dorgqr_(const int*, const int*, const int*, double*, const int*, const double*, double*, const int*, int*);
void cungqr_(const int*, const int*, const int*, c4*, const int*, const c4*, c4*, const int*, int*);
void zungqr_(const int*, const int*, const int*, c8*, const int*, const c8*, c8*, const int*, int*);
void sgesvd_(const char*, const char*, const int*, const int*, float*, const int*, float*, float*, const int*, float*, const int*, float*, const int*,
             int*, std::size_t, std::size_t);
void dgesvd_(const char*, const char*, const int*, const int*, double*, const int*, double*, double*, const int*, double*, const int*, double*,
             const int*, int*, std::size_t, std::size_t);
void cgesvd_(const char*, const char*, const int*, const int*, c4*, const int*, float*, c4*, const int*, c4*, const int*, c4*, const int*, float*,
             int*, std::size_t, std::size_t);
void zgesvd_(const char*, const char*, const int*, const int*, c8*, const int*, double*, c8*, const int*, c8*, const int*, c8*, const int*, double*,
             int*, std::size_t, std::size_t);
void ssyevd_(const char*, const char*, const int*, float*, const int*, float*, float*, const int*, int*, const int*, int*, std::size_t, std::size_t);
void dsyevd_(const char*, const char*, const int*, double*, const int*, double*, double*, const int*, int*, const int*, int*, std::size_t,
             std::size_t);
void cheevd_(const char*, const char*, const int*, c4*, const int*, float*, c4*, const int*, float*, const int*, int*, const int*, int*, std::size_t,
             std::size_t);
void zheevd_(const char*, const char*, const int*, c8*, const int*, double*, c8*, const int*, double*, const int*, int*, const int*, int*,
             std::size_t, std::size_t);
void ssygst_(const int*, const char*, const int*, float*, const int*, const float*, const int*, int*, std::size_t);
void dsygst_(const int*, const char*, const int*, double*, const int*, const double*, const int*, int*, std::size_t);
void chegst_(const int*, const char*, const int*, c4*, const int*, const c4*, const int*, int*, std::size_t);
void zhegst_(const int*, const char*, const int*, c8*, const int*, const c8*, const int*, int*, std::size_t);
void sgebrd_(const int*, const int*, float*, const int*, float*, float*, float*, float*, float*, const int*, int*);
void dgebrd_(const int*, const int*, double*, const int*, double*, double*, double*, double*, double*, const int*, int*);
void cgebrd_(const int*, const int*, c4*, const int*, float*, float*, c4*, c4*, c4*, const int*, int*);
void zgebrd_(const int*, const int*, c8*, const int*, double*, double*, c8*, c8*, c8*, const int*, int*);
void sorgbr_(const char*, const int*, const int*, const int*, float*, const int*, const float*, float*, const int*, int*, std::size_t);
void dorgbr_(const char*, const int*, const int*, const int*, double*, const int*, const double*, double*, const int*, int*, std::size_t);
void cungbr_(const char*, const int*, const int*, const int*, c4*, const int*, const c4*, c4*, const int*, int*, std::size_t);
void zungbr_(const char*, const int*, const int*, const int*, c8*, const int*, const c8*, c8*, const int*, int*, std::size_t);
void ssytrd_(const char*, const int*, float*, const int*, float*, float*, float*, float*, const int*, int*, std::size_t);
void dsytrd_(const char*, const int*, double*, const int*, double*, double*, double*, double*, const int*, int*, std::size_t);
void chetrd_(const char*, const int*, c4*, const int*, float*, float*, c4*, c4*, const int*, int*, std::size_t);
void zhetrd_(const char*, const int*, c8*, const int*, double*, double*, c8*, c8*, const int*, int*, std::size_t);
void sorgtr_(const char*, const int*, float*, const int*, const float*, float*, const int*, int*, std::size_t);
void dorgtr_(const char*, const int*, double*, const int*, const double*, double*, const int*, int*, std::size_t);
void cungtr_(const char*, const int*, c4*, const int*, const c4*, c4*, const int*, int*, std::size_t);
void zungtr_(const char*, const int*, c8*, const int*, const c8*, c8*, const int*, int*, std::size_t);
void sormtr_(const char*, const char*, const char*, const int*, const int*, const float*, const int*, const float*, float*, const int*, float*,
             const int*, int*, std::size_t, std::size_t, std::size_t);
void dormtr_(const char*, const char*, const char*, const int*, const int*, const double*, const int*, const double*, double*, const int*, double*,
             const int*, int*, std::size_t, std::size_t, std::size_t);
void cunmtr_(const char*, const char*, const char*, const int*, const int*, const c4*, const int*, const c4*, c4*, const int*, c4*, const int*, int*,
             std::size_t, std::size_t, std::size_t);
void zunmtr_(const char*, const char*, const char*, const int*, const int*, const c8*, const int*, const c8*, c8*, const int*, c8*, const int*, int*,
             std::size_t, std::size_t, std::size_t);
}

inline void getrf(int a, int b, float* c, int d, int* e, int* f) { sgetrf_(&a, &b, c, &d, e, f); }
inline void getrf(int a, int b, double* c, int d, int* e, int* f) { dgetrf_(&a, &b, c, &d, e, f); }
inline void getrf(int a, int b, c4* c, int d, int* e, int* f) { cgetrf_(&a, &b, c, &d, e, f); }
inline void getrf(int a, int b, c8* c, int d, int* e, int* f) { zgetrf_(&a, &b, c, &d, e, f); }
inline void getrs(char a, int b, int c, const float* d, int e, const int* f, float* g, int h, int* i) { sgetrs_(&a, &b, &c, d, &e, f, g, &h, i, 1); }
inline void getrs(char a, int b, int c, const double* d, int e, const int* f, double* g, int h, int* i)
{
    dgetrs_(&a, &b, &c, d, &e, f, g, &h, i, 1);
}
inline void getrs(char a, int b, int c, const c4* d, int e, const int* f, c4* g, int h, int* i) { cgetrs_(&a, &b, &c, d, &e, f, g, &h, i, 1); }
inline void getrs(char a, int b, int c, const c8* d, int e, const int* f, c8* g, int h, int* i) { zgetrs_(&a, &b, &c, d, &e, f, g, &h, i, 1); }
inline void getri(int a, float* b, int c, const int* d, float* e, int f, int* g) { sgetri_(&a, b, &c, d, e, &f, g); }
inline void getri(int a, double* b, int c, const int* d, double* e, int f, int* g) { dgetri_(&a, b, &c, d, e, &f, g); }
inline void getri(int a, c4* b, int c, const int* d, c4* e, int f, int* g) { cgetri_(&a, b, &c, d, e, &f, g); }
inline void getri(int a, c8* b, int c, const int* d, c8* e, int f, int* g) { zgetri_(&a, b, &c, d, e, &f, g); }
inline void geqrf(int a, int b, float* c, int d, float* e, float* f, int g, int* h) { sgeqrf_(&a, &b, c, &d, e, f, &g, h); }
inline void geqrf(int a, int b, double* c, int d, double* e, double* f, int g, int* h) { dgeqrf_(&a, &b, c, &d, e, f, &g, h); }
inline void geqrf(int a, int b, c4* c, int d, c4* e, c4* f, int g, int* h) { cgeqrf_(&a, &b, c, &d, e, f, &g, h); }
inline void geqrf(int a, int b, c8* c, int d, c8* e, c8* f, int g, int* h) { zgeqrf_(&a, &b, c, &d, e, f, &g, h); }
inline void gels(char a, int b, int c, int d, float* e, int f, float* g, int h, float* i, int j, int* k)
{
    sgels_(&a, &b, &c, &d, e, &f, g, &h, i, &j, k, 1);
}
inline void gels(char a, int b, int c, int d, double* e, int f, double* g, int h, double* i, int j, int* k)
{
    dgels_(&a, &b, &c, &d, e, &f, g, &h, i, &j, k, 1);
}
inline void gels(char a, int b, int c, int d, c4* e, int f, c4* g, int h, c4* i, int j, int* k) { cgels_(&a, &b, &c, &d, e, &f, g, &h, i, &j, k, 1); }
inline void gels(char a, int b, int c, int d, c8* e, int f, c8* g, int h, c8* i, int j, int* k) { zgels_(&a, &b, &c, &d, e, &f, g, &h, i, &j, k, 1); }
inline void potrf(char a, int b, float* c, int d, int* e) { spotrf_(&a, &b, c, &d, e, 1); }
inline void potrf(char a, int b, double* c, int d, int* e) { dpotrf_(&a, &b, c, &d, e, 1); }
inline void potrf(char a, int b, c4* c, int d, int* e) { cpotrf_(&a, &b, c, &d, e, 1); }
inline void potrf(char a, int b, c8* c, int d, int* e) { zpotrf_(&a, &b, c, &d, e, 1); }
inline void potrs(char a, int b, int c, const float* d, int e, float* f, int g, int* h) { spotrs_(&a, &b, &c, d, &e, f, &g, h, 1); }
inline void potrs(char a, int b, int c, const double* d, int e, double* f, int g, int* h) { dpotrs_(&a, &b, &c, d, &e, f, &g, h, 1); }
inline void potrs(char a, int b, int c, const c4* d, int e, c4* f, int g, int* h) { cpotrs_(&a, &b, &c, d, &e, f, &g, h, 1); }
inline void potrs(char a, int b, int c, const c8* d, int e, c8* f, int g, int* h) { zpotrs_(&a, &b, &c, d, &e, f, &g, h, 1); }
inline void potri(char a, int b, float* c, int d, int* e) { spotri_(&a, &b, c, &d, e, 1); }
inline void potri(char a, int b, double* c, int d, int* e) { dpotri_(&a, &b, c, &d, e, 1); }
inline void potri(char a, int b, c4* c, int d, int* e) { cpotri_(&a, &b, c, &d, e, 1); }
inline void potri(char a, int b, c8* c, int d, int* e) { zpotri_(&a, &b, c, &d, e, 1); }
inline void sytrf(char a, int b, float* c, int d, int* e, float* f, int g, int* h) { ssytrf_(&a, &b, c, &d, e, f, &g, h, 1); }
inline void sytrf(char a, int b, double* c, int d, int* e, double* f, int g, int* h) { dsytrf_(&a, &b, c, &d, e, f, &g, h, 1); }
inline void sytrf(char a, int b, c4* c, int d, int* e, c4* f, int g, int* h) { csytrf_(&a, &b, c, &d, e, f, &g, h, 1); }
inline void sytrf(char a, int b, c8* c, int d, int* e, c8* f, int g, int* h) { zsytrf_(&a, &b, c, &d, e, f, &g, h, 1); }
inline void ormqr(char a, char b, int c, int d, int e, const float* f, int g, const float* h, float* i, int j, float* k, int l, int* m)
{
    sormqr_(&a, &b, &c, &d, &e, f, &g, h, i, &j, k, &l, m, 1, 1);
}
inline void ormqr(char a, char b, int c, int d, int e, const double* f, int g, const double* h, double* i, int j, double* k, int l, int* m)
{
    dormqr_(&a, &b, &c, &d, &e, f, &g, h, i, &j, k, &l, m, 1, 1);
}
inline void ormqr(char a, char b, int c, int d, int e, const c4* f, int g, const c4* h, c4* i, int j, c4* k, int l, int* m)
{
    cunmqr_(&a, &b, &c, &d, &e, f, &g, h, i, &j, k, &l, m, 1, 1);
}
inline void ormqr(char a, char b, int c, int d, int e, const c8* f, int g, const c8* h, c8* i, int j, c8* k, int l, int* m)
{
    zunmqr_(&a, &b, &c, &d, &e, f, &g, h, i, &j, k, &l, m, 1, 1);
}
inline void orgqr(int a, int b, int c, float* d, int e, const float* f, float* g, int h, int* i) { sorgqr_(&a, &b, &c, d, &e, f, g, &h, i); }
inline void orgqr(int a, int b, int c, double* d, int e, const double* f, double* g, int h, int* i) { dorgqr_(&a, &b, &c, d, &e, f, g, &h, i); }
inline void orgqr(int a, int b, int c, c4* d, int e, const c4* f, c4* g, int h, int* i) { cungqr_(&a, &b, &c, d, &e, f, g, &h, i); }
inline void orgqr(int a, int b, int c, c8* d, int e, const c8* f, c8* g, int h, int* i) { zungqr_(&a, &b, &c, d, &e, f, g, &h, i); }
inline void gesvd(char a, char b, int c, int d, float* e, int f, float* g, float* h, int i, float* j, int k, float* l, int m, int* n)
{
    sgesvd_(&a, &b, &c, &d, e, &f, g, h, &i, j, &k, l, &m, n, 1, 1);
}
inline void gesvd(char a, char b, int c, int d, double* e, int f, double* g, double* h, int i, double* j, int k, double* l, int m, int* n)
{
    dgesvd_(&a, &b, &c, &d, e, &f, g, h, &i, j, &k, l, &m, n, 1, 1);
}
inline void gesvd(char a, char b, int c, int d, c4* e, int f, float* g, c4* h, int i, c4* j, int k, c4* l, int m, float* n, int* o)
{
    cgesvd_(&a, &b, &c, &d, e, &f, g, h, &i, j, &k, l, &m, n, o, 1, 1);
}
inline void gesvd(char a, char b, int c, int d, c8* e, int f, double* g, c8* h, int i, c8* j, int k, c8* l, int m, double* n, int* o)
{
    zgesvd_(&a, &b, &c, &d, e, &f, g, h, &i, j, &k, l, &m, n, o, 1, 1);
}
inline void syevd(char a, char b, int c, float* d, int e, float* f, float* g, int h, int* i, int j, int* k)
{
    ssyevd_(&a, &b, &c, d, &e, f, g, &h, i, &j, k, 1, 1);
}
inline void syevd(char a, char b, int c, double* d, int e, double* f, double* g, int h, int* i, int j, int* k)
{
    dsyevd_(&a, &b, &c, d, &e, f, g, &h, i, &j, k, 1, 1);
}
inline void syevd(char a, char b, int c, c4* d, int e, float* f, c4* g, int h, float* i, int j, int* k, int l, int* m)
{
    cheevd_(&a, &b, &c, d, &e, f, g, &h, i, &j, k, &l, m, 1, 1);
}
inline void syevd(char a, char b, int c, c8* d, int e, double* f, c8* g, int h, double* i, int j, int* k, int l, int* m)
{
    zheevd_(&a, &b, &c, d, &e, f, g, &h, i, &j, k, &l, m, 1, 1);
}
inline void sygst(int a, char b, int c, float* d, int e, const float* f, int g, int* h) { ssygst_(&a, &b, &c, d, &e, f, &g, h, 1); }
inline void sygst(int a, char b, int c, double* d, int e, const double* f, int g, int* h) { dsygst_(&a, &b, &c, d, &e, f, &g, h, 1); }
inline void sygst(int a, char b, int c, c4* d, int e, const c4* f, int g, int* h) { chegst_(&a, &b, &c, d, &e, f, &g, h, 1); }
inline void sygst(int a, char b, int c, c8* d, int e, const c8* f, int g, int* h) { zhegst_(&a, &b, &c, d, &e, f, &g, h, 1); }
inline void gebrd(int a, int b, float* c, int d, float* e, float* f, float* g, float* h, float* i, int j, int* k)
{
    sgebrd_(&a, &b, c, &d, e, f, g, h, i, &j, k);
}
inline void gebrd(int a, int b, double* c, int d, double* e, double* f, double* g, double* h, double* i, int j, int* k)
{
    dgebrd_(&a, &b, c, &d, e, f, g, h, i, &j, k);
}
inline void gebrd(int a, int b, c4* c, int d, float* e, float* f, c4* g, c4* h, c4* i, int j, int* k)
{
    cgebrd_(&a, &b, c, &d, e, f, g, h, i, &j, k);
}
inline void gebrd(int a, int b, c8* c, int d, double* e, double* f, c8* g, c8* h, c8* i, int j, int* k)
{
    zgebrd_(&a, &b, c, &d, e, f, g, h, i, &j, k);
}
inline void orgbr(char a, int b, int c, int d, float* e, int f, const float* g, float* h, int i, int* j)
{
    sorgbr_(&a, &b, &c, &d, e, &f, g, h, &i, j, 1);
}
inline void orgbr(char a, int b, int c, int d, double* e, int f, const double* g, double* h, int i, int* j)
{
    dorgbr_(&a, &b, &c, &d, e, &f, g, h, &i, j, 1);
}
inline void orgbr(char a, int b, int c, int d, c4* e, int f, const c4* g, c4* h, int i, int* j) { cungbr_(&a, &b, &c, &d, e, &f, g, h, &i, j, 1); }
inline void orgbr(char a, int b, int c, int d, c8* e, int f, const c8* g, c8* h, int i, int* j) { zungbr_(&a, &b, &c, &d, e, &f, g, h, &i, j, 1); }
inline void sytrd(char a, int b, float* c, int d, float* e, float* f, float* g, float* h, int i, int* j)
{
    ssytrd_(&a, &b, c, &d, e, f, g, h, &i, j, 1);
}
inline void sytrd(char a, int b, double* c, int d, double* e, double* f, double* g, double* h, int i, int* j)
{
    dsytrd_(&a, &b, c, &d, e, f, g, h, &i, j, 1);
}
inline void sytrd(char a, int b, c4* c, int d, float* e, float* f, c4* g, c4* h, int i, int* j) { chetrd_(&a, &b, c, &d, e, f, g, h, &i, j, 1); }
inline void sytrd(char a, int b, c8* c, int d, double* e, double* f, c8* g, c8* h, int i, int* j) { zhetrd_(&a, &b, c, &d, e, f, g, h, &i, j, 1); }
inline void orgtr(char a, int b, float* c, int d, const float* e, float* f, int g, int* h) { sorgtr_(&a, &b, c, &d, e, f, &g, h, 1); }
inline void orgtr(char a, int b, double* c, int d, const double* e, double* f, int g, int* h) { dorgtr_(&a, &b, c, &d, e, f, &g, h, 1); }
inline void orgtr(char a, int b, c4* c, int d, const c4* e, c4* f, int g, int* h) { cungtr_(&a, &b, c, &d, e, f, &g, h, 1); }
inline void orgtr(char a, int b, c8* c, int d, const c8* e, c8* f, int g, int* h) { zungtr_(&a, &b, c, &d, e, f, &g, h, 1); }
inline void ormtr(char a, char b, char c, int d, int e, const float* f, int g, const float* h, float* i, int j, float* k, int l, int* m)
{
    sormtr_(&a, &b, &c, &d, &e, f, &g, h, i, &j, k, &l, m, 1, 1, 1);
}
inline void ormtr(char a, char b, char c, int d, int e, const double* f, int g, const double* h, double* i, int j, double* k, int l, int* m)
{
    dormtr_(&a, &b, &c, &d, &e, f, &g, h, i, &j, k, &l, m, 1, 1, 1);
}
inline void ormtr(char a, char b, char c, int d, int e, const c4* f, int g, const c4* h, c4* i, int j, c4* k, int l, int* m)
{
    cunmtr_(&a, &b, &c, &d, &e, f, &g, h, i, &j, k, &l, m, 1, 1, 1);
}
inline void ormtr(char a, char b, char c, int d, int e, const c8* f, int g, const c8* h, c8* i, int j, c8* k, int l, int* m)
{
    zunmtr_(&a, &b, &c, &d, &e, f, &g, h, i, &j, k, &l, m, 1, 1, 1);
}

/// Calls a routine that takes work space: call(work, lwork) asks for the size with lwork -1, then does the work.
template <class T, class Call>
void with_work(const Call& call)
{
    T size{};
    call(&size, -1);
    std::vector<T> work(std::size_t(std::max(1.0, double(std::real(size)))));
    call(work.data(), int(work.size()));
}

}  // namespace cuf::cpu::blas
