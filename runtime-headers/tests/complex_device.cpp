// The complex routines that nvcc uses, against the C library: special values exactly, the rest within a few ulp of |w|.
#include "cuf/intrinsics.hpp"

#include <cstdint>
#include <initializer_list>

#include "check.hpp"

namespace device = cuf::detail::device_complex;

static uint64_t state = 88172645463325252u;
static double random_real()
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    const double u = double(int64_t(state >> 11)) / 0x1p52 - 1;
    static const double special[] = {0.0, -0.0, 1.0, -1.0, 1e-5, 80.0, -100.0, 715.0, 1e-200, 1e160, 1e300, 3e38, 1e-39, 0.8, 0.6};
    switch (state % 4) {
    case 0: return special[(state >> 7) % (sizeof special / 8)];
    case 1: return u;
    case 2: return u * 20;
    default: return std::ldexp(u, int((state >> 5) % 200) - 100);
    }
}

/// Distance relative to the modulus of the reference, in units of epsilon.
template <class T>
static double distance(const cuf::complex<T>& ours, const cuf::complex<T>& theirs)
{
    if (ours.re == theirs.re && ours.im == theirs.im) return 0;
    if (!std::isfinite(theirs.re) || !std::isfinite(theirs.im)) {
        // Infinite parts must agree; a NaN or overflow of one part leaves the other open.
        return std::isfinite(ours.re) && std::isfinite(ours.im) ? 1e300 : 0;
    }
    const double scale = std::hypot(double(theirs.re), double(theirs.im));
    const double tiny = sizeof(T) == 4 ? 1.2e-38 : 2.3e-308;
    const double epsilon = sizeof(T) == 4 ? 0x1p-23 : 0x1p-52;
    const double error = std::hypot(double(ours.re) - double(theirs.re), double(ours.im) - double(theirs.im));
    return error / ((scale > tiny ? scale : tiny) * epsilon);
}

template <class T>
static void check(const char* what, const cuf::complex<T>& z, const cuf::complex<T>& ours, const cuf::complex<T>& theirs, double limit)
{
    const double d = distance(ours, theirs);
    if (!(d <= limit) && ++failures < 30)
        std::printf("%s kind %d of (%g,%g): (%.17g,%.17g) instead of (%.17g,%.17g), %g\n", what, int(sizeof(T)), double(z.re),
                    double(z.im), double(ours.re), double(ours.im), double(theirs.re), double(theirs.im), d);
}

template <class T>
static void cases()
{
    for (int k = 0; k < 60000; ++k) {
        const T x = T(random_real()), y = T(random_real());
        const cuf::complex<T> z(x, y);
        if (!std::isfinite(z.re) || !std::isfinite(z.im)) continue;
        check("sqrt", z, device::sqrt(z), cuf::sqrt(z), 4);
        check("exp", z, device::exp(z), cuf::exp(z), 8);
        if (z.re != 0 || z.im != 0) check("log", z, device::log(z), cuf::log(z), 4);
        check("sin", z, device::sin(z), cuf::sin(z), 8);
        check("cos", z, device::cos(z), cuf::cos(z), 8);
        check("sinh", z, device::sinh(z), cuf::sinh(z), 8);
        check("cosh", z, device::cosh(z), cuf::cosh(z), 8);
        check("tan", z, device::tan(z), cuf::tan(z), 16);
        check("tanh", z, device::tanh(z), cuf::tanh(z), 16);
        // The error of exp(w*log(z)) grows with the exponent.
        const cuf::complex<T> small(T(std::fmod(z.re, 3)), T(std::fmod(z.im, 3)));
        if (small.re != 0 || small.im != 0) check("pow", z, device::pow(small, small), cuf::pow(small, small), 16);
    }
}

int main()
{
    cases<float>();
    cases<double>();
    const double inf = INFINITY;
    using Z = cuf::complex<double>;
    for (double x : {0.0, -0.0, 1.0, -2.0, inf, -inf, double(NAN)}) {
        for (double y : {0.0, -0.0, 3.0, -1.0, inf, -inf}) {
            const Z z(x, y), ours = device::sqrt(z), theirs = cuf::sqrt(z);
            CHECK((same(ours.re, theirs.re) && same(ours.im, theirs.im)) || distance(ours, theirs) < 4);
            CHECK(std::signbit(ours.im) == std::signbit(theirs.im) || std::isnan(theirs.im));
        }
    }
    CHECK(device::log(Z(0.0, 0.0)).re == -inf && device::log(Z(-1.0, -0.0)).im < -3);
    CHECK(device::exp(Z(-inf, 2.0)).re == 0 && device::pow(Z(0, 0), Z(2, 0)).re == 0);
    return report("complex_device");
}
