// cuSPARSE of the cpu target: handles, modes, texts of errors, descriptors of the older calls.
// SPDX-License-Identifier: MIT OR Apache-2.0
#include "cusparse.hpp"

using namespace cuf::cpu::sparse;

namespace {

constexpr int version = 12600;

struct status_text {
    int code;
    const char* name;
    const char* text;
};
constexpr status_text texts[] = {
    {0, "CUSPARSE_STATUS_SUCCESS", "success"},
    {1, "CUSPARSE_STATUS_NOT_INITIALIZED", "initialization error"},
    {2, "CUSPARSE_STATUS_ALLOC_FAILED", "resource allocation failed"},
    {3, "CUSPARSE_STATUS_INVALID_VALUE", "invalid value"},
    {4, "CUSPARSE_STATUS_ARCH_MISMATCH", "architecture mismatch"},
    {5, "CUSPARSE_STATUS_MAPPING_ERROR", "mapping error"},
    {6, "CUSPARSE_STATUS_EXECUTION_FAILED", "kernel launch failure"},
    {7, "CUSPARSE_STATUS_INTERNAL_ERROR", "internal error"},
    {8, "CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED", "matrix type not supported"},
    {9, "CUSPARSE_STATUS_ZERO_PIVOT", "zero pivot"},
    {10, "CUSPARSE_STATUS_NOT_SUPPORTED", "operation not supported"},
    {11, "CUSPARSE_STATUS_INSUFFICIENT_RESOURCES", "insufficient resources"},
};

int set(cusparseMatDescr_t d, int cusparseMatDescr::*member, int value, int most)
{
    if (!d || value < 0 || value > most) return invalid_value;
    d->*member = value;
    return success;
}

}  // namespace

extern "C" int cusparseCreate(cusparseHandle_t* h)
{
    if (!h) return invalid_value;
    *h = new cusparseContext;
    return success;
}
extern "C" int cusparseDestroy(cusparseHandle_t h)
{
    if (!h) return not_initialized;
    delete h;
    return success;
}
extern "C" int cusparseGetVersion(cusparseHandle_t h, int* value)
{
    if (!h) return not_initialized;
    if (!value) return invalid_value;
    *value = version;
    return success;
}
extern "C" int cusparseGetProperty(int property, int* value)
{
    if (!value || property < 0 || property > 2) return invalid_value;
    *value = property == 0 ? version / 1000 : property == 1 ? version / 100 % 10 : version % 100;
    return success;
}
extern "C" const char* cusparseGetErrorName(int code)
{
    for (const auto& t : texts)
        if (t.code == code) return t.name;
    return "unrecognized error code";
}
extern "C" const char* cusparseGetErrorString(int code)
{
    for (const auto& t : texts)
        if (t.code == code) return t.text;
    return "unrecognized error code";
}
extern "C" int cusparseSetStream(cusparseHandle_t h, cudaStream_t stream)
{
    if (!h) return not_initialized;
    h->stream = stream;
    return success;
}
extern "C" int cusparseGetStream(cusparseHandle_t h, cudaStream_t* stream)
{
    if (!h) return not_initialized;
    if (!stream) return invalid_value;
    *stream = h->stream;
    return success;
}
extern "C" int cusparseSetPointerMode(cusparseHandle_t h, int mode)
{
    if (!h) return not_initialized;
    if (mode != 0 && mode != 1) return invalid_value;
    h->pointer_mode = mode;
    return success;
}
extern "C" int cusparseGetPointerMode(cusparseHandle_t h, int* mode)
{
    if (!h) return not_initialized;
    if (!mode) return invalid_value;
    *mode = h->pointer_mode;
    return success;
}

extern "C" int cusparseCreateMatDescr(cusparseMatDescr_t* d)
{
    if (!d) return invalid_value;
    *d = new cusparseMatDescr;
    return success;
}
extern "C" int cusparseDestroyMatDescr(cusparseMatDescr_t d)
{
    delete d;
    return success;
}
extern "C" int cusparseSetMatType(cusparseMatDescr_t d, int value) { return set(d, &cusparseMatDescr::type, value, 3); }
extern "C" int cusparseGetMatType(cusparseMatDescr_t d) { return d ? d->type : 0; }
extern "C" int cusparseSetMatFillMode(cusparseMatDescr_t d, int value) { return set(d, &cusparseMatDescr::fill, value, 1); }
extern "C" int cusparseGetMatFillMode(cusparseMatDescr_t d) { return d ? d->fill : 0; }
extern "C" int cusparseSetMatDiagType(cusparseMatDescr_t d, int value) { return set(d, &cusparseMatDescr::diag, value, 1); }
extern "C" int cusparseGetMatDiagType(cusparseMatDescr_t d) { return d ? d->diag : 0; }
extern "C" int cusparseSetMatIndexBase(cusparseMatDescr_t d, int value) { return set(d, &cusparseMatDescr::base, value, 1); }
extern "C" int cusparseGetMatIndexBase(cusparseMatDescr_t d) { return d ? d->base : 0; }
