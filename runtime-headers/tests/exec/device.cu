// Compile check of the execution model under nvcc: every template once.
#include "cuf.cuh"
#include "device/cooperative.hpp"

namespace tests {

__constant__ float scale;

template <class T>
__device__ void atomics(T* a)
{
    T r = cuf::atomic_add(a[0], T(1));
    r = cuf::atomic_sub(a[1], r);
    r = cuf::atomic_max(a[2], r);
    r = cuf::atomic_min(a[3], r);
    r = cuf::atomic_exch(a[4], r);
    a[5] = cuf::atomic_cas(a[4], r, T(2));
}
__global__ void all_atomics(int* i, int64_t* l, float* f, double* d, cuf::half* h)
{
    atomics(i);
    atomics(l);
    atomics(f);
    atomics(d);
    h[0] = cuf::atomic_add(h[1], h[2]);
    i[0] = cuf::atomic_and_(i[1], 3) + cuf::atomic_or_(i[1], 3) + cuf::atomic_xor_(i[1], 3) + cuf::atomic_inc(i[2], 9) + cuf::atomic_dec(i[2], 9);
}
__global__ void warps(int* i, double* d, cuf::complex<double>* z)
{
    i[0] = cuf::shfl(i[1], 3) + cuf::shfl_up(i[1], 3, 8) + cuf::ballot_sync(-1, i[2] > 0) + cuf::all_sync(-1, true) + cuf::any_sync(-1, true);
    d[0] = cuf::shfl_xor(d[1], 5) + cuf::shfl_down(d[1], 2);
    z[0] = cuf::shfl(z[1], 1);
    bool same;
    i[4] = cuf::match_any_sync(-1, d[0]) + cuf::match_all_sync(-1, i[0], same) + cuf::activemask() + cuf::ballot(same);
    cuf::syncwarp();
    cuf::dynamic_shared<float>(16)[threadIdx.x] = scale;
}
__global__ void groups(int* i)
{
    const auto g = cuf::this_grid();
    const auto c = cuf::this_cluster();
    const auto b = cuf::this_thread_block();
    const auto w = cuf::this_warp();
    __shared__ int s[32];
    s[threadIdx.x % 32] = w.rank;
    g.sync();
    c.sync();
    b.sync();
    w.sync();
    i[g.rank] = cuf::cluster_map_shared_rank(s, c.size)[0];
}
template <class T, class Op>
__global__ void fold(cuf::loop_space<3> space, const T* x, cuf::reduction_device<T, Op> r_)
{
    T r = Op::template identity<T>();
    for (auto it = space.begin_thread(); it.valid(); it.next()) r = Op::apply(r, x[it.index(0) + it.index(1) * it.index(2)]);
    cuf::combine(r_, r);
}

}  // namespace tests

template <class T, class Op>
void run_fold(const cuf::launch_config* at, const T* x, T* target)
{
    cuf::loop_space<3> space({{1, 9, 1}, {1, 8, 1}, {7, 1, -2}});
    const auto config = cuf::detail::loop_shape(*at, space);
    cuf::reduction<T, Op> r(config, target);
    cuf::launch(config, tests::fold<T, Op>, space, x, r.device());
    r.finish();
}

extern "C" void run_all(const cuf::launch_config* at, int* i, int64_t* l, float* f, double* d, cuf::half* h, cuf::complex<double>* z,
                        cuf::logical<4>* b)
{
    cuf::launch(*at, tests::all_atomics, i, l, f, d, h);
    cuf::launch(*at, tests::warps, i, d, z);
    cuf::launch_cooperative(*at, tests::groups, i);
    cuf::launch_cluster(*at, {2, 1, 1}, tests::groups, i);
    run_fold<int, cuf::op_iand>(at, i, i);
    run_fold<float, cuf::op_add>(at, f, f);
    run_fold<double, cuf::op_max>(at, d, d);
    run_fold<cuf::half, cuf::op_min>(at, h, h);
    run_fold<cuf::complex<double>, cuf::op_mul>(at, z, z);
    run_fold<cuf::logical<4>, cuf::op_eqv>(at, b, b);
}

extern "C" void* address() { return cuf::address_of(tests::scale); }
