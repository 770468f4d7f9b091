// MT19937 as cuRAND's host API gives it out. Only curand_generators.cpp includes this.
//
// M. Matsumoto and T. Nishimura, Mersenne twister: a 623-dimensionally equidistributed uniform pseudo-random number generator, ACM
// Transactions on Modeling and Computer Simulation 8 (1998). Jumping ahead: H. Haramoto, M. Matsumoto, T. Nishimura, F. Panneton,
// P. L'Ecuyer, Efficient jump ahead for F2-linear random number generators, INFORMS Journal on Computing 20 (2008).
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "curand_engines.hpp"
#include <memory>

namespace cuf::cpu::random {

/// The 624 words of a state, as a ring.
class twister {
public:
    static constexpr std::size_t words = 624, degree = 19937;

    explicit twister(unsigned seed)
    {
        word_[0] = seed;
        for (std::size_t k = 1; k < words; ++k) word_[k] = 1812433253u * (word_[k - 1] ^ (word_[k - 1] >> 30)) + unsigned(k);
    }
    explicit twister(const unsigned* state) { std::copy_n(state, words, word_); }
    twister() = default;

    unsigned operator[](std::size_t k) const { return word_[(at_ + k) % words]; }
    /// Goes one word on, and returns the word that came.
    unsigned step()
    {
        const std::size_t second = at_ + 1 == words ? 0 : at_ + 1, far = at_ + 397 < words ? at_ + 397 : at_ + 397 - words;
        const unsigned came = next(word_[at_], word_[second], word_[far]);
        word_[at_] = came;
        at_ = second;
        return came;
    }
    /// The word that comes `words` after `first`.
    static unsigned next(unsigned first, unsigned second, unsigned far)
    {
        const unsigned y = (first & 0x80000000u) | (second & 0x7fffffffu);
        return far ^ (y >> 1) ^ (y & 1 ? 0x9908b0dfu : 0);
    }
    static unsigned temper(unsigned y)
    {
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c5680u;
        y ^= (y << 15) & 0xefc60000u;
        return y ^ (y >> 18);
    }

private:
    unsigned word_[words] = {};
    std::size_t at_ = 0;
};

/// Polynomials over the field of two elements, bit i the coefficient of x^i.
class binary_polynomial {
public:
    explicit binary_polynomial(std::size_t bits) : limb_(bits / 64 + 1) {}
    bool test(std::size_t i) const { return limb_[i / 64] >> i % 64 & 1; }
    void flip(std::size_t i) { limb_[i / 64] ^= std::uint64_t(1) << i % 64; }
    /// Adds other * x^shift, as far as there is room.
    void add_shifted(const binary_polynomial& other, std::size_t shift)
    {
        const std::size_t far = shift / 64, near = shift % 64;
        for (std::size_t i = 0; i < other.limb_.size() && i + far < limb_.size(); ++i) {
            limb_[i + far] ^= other.limb_[i] << near;
            if (near && i + far + 1 < limb_.size()) limb_[i + far + 1] ^= other.limb_[i] >> (64 - near);
        }
    }
    /// Parity of the common coefficients of this and `other` shifted down by `shift`.
    bool dot(const binary_polynomial& other) const
    {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < std::min(limb_.size(), other.limb_.size()); ++i) sum ^= limb_[i] & other.limb_[i];
        return std::popcount(sum) & 1;
    }
    /// The 64 coefficients from `first` on.
    std::uint64_t part(std::size_t first) const
    {
        const std::size_t far = first / 64, near = first % 64;
        return near ? limb_[far] >> near | limb_[far + 1] << (64 - near) : limb_[far];
    }
    void add_part(std::size_t first, std::uint64_t bits)
    {
        const std::size_t far = first / 64, near = first % 64;
        limb_[far] ^= bits << near;
        if (near) limb_[far + 1] ^= bits >> (64 - near);
    }
    void shift_up()
    {
        for (std::size_t i = limb_.size(); i-- > 1;) limb_[i] = limb_[i] << 1 | limb_[i - 1] >> 63;
        limb_[0] <<= 1;
    }

private:
    std::vector<std::uint64_t> limb_;
};

/// Coefficients of the transition's characteristic polynomial but the leading one, by the algorithm of Berlekamp and Massey from one bit
/// of 2 * degree words.
inline std::vector<std::size_t> twister_characteristic()
{
    constexpr std::size_t n = twister::degree;
    binary_polynomial connection(n), before(n), latest(n);
    connection.flip(0);
    before.flip(0);
    std::size_t length = 0, since = 1;
    twister t(1);
    for (std::size_t i = 0; i < 2 * n; ++i) {
        latest.shift_up();
        if (t.step() & 1) latest.flip(0);
        if (connection.dot(latest)) {
            const binary_polynomial kept = connection;
            connection.add_shifted(before, since);
            if (2 * length <= i) {
                length = i + 1 - length;
                before = kept;
                since = 0;
            }
        }
        ++since;
    }
    std::vector<std::size_t> exponents;
    for (std::size_t i = 1; i <= n; ++i)
        if (connection.test(i)) exponents.push_back(n - i);  // the connection polynomial is the reciprocal one
    return exponents;
}

/// The bits of a half word, with zeros between them.
inline std::uint64_t spread(std::uint64_t bits)
{
    bits = (bits | bits << 16) & 0x0000ffff0000ffffu;
    bits = (bits | bits << 8) & 0x00ff00ff00ff00ffu;
    bits = (bits | bits << 4) & 0x0f0f0f0f0f0f0f0fu;
    bits = (bits | bits << 2) & 0x3333333333333333u;
    return (bits | bits << 1) & 0x5555555555555555u;
}

/// x^(2^power) modulo the characteristic polynomial.
inline binary_polynomial twister_jump(int power)
{
    constexpr std::size_t n = twister::degree, part = 64, room = 2 * n + 2 * part;
    const auto tail = twister_characteristic();
    binary_polynomial p(room);
    p.flip(1);
    for (int k = 0; k < power; ++k) {
        binary_polynomial square(room);
        for (std::size_t i = 0; i < n; i += part / 2) square.add_part(2 * i, spread(p.part(i) & 0xffffffffu));
        // x^n is the sum of the tail, whose exponents are all below n - 64: a part that is folded does not come back.
        for (std::size_t first = n + (n + part - 1) / part * part; first > n;) {
            first -= part;
            const std::uint64_t high = square.part(first);
            square.add_part(first, high);
            for (const std::size_t e : tail) square.add_part(first - n + e, high);
        }
        p = square;
    }
    return p;
}

/// 8192 twisters, 2^2048 words apart. Eight neighbouring elements come from one of them; the words of a state are given out in the order in
/// which eight threads can make them: first the eight that others need, then rows of words that are seven apart.
class twister_engine : public single_word_engine {
public:
    twister_engine() : order_(make_order()) {}

    void start(unsigned long long seed, unsigned long long) override
    {
        seed_ = unsigned(seed);
        position_ = 0;
        columns_.clear();
    }
    unsigned long long position() const override { return position_; }

protected:
    unsigned next() override
    {
        const std::size_t row = position_ / (twisters * lanes), column = position_ / lanes % twisters, lane = position_ % lanes;
        ++position_;
        while (columns_.size() <= column) add_column();
        auto& c = columns_[column];
        const std::size_t block = row / rows;
        for (; c.blocks <= block; ++c.blocks)
            for (std::size_t k = 0; k < twister::words; ++k) c.tempered[k] = twister::temper(c.state.step());
        return c.tempered[order_[row % rows * lanes + lane]];
    }
    float uniform(unsigned word) const override { return float(uniform_double(word)); }
    double uniform_double(unsigned word) const override { return word * 0x1p-32 + 0x1p-33; }

private:
    static constexpr std::size_t twisters = 8192, lanes = 8, rows = twister::words / lanes;

    struct column {
        twister state;
        std::size_t blocks = 0;  // of words that have come
        unsigned tempered[twister::words];
    };

    static std::vector<std::size_t> make_order()
    {
        std::vector<std::size_t> order, others;
        for (const std::size_t first : {0, 113, 170, 283, 340, 397, 510, 567}) order.push_back(first);
        for (std::size_t k = 0; k < twister::words; ++k)
            if (std::find(order.begin(), order.begin() + lanes, k) == order.begin() + lanes) others.push_back(k);
        constexpr std::size_t apart = 7;
        for (std::size_t group = 0; group < others.size(); group += apart * lanes)
            for (std::size_t j = 0; j < apart; ++j)
                for (std::size_t lane = 0; lane < lanes; ++lane) order.push_back(others[group + apart * lane + j]);
        return order;
    }

    void add_column()
    {
        if (columns_.empty()) {
            columns_.emplace_back();
            begin_ = twister(seed_);
        } else {
            begin_ = jumped(begin_);
            columns_.emplace_back();
        }
        columns_.back().state = begin_;
    }

    /// The state 2^2048 words on: the jump's polynomial in the transition, applied to the state some coefficients at a time (Horner's rule).
    twister jumped(const twister& from)
    {
        static const binary_polynomial jump = twister_jump(2048);
        constexpr std::size_t bits = 6, words = twister::words, steps = (twister::degree + bits - 1) / bits * bits;
        // The sums of the first powers of the transition, by the set of exponents.
        sums_.assign((words << bits), 0);
        twister power = from;
        for (std::size_t bit = 0; bit < bits; ++bit) {
            const std::size_t one = std::size_t(1) << bit;
            for (std::size_t k = 0; k < words; ++k) sums_[one * words + k] = power[k];
            for (std::size_t rest = 1; rest < one; ++rest) {
                std::copy_n(&sums_[one * words], words, &sums_[(one + rest) * words]);
                add(&sums_[(one + rest) * words], &sums_[rest * words]);
            }
            power.step();
        }
        line_.assign(steps + words, 0);
        std::size_t at = 0;
        for (std::size_t first = steps; first > 0;) {
            first -= bits;
            for (const std::size_t end = at + bits; at < end; ++at) line_[at + words] = twister::next(line_[at], line_[at + 1], line_[at + 397]);
            const std::size_t exponents = jump.part(first) & ((std::size_t(1) << bits) - 1);
            if (exponents != 0) add(&line_[at], &sums_[exponents * words]);
        }
        return twister(&line_[at]);
    }

    /// Adds the words of a state.
    static void add(unsigned* to, const unsigned* from)
    {
        using four = unsigned __attribute__((vector_size(16), aligned(4), may_alias));
        for (std::size_t k = 0; k < twister::words; k += 4) *reinterpret_cast<four*>(to + k) ^= *reinterpret_cast<const four*>(from + k);
    }

    unsigned seed_ = 0;
    unsigned long long position_ = 0;
    twister begin_;
    std::vector<unsigned> sums_, line_;
    std::vector<column> columns_;
    const std::vector<std::size_t> order_;
};

}  // namespace cuf::cpu::random
