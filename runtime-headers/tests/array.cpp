// Arrays: bounds, element order, sections, conversions.
#include "device/array.hpp"
#include "device/complex.hpp"
#include "device/logical.hpp"

#include "check.hpp"

static float sum(cuf::view<const float, 2> v)
{
    float s = 0;
    for (int64_t j = v.lbound(2); j <= v.ubound(2); ++j)
        for (int64_t i = v.lbound(1); i <= v.ubound(1); ++i) s += v(i, j);
    return s;
}

static_assert(std::is_trivial_v<cuf::fixed_array<float, 33, cuf::range{0, 17}>>);
static_assert(std::is_trivial_v<cuf::fixed_array<cuf::complex<double>, 3>>);
static_assert(std::is_trivial_v<cuf::logical<4>> && sizeof(cuf::logical<2>) == 2);
static_assert(sizeof(cuf::complex<double>) == 16 && alignof(cuf::complex<double>) == 8);
static_assert(sizeof(cuf::fixed_array<float, 33, cuf::range{0, 17}>) == 33 * 18 * 4);
constexpr cuf::fixed_array<int, 2, 2> table{{1, 2, 3, 4}};
static_assert(table(2, 1) == 2 && table(1, 2) == 3);

int main()
{
    float m[24];
    for (int k = 0; k < 24; ++k) m[k] = float(k);
    const int n = 4;
    cuf::array<float, 3> a(m, n, 3, int64_t(2));
    CHECK(a(1, 1, 1) == 0 && a(4, 3, 2) == 23 && a(2, 3, 1) == 9);
    CHECK(a.size() == 24 && a.size(2) == 3 && a.lbound(1) == 1 && a.ubound(3) == 2);
    cuf::array<float, 2> b(m, cuf::range{-1, 2}, cuf::assumed{0});
    CHECK(&b(-1, 0) == m && &b(2, 5) == m + 23 && b.lbound(2) == 0 && b.lbound(1) == -1);
    cuf::array<float, 1, int32_t> c(m, cuf::assumed{});
    CHECK(c(int8_t(3)) == 2);
    CHECK(b(0u - 1u, 1u) == 4 && cuf::section(b, 0u - 1u, cuf::slice{0, 1})(2) == 4);
    cuf::array<float, 2> empty(m, cuf::range{5, 3}, 7);
    CHECK(empty.size() == 0 && empty.size(1) == 0 && empty.lbound(1) == 1 && empty.ubound(1) == 0 && empty.ubound(2) == 7);
    cuf::array<float, 1> minus(m, cuf::range{0, -2});
    CHECK(minus.size() == 0 && minus.lbound(1) == 1);

    cuf::fixed_array<float, 3, cuf::range{0, 1}> t;
    for (int j = 0; j <= 1; ++j)
        for (int i = 1; i <= 3; ++i) t(i, j) = float(10 * i + j);
    CHECK(t.data()[3] == 11 && t.lbound(2) == 0 && t.ubound(2) == 1 && t.size() == 6);
    const auto& ct = t;
    CHECK(sum(t) == 123 && sum(ct) == 123);
    cuf::array<float, 2> whole(m, 4, 6);
    CHECK(sum(whole) == 276);

    auto s = cuf::section(a, cuf::slice{4, 1, -2}, cuf::all, 2);
    static_assert(decltype(s)::rank == 2);
    CHECK(s.size(1) == 2 && s.size(2) == 3 && s(1, 1) == 15 && s(2, 3) == 21 && !s.contiguous() && s.lbound(1) == 1);
    CHECK(cuf::section(a, cuf::all, cuf::slice{2, 3}, 1).contiguous());
    CHECK(cuf::section(s, cuf::slice{2, 1}, cuf::all).size() == 0);
    CHECK(cuf::section(s, cuf::slice{2, 1}, cuf::all).contiguous());
    auto r = s.rebased(0, -5);
    CHECK(r(0, -5) == 15 && r.ubound(1) == 1 && r.lbound(2) == -5);
    CHECK(cuf::section(ct, 2, cuf::all)(2) == 21);
    cuf::section(t, 2, cuf::all)(2) = 7;
    CHECK(t(2, 1) == 7);

    cuf::descriptor d{m, {0, 1}, {2, 3}, {-1, 4}, 2};
    d.base = m + 1;
    cuf::view<float, 2> v(d);
    CHECK(v(0, 1) == 1 && v(1, 3) == 8);
    cuf::view<const float, 2> cv = v;
    CHECK(cv(1, 2) == 4);

    cuf::logical<4> l = true;
    cuf::logical<1> l1 = l;
    CHECK(l.value == 1 && l1 && !(l == false));
    l.value = -1;
    l1 = l;
    CHECK(l1.value == 1 && bool(l));
    return report("array");
}
