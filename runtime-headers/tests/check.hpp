// Minimal check macros of the tests of the device library.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstring>

inline int failures = 0;

#define CHECK(condition)                                                              \
    do {                                                                              \
        if (!(condition)) {                                                           \
            ++failures;                                                               \
            std::printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);       \
        }                                                                             \
    } while (0)

/// Equal bits, or both NaN.
template <class T>
bool same(T a, T b)
{
    return (a != a && b != b) || std::memcmp(&a, &b, sizeof a) == 0;
}

/// |a - b| in units of the last place of b.
template <class T>
double ulps(T a, T b)
{
    if (a == b || (a != a && b != b)) return 0;
    if (!(std::isfinite(a) && std::isfinite(b))) return 1e300;
    const T big = b < 0 ? -b : b;
    const T step = std::nextafter(big, T(INFINITY)) - big;
    return std::fabs(double(a) - double(b)) / double(step);
}

inline int report(const char* name)
{
    std::printf("%s %s\n", failures ? "FAIL" : "PASS", name);
    return failures != 0;
}
