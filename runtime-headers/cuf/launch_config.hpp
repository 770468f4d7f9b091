// The launch configuration as the Fortran side passes it: same layout as type(cuf_launch).
#pragma once
#include <cstdint>

namespace cuf {

struct launch_config {
    std::int32_t grid[3];   // blocks; -1 in a component: as many as fit; in a loop launch 0 is `*`
    std::int32_t block[3];  // threads
    std::int64_t bytes;     // dynamic shared memory of a block
    std::int64_t stream;    // handle, 0 is the default stream
    std::int32_t flags;     // bit 0: the grid is `*` (as many blocks as can be resident)
};

inline constexpr std::int32_t launch_star_grid = 1;

struct cluster_shape {
    std::int32_t x = 1, y = 1, z = 1;
};

}  // namespace cuf
