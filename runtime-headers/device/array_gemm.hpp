// MATMUL of factors that are plain arrays of a type of cuBLAS: where it is worth a call, cuBLAS multiplies.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "array_product.hpp"

#if !defined(CUF_TARGET_CPU)

// What is called of cuBLAS, so that compiling needs no header of it.
extern "C" {
int cublasCreate_v2(void**);
int cublasSetStream_v2(void*, cudaStream_t);
int cublasSgemm_v2(void*, int, int, int, int, int, const float*, const float*, int, const float*, int, const float*, float*, int);
int cublasDgemm_v2(void*, int, int, int, int, int, const double*, const double*, int, const double*, int, const double*, double*, int);
int cublasCgemm_v2(void*, int, int, int, int, int, const void*, const void*, int, const void*, int, const void*, void*, int);
int cublasZgemm_v2(void*, int, int, int, int, int, const void*, const void*, int, const void*, int, const void*, void*, int);
}

namespace cuf::arrays {

/// The handle of the calling thread for the current device.
inline void* blas_handle(const char* place)
{
    struct kept {
        device_key device;
        void* handle;
    };
    static thread_local std::vector<kept> all;
    const device_key here = this_device();
    for (const kept& k : all)
        if (k.device == here) return k.handle;
    void* handle = nullptr;
    if (cublasCreate_v2(&handle) != 0) stop(place, "cuBLAS could not be initialised for this MATMUL");
    all.push_back({here, handle});
    return handle;
}

/// A matrix as BLAS knows it: columns that lie side by side, or (`transposed`) rows.
struct blas_matrix {
    const void* data = nullptr;
    int step = 0;
    bool transposed = false;
};

/// Whether a matrix of so many rows and columns at these distances is one of BLAS.
inline bool is_blas(int64_t rows, int64_t columns, int64_t down, int64_t across, blas_matrix& found)
{
    const int64_t most = 0x7fffffff;
    if (rows > most || columns > most) return false;
    if (rows <= 1) down = 1;
    if (columns <= 1) across = down == 1 ? rows : 1;
    found.transposed = down != 1;
    if (found.transposed && across != 1) return false;
    const int64_t step = found.transposed ? down : across, least = found.transposed ? columns : rows;
    if (step < least || step > most) return false;
    found.step = int(step);
    return true;
}

/// An array as a matrix; a vector is a row or a column of it.
template <class V>
bool is_blas(const V& v, bool row, blas_matrix& found)
{
    found.data = v.data();
    if constexpr (V::rank == 2)
        return is_blas(v.size(1), v.size(2), v.stride(1), v.stride(2), found);
    else
        return row ? is_blas(1, v.size(1), 1, v.stride(1), found) : is_blas(v.size(1), 1, v.stride(1), 1, found);
}

/// c = a*b; nothing where c's elements do not lie in one of the two orders.
template <class P>
bool multiply_blas(const char* place, const launch_config& at, const factors& f, const blas_matrix& a, const blas_matrix& b,
                   const blas_matrix& c)
{
    constexpr bool single = std::is_same_v<P, float>, real = single || std::is_same_v<P, double>;
    void* handle = blas_handle(place);
    // The transpose of the product is the product of the transposes.
    const blas_matrix &left = c.transposed ? b : a, &right = c.transposed ? a : b;
    const int m = int(c.transposed ? f.n : f.m), n = int(c.transposed ? f.m : f.n), depth = int(f.depth);
    const int turn_left = left.transposed != c.transposed, turn_right = right.transposed != c.transposed;
    alignas(16) const P one(1), zero(0);
    void* to = const_cast<void*>(c.data);
    const auto call = [&](auto gemm, auto* type) {
        using T = std::remove_pointer_t<decltype(type)>;
        return cublasSetStream_v2(handle, stream_of(at)) == 0 &&
               gemm(handle, turn_left, turn_right, m, n, depth, static_cast<const T*>(static_cast<const void*>(&one)),
                    static_cast<const T*>(left.data), left.step, static_cast<const T*>(right.data), right.step,
                    static_cast<const T*>(static_cast<const void*>(&zero)), static_cast<T*>(to), c.step) == 0;
    };
    bool done;
    if constexpr (real && single)
        done = call(cublasSgemm_v2, static_cast<float*>(nullptr));
    else if constexpr (real)
        done = call(cublasDgemm_v2, static_cast<double*>(nullptr));
    else if constexpr (sizeof(P) == 8)
        done = call(cublasCgemm_v2, static_cast<void*>(nullptr));
    else
        done = call(cublasZgemm_v2, static_cast<void*>(nullptr));
    if (!done) stop(place, "cuBLAS could not compute this MATMUL");
    return true;
}

/// The statement's value, of products that are there.
template <class O, class P>
struct of_products {
    static constexpr int rank = O::rank;
    static constexpr bool masked = false, valued = true, nested = false;
    O o;
    view<const P, O::rank> products;
    template <class... I>
    CUF_INLINE auto value(I... i) const
    {
        return o.value(products(i...), i...);
    }
    template <class F>
    void arrays(const F& f) const
    {
        o.arrays([&](const auto&... v) { f(products, v...); });
    }
};

}  // namespace cuf::arrays
#endif

namespace cuf {

/// As `multiply_arrays`.
template <memory M, class P, class O, class T, int R>
bool multiply_matrices(const launch_config& at, const char* place, const O& o, const view<T, R>& to, bool fixed)
{
#if !defined(CUF_TARGET_CPU)
    using namespace arrays;
    const begun now(place, at, o);
    const factors f = factors_of(place, o);
    extents<R> e;
    if constexpr (R == 2)
        e = {{f.m, f.n}};
    else
        e = {{O::left_rank == 2 ? f.m : f.n}};
    if (!fixed && (to.data() == nullptr || !conforms(e, to))) return false;
    conform(place, e, to);
    o.arrays([&](const auto&... v) { (conform(place, e, v), ...); });
    blas_matrix a, b, c;
    cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
    const bool worth = double(f.m) * double(f.n) * double(f.depth) >= 64.0 * 64.0 * 64.0 &&
                       cudaStreamIsCapturing(stream_of(at), &capture) == cudaSuccess && capture == cudaStreamCaptureStatusNone;
    if (worth && is_blas(o.left_array(), true, a) && is_blas(o.right_array(), false, b)) {
        constexpr bool direct = requires { O::value_is_result; } && std::is_same_v<P, T>;
        const target<M, T, R> t(place, at, to, disturbs_factors(o, to));
        if (direct && is_blas(t.elements(), O::left_rank == 1, c)) {
            multiply_blas<P>(place, at, f, a, b, c);
        } else {
            const view<P, R> products = dense(take_array<P>(place, room::elements, e.count()), e);
            is_blas(products, O::left_rank == 1, c);
            multiply_blas<P>(place, at, f, a, b, c);
            set_all(place, at, of_products<O, P>{o, products}, t.elements());
            // Until then the products are in use.
            wait(place, at);
        }
        t.finish();
        return true;
    }
#endif
    return multiply_arrays<M, P>(at, place, o, to, fixed);
}

}  // namespace cuf
