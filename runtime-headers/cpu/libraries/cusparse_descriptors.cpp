// cuSPARSE of the cpu target: descriptors of vectors and matrices.
// SPDX-License-Identifier: MIT OR Apache-2.0
#include "cusparse.hpp"

using namespace cuf::cpu::sparse;

namespace {

template <class T>
int destroy(T* d)
{
    delete d;
    return success;
}
template <class T>
void put(T* where, T value)
{
    if (where) *where = value;
}
int new_matrix(cusparseSpMatDescr_t* out, const cusparseSpMatDescr& m)
{
    if (!out || m.rows < 0 || m.cols < 0 || m.nnz < 0 || !is_index(m.offset_type) || !is_index(m.index_type) || !is_base(m.base)) return invalid_value;
    if (!is_type(m.type)) return not_supported;
    *out = new cusparseSpMatDescr(m);
    return success;
}
int set_pointers(cusparseSpMatDescr_t d, int format, void* offsets, void* indices, void* values)
{
    if (!d || d->format != format) return invalid_value;
    d->offsets = offsets;
    d->indices = indices;
    d->values = values;
    return success;
}
int get_matrix(cusparseSpMatDescr_t d, int format, std::int64_t* rows, std::int64_t* cols, std::int64_t* nnz, void** offsets, void** indices, void** values,
               int* offset_type, int* index_type, int* base, int* type)
{
    if (!d || d->format != format) return invalid_value;
    put(rows, d->rows);
    put(cols, d->cols);
    put(nnz, d->nnz);
    put(offsets, d->offsets);
    put(indices, d->indices);
    put(values, d->values);
    put(offset_type, d->offset_type);
    put(index_type, d->index_type);
    put(base, d->base);
    put(type, d->type);
    return success;
}

}  // namespace

extern "C" int cusparseCreateSpVec(cusparseSpVecDescr_t* d, std::int64_t size, std::int64_t nnz, void* indices, void* values, int index_type, int base,
                                   int type)
{
    if (!d || size < 0 || nnz < 0 || nnz > size || !is_index(index_type) || !is_base(base)) return invalid_value;
    if (!is_type(type)) return not_supported;
    *d = new cusparseSpVecDescr{size, nnz, indices, values, index_type, base, type};
    return success;
}
extern "C" int cusparseDestroySpVec(cusparseSpVecDescr_t d) { return destroy(d); }
extern "C" int cusparseSpVecGet(cusparseSpVecDescr_t d, std::int64_t* size, std::int64_t* nnz, void** indices, void** values, int* index_type, int* base,
                                int* type)
{
    if (!d) return invalid_value;
    put(size, d->size);
    put(nnz, d->nnz);
    put(indices, d->indices);
    put(values, d->values);
    put(index_type, d->index_type);
    put(base, d->base);
    put(type, d->type);
    return success;
}
extern "C" int cusparseSpVecGetIndexBase(cusparseSpVecDescr_t d, int* base)
{
    if (!d || !base) return invalid_value;
    *base = d->base;
    return success;
}
extern "C" int cusparseSpVecGetValues(cusparseSpVecDescr_t d, void** values)
{
    if (!d || !values) return invalid_value;
    *values = d->values;
    return success;
}
extern "C" int cusparseSpVecSetValues(cusparseSpVecDescr_t d, void* values)
{
    if (!d) return invalid_value;
    d->values = values;
    return success;
}

extern "C" int cusparseCreateDnVec(cusparseDnVecDescr_t* d, std::int64_t size, void* values, int type)
{
    if (!d || size < 0) return invalid_value;
    if (!is_type(type)) return not_supported;
    *d = new cusparseDnVecDescr{size, values, type};
    return success;
}
extern "C" int cusparseDestroyDnVec(cusparseDnVecDescr_t d) { return destroy(d); }
extern "C" int cusparseDnVecGet(cusparseDnVecDescr_t d, std::int64_t* size, void** values, int* type)
{
    if (!d) return invalid_value;
    put(size, d->size);
    put(values, d->values);
    put(type, d->type);
    return success;
}
extern "C" int cusparseDnVecGetValues(cusparseDnVecDescr_t d, void** values)
{
    if (!d || !values) return invalid_value;
    *values = d->values;
    return success;
}
extern "C" int cusparseDnVecSetValues(cusparseDnVecDescr_t d, void* values)
{
    if (!d) return invalid_value;
    d->values = values;
    return success;
}

extern "C" int cusparseCreateCsr(cusparseSpMatDescr_t* d, std::int64_t rows, std::int64_t cols, std::int64_t nnz, void* offsets, void* indices, void* values,
                                 int offset_type, int index_type, int base, int type)
{
    return new_matrix(d, {csr, rows, cols, nnz, offsets, indices, values, offset_type, index_type, base, type});
}
extern "C" int cusparseCreateCsc(cusparseSpMatDescr_t* d, std::int64_t rows, std::int64_t cols, std::int64_t nnz, void* offsets, void* indices, void* values,
                                 int offset_type, int index_type, int base, int type)
{
    return new_matrix(d, {csc, rows, cols, nnz, offsets, indices, values, offset_type, index_type, base, type});
}
extern "C" int cusparseCreateCoo(cusparseSpMatDescr_t* d, std::int64_t rows, std::int64_t cols, std::int64_t nnz, void* row_indices, void* col_indices,
                                 void* values, int index_type, int base, int type)
{
    return new_matrix(d, {coo, rows, cols, nnz, row_indices, col_indices, values, index_type, index_type, base, type});
}
extern "C" int cusparseDestroySpMat(cusparseSpMatDescr_t d) { return destroy(d); }
extern "C" int cusparseCsrGet(cusparseSpMatDescr_t d, std::int64_t* rows, std::int64_t* cols, std::int64_t* nnz, void** offsets, void** indices,
                              void** values, int* offset_type, int* index_type, int* base, int* type)
{
    return get_matrix(d, csr, rows, cols, nnz, offsets, indices, values, offset_type, index_type, base, type);
}
extern "C" int cusparseCscGet(cusparseSpMatDescr_t d, std::int64_t* rows, std::int64_t* cols, std::int64_t* nnz, void** offsets, void** indices,
                              void** values, int* offset_type, int* index_type, int* base, int* type)
{
    return get_matrix(d, csc, rows, cols, nnz, offsets, indices, values, offset_type, index_type, base, type);
}
extern "C" int cusparseCooGet(cusparseSpMatDescr_t d, std::int64_t* rows, std::int64_t* cols, std::int64_t* nnz, void** row_indices, void** col_indices,
                              void** values, int* index_type, int* base, int* type)
{
    return get_matrix(d, coo, rows, cols, nnz, row_indices, col_indices, values, nullptr, index_type, base, type);
}
extern "C" int cusparseCsrSetPointers(cusparseSpMatDescr_t d, void* offsets, void* indices, void* values)
{
    return set_pointers(d, csr, offsets, indices, values);
}
extern "C" int cusparseCscSetPointers(cusparseSpMatDescr_t d, void* offsets, void* indices, void* values)
{
    return set_pointers(d, csc, offsets, indices, values);
}
extern "C" int cusparseCooSetPointers(cusparseSpMatDescr_t d, void* rows, void* cols, void* values) { return set_pointers(d, coo, rows, cols, values); }
extern "C" int cusparseSpMatGetSize(cusparseSpMatDescr_t d, std::int64_t* rows, std::int64_t* cols, std::int64_t* nnz)
{
    if (!d) return invalid_value;
    put(rows, d->rows);
    put(cols, d->cols);
    put(nnz, d->nnz);
    return success;
}
extern "C" int cusparseSpMatGetFormat(cusparseSpMatDescr_t d, int* format)
{
    if (!d || !format) return invalid_value;
    *format = d->format;
    return success;
}
extern "C" int cusparseSpMatGetIndexBase(cusparseSpMatDescr_t d, int* base)
{
    if (!d || !base) return invalid_value;
    *base = d->base;
    return success;
}
extern "C" int cusparseSpMatGetValues(cusparseSpMatDescr_t d, void** values)
{
    if (!d || !values) return invalid_value;
    *values = d->values;
    return success;
}
extern "C" int cusparseSpMatSetValues(cusparseSpMatDescr_t d, void* values)
{
    if (!d) return invalid_value;
    d->values = values;
    return success;
}
extern "C" int cusparseSpMatGetStridedBatch(cusparseSpMatDescr_t d, int* batch)
{
    if (!d || !batch) return invalid_value;
    *batch = d->batch;
    return success;
}
extern "C" int cusparseCsrSetStridedBatch(cusparseSpMatDescr_t d, int batch, std::int64_t offset_stride, std::int64_t value_stride)
{
    if (!d || d->format != csr || batch < 1 || offset_stride < 0 || value_stride < 0) return invalid_value;
    d->batch = batch;
    d->offset_stride = offset_stride;
    d->value_stride = value_stride;
    return success;
}
extern "C" int cusparseCooSetStridedBatch(cusparseSpMatDescr_t d, int batch, std::int64_t stride)
{
    if (!d || d->format != coo || batch < 1 || stride < 0) return invalid_value;
    d->batch = batch;
    d->offset_stride = d->value_stride = stride;
    return success;
}
/// Attribute 0: which triangle is read; 1: whether its diagonal is one.
extern "C" int cusparseSpMatSetAttribute(cusparseSpMatDescr_t d, int attribute, void* data, std::size_t bytes)
{
    if (!d || !data || bytes != sizeof(int) || attribute < 0 || attribute > 1) return invalid_value;
    const int value = *static_cast<const int*>(data);
    if (value != 0 && value != 1) return invalid_value;
    (attribute == 0 ? d->fill : d->diag) = value;
    return success;
}
extern "C" int cusparseSpMatGetAttribute(cusparseSpMatDescr_t d, int attribute, void* data, std::size_t bytes)
{
    if (!d || !data || bytes != sizeof(int) || attribute < 0 || attribute > 1) return invalid_value;
    *static_cast<int*>(data) = attribute == 0 ? d->fill : d->diag;
    return success;
}

extern "C" int cusparseCreateDnMat(cusparseDnMatDescr_t* d, std::int64_t rows, std::int64_t cols, std::int64_t ld, void* values, int type, int order)
{
    if (!d || rows < 0 || cols < 0 || (order != order_col && order != order_row) || ld < (order == order_col ? rows : cols)) return invalid_value;
    if (!is_type(type)) return not_supported;
    *d = new cusparseDnMatDescr{rows, cols, ld, values, type, order};
    return success;
}
extern "C" int cusparseDestroyDnMat(cusparseDnMatDescr_t d) { return destroy(d); }
extern "C" int cusparseDnMatGet(cusparseDnMatDescr_t d, std::int64_t* rows, std::int64_t* cols, std::int64_t* ld, void** values, int* type, int* order)
{
    if (!d) return invalid_value;
    put(rows, d->rows);
    put(cols, d->cols);
    put(ld, d->ld);
    put(values, d->values);
    put(type, d->type);
    put(order, d->order);
    return success;
}
extern "C" int cusparseDnMatGetValues(cusparseDnMatDescr_t d, void** values)
{
    if (!d || !values) return invalid_value;
    *values = d->values;
    return success;
}
extern "C" int cusparseDnMatSetValues(cusparseDnMatDescr_t d, void* values)
{
    if (!d) return invalid_value;
    d->values = values;
    return success;
}
extern "C" int cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t d, int batch, std::int64_t stride)
{
    if (!d || batch < 1 || stride < 0) return invalid_value;
    d->batch = batch;
    d->stride = stride;
    return success;
}
extern "C" int cusparseDnMatGetStridedBatch(cusparseDnMatDescr_t d, int* batch, std::int64_t* stride)
{
    if (!d || !batch || !stride) return invalid_value;
    *batch = d->batch;
    *stride = d->stride;
    return success;
}
