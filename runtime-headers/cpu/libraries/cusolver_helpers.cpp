// cuSOLVER of the cpu target: handles and settings.
// SPDX-License-Identifier: MIT OR Apache-2.0
#include "cusolver.hpp"

using namespace cuf::cpu::solver;

namespace {

constexpr int version = 12000;

template <class T>
int create(T** out)
{
    if (!out) return invalid_value;
    *out = new T;
    return success;
}
template <class T>
int set(T* where, int T::*member, int value)
{
    if (!where) return not_initialized;
    where->*member = value;
    return success;
}
template <class T, class V>
int get(const T* where, V T::*member, V* value)
{
    if (!where) return not_initialized;
    if (!value) return invalid_value;
    *value = where->*member;
    return success;
}
int set_tolerance(jacobi_info* info, double value)
{
    if (!info) return not_initialized;
    info->tolerance = value;
    return success;
}

}  // namespace

extern "C" int cusolverDnCreate(cusolverDnHandle_t* h) { return create(h); }
extern "C" int cusolverDnDestroy(cusolverDnHandle_t h)
{
    if (!h) return not_initialized;
    delete h;
    return success;
}
extern "C" int cusolverDnSetStream(cusolverDnHandle_t h, cudaStream_t stream)
{
    if (!h) return not_initialized;
    h->stream = stream;
    return success;
}
extern "C" int cusolverDnGetStream(cusolverDnHandle_t h, cudaStream_t* stream) { return get(h, &cusolverDnContext::stream, stream); }
extern "C" int cusolverDnSetDeterministicMode(cusolverDnHandle_t h, int mode)
{
    if (h && mode != 1 && mode != 2) return invalid_value;
    return set(h, &cusolverDnContext::deterministic, mode);
}
extern "C" int cusolverDnGetDeterministicMode(cusolverDnHandle_t h, int* mode) { return get(h, &cusolverDnContext::deterministic, mode); }
extern "C" int cusolverGetProperty(int property, int* value)
{
    if (!value || property < 0 || property > 2) return invalid_value;
    *value = property == 0 ? version / 1000 : property == 1 ? version / 100 % 10 : version % 100;
    return success;
}
extern "C" int cusolverGetVersion(int* value)
{
    if (!value) return invalid_value;
    *value = version;
    return success;
}

extern "C" int cusolverDnCreateParams(cusolverDnParams_t* params) { return create(params); }
extern "C" int cusolverDnDestroyParams(cusolverDnParams_t params)
{
    delete params;
    return success;
}
extern "C" int cusolverDnSetAdvOptions(cusolverDnParams_t params, int function, int algorithm)
{
    if (!params || function < 0 || function > 2 || algorithm < 0 || algorithm > 2) return invalid_value;
    params->algorithm[function] = algorithm;
    return success;
}

extern "C" int cusolverDnCreateSyevjInfo(syevjInfo_t* info) { return create(info); }
extern "C" int cusolverDnDestroySyevjInfo(syevjInfo_t info)
{
    delete info;
    return success;
}
extern "C" int cusolverDnXsyevjSetTolerance(syevjInfo_t info, double tolerance) { return set_tolerance(info, tolerance); }
extern "C" int cusolverDnXsyevjSetMaxSweeps(syevjInfo_t info, int sweeps) { return set<jacobi_info>(info, &jacobi_info::max_sweeps, sweeps); }
extern "C" int cusolverDnXsyevjSetSortEig(syevjInfo_t info, int sort) { return set<jacobi_info>(info, &jacobi_info::sort, sort); }
extern "C" int cusolverDnXsyevjGetResidual(cusolverDnHandle_t h, syevjInfo_t info, double* residual)
{
    return h ? get<jacobi_info>(info, &jacobi_info::residual, residual) : int(not_initialized);
}
extern "C" int cusolverDnXsyevjGetSweeps(cusolverDnHandle_t h, syevjInfo_t info, int* sweeps)
{
    return h ? get<jacobi_info>(info, &jacobi_info::sweeps, sweeps) : int(not_initialized);
}

extern "C" int cusolverDnCreateGesvdjInfo(gesvdjInfo_t* info) { return create(info); }
extern "C" int cusolverDnDestroyGesvdjInfo(gesvdjInfo_t info)
{
    delete info;
    return success;
}
extern "C" int cusolverDnXgesvdjSetTolerance(gesvdjInfo_t info, double tolerance) { return set_tolerance(info, tolerance); }
extern "C" int cusolverDnXgesvdjSetMaxSweeps(gesvdjInfo_t info, int sweeps) { return set<jacobi_info>(info, &jacobi_info::max_sweeps, sweeps); }
extern "C" int cusolverDnXgesvdjSetSortEig(gesvdjInfo_t info, int sort) { return set<jacobi_info>(info, &jacobi_info::sort, sort); }
extern "C" int cusolverDnXgesvdjGetResidual(cusolverDnHandle_t h, gesvdjInfo_t info, double* residual)
{
    return h ? get<jacobi_info>(info, &jacobi_info::residual, residual) : int(not_initialized);
}
extern "C" int cusolverDnXgesvdjGetSweeps(cusolverDnHandle_t h, gesvdjInfo_t info, int* sweeps)
{
    return h ? get<jacobi_info>(info, &jacobi_info::sweeps, sweeps) : int(not_initialized);
}
