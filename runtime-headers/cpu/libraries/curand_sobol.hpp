// Sobol sequences as cuRAND's host API gives them out. Only curand_generators.cpp includes this.
//
// The scrambled sequences of cuRAND come from tables that are not published. Here they are scrambled in the same manner (a random linear
// map of the digits and a digital shift for each dimension), but with other random numbers: another sequence with the same properties.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "curand_engines.hpp"
#include "curand_joe_kuo.hpp"

namespace cuf::cpu::random {

/// Direction numbers of each dimension, as binary fractions of 64 bits.
using direction_numbers = std::array<std::uint64_t, 64>;

inline std::vector<direction_numbers> joe_kuo_directions(unsigned dimensions)
{
    std::vector<direction_numbers> all(dimensions);
    const std::uint16_t* number = sobol_numbers;
    for (unsigned d = 0; d < dimensions; ++d) {
        direction_numbers& v = all[d];
        if (d == 0) {
            for (unsigned k = 0; k < 64; ++k) v[k] = std::uint64_t(1) << (63 - k);
            continue;
        }
        const unsigned polynomial = *number++, degree = unsigned(std::bit_width(polynomial)) - 1;
        for (unsigned k = 0; k < degree; ++k) v[k] = std::uint64_t(*number++) << (63 - k);
        for (unsigned k = degree; k < 64; ++k) {
            v[k] = v[k - degree] ^ (v[k - degree] >> degree);
            for (unsigned j = 1; j < degree; ++j)
                if (polynomial >> (degree - j) & 1) v[k] ^= v[k - j];
        }
    }
    return all;
}

/// Some bits that look random (the finalizer of splitmix64).
inline std::uint64_t mixed(std::uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/// A sequence of points, one dimension after the other in the array.
class sobol_engine : public single_word_engine {
public:
    sobol_engine(unsigned dimensions, bool scrambled) : direction_(joe_kuo_directions(dimensions)), shift_(dimensions)
    {
        if (!scrambled) return;
        for (unsigned d = 0; d < dimensions; ++d) {
            shift_[d] = mixed(2 * d + 1);
            for (std::uint64_t& v : direction_[d]) v = scramble(v, d);
        }
    }

    void start(unsigned long long, unsigned long long offset) override { point_ = offset; }
    unsigned long long position() const override { return point_; }

    void fill(const request& r) override
    {
        const std::size_t points = r.count / direction_.size();
        for (std::size_t d = 0; d < direction_.size(); ++d) {
            std::uint64_t x = at(d, point_);
            for (std::size_t i = 0; i < points; ++i) {
                place(r, d * points + i, x);
                // Gray code: neighbouring points differ by one direction number.
                x ^= direction_[d][std::size_t(std::countr_one(point_ + i))];
            }
        }
        point_ += points;
    }

protected:
    unsigned next() override { return 0; }
    virtual void place(const request& r, std::size_t i, std::uint64_t x) { put(r, i, unsigned(x >> 32)); }

private:
    std::uint64_t at(std::size_t d, std::uint64_t n) const
    {
        std::uint64_t x = shift_[d];
        std::uint64_t gray = n ^ (n >> 1);
        for (; gray; gray &= gray - 1) x ^= direction_[d][std::size_t(std::countr_zero(gray))];
        return x;
    }
    /// A lower triangular map of the binary digits with ones on the diagonal, which is different for each dimension.
    static std::uint64_t scramble(std::uint64_t v, unsigned d)
    {
        std::uint64_t result = 0;
        for (unsigned row = 0; row < 64; ++row) {
            const std::uint64_t above = row == 0 ? 0 : ~std::uint64_t(0) << (64 - row), self = std::uint64_t(1) << (63 - row);
            const std::uint64_t mask = (mixed((std::uint64_t(d) << 6 | row) + 0x5c0) & above) | self;
            if (std::popcount(v & mask) & 1) result |= self;
        }
        return result;
    }

    std::vector<direction_numbers> direction_;
    std::vector<std::uint64_t> shift_;
    unsigned long long point_ = 0;
};

/// The sequences of 64 bits, the upper half of which is all that distributions of single precision take.
class sobol64_engine : public sobol_engine {
public:
    using sobol_engine::sobol_engine;

protected:
    void place(const request& r, std::size_t i, std::uint64_t x) override
    {
        switch (r.what) {
        case quantity::long_bits: r.as<std::uint64_t>()[i] = x; break;
        case quantity::uniform_double: r.as<double>()[i] = double(x >> 11) * 0x1p-53 + 0x1p-54; break;
        case quantity::normal_double:
        case quantity::log_normal_double: {
            const bool upper = x > 0x8000000000000000u;
            const double z = normal_quantile(double((upper ? ~x : x) >> 11) * 0x1p-53 + 0x1p-54);
            put_normal(r, i, upper ? -z : z);
            break;
        }
        default: put(r, i, unsigned(x >> 32)); break;
        }
    }
};

}  // namespace cuf::cpu::random
