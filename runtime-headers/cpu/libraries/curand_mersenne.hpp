// MT19937 as cuRAND's host API gives it out. Only curand_generators.cpp includes this.
//
// M. Matsumoto and T. Nishimura, Mersenne twister: a 623-dimensionally equidistributed uniform pseudo-random number generator, ACM
// Transactions on Modeling and Computer Simulation 8 (1998). Jumping ahead: H. Haramoto, M. Matsumoto, T. Nishimura, F. Panneton,
// P. L'Ecuyer, Efficient jump ahead for F2-linear random number generators, INFORMS Journal on Computing 20 (2008).
#pragma once
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
    twister() = default;

    unsigned operator[](std::size_t k) const { return word_[(at_ + k) % words]; }
    /// Goes one word on, and returns the word that came.
    unsigned step()
    {
        const std::size_t next = at_ + 1 == words ? 0 : at_ + 1;
        const unsigned y = (word_[at_] & 0x80000000u) | (word_[next] & 0x7fffffffu);
        const std::size_t far = at_ + 397 < words ? at_ + 397 : at_ + 397 - words;
        const unsigned came = word_[far] ^ (y >> 1) ^ (y & 1 ? 0x9908b0dfu : 0);
        word_[at_] = came;
        at_ = next;
        return came;
    }
    /// Adds another state, over the field of two elements.
    void add(const twister& other)
    {
        const std::size_t shift = at_ + words - other.at_;
        std::size_t to = shift % words;
        const std::size_t head = words - to;
        for (std::size_t k = 0; k < head; ++k) word_[to + k] ^= other.word_[k];
        for (std::size_t k = head; k < words; ++k) word_[k - head] ^= other.word_[k];
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

/// x^(2^power) modulo the characteristic polynomial.
inline binary_polynomial twister_jump(int power)
{
    constexpr std::size_t n = twister::degree;
    const auto tail = twister_characteristic();
    binary_polynomial p(2 * n);
    p.flip(1);
    for (int k = 0; k < power; ++k) {
        binary_polynomial square(2 * n);
        for (std::size_t i = 0; i < n; ++i)
            if (p.test(i)) square.flip(2 * i);
        for (std::size_t i = 2 * n; i-- > n;)
            if (square.test(i)) {
                square.flip(i);
                for (const std::size_t e : tail) square.flip(i - n + e);
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

    /// The state 2^2048 words on: the jump's polynomial in the transition, applied to the state a byte of coefficients at a time.
    static twister jumped(const twister& from)
    {
        static const binary_polynomial jump = twister_jump(2048);
        std::vector<twister> sums(256);
        twister power = from;
        for (std::size_t bit = 0; bit < 8; ++bit) {
            const std::size_t one = std::size_t(1) << bit;
            sums[one] = power;
            for (std::size_t rest = 1; rest < one; ++rest) {
                sums[one + rest] = power;
                sums[one + rest].add(sums[rest]);
            }
            power.step();
        }
        twister sum;
        for (std::size_t first = (twister::degree + 7) / 8 * 8; first > 0;) {
            first -= 8;
            unsigned byte = 0;
            for (std::size_t bit = 0; bit < 8; ++bit) byte |= unsigned(jump.test(first + bit)) << bit;
            for (int k = 0; k < 8; ++k) sum.step();
            if (byte) sum.add(sums[byte]);
        }
        return sum;
    }

    unsigned seed_ = 0;
    unsigned long long position_ = 0;
    twister begin_;
    std::vector<column> columns_;
    const std::vector<std::size_t> order_;
};

}  // namespace cuf::cpu::random
