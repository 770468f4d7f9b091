// Correctly rounded decimal digits of a double, without the C library: for PRINT in device code.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0

#include "base.hpp"

namespace cuf::detail {

/// Significant decimal digits of a positive finite number, most significant first: d0.d1d2... * 10**exponent.
struct decimal {
    static constexpr int max_digits = 18;
    char digits[max_digits];
    int exponent;
};

/// Takes all digits of an expansion from the left, keeps the first `want` and what rounding needs to know of the rest.
class digit_sink {
public:
    /// `position`: power of ten of the first digit pushed.
    CUF_FN digit_sink(decimal& out, int want, int position) : out_(out), want_(want), position_(position) {}

    CUF_FN void push_group(uint32_t nine_digits)
    {
        uint32_t rest = nine_digits;
        for (uint32_t unit = 100000000; unit != 0; unit /= 10) {
            push(char(rest / unit));
            rest %= unit;
        }
    }
    CUF_FN bool complete() const { return next_ >= 0; }

    /// Rounds to nearest, ties to even; `more`: a non-zero digit follows those pushed.
    CUF_FN void finish(bool more)
    {
        for (int k = count_; k < want_; ++k) out_.digits[k] = 0;
        const bool odd = count_ == want_ && (out_.digits[want_ - 1] & 1) != 0;
        if (next_ < 5 || (next_ == 5 && !more && !sticky_ && !odd)) return;
        int k = want_ - 1;
        while (k >= 0 && out_.digits[k] == 9) out_.digits[k--] = 0;
        if (k >= 0) {
            ++out_.digits[k];
        } else {
            out_.digits[0] = 1;
            ++out_.exponent;
        }
    }

private:
    CUF_FN void push(char digit)
    {
        if (count_ == 0 && digit == 0) {
            // a leading zero
        } else if (count_ < want_) {
            if (count_ == 0) out_.exponent = position_;
            out_.digits[count_++] = digit;
        } else if (next_ < 0) {
            next_ = digit;
        } else {
            sticky_ = sticky_ || digit != 0;
        }
        --position_;
    }

    decimal& out_;
    int want_;
    int position_;
    int count_ = 0;
    int next_ = -1;
    bool sticky_ = false;
};

/// Digits of m * 2**e, e >= 0, below 2**1024.
CUF_FN inline void integer_digits(uint64_t m, int e, int want, decimal& out)
{
    constexpr int words = 34;
    uint32_t big[words] = {};
    const int shift = e % 32;
    int n = e / 32;
    big[n] = uint32_t(m << shift);
    big[n + 1] = uint32_t((m << shift) >> 32);
    big[n + 2 < words ? n + 2 : n + 1] |= shift > 11 ? uint32_t(m >> (64 - shift)) : 0;
    n = n + 3 < words ? n + 3 : words;
    uint32_t groups[36];
    int count = 0;
    while (n > 0) {
        uint64_t rest = 0;
        for (int k = n; k-- > 0;) {
            rest = (rest << 32) | big[k];
            big[k] = uint32_t(rest / 1000000000);
            rest %= 1000000000;
        }
        groups[count++] = uint32_t(rest);
        while (n > 0 && big[n - 1] == 0) --n;
    }
    digit_sink sink(out, want, 9 * count - 1);
    while (count > 0) sink.push_group(groups[--count]);
    sink.finish(false);
}

/// Digits of m / 2**bits, 1 <= bits <= 1074.
CUF_FN inline void fraction_digits(uint64_t m, int bits, int want, decimal& out)
{
    constexpr int words = 36;
    uint32_t fraction[words] = {};
    const uint64_t whole = bits < 64 ? m >> bits : 0;
    const uint64_t part = bits < 64 ? m & ((uint64_t(1) << bits) - 1) : m;
    // The binary point stands above word n-1.
    int n = (bits + 31) / 32;
    const int shift = 32 * n - bits;
    fraction[0] = uint32_t(part << shift);
    fraction[1] = uint32_t((part << shift) >> 32);
    if (shift > 11) fraction[2] = uint32_t(part >> (64 - shift));
    digit_sink sink(out, want, 17);
    sink.push_group(uint32_t(whole / 1000000000));
    sink.push_group(uint32_t(whole % 1000000000));
    int low = 0;
    while (low < n && fraction[low] == 0) ++low;
    while (low < n && !sink.complete()) {
        uint64_t carry = 0;
        for (int k = low; k < n; ++k) {
            carry += uint64_t(fraction[k]) * 1000000000;
            fraction[k] = uint32_t(carry);
            carry >>= 32;
        }
        sink.push_group(uint32_t(carry));
        while (low < n && fraction[low] == 0) ++low;
    }
    sink.finish(low < n);
}

/// `want` significant digits (at most decimal::max_digits) of x, positive and finite.
CUF_FN inline decimal to_decimal(double x, int want)
{
    const uint64_t bits = bit_cast<uint64_t>(x);
    const int biased = int(bits >> 52);
    uint64_t m = bits & ((uint64_t(1) << 52) - 1);
    if (biased != 0) m |= uint64_t(1) << 52;
    const int e = (biased != 0 ? biased : 1) - 1075;
    decimal out{};
    if (e >= 0) {
        integer_digits(m, e, want, out);
    } else {
        fraction_digits(m, -e, want, out);
    }
    return out;
}

}  // namespace cuf::detail
