// The generators of curand_device on the cpu target, under CUDA's names.
//
// XORWOW: Marsaglia, Xorshift RNGs, Journal of Statistical Software 8 (2003). Philox4x32-10: Salmon et al., Parallel random
// numbers: as easy as 1, 2, 3, SC11. MRG32k3a: L'Ecuyer, Good parameters and implementations for combined multiple recursive
// random number generators, Operations Research 47 (1999). Sequences start where the state that CUDA documents as public
// shows them to start; skipping ahead is multiplication by powers of the generator's transition matrix, computed here.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>

struct curandStateXORWOW_t {
    unsigned int d, v[5];
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
struct curandStateMRG32k3a_t {
    unsigned int s1[3], s2[3];
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
struct alignas(16) curandStatePhilox4_32_10_t {
    unsigned int ctr[4], output[4], key[2], STATE;
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
static_assert(sizeof(curandStateXORWOW_t) == 48 && sizeof(curandStateMRG32k3a_t) == 48 && sizeof(curandStatePhilox4_32_10_t) == 64,
              "the sizes of CUDA, which the Fortran side has too");

namespace cuf::cpu {

// ---- XORWOW ----

/// The five words of the xorshift part as one vector over the field of two elements.
using xorwow_words = std::array<std::uint32_t, 5>;

inline xorwow_words xorwow_step(const xorwow_words& v)
{
    const std::uint32_t t = v[0] ^ (v[0] >> 2);
    return {v[1], v[2], v[3], v[4], (v[4] ^ (v[4] << 4)) ^ (t ^ (t << 1))};
}

/// A linear map: the images of the 160 unit vectors.
struct xorwow_matrix {
    std::array<xorwow_words, 160> image;

    xorwow_words operator*(const xorwow_words& v) const
    {
        xorwow_words r{};
        for (int word = 0; word < 5; ++word)
            for (std::uint32_t bits = v[word]; bits; bits &= bits - 1) {
                const xorwow_words& column = image[word * 32 + std::countr_zero(bits)];
                for (int i = 0; i < 5; ++i) r[i] ^= column[i];
            }
        return r;
    }
};

/// Powers 2^k of the transition, k below 67 + 64.
inline const std::array<xorwow_matrix, 131>& xorwow_powers()
{
    static const auto powers = [] {
        auto p = std::make_unique<std::array<xorwow_matrix, 131>>();
        for (int i = 0; i < 160; ++i) {
            xorwow_words unit{};
            unit[i / 32] = 1u << i % 32;
            (*p)[0].image[i] = xorwow_step(unit);
        }
        for (std::size_t k = 1; k < p->size(); ++k)
            for (int i = 0; i < 160; ++i) (*p)[k].image[i] = (*p)[k - 1] * (*p)[k - 1].image[i];
        return p;
    }();
    return *powers;
}

inline void xorwow_skip(curandStateXORWOW_t* state, unsigned long long count, int scale)
{
    xorwow_words v;
    for (int i = 0; i < 5; ++i) v[i] = state->v[i];
    for (; count; count &= count - 1) v = xorwow_powers()[std::size_t(scale + std::countr_zero(count))] * v;
    for (int i = 0; i < 5; ++i) state->v[i] = v[i];
}

// ---- MRG32k3a ----

inline constexpr std::uint64_t mrg_m1 = 4294967087u, mrg_m2 = 4294944443u;

struct mrg_matrix {
    std::uint64_t a[3][3];
};

inline mrg_matrix mrg_square(const mrg_matrix& x, std::uint64_t m)
{
    mrg_matrix r{};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            for (int k = 0; k < 3; ++k) r.a[i][j] = (r.a[i][j] + x.a[i][k] * x.a[k][j] % m) % m;
    return r;
}

/// Powers 2^k of one of the two transitions, k below 76 + 64.
inline const std::array<mrg_matrix, 140>& mrg_powers(bool second)
{
    const auto powers = [](mrg_matrix a, std::uint64_t m) {
        std::array<mrg_matrix, 140> p;
        p[0] = a;
        for (std::size_t k = 1; k < p.size(); ++k) p[k] = mrg_square(p[k - 1], m);
        return p;
    };
    static const auto one = powers({{{0, 1, 0}, {0, 0, 1}, {mrg_m1 - 810728, 1403580, 0}}}, mrg_m1);
    static const auto two = powers({{{0, 1, 0}, {0, 0, 1}, {mrg_m2 - 1370589, 0, 527612}}}, mrg_m2);
    return second ? two : one;
}

inline void mrg_skip(unsigned int* s, bool second, unsigned long long count, int scale)
{
    const std::uint64_t m = second ? mrg_m2 : mrg_m1;
    for (; count; count &= count - 1) {
        const mrg_matrix& x = mrg_powers(second)[std::size_t(scale + std::countr_zero(count))];
        std::uint64_t r[3];
        for (int i = 0; i < 3; ++i) r[i] = (x.a[i][0] * s[0] % m + x.a[i][1] * s[1] % m + x.a[i][2] * s[2] % m) % m;
        for (int i = 0; i < 3; ++i) s[i] = std::uint32_t(r[i]);
    }
}

/// The next value, 1 to m1.
inline double mrg_next(curandStateMRG32k3a_t* state)
{
    unsigned int *x = state->s1, *y = state->s2;
    const auto p1 = std::int64_t((1403580 * std::uint64_t(x[1]) + (mrg_m1 - 810728) * x[0] % mrg_m1) % mrg_m1);
    const auto p2 = std::int64_t((527612 * std::uint64_t(y[2]) + (mrg_m2 - 1370589) * y[0] % mrg_m2) % mrg_m2);
    x[0] = x[1], x[1] = x[2], x[2] = unsigned(p1);
    y[0] = y[1], y[1] = y[2], y[2] = unsigned(p2);
    return double(p1 <= p2 ? p1 - p2 + std::int64_t(mrg_m1) : p1 - p2);
}

// ---- Philox4x32-10 ----

inline void philox_rounds(curandStatePhilox4_32_10_t* state)
{
    std::uint32_t c[4] = {state->ctr[0], state->ctr[1], state->ctr[2], state->ctr[3]}, k[2] = {state->key[0], state->key[1]};
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t a = std::uint64_t(0xd2511f53u) * c[0], b = std::uint64_t(0xcd9e8d57u) * c[2];
        const std::uint32_t next[4] = {std::uint32_t(b >> 32) ^ c[1] ^ k[0], std::uint32_t(b), std::uint32_t(a >> 32) ^ c[3] ^ k[1],
                                       std::uint32_t(a)};
        for (int i = 0; i < 4; ++i) c[i] = next[i];
        k[0] += 0x9e3779b9u;
        k[1] += 0xbb67ae85u;
    }
    for (int i = 0; i < 4; ++i) state->output[i] = c[i];
}

/// Adds to the counter's words from `first` on.
inline void philox_count(curandStatePhilox4_32_10_t* state, int first, unsigned long long n)
{
    for (int i = first; i < 4 && n; ++i) {
        const std::uint64_t sum = std::uint64_t(state->ctr[i]) + std::uint32_t(n);
        state->ctr[i] = std::uint32_t(sum);
        n = (n >> 32) + (sum >> 32);
    }
}

template <class S>
void forget_pairs(S* state)
{
    state->boxmuller_flag = state->boxmuller_flag_double = 0;
    state->boxmuller_extra = 0;
    state->boxmuller_extra_double = 0;
}

}  // namespace cuf::cpu

// ---- what generated code calls ----

inline void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset, curandStateXORWOW_t* state)
{
    const auto t0 = (std::uint32_t(seed) ^ 0xaad26b49u) * 1099087573u;
    const auto t1 = (std::uint32_t(seed >> 32) ^ 0xf7dcefddu) * 2591861531u;
    state->v[0] = 123456789u + t0;
    state->v[1] = 362436069u ^ t0;
    state->v[2] = 521288629u + t1;
    state->v[3] = 88675123u ^ t1;
    state->v[4] = 5783321u + t0;
    cuf::cpu::xorwow_skip(state, sequence, 67);
    cuf::cpu::xorwow_skip(state, offset, 0);
    state->d = 6615241u + t1 + t0 + 362437u * std::uint32_t(offset);
    cuf::cpu::forget_pairs(state);
}

inline void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset, curandStateMRG32k3a_t* state)
{
    for (int i = 0; i < 3; ++i) state->s1[i] = state->s2[i] = 12345;
    if (seed != 0) {
        const std::uint64_t x[2] = {std::uint32_t(seed) ^ 0x55555555u, std::uint32_t(seed >> 32) ^ 0xaaaaaaaau};
        for (int i = 0; i < 3; ++i) {
            state->s1[i] = std::uint32_t(x[i % 2] * 12345 % cuf::cpu::mrg_m1);
            state->s2[i] = std::uint32_t(x[1 - i % 2] * 12345 % cuf::cpu::mrg_m2);
        }
    }
    for (const bool second : {false, true}) {
        unsigned int* s = second ? state->s2 : state->s1;
        cuf::cpu::mrg_skip(s, second, sequence, 76);
        cuf::cpu::mrg_skip(s, second, offset, 0);
    }
    cuf::cpu::forget_pairs(state);
}

inline void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset, curandStatePhilox4_32_10_t* state)
{
    *state = {};
    state->key[0] = std::uint32_t(seed);
    state->key[1] = std::uint32_t(seed >> 32);
    cuf::cpu::philox_count(state, 2, sequence);
    cuf::cpu::philox_count(state, 0, offset / 4);
    state->STATE = unsigned(offset % 4);
    cuf::cpu::philox_rounds(state);
}

inline unsigned int curand(curandStateXORWOW_t* state)
{
    const auto v = cuf::cpu::xorwow_step({state->v[0], state->v[1], state->v[2], state->v[3], state->v[4]});
    for (int i = 0; i < 5; ++i) state->v[i] = v[i];
    state->d += 362437u;
    return v[4] + state->d;
}

inline unsigned int curand(curandStateMRG32k3a_t* state)
{
    return unsigned(cuf::cpu::mrg_next(state) * 1.000000048662);
}

inline unsigned int curand(curandStatePhilox4_32_10_t* state)
{
    const unsigned int r = state->output[state->STATE++];
    if (state->STATE == 4) {
        cuf::cpu::philox_count(state, 0, 1);
        cuf::cpu::philox_rounds(state);
        state->STATE = 0;
    }
    return r;
}

/// In (0, 1].
template <class S>
float curand_uniform(S* state)
{
    if constexpr (requires { state->s1; }) {
        return float(cuf::cpu::mrg_next(state) * 2.3283065498378288e-10);
    } else {
        return float(curand(state)) * 0x1p-32f + 0x1p-33f;
    }
}

template <class S>
double curand_uniform_double(S* state)
{
    if constexpr (requires { state->s1; }) {
        return cuf::cpu::mrg_next(state) * 2.3283065498378288e-10;
    } else if constexpr (requires { state->STATE; }) {
        return curand(state) * 0x1p-32 + 0x1p-32;
    } else {
        const std::uint64_t x = curand(state), y = curand(state);
        return double(x ^ (y << 21)) * 0x1p-53 + 0x1p-54;
    }
}

namespace cuf::cpu {

enum pair_kind { pair_none, pair_normal, pair_log_normal };

/// Box and Muller: two numbers a time, the second of which is kept for the next call for the same distribution.
template <class S, class F>
float pair_of(S* state, pair_kind kind, F apply)
{
    if (state->boxmuller_flag == kind) {
        state->boxmuller_flag = pair_none;
        return state->boxmuller_extra;
    }
    float u, v;
    if constexpr (requires { state->s1; }) {
        u = curand_uniform(state);
        v = curand_uniform(state) * 6.2831855f;
    } else {
        constexpr float unit = 0x1p-32f * 6.2831855f;
        u = curand_uniform(state);
        v = float(curand(state)) * unit + unit / 2;
    }
    const float s = std::sqrt(-2.0f * std::log(u));
    state->boxmuller_extra = apply(s * std::cos(v));
    state->boxmuller_flag = kind;
    return apply(s * std::sin(v));
}

template <class S, class F>
double pair_of_double(S* state, pair_kind kind, F apply)
{
    if (state->boxmuller_flag_double == kind) {
        state->boxmuller_flag_double = pair_none;
        return state->boxmuller_extra_double;
    }
    const auto draw = [state] {
        if constexpr (requires { state->s1; }) {
            return curand_uniform_double(state);
        } else {
            const std::uint64_t x = curand(state), y = curand(state);
            return double(x ^ (y << 21)) * 0x1p-53 + 0x1p-54;
        }
    };
    const double u = draw(), v = draw() * 2 * M_PI;
    const double s = std::sqrt(-2.0 * std::log(u));
    state->boxmuller_extra_double = apply(s * std::cos(v));
    state->boxmuller_flag_double = kind;
    return apply(s * std::sin(v));
}

}  // namespace cuf::cpu

template <class S>
float curand_normal(S* state)
{
    return cuf::cpu::pair_of(state, cuf::cpu::pair_normal, [](float x) { return x; });
}

template <class S>
double curand_normal_double(S* state)
{
    return cuf::cpu::pair_of_double(state, cuf::cpu::pair_normal, [](double x) { return x; });
}

template <class S>
float curand_log_normal(S* state, float mean, float deviation)
{
    return cuf::cpu::pair_of(state, cuf::cpu::pair_log_normal, [=](float x) { return std::exp(mean + deviation * x); });
}

template <class S>
double curand_log_normal_double(S* state, double mean, double deviation)
{
    return cuf::cpu::pair_of_double(state, cuf::cpu::pair_log_normal, [=](double x) { return std::exp(mean + deviation * x); });
}
