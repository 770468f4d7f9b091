// CUF loops on the cpu target: the iterations of a row, along the innermost loop, are a loop that the compiler can vectorise; each is
// run as a thread with one iteration. A reduction has a value for each thread that the grid would have, which is kept between its
// iterations: the order of combination is that of the grid, whatever number of cores takes part. device/loops.hpp includes this.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "plain.hpp"
#include <algorithm>

namespace cuf {
template <int N, class I>
struct loop_space;
}

namespace cuf::cpu {

/// Of a kernel's parameter that is a reduction: bytes of a thread's value, and what begins and ends it (device/reduction.hpp).
template <class P>
struct reduction_slots {
    static constexpr std::size_t bytes = 0;
    static constexpr bool in_any_order = true;
    static void begin(P&, unsigned char*, std::uint64_t, std::uint64_t) {}
    static void at(P&, unsigned char*, std::uint64_t) {}
    static void end(const P&, unsigned char*, std::uint64_t, unsigned, uint3, bool) {}
};

/// Memory of the calling thread of the operating system, until its next call.
unsigned char* loop_slots(std::size_t bytes);

template <auto kernel>
struct loop_rows;

template <int N, class I, class... P, void (*kernel)(loop_space<N, I>, P...)>
struct loop_rows<kernel> {
    using space_type = loop_space<N, I>;
    using call_type = kernel_call<space_type, P...>;
    static constexpr std::size_t slot_bytes = (reduction_slots<P>::bytes + ... + 0);
    /// Values may be combined in any order: rows of threads share those of the first one.
    static constexpr bool shared_rows = slot_bytes > 0 && (reduction_slots<P>::in_any_order && ...);
    static constexpr unsigned most_slots = N == 1 ? 4096 : 16384;

    /// Blocks along x in a piece: some pieces for each core, but not of too few threads; with reductions no more than there is memory for.
    static unsigned group(uint3 grid, uint3 block, unsigned workers)
    {
        const unsigned threads = block.x * block.y * block.z;
        const std::uint64_t rows = std::uint64_t(grid.y) * grid.z, wanted = std::uint64_t(workers) * 8;
        const unsigned cuts = unsigned(std::clamp<std::uint64_t>((wanted + rows - 1) / rows, 1, grid.x));
        const unsigned wide = std::min(grid.x, std::max((grid.x - 1) / cuts + 1, 256 / threads + 1));
        return slot_bytes > 0 ? std::clamp(most_slots / (shared_rows ? block.x : threads), 1u, wide) : wide;
    }

    static bool fits(const void* call)
    {
        const auto& values = static_cast<const call_type*>(call)->values;
        const auto& inner = std::get<0>(values).loops[N - 1];
        constexpr std::int64_t most = most_first;
        if (inner.step != 1 || inner.lo < -most || inner.lo > most || inner.count > most || inner.lo + inner.count > most) return false;
        return std::apply([](const space_type&, const P&... p) { return (plain_argument<P>::fits(p) && ...); }, values);
    }

    static std::uint64_t pieces(const void*, uint3 grid, uint3 block, unsigned workers)
    {
        return std::uint64_t((grid.x - 1) / group(grid, block, workers) + 1) * grid.y * grid.z;
    }

    /// Blocks that stand beside each other along x. A thread's iterations come in its order: what one leaves in memory the next one finds.
    static void run_piece(const void* call, std::uint64_t piece, unsigned workers)
    {
        run_blocks(static_cast<const call_type*>(call)->values, piece, workers);
    }

private:
    using values_type = std::tuple<space_type, P...>;

    /// The iterations x to end of a row; the first ones of their threads or others.
    template <bool begins>
    static void stretch(const values_type& values, std::int64_t x, std::int64_t end, std::int64_t y, std::int64_t z)
    {
        const std::int64_t lo = std::get<0>(values).loops[N - 1].lo;
        for (; x < end; x += most_width) {
            const auto count = unsigned(std::min<std::int64_t>(end - x, most_width));
            std::apply([&](const space_type& s, const P&... p) { row<begins>(lo + x, count, y, z, s, p...); }, values);
        }
    }

    static void run_blocks(const values_type& given, std::uint64_t piece, unsigned workers)
    {
        values_type values = given;
        const uint3 block{blockDim.x, blockDim.y, blockDim.z}, grid{gridDim.x, gridDim.y, gridDim.z};
        const unsigned wide = group(grid, block, workers), groups = (grid.x - 1) / wide + 1;
        const unsigned bx = unsigned(piece % groups) * wide, by = unsigned(piece / groups % grid.y), bz = unsigned(piece / groups / grid.y);
        const unsigned blocks = std::min(wide, grid.x - bx), width = blocks * block.x, rows = block.y * block.z;
        const unsigned kept = shared_rows ? 1 : rows;
        unsigned char* memory = loop_slots(slot_bytes * width * kept);
        const auto each = [&](auto&& f) {
            unsigned char* at = memory;
            const auto one = [&]<class R>(R& r) {
                f(r, at);
                at += reduction_slots<R>::bytes * width * kept;
            };
            std::apply([&](space_type&, P&... p) { (one(p), ...); }, values);
        };
        const space_type& space = std::get<0>(values);
        const std::int64_t step_x = std::int64_t(grid.x) * block.x, step_y = std::int64_t(grid.y) * block.y, step_z = std::int64_t(grid.z) * block.z;
        const std::int64_t first_x = std::int64_t(bx) * block.x, first_y = std::int64_t(by) * block.y, first_z = std::int64_t(bz) * block.z;
        // Threads without an iteration.
        const auto idle = [&](std::uint64_t first, std::uint64_t count) {
            each([&]<class R>(R& r, unsigned char* at) { reduction_slots<R>::begin(r, at, first, count); });
        };
        if (first_y >= space.extent(1) || first_z >= space.extent(2)) idle(0, std::uint64_t(kept) * width);
        for (std::int64_t z = first_z; z < space.extent(2); z += step_z)
            for (std::int64_t y = first_y; y < space.extent(1); y += step_y)
                for (unsigned q = 0; q < rows; ++q) {
                    const std::int64_t row_y = y + q % block.y, row_z = z + q / block.y;
                    const std::uint64_t slots = std::uint64_t(shared_rows ? 0 : q) * width;
                    const bool there = row_y < space.extent(1) && row_z < space.extent(2);
                    std::int64_t x = first_x;
                    each([&]<class R>(R& r, unsigned char* at) { reduction_slots<R>::at(r, at, slots); });
                    if (slot_bytes > 0 && y == first_y && z == first_z && q < kept) {
                        const std::int64_t end = there ? std::clamp<std::int64_t>(space.extent(0), x, x + width) : x;
                        stretch<slot_bytes != 0>(values, x, end, row_y, row_z);
                        idle(slots + std::uint64_t(end - x), std::uint64_t(x + width - end));
                        x += step_x;
                    }
                    for (; there && x < space.extent(0); x += step_x)
                        stretch<false>(values, x, std::min<std::int64_t>(x + width, space.extent(0)), row_y, row_z);
                }
        const std::uint64_t first = (std::uint64_t(bz) * grid.y + by) * grid.x + bx;
        const uint3 shape = shared_rows ? uint3{block.x, 1, 1} : block;
        each([&]<class R>(const R& r, unsigned char* at) { reduction_slots<std::remove_const_t<R>>::end(r, at, first, blocks, shape, shared_rows); });
    }

    // Stored for each iteration, and by components: the compiler then sees the value there, and that nothing has the variable's address.
    CUF_INLINE static void at(bool begins, unsigned slot, std::int64_t x, std::int64_t y, std::int64_t z)
    {
        element.on = true;
        element.first = begins;
        element.slot = slot;
        element.x = x;
        element.y = y;
        element.z = z;
    }

    template <bool begins>
    __attribute__((flatten, noinline)) static void row(std::int64_t first, unsigned count, std::int64_t y, std::int64_t z, space_type space, P... values)
    {
        if (count > most_width || first < -std::int64_t{most_first} || first > std::int64_t{most_first}) __builtin_unreachable();
        const auto from = int(first);
        (plain_argument<P>::settle(values), ...);
        for (unsigned t = 0; t < count; ++t) {
            at(begins, t, from + int(t), y, z);
            kernel(space, values...);
        }
        element.on = false;
    }
};

/// Makes the kernel of a CUF loop known before the program starts.
template <auto kernel>
struct loop_entry {
    using rows = loop_rows<kernel>;
    plain_kernel entry{reinterpret_cast<const void*>(kernel), false, &rows::fits, nullptr, &rows::pieces, &rows::run_piece, plain_kernel::first};
    loop_entry() { plain_kernel::first = &entry; }
};

}  // namespace cuf::cpu

// In heat.cu.lines: the iterations of the CUF loop do not wait for each other.
#if defined(CUF_CPU_LOOPS)
#define CUF_LOOP_KERNEL(...) \
    static const ::cuf::cpu::loop_entry<__VA_ARGS__> CUF_CPU_JOIN(cuf_loop_kernel_, __COUNTER__)
#else
#define CUF_LOOP_KERNEL(...) static_assert(true)
#endif
