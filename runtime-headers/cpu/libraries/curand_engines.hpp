// The engines of cuRAND's host API on the cpu target, in the order in which the threads of a GPU give their numbers out, and the
// distributions. Only curand_generators.cpp includes this.
//
// A generator of the host API is many engines side by side, one for each thread of the kernel that fills the array. Which number of
// which thread an element gets is documented with the orderings of the host API.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "../curand.hpp"
#include <algorithm>
#include <limits>
#include <vector>

namespace cuf::cpu::random {

enum class quantity { bits, long_bits, uniform, uniform_double, normal, normal_double, log_normal, log_normal_double, poisson };

/// Fills `count` elements of `out`. `first` and `second` are mean and standard deviation; `first` alone the mean of a Poisson distribution.
struct request {
    quantity what;
    void* out;
    std::size_t count;
    double first = 0, second = 1;

    bool is_double() const { return what == quantity::uniform_double || what == quantity::normal_double || what == quantity::log_normal_double; }
    bool is_normal() const { return what >= quantity::normal && what <= quantity::log_normal_double; }
    template <class T>
    T* as() const { return static_cast<T*>(out); }
};

/// An element of a normal or log-normal distribution, from one of the standard normal distribution.
inline void put_normal(const request& r, std::size_t i, double z)
{
    switch (r.what) {
    case quantity::normal: r.as<float>()[i] = float(r.first) + float(z) * float(r.second); break;
    case quantity::log_normal: r.as<float>()[i] = std::exp(float(r.first) + float(z) * float(r.second)); break;
    case quantity::normal_double: r.as<double>()[i] = r.first + z * r.second; break;
    default: r.as<double>()[i] = std::exp(r.first + z * r.second); break;
    }
}

/// The p-quantile of the standard normal distribution, 0 < p < 1: a rational first guess (Abramowitz and Stegun, 26.2.22) and steps of
/// Halley's method.
inline double normal_quantile(double p)
{
    if (p > 0.5) return -normal_quantile(1 - p);
    const double t = std::sqrt(-2 * std::log(p));
    double z = (2.30753 + 0.27061 * t) / (1 + t * (0.99229 + 0.04481 * t)) - t;
    for (int step = 0; step < 3; ++step) {
        const double error = 0.5 * std::erfc(-z * M_SQRT1_2) - p;
        const double change = error * std::sqrt(2 * M_PI) * std::exp(z * z / 2);
        z -= change / (1 + z * change / 2);
    }
    return z;
}

/// Poisson's distribution by inversion: one uniform number each. Above a mean of 4000 it is taken as normal, as cuRAND does.
class poisson_inverse {
public:
    unsigned operator()(double mean, double uniform)
    {
        if (mean > 4000) return unsigned(std::max(0.0, mean + std::sqrt(mean) * normal_quantile(uniform) + 0.5));
        if (mean != mean_) tabulate(mean);
        return unsigned(std::lower_bound(up_to_.begin(), up_to_.end(), uniform) - up_to_.begin());
    }

private:
    void tabulate(double mean)
    {
        mean_ = mean;
        up_to_.clear();
        double sum = 0;
        for (int k = 0; sum < 1 && (k <= mean || sum < 1 - 1e-16); ++k) {
            const double term = std::exp(k * std::log(mean) - mean - std::lgamma(k + 1.0));
            if (k > mean && term < 1e-18) break;
            up_to_.push_back(sum += term);
        }
    }

    double mean_ = -1;
    std::vector<double> up_to_;  // probability of at most k
};

class engine {
public:
    virtual ~engine() = default;
    /// Begins anew with this seed (pseudo-random numbers only), at an offset into the sequence.
    virtual void start(unsigned long long seed, unsigned long long offset) = 0;
    virtual unsigned long long position() const = 0;
    virtual void fill(const request& r) = 0;
};

/// XORWOW and MRG32k3a: element n is the next number of thread n modulo the number of threads; a pair of normally distributed numbers
/// comes from one thread.
template <class State>
class rotating_engine : public engine {
public:
    /// `seed_step`: what the seeds of neighbouring threads differ by; 0: one seed, and sequences far apart.
    rotating_engine(std::size_t threads, unsigned long long seed_step) : threads_(threads), seed_step_(seed_step) {}

    void start(unsigned long long seed, unsigned long long offset) override
    {
        seed_ = seed;
        position_ = first_ = offset;
        states_.clear();
    }
    unsigned long long position() const override { return position_; }

    void fill(const request& r) override
    {
        if (r.is_normal()) {
            for (std::size_t i = 0; i < r.count; i += 2) {
                State& s = next();
                forget_pairs(&s);
                const double one = r.is_double() ? curand_normal_double(&s) : curand_normal(&s);
                put_normal(r, i, one);
                put_normal(r, i + 1, r.is_double() ? curand_normal_double(&s) : curand_normal(&s));
            }
            return;
        }
        for (std::size_t i = 0; i < r.count; ++i) {
            State& s = next();
            if (r.what == quantity::bits) r.as<unsigned>()[i] = curand(&s);
            else if (r.what == quantity::uniform) r.as<float>()[i] = curand_uniform(&s);
            else if (r.what == quantity::uniform_double) r.as<double>()[i] = curand_uniform_double(&s);
            else r.as<unsigned>()[i] = poisson_(r.first, curand(&s) * 0x1p-32 + 0x1p-33);
        }
    }

private:
    State& next()
    {
        const std::size_t thread = position_++ % threads_;
        if (states_.empty()) states_.resize(threads_);
        auto& [state, begun] = states_[thread];
        if (!begun) {
            const unsigned long long done = first_ / threads_ + (thread < first_ % threads_);
            curand_init(seed_ + thread * seed_step_, seed_step_ ? 0 : thread, done, &state);
            begun = true;
        }
        return state;
    }

    struct slot {
        State state;
        bool begun;
    };
    std::size_t threads_;
    unsigned long long seed_step_, seed_ = 0, position_ = 0, first_ = 0;
    std::vector<slot> states_;
    poisson_inverse poisson_;
};

/// Philox 4x32-10: four neighbouring elements are one block of a thread, or two where an element takes two words.
class philox_engine : public engine {
public:
    void start(unsigned long long seed, unsigned long long offset) override
    {
        seed_ = seed;
        position_ = offset;
        blocks_.assign(threads, offset / 4 / threads);
        std::fill_n(blocks_.begin(), offset / 4 % threads, offset / 4 / threads + 1);
        known_ = false;
    }
    unsigned long long position() const override { return position_; }

    void fill(const request& r) override
    {
        for (std::size_t i = 0; i < r.count; ++i) {
            const std::size_t thread = position_ / 4 % threads, lane = position_ % 4;
            const unsigned* word = block(thread, blocks_[thread] + (r.is_double() ? lane / 2 : 0));
            switch (r.what) {
            case quantity::bits: r.as<unsigned>()[i] = word[lane]; break;
            case quantity::uniform: r.as<float>()[i] = float(word[lane]) * 0x1p-32f + 0x1p-33f; break;
            case quantity::uniform_double: r.as<double>()[i] = wide(word + lane % 2 * 2); break;
            case quantity::poisson: r.as<unsigned>()[i] = poisson_(r.first, word[lane] * 0x1p-32 + 0x1p-33); break;
            default: put_normal(r, i, r.is_double() ? normal_double(word, lane % 2) : normal(word + lane / 2 * 2, lane % 2)); break;
            }
            if (lane == 3) blocks_[thread] += r.is_double() ? 2 : 1;
            ++position_;
        }
    }

private:
    static constexpr std::size_t threads = 65536;

    static double wide(const unsigned* two) { return double(two[0] ^ (std::uint64_t(two[1]) << 21)) * 0x1p-53 + 0x1p-54; }
    static double normal_double(const unsigned* four, bool second)
    {
        const double v = wide(four + 2) * 2 * M_PI, s = std::sqrt(-2.0 * std::log(wide(four)));
        return s * (second ? std::cos(v) : std::sin(v));
    }
    static float normal(const unsigned* two, bool second)
    {
        constexpr float unit = 0x1p-32f * 6.2831855f;
        const float u = float(two[0]) * 0x1p-32f + 0x1p-33f, v = float(two[1]) * unit + unit / 2;
        const float s = std::sqrt(-2.0f * std::log(u));
        return s * (second ? std::cos(v) : std::sin(v));
    }

    const unsigned* block(std::size_t thread, std::uint64_t number)
    {
        if (!known_ || state_.ctr[2] != thread || number != number_) {
            curand_init(seed_, thread, number * 4, &state_);
            number_ = number;
            known_ = true;
        }
        return state_.output;
    }

    unsigned long long seed_ = 0, position_ = 0;
    std::vector<std::uint64_t> blocks_;  // that each thread has given out
    curandStatePhilox4_32_10_t state_{};
    std::uint64_t number_ = 0;
    bool known_ = false;
    poisson_inverse poisson_;
};

/// Engines all of whose distributions take one word an element.
class single_word_engine : public engine {
public:
    void fill(const request& r) override
    {
        for (std::size_t i = 0; i < r.count; ++i) put(r, i, next());
    }

protected:
    virtual unsigned next() = 0;
    /// The uniform numbers of both precisions, which cuRAND does not make alike for all engines.
    virtual float uniform(unsigned word) const { return float(word) * 0x1p-32f + 0x1p-33f; }
    virtual double uniform_double(unsigned word) const { return word * 0x1p-32 + 0x1p-32; }

    void put(const request& r, std::size_t i, unsigned word)
    {
        switch (r.what) {
        case quantity::bits: r.as<unsigned>()[i] = word; break;
        case quantity::uniform: r.as<float>()[i] = uniform(word); break;
        case quantity::uniform_double: r.as<double>()[i] = uniform_double(word); break;
        case quantity::poisson: r.as<unsigned>()[i] = poisson_(r.first, word * 0x1p-32 + 0x1p-33); break;
        default: put_normal(r, i, r.is_double() ? normal_double(word) : normal(word)); break;
        }
    }

private:
    // The upper half mirrors the lower one, which has more digits.
    static float normal(unsigned word)
    {
        const bool upper = word > 0x80000000u;
        const float p = float(upper ? ~word : word) * 0x1p-32f + 0x1p-33f;
        return float(upper ? -normal_quantile(p) : normal_quantile(p));
    }
    static double normal_double(unsigned word)
    {
        const bool upper = word > 0x80000000u;
        const double z = normal_quantile((upper ? ~word : word) * 0x1p-32 + 0x1p-33);
        return upper ? -z : z;
    }

    poisson_inverse poisson_;
};

}  // namespace cuf::cpu::random
