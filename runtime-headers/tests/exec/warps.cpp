// Warp operations: shuffles with widths, votes, matches, sub-masks, exited lanes, partial warps, active lanes.
#include "check.hpp"
#include "cpu/target.hpp"
#include "device/warp.hpp"

namespace tests {
__global__ void shuffles(int* r, double* d)
{
    const int t = int(threadIdx.x), n = int(blockDim.x);
    r[0 * n + t] = cuf::shfl(t, 9);
    r[1 * n + t] = cuf::shfl(t, 40);          // wraps
    r[2 * n + t] = cuf::shfl_up(t, 3);
    r[3 * n + t] = cuf::shfl_down(t, 5, 8);
    r[4 * n + t] = cuf::shfl_xor(t, 5);
    r[5 * n + t] = cuf::shfl_xor(t, 12, 8);   // a later segment: own value
    double s = t;
    for (int k = 16; k > 0; k /= 2) s += cuf::shfl_xor(s, k);
    d[t] = s;
}
__global__ void votes(int* r)
{
    const int t = int(threadIdx.x), lane = t % 32, n = int(blockDim.x);
    r[t] = cuf::ballot_sync(-1, lane % 3 == 0);
    if (lane < 16)
        r[n + t] = cuf::ballot_sync(0xffff, lane % 2);
    else
        r[n + t] = cuf::ballot_sync(0xffff0000u, lane % 4 == 0);
    r[2 * n + t] = cuf::match_any_sync(-1, lane / 5);
    bool same;
    r[3 * n + t] = cuf::match_all_sync(-1, lane / 32, same) + same;
    r[4 * n + t] = cuf::match_all_sync(-1, lane / 16, same) + same;
    r[5 * n + t] = cuf::all_sync(-1, lane < 32) + 2 * cuf::any_sync(-1, lane == 7) + 4 * cuf::all_sync(-1, lane) + 8 * cuf::any_sync(-1, lane > 31);
}
__global__ void exits(int* r)
{
    const int lane = int(threadIdx.x);
    if (lane % 2) return;
    r[lane] = cuf::ballot_sync(-1, true);
    if (lane >= 16) {
        r[lane] = cuf::activemask();
        return;
    }
    r[lane] = cuf::activemask() + cuf::shfl(lane, 5);
}
__global__ void partial(int* r)
{
    int s = 1;
    for (int k = 16; k > 0; k /= 2) {
        const int other = cuf::shfl_down(s, k);
        if (int(threadIdx.x % 32) + k < int(blockDim.x - threadIdx.x / 32 * 32)) s += other;
    }
    r[threadIdx.x] = s;
    __syncthreads();
    cuf::syncwarp();
}
}  // namespace tests

int main()
{
    constexpr int n = 96;
    static int r[6 * n];
    static double d[n];
    cuf::launch({{1, 1, 1}, {n, 1, 1}, 0, 0, 0}, tests::shuffles, r, d);
    for (int t = 0; t < n; ++t) {
        const int base = t & ~31, lane = t & 31;
        CHECK(r[t] == base + 8 && r[n + t] == base + 7);
        CHECK(r[2 * n + t] == (lane < 3 ? t : t - 3));
        CHECK(r[3 * n + t] == (lane % 8 + 5 < 8 ? t + 5 : t));
        CHECK(r[4 * n + t] == (t ^ 5));
        CHECK(r[5 * n + t] == (((lane ^ 12) / 8 > lane / 8) ? t : (t ^ 12)));
        CHECK(d[t] == 32 * base + 496);
    }
    cuf::launch({{1, 1, 1}, {n, 1, 1}, 0, 0, 0}, tests::votes, r);
    for (int t = 0; t < n; ++t) {
        const int lane = t & 31;
        unsigned group = 0;
        for (int l = 0; l < 32; ++l) group |= unsigned(l / 5 == lane / 5) << l;
        CHECK(unsigned(r[t]) == 0x49249249u);
        CHECK(unsigned(r[n + t]) == (lane < 16 ? 0xaaaau : 0x11110000u));
        CHECK(unsigned(r[2 * n + t]) == group);
        CHECK(r[3 * n + t] == 0 && r[4 * n + t] == 0);  // -1 + true; 0 + false
        CHECK(r[5 * n + t] == 3);
    }
    cuf::launch({{1, 1, 1}, {32, 1, 1}, 0, 0, 0}, tests::exits, r);
    for (int l = 0; l < 32; l += 2) CHECK(r[l] == (l >= 16 ? 0x55550000 : 0x5555 + 4));
    cuf::launch({{1, 1, 1}, {45, 1, 1}, 0, 0, 0}, tests::partial, r);
    CHECK(r[0] == 32 && r[32] == 13);
    return report("warps");
}
