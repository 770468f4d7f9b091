// Intrinsics of every kind against gfortran: bit for bit where both call the same library, a few ulp elsewhere.
#include "device/intrinsics.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "check.hpp"

static FILE* results;

/// Tolerances: bits; the value only (signs of zeros and NaN depend on how the compiler mixes real and complex); nothing.
constexpr double exact = 0, value = -1, skip = -2;

/// Compares with the next result of the reference; a positive `tolerance` is in ulps of the kind.
template <class T>
static void expect(const char* what, T ours, double x, double y, double tolerance = exact)
{
    double theirs = 0;
    if (std::fread(&theirs, 8, 1, results) != 1) {
        ++failures;
        return;
    }
    const bool ok = tolerance == exact   ? same(double(ours), theirs)
                    : tolerance == value ? double(ours) == theirs || theirs != theirs || std::isinf(ours)
                    : tolerance == skip  ? true
                                         : ulps(ours, T(theirs)) <= tolerance;
    if (!ok && ++failures < 40)
        std::printf("%s kind %d of %.17g, %.17g: %.17g instead of %.17g\n", what, int(sizeof(T)), x, y, double(ours), theirs);
}
template <class T>
static void expect(const char* what, cuf::complex<T> ours, double x, double y, double tolerance = exact)
{
    expect(what, ours.re, x, y, tolerance);
    expect(what, ours.im, x, y, tolerance);
}
static void expect_integer(const char* what, int kind, int64_t ours, int64_t x, int64_t y, int64_t p)
{
    int64_t theirs = 0;
    if (std::fread(&theirs, 8, 1, results) != 1) {
        ++failures;
        return;
    }
    if (ours != theirs && ++failures < 40)
        std::printf("%s kind %d of %lld, %lld, %lld: %lld instead of %lld\n", what, kind, (long long)x, (long long)y, (long long)p,
                    (long long)ours, (long long)theirs);
}

template <class I>
static void integer_cases(int64_t x, int64_t y, int64_t p)
{
    const I a = I(x), b = I(y);
    const int bits = int(sizeof(I) * 8);
    int n = int(cuf::modulo(p, int64_t(bits + 1)));
    const int m = n < bits - 1 ? n : bits - 1;
    auto put = [&](const char* what, I v) { expect_integer(what, int(sizeof(I)), v, a, b, p); };
    auto count = [&](const char* what, int v) { expect_integer(what, int(sizeof(I)), v, a, b, p); };
    const bool divides = b != 0 && b != -1;
    put("mod", divides ? cuf::mod(a, b) : I(0));
    put("modulo", divides ? cuf::modulo(a, b) : I(0));
    put("sign", cuf::sign(a, b));
    put("abs", cuf::abs(a));
    put("max", cuf::max(a, b));
    put("min", cuf::min(a, b));
    put("ishft", cuf::ishft(a, n));
    put("ishft -", cuf::ishft(a, -n));
    put("shiftl", cuf::shiftl(a, n));
    put("shiftr", cuf::shiftr(a, n));
    put("shifta", cuf::shifta(a, n));
    put("ishftc", cuf::ishftc(a, m));
    put("ishftc -", cuf::ishftc(a, -m));
    put("ishftc size", cuf::ishftc(a, m / 2, m + 1));
    put("ishftc size -", cuf::ishftc(a, -m / 3, m + 1));
    // gfortran 12 gives 0 for all bits of the larger kinds.
    put("ibits", cuf::ibits(a, m, bits - (m > 1 ? m : 1)));
    put("ibits", cuf::ibits(a, m / 2, m / 2));
    put("ibset", cuf::ibset(a, m));
    put("ibclr", cuf::ibclr(a, m));
    count("btest", cuf::btest(a, m));
    count("popcnt", cuf::popcnt(a));
    count("poppar", cuf::poppar(a));
    count("leadz", cuf::leadz(a));
    count("trailz", cuf::trailz(a));
    put("dshiftl", cuf::dshiftl(a, b, n));
    put("dshiftr", cuf::dshiftr(a, b, n));
    put("merge_bits", cuf::merge_bits(a, b, I(a ^ ~b)));
    count("bge", cuf::bge(a, b));
    count("bgt", cuf::bgt(a, b));
    count("ble", cuf::ble(a, b));
    count("blt", cuf::blt(a, b));
    put("maskl", cuf::maskl<I>(n));
    put("maskr", cuf::maskr<I>(n));
    I t = b;
    cuf::mvbits(a, m / 2, m / 3, t, m / 4);
    put("mvbits", t);
    t = a;
    cuf::mvbits(t, 0, bits, t, 0);
    put("mvbits all", t);
    n = int(cuf::modulo(p, int64_t(9)));
    t = cuf::modulo(a, I(19));
    if (sizeof(I) >= 4) t = I(t - 9);
    else t = I(cuf::modulo(t, I(3)) - 1);
    put("**", I(cuf::pow(t, n)));
    if (t == 0) t = 1;
    put("** -", I(cuf::pow(t, -n)));
}

template <class T>
static void real_cases(double x, double y, int64_t p)
{
    const T a = T(x), b = T(y);
    const int n = int(cuf::modulo(p, int64_t(41))) - 20;
    auto put = [&](const char* what, T v, double tolerance = exact) { expect(what, v, a, b, tolerance); };
    auto count = [&](const char* what, int64_t v) { expect_integer(what, int(sizeof(T)), v, int64_t(x), int64_t(y), 0); };
    put("mod", cuf::mod(a, b));
    put("modulo", cuf::modulo(a, b));
    put("sign", cuf::sign(a, b));
    put("dim", cuf::dim(a, b));
    put("abs", cuf::abs(a));
    const double ordered = a == a && b == b ? value : skip;
    put("max", cuf::max(a, b), ordered);
    put("min", cuf::min(a, b), ordered);
    put("aint", cuf::aint(a));
    put("anint", cuf::anint(a));
    put("max3", cuf::max(a, b, T(0.5)), ordered);
    const bool small = std::fabs(a) < 0x1p30;
    count("nint", small ? cuf::nint(a) : 0);
    count("ceiling", small ? cuf::ceiling(a) : 0);
    count("floor", small ? cuf::floor(a) : 0);
    count("int", small ? cuf::to_integer(a) : 0);
    count("nint 8", small ? cuf::nint<int64_t>(a) : 0);
    count("ceiling 8", small ? cuf::ceiling<int64_t>(a) : 0);
    count("floor 8", small ? cuf::floor<int64_t>(a) : 0);
    count("int 8", small ? cuf::to_integer<int64_t>(a) : 0);
    count("exponent", cuf::exponent(a));
    put("fraction", cuf::fraction(a));
    put("scale", cuf::scale(a, n));
    put("set_exponent", cuf::set_exponent(a, n));
    put("nearest", cuf::nearest(a, b));
    put("spacing", cuf::spacing(a));
    put("rrspacing", cuf::rrspacing(a));
    put("scale", cuf::scale(a, -1200));
    put("scale", cuf::scale(a, int64_t(2500)));
    put("**", cuf::pow(a, n));
    put("**8", cuf::pow(a, int64_t(n)));
    put("** real", cuf::pow(a, b));
    put("hypot", cuf::hypot(a, b));
    put("atan2", cuf::atan2(a, b));
    put("sqrt", cuf::sqrt(a));
    put("exp", cuf::exp(a));
    put("log", cuf::log(a));
    put("log10", cuf::log10(a));
    put("sin", cuf::sin(a));
    put("cos", cuf::cos(a));
    put("tan", cuf::tan(a));
    put("asin", cuf::asin(a));
    put("acos", cuf::acos(a));
    put("atan", cuf::atan(a));
    put("sinh", cuf::sinh(a));
    put("cosh", cuf::cosh(a));
    put("tanh", cuf::tanh(a));
    put("asinh", cuf::asinh(a));
    put("acosh", cuf::acosh(a));
    put("atanh", cuf::atanh(a));
    put("erf", cuf::erf(a));
    put("erfc", cuf::erfc(a));
    put("erfc_scaled", cuf::erfc_scaled(a), a > T(1e30) ? skip : 16);
    put("gamma", cuf::gamma(a));
    put("log_gamma", cuf::log_gamma(a));
    put("bessel_j0", cuf::bessel_j0(a));
    put("bessel_j1", cuf::bessel_j1(a));
    put("bessel_jn", cuf::bessel_jn(3, a));
    put("bessel_y0", cuf::bessel_y0(cuf::abs(a)));
    put("bessel_y1", cuf::bessel_y1(cuf::abs(a)));
    put("bessel_yn", cuf::bessel_yn(2, cuf::abs(a)));

    using C = cuf::complex<T>;
    const C z(a, b), w(b, cuf::fraction(a));
    auto pair = [&](const char* what, C v, double tolerance = exact) { expect(what, v, a, b, tolerance); };
    const double mixed = std::isfinite(a) && std::isfinite(b) ? value : skip;
    pair("z+w", z + w);
    pair("z-w", z - w);
    pair("z*w", z * w);
    pair("z/w", z / w);
    pair("z+a", z + a, mixed);
    pair("a-z", a - z, mixed);
    pair("z*b", z * b, mixed);
    pair("b/z", b / z, mixed);
    pair("z/b", z / b, mixed);
    pair("n*z", n * z, mixed);
    pair("z+n", z + n, mixed);
    pair("conjg", cuf::conjg(z));
    pair("z**n", cuf::pow(z, n));
    put("abs z", cuf::abs(z));
    pair("sqrt z", cuf::sqrt(z));
    pair("exp z", cuf::exp(z));
    pair("log z", cuf::log(z));
    pair("sin z", cuf::sin(z));
    pair("cos z", cuf::cos(z));
    pair("tan z", cuf::tan(z));
    pair("sinh z", cuf::sinh(z));
    pair("cosh z", cuf::cosh(z));
    pair("tanh z", cuf::tanh(z));
    pair("z**w", cuf::pow(z, w));
}

struct operands {
    int64_t i, j, p;
    double x, y;
};

static uint64_t state = 88172645463325252u;
static uint64_t random_bits()
{
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}
static double random_real()
{
    static const double special[] = {0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 1e-40, 5e-324, 3e38, 1e300, -1e-300,
                                     INFINITY, -INFINITY, NAN, 0.49999999999999994, 8388607.5, 2.0, -3.0, 30.0, 1.17549435e-38};
    const uint64_t r = random_bits();
    switch (r % 4) {
    case 0: return special[(r >> 8) % (sizeof special / 8)];
    case 1: return double(int64_t(r >> 4) % 2000) / 16.0 - 40.0;
    case 2: return double(int64_t(r >> 11)) / 0x1p53 * 8 - 4;
    default: return std::ldexp(double(int64_t(r >> 11)) / 0x1p53 - 0.5, int((r >> 3) % 120) - 60);
    }
}
static int64_t random_integer()
{
    const uint64_t r = random_bits();
    switch (r % 3) {
    case 0: return int64_t(random_bits());
    case 1: return int64_t((r >> 8) % 41) - 20;
    default: return int64_t(uint64_t(1) << ((r >> 8) % 64)) - int64_t((r >> 20) % 2);
    }
}

int main()
{
    if (std::system("gfortran --version > /dev/null 2>&1") != 0) {
        std::printf("SKIP intrinsics: no gfortran\n");
        return 0;
    }
    char folder[] = "/tmp/cuf_intrinsics_XXXXXX";
    if (!mkdtemp(folder)) return 1;
    const std::string base = folder;
    std::vector<operands> cases;
    for (int k = 0; k < 5000; ++k) cases.push_back({random_integer(), random_integer(), int64_t(random_bits() >> 2), random_real(), random_real()});
    FILE* values = std::fopen((base + "/values").c_str(), "wb");
    std::fwrite(cases.data(), sizeof(operands), cases.size(), values);
    std::fclose(values);
    // The reference is compiled without optimisation: gfortran folds NaN comparisons differently at each level.
    const std::string build = "gfortran -cpp -O0 -fno-range-check -ffree-line-length-none -w intrinsics.f90 -J " + base + " -o " + base
                              + "/reference && cd " + base + " && ./reference";
    CHECK(std::system(build.c_str()) == 0);
    results = std::fopen((base + "/results").c_str(), "rb");
    if (!results) return 1;
    for (const operands& c : cases) {
        integer_cases<int8_t>(c.i, c.j, c.p);
        integer_cases<int16_t>(c.i, c.j, c.p);
        integer_cases<int32_t>(c.i, c.j, c.p);
        integer_cases<int64_t>(c.i, c.j, c.p);
        real_cases<float>(c.x, c.y, c.p);
        real_cases<double>(c.x, c.y, c.p);
    }
    CHECK(std::fgetc(results) == EOF);
    std::fclose(results);
    if (std::system(("rm -r " + base).c_str()) != 0) return 1;
    return report("intrinsics");
}
