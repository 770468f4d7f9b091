// nvcuda::wmma on the cpu target: fragments that are spread over the 32 threads of a warp, as on the GPU.
//
// Thread t of a warp has the elements t, t + 32, t + 64, ... of a matrix in column-major order; of A and B each element is in two
// threads. Products are added in double precision and rounded once.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "../device/half.hpp"
#include "target.hpp"

namespace nvcuda::wmma {

struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };

template <class Use, int M, int N, int K, class T, class Layout = void>
struct fragment {
    static constexpr int rows = std::is_same_v<Use, matrix_b> ? K : M, columns = std::is_same_v<Use, matrix_a> ? K : N;
    static constexpr int total = rows * columns;
    static constexpr bool twice = !std::is_same_v<Use, accumulator> && std::is_same_v<T, cuf::half>;
    static_assert(std::is_same_v<T, double> || (twice ? M * N * K == 4096 : total == 256), "a shape that tensor cores have");
    static constexpr int num_elements = twice ? 16 : total / 32;

    T x[num_elements];

    /// Number of the element in slot i of a thread, in column-major order.
    static int element(int lane, int i) { return (lane + 32 * i) % total; }
    static int lane_of(int element) { return element % 32; }
    static int slot_of(int element) { return element / 32; }
};

namespace detail {

/// All 32 threads of the warp have to come: as on the hardware, an incomplete warp has no tensor cores.
inline unsigned whole_warp()
{
    if (cuf::cpu::existing_lanes() != ~0u) cuf::cpu::fail("a wmma operation needs a whole warp of 32 threads");
    return ~0u;
}

inline void meet(std::source_location at) { cuf::cpu::warp_rendezvous(cuf::cpu::warp_sync, whole_warp(), 0, 0, at); }

template <class F, class T>
void load(F& f, const T* p, unsigned stride, bool by_rows, std::source_location at)
{
    meet(at);
    for (int i = 0; i < F::num_elements; ++i) {
        const int e = F::element(cuf::cpu::lane(), i), row = e % F::rows, column = e / F::rows;
        f.x[i] = by_rows ? p[row * stride + column] : p[row + column * stride];
    }
}

}  // namespace detail

template <class F, class T>
void fill_fragment(F& f, const T& value)
{
    for (auto& x : f.x) x = value;
}

template <class Use, int M, int N, int K, class T, class Layout>
void load_matrix_sync(fragment<Use, M, N, K, T, Layout>& f, const std::type_identity_t<T>* p, unsigned stride CUF_AT)
{
    detail::load(f, p, stride, std::is_same_v<Layout, row_major>, at);
}

template <int M, int N, int K, class T>
void load_matrix_sync(fragment<accumulator, M, N, K, T>& f, const std::type_identity_t<T>* p, unsigned stride, layout_t layout CUF_AT)
{
    detail::load(f, p, stride, layout == mem_row_major, at);
}

template <int M, int N, int K, class T>
void store_matrix_sync(std::type_identity_t<T>* p, const fragment<accumulator, M, N, K, T>& f, unsigned stride, layout_t layout CUF_AT)
{
    detail::meet(at);
    for (int i = 0; i < f.num_elements; ++i) {
        const int e = f.element(cuf::cpu::lane(), i), row = e % M, column = e / M;
        (layout == mem_row_major ? p[row * stride + column] : p[row + column * stride]) = f.x[i];
    }
    detail::meet(at);
}

/// d = a b + c
template <int M, int N, int K, class TD, class TA, class LA, class LB, class TC>
void mma_sync(fragment<accumulator, M, N, K, TD>& d, const fragment<matrix_a, M, N, K, TA, LA>& a,
              const fragment<matrix_b, M, N, K, TA, LB>& b, const fragment<accumulator, M, N, K, TC>& c CUF_AT)
{
    struct parts {
        const fragment<matrix_a, M, N, K, TA, LA>* a;
        const fragment<matrix_b, M, N, K, TA, LB>* b;
    };
    // The first thread keeps the list of where all have their parts.
    parts list[32];
    const unsigned all = detail::whole_warp();
    auto* shared = reinterpret_cast<parts*>(cuf::cpu::warp_rendezvous(cuf::cpu::warp_shuffle, all, reinterpret_cast<std::uintptr_t>(list), 0, at));
    shared[cuf::cpu::lane()] = {&a, &b};
    detail::meet(at);
    TD result[sizeof d.x / sizeof d.x[0]];
    for (int i = 0; i < d.num_elements; ++i) {
        const int e = d.element(cuf::cpu::lane(), i), row = e % M, column = e / M;
        double sum = double(c.x[i]);
        for (int k = 0; k < K; ++k) {
            const int at_a = row + k * M, at_b = k + column * K;
            sum += double(shared[a.lane_of(at_a)].a->x[a.slot_of(at_a)]) * double(shared[b.lane_of(at_b)].b->x[b.slot_of(at_b)]);
        }
        result[i] = TD(sum);
    }
    detail::meet(at);
    for (int i = 0; i < d.num_elements; ++i) d.x[i] = result[i];
}

}  // namespace nvcuda::wmma
