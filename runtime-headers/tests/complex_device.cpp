// The complex routines that nvcc uses, against the C library: special values exactly, the rest within a few ulp of |w|;
// then against long double, within what the header promises.
#include "device/intrinsics.hpp"

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
        check("exp", z, device::exp(z), cuf::exp(z), 4);
        if (z.re != 0 || z.im != 0) check("log", z, device::log(z), cuf::log(z), 4);
        check("sin", z, device::sin(z), cuf::sin(z), 4);
        check("cos", z, device::cos(z), cuf::cos(z), 4);
        check("sinh", z, device::sinh(z), cuf::sinh(z), 4);
        check("cosh", z, device::cosh(z), cuf::cosh(z), 4);
        check("tan", z, device::tan(z), cuf::tan(z), 4);
        check("tanh", z, device::tanh(z), cuf::tanh(z), 4);
        // The error of exp(w*log(z)) grows with the exponent.
        const cuf::complex<T> small(T(std::fmod(z.re, 3)), T(std::fmod(z.im, 3)));
        if (small.re != 0 || small.im != 0) check("pow", z, device::pow(small, small), cuf::pow(small, small), 16);
    }
}

/// The larger error of the two parts, in ulps of the modulus.
template <class T>
static double error(const cuf::complex<T>& ours, __complex__ long double theirs)
{
    const T modulus = T(__builtin_cabsl(theirs));
    const long double re = std::fabs(__real__ theirs - ours.re), im = std::fabs(__imag__ theirs - ours.im);
    return double((re > im ? re : im) / (std::nextafter(modulus, T(INFINITY)) - modulus));
}

/// Ordinary arguments, many of them small or close to an axis.
template <class T>
static cuf::complex<T> ordinary()
{
    T part[2];
    for (T& x : part) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        const double u = double(int64_t(state >> 11)) / 0x1p52 - 1;
        x = T(state % 3 == 0 ? std::ldexp(u, -int((state >> 5) % 40)) : u * (state % 3 == 1 ? 2 : 30));
    }
    return {part[0], part[1]};
}

#define ACCURATE(name, single, twofold)                                                                       \
    {                                                                                                        \
        const double e = error(device::name(z), __builtin_c##name##l(exact));                                  \
        if (!(e <= (sizeof(T) == 4 ? single : twofold)) && ++failures < 30)                                    \
            std::printf(#name " kind %d of (%.17g,%.17g): %g ulp\n", int(sizeof(T)), double(z.re), double(z.im), e); \
    }

/// The limits of double precision leave room for CUDA's logarithm, arctangent and the like, which are less accurate than glibc's.
template <class T>
static void accuracy()
{
    for (int k = 0; k < 40000; ++k) {
        const cuf::complex<T> z = ordinary<T>();
        if (z.re == 0 || z.im == 0) continue;
        __complex__ long double exact;
        __real__ exact = z.re;
        __imag__ exact = z.im;
        ACCURATE(exp, 0.51, 0.8)
        ACCURATE(log, 0.51, 1.5)
        ACCURATE(sqrt, 0.51, 0.51)
        ACCURATE(sin, 0.51, 0.8)
        ACCURATE(cos, 0.51, 0.8)
        ACCURATE(tan, 0.51, 0.9)
        ACCURATE(sinh, 0.51, 0.8)
        ACCURATE(cosh, 0.51, 0.8)
        ACCURATE(tanh, 0.51, 0.9)
        ACCURATE(asin, 0.51, 3.5)
        ACCURATE(acos, 0.51, 3.5)
        ACCURATE(atan, 0.51, 3.5)
        ACCURATE(asinh, 0.51, 3.5)
        ACCURATE(acosh, 0.51, 3.5)
        ACCURATE(atanh, 0.51, 3.5)
        const cuf::complex<T> w(T(std::fmod(z.im * 3, 5)), T(std::fmod(z.re, 2)));
        __complex__ long double exponent;
        __real__ exponent = w.re;
        __imag__ exponent = w.im;
        const double e = error(device::pow(z, w), __builtin_cpowl(exact, exponent));
        if (!(e <= (sizeof(T) == 4 ? 0.51 : 1.3)) && ++failures < 30)
            std::printf("pow kind %d of (%.17g,%.17g)**(%.17g,%.17g): %g ulp\n", int(sizeof(T)), double(z.re), double(z.im),
                        double(w.re), double(w.im), e);
    }
}

int main()
{
    cases<float>();
    cases<double>();
    accuracy<float>();
    accuracy<double>();
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
