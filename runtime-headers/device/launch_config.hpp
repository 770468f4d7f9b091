// The launch configuration as the Fortran side passes it: same layout as type(cuf_launch).
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>

namespace cuf {

struct launch_config {
    std::int32_t grid[3];   // blocks; -1 in a component: as many as fit; in a loop launch 0 is `*`
    std::int32_t block[3];  // threads
    std::int64_t bytes;     // dynamic shared memory of a block
    std::int64_t stream;    // handle, 0 is the default stream
    std::int32_t flags;     // bit 0: the grid is `*` (as many blocks as can be resident)
};

inline constexpr std::int32_t launch_star_grid = 1;

/// A kernel has loops to `limit` in steps of the product of these extents of the launch, which C++ computes in 32 bits: stops the
/// program where that leaves their range, in which such a loop would not end.
inline void check_stride(const launch_config& at, const char* kernel, std::int64_t limit, std::initializer_list<std::int32_t> extents)
{
    // How many blocks are as many as fit is not known yet: no device has room for more threads than that.
    constexpr std::int64_t most_resident = std::int64_t(1) << 26;
    const bool resident = (at.flags & launch_star_grid) != 0;
    std::int64_t step = 1;
    for (const std::int32_t n : extents) {
        if (n < 0 || resident) step = std::max(step, most_resident);
        if (n > 0 && step <= INT32_MAX) step *= n;
    }
    if (resident) step = std::min(step, most_resident);
    if (limit <= INT32_MAX - step) return;
    std::fprintf(stderr, "cuf2cu: error: kernel %s: a loop to %lld in steps of %lld, the threads launched, leaves the range of integer(4)\n",
                 kernel, static_cast<long long>(limit), static_cast<long long>(step));
    std::exit(1);
}

/// A kernel in two versions: with 32-bit and with 64-bit index arithmetic. A launch takes the first if all its arguments allow it,
/// and what the launcher says of others (`may_be_narrow`).
template <class Narrow, class Wide>
struct by_index {
    Narrow narrow;
    Wide wide;
    bool may_be_narrow = true;
};
template <class Narrow, class Wide>
by_index(Narrow, Wide, bool) -> by_index<Narrow, Wide>;
template <class Narrow, class Wide>
by_index(Narrow, Wide) -> by_index<Narrow, Wide>;

/// Arguments other than bounds of arrays and loops do not matter.
template <class T>
bool fits_narrow(const launch_config&, const T&)
{
    return true;
}

struct cluster_shape {
    std::int32_t x = 1, y = 1, z = 1;
};

// Launches of such kernels; those of a single version are the target's (device/target.hpp, cpu/target.hpp).
template <class N, class W, class... A>
void launch(const launch_config& at, by_index<N, W> kernel, const A&... args)
{
    if (kernel.may_be_narrow && (fits_narrow(at, args) && ...))
        launch(at, kernel.narrow, args...);
    else
        launch(at, kernel.wide, args...);
}
template <class N, class W, class... A>
void launch_cooperative(const launch_config& at, by_index<N, W> kernel, const A&... args)
{
    if (kernel.may_be_narrow && (fits_narrow(at, args) && ...))
        launch_cooperative(at, kernel.narrow, args...);
    else
        launch_cooperative(at, kernel.wide, args...);
}
template <class N, class W, class... A>
void launch_cluster(const launch_config& at, cluster_shape cluster, by_index<N, W> kernel, const A&... args)
{
    if (kernel.may_be_narrow && (fits_narrow(at, args) && ...))
        launch_cluster(at, cluster, kernel.narrow, args...);
    else
        launch_cluster(at, cluster, kernel.wide, args...);
}

}  // namespace cuf

#if defined(CUF_TARGET_CPU)
// 64-bit arithmetic costs nothing here, and half of the compilation is saved.
#define CUF_BY_INDEX(kernel) (+kernel<std::int64_t>)
#define CUF_BY_INDEX_IF(condition, kernel) ((void)(condition), +kernel<std::int64_t>)
#else
#define CUF_BY_INDEX(kernel) (::cuf::by_index{kernel<std::int32_t>, kernel<std::int64_t>})
#define CUF_BY_INDEX_IF(condition, kernel) (::cuf::by_index{kernel<std::int32_t>, kernel<std::int64_t>, condition})
#endif
