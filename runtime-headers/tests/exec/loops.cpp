// CUF loops: every iteration once for any launch shape, reductions, zero trip, large spaces.
#include "check.hpp"
#include "cuf.cuh"
#include <climits>
#include <cmath>
#include <vector>

namespace tests {
__global__ void mark2(cuf::loop_space<2> space, int* a, int n)
{
    for (auto [j, i] : cuf::grid_stride(space)) cuf::atomic_add(a[j * n + i], 1);
}
__global__ void mark4(cuf::loop_space<4> space, int* a)
{
    for (auto [l, k, j, i] : cuf::grid_stride<int64_t, int, int, int>(space)) {
        static_assert(sizeof l == 8 && sizeof i == 4);
        cuf::atomic_add(a[((l * 5 + k) * 7 + j) * 11 + i], 1);
    }
}
__global__ void sum(cuf::loop_space<1> space, const double* x, cuf::reduction_device<double, cuf::op_add> s_, cuf::reduction_device<double, cuf::op_add> q_,
                    cuf::reduction_device<double, cuf::op_max> m_)
{
    double s = 0, q = 0, m = cuf::op_max::identity<double>();
    for (int64_t i : cuf::grid_stride(space)) {
        const double v = x[i - 1];
        s += v;
        q += v * v;
        m = m > v ? m : v;
    }
    cuf::combine(s_, s);
    cuf::combine(q_, q);
    cuf::combine(m_, m);
}
template <class T, class Op>
__global__ void fold(cuf::loop_space<1> space, const T* x, cuf::reduction_device<T, Op> r_)
{
    T r = Op::template identity<T>();
    for (auto it = space.begin_thread(); it.valid(); it.next()) r = Op::apply(r, x[it.index(0)]);
    cuf::combine(r_, r);
}
}  // namespace tests

/// The values of a DO variable.
template <class L, class H, class S>
std::vector<int64_t> values(L lo, H hi, S step)
{
    std::vector<int64_t> out;
    for (int64_t i : cuf::do_range(lo, hi, step)) out.push_back(i);
    return out;
}

template <class T, class Op>
T fold(const std::vector<T>& x, T start, cuf::launch_config at)
{
    cuf::loop_space<1> space({{0, int64_t(x.size()) - 1, 1}});
    const auto config = cuf::detail::loop_shape(at, space);
    cuf::reduction<T, Op> r(config, &start);
    cuf::launch(config, tests::fold<T, Op>, space, x.data(), r.device());
    r.finish();
    return start;
}

int main()
{
    const cuf::launch_config shapes[] = {{{0, 0, 0}, {0, 0, 0}, 0, 0, 0}, {{1, 1, 1}, {1, 1, 1}, 0, 0, 0}, {{3, 1, 1}, {32, 4, 1}, 0, 0, 0},
                                         {{0, 1, 1}, {256, 1, 1}, 0, 0, 0}, {{0, 0, 1}, {8, 8, 4}, 0, 0, 0}, {{7, 90, 5}, {16, 2, 2}, 0, 0, 0}};
    for (const auto& at : shapes) {
        constexpr int n = 67, m = 45;
        std::vector<int> a(n * m);
        cuf::loop_space<2> space({{m - 1, 0, -1}, {0, n - 1, 1}});
        cuf::launch(cuf::detail::loop_shape(at, space), tests::mark2, space, a.data(), n);
        for (int v : a) CHECK(v == 1);
        std::vector<int> b(3 * 5 * 7 * 11);
        cuf::loop_space<4> deep({{0, 2, 1}, {0, 4, 1}, {0, 6, 1}, {0, 10, 1}});
        cuf::launch(cuf::detail::loop_shape(at, deep), tests::mark4, deep, b.data());
        for (int v : b) CHECK(v == 1);
        std::vector<double> x(10001);
        double exact = 0, squares = 0;
        for (size_t i = 0; i < x.size(); ++i) {
            x[i] = double(i % 97) - 30;
            exact += x[i];
            squares += x[i] * x[i];
        }
        double s = 5, q = 0, top = -1e300, again = 5, unused1 = 0, unused2 = 0;
        cuf::loop_space<1> line({{1, int64_t(x.size()), 1}});
        const auto config = cuf::detail::loop_shape(at, line);
        for (int pass = 0; pass < 2; ++pass) {
            cuf::reduction<double, cuf::op_add> rs(config, pass ? &again : &s), rq(config, pass ? &unused1 : &q);
            cuf::reduction<double, cuf::op_max> rm(config, pass ? &unused2 : &top);
            cuf::launch(config, tests::sum, line, x.data(), rs.device(), rq.device(), rm.device());
            rs.finish();
            rq.finish();
            rm.finish();
        }
        CHECK(s == exact + 5 && again == s && q == squares && top == 66);
        std::vector<int> k(3000);
        int all = -1, any = 0, odd = 0;
        for (size_t i = 0; i < k.size(); ++i) {
            k[i] = int(i * 2654435761u) | 1;
            all &= k[i];
            any |= k[i];
            odd ^= k[i];
        }
        CHECK((fold<int, cuf::op_iand>(k, -1, at) == all));
        CHECK((fold<int, cuf::op_ior>(k, 0, at) == any));
        CHECK((fold<int, cuf::op_ieor>(k, 1, at) == (odd ^ 1)));
        CHECK((fold<int, cuf::op_min>(k, 0x7fffffff, at) < 0));
        CHECK((fold<int64_t, cuf::op_max>({-5, -3, -9}, -100, at) == -3));
        CHECK((fold<int64_t, cuf::op_min>({}, 4, at) == 4));
        using logical = cuf::logical<4>;
        std::vector<logical> l(1000, true);
        CHECK((fold<logical, cuf::op_and>(l, true, at)));
        l[777] = false;
        CHECK((!fold<logical, cuf::op_and>(l, true, at)));
        CHECK((!fold<logical, cuf::op_eqv>(l, true, at)));
        CHECK((fold<logical, cuf::op_neqv>(l, false, at)));
        const auto z = fold<cuf::complex<double>, cuf::op_mul>({{0.0, 1.0}, {0.0, 1.0}, {2.0, 0.0}}, {1.0, 0.0}, at);
        CHECK(z.re == -2 && z.im == 0);
        CHECK((float(fold<cuf::half, cuf::op_max>({cuf::half(1.5f), cuf::half(-2.f)}, cuf::half(-8.f), at)) == 1.5f));
    }
    // loops of one thread: unsigned operands, both directions, the ends of the range, no iteration
    CHECK((values(2u, 9, 3u) == std::vector<int64_t>{2, 5, 8}));
    CHECK((values(4, -4, -4) == std::vector<int64_t>{4, 0, -4}));
    CHECK((values(INT_MAX - 3, INT_MAX, 2) == std::vector<int64_t>{INT_MAX - 3, INT_MAX - 1}));
    CHECK((values(INT_MIN + 1, INT_MIN, -1) == std::vector<int64_t>{INT_MIN + 1, INT_MIN}));
    CHECK((values(INT_MIN, INT_MAX, INT_MAX) == std::vector<int64_t>{INT_MIN, -1, INT_MAX - 1}));
    CHECK((values(1, int64_t(1) << 40, int64_t(1) << 39) == std::vector<int64_t>{1, (int64_t(1) << 39) + 1}));
    CHECK(values(5, 4, 1).empty() && values(4, 5, -1).empty() && values(1, 5, 0).empty());
    // counts at the ends of the range
    CHECK((cuf::loop_bounds{INT64_MIN, INT64_MAX, INT64_MAX}.count() == 3));
    CHECK((cuf::loop_bounds{5, 4, 1}.count() == 0 && cuf::loop_bounds{5, 5, -3}.count() == 1 && cuf::loop_bounds{10, 1, -4}.count() == 3));
    cuf::loop_space<3> wide({{1, 100000, 1}, {1, 1, 1}, {1, 70000, 1}});
    const auto config = cuf::detail::loop_shape({{0, 0, 0}, {0, 0, 0}, 0, 0, 0}, wide);
    CHECK(config.block[0] == 32 && config.block[1] == 8 && config.block[2] == 1 && config.grid[0] == 2188 && config.grid[2] <= 65535);
    CHECK(cuf::detail::loop_shape({{7, 100000, 5}, {16, 2, 2}, 0, 0, 0}, wide).grid[1] == 65535);
    CHECK((cuf::loop_space<1>({{1, 0, 1}}).empty()));
    // a launch that fails leaves the target
    double kept = 7;
    cuf::loop_space<1> line({{0, 9, 1}});
    const auto bad = cuf::detail::loop_shape({{1, 1, 1}, {2048, 1, 1}, 0, 0, 0}, line);
    cuf::reduction<double, cuf::op_add> r(bad, &kept);
    cuf::launch(bad, tests::fold<double, cuf::op_add>, line, static_cast<const double*>(nullptr), r.device());
    r.finish();
    CHECK(kept == 7 && cudaGetLastError() == cudaErrorInvalidConfiguration);
    return report("loops");
}
