// PRINT *, in device code: one line, spaced as gfortran spaces list-directed output (which does not break lines).
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0

#include <cstdio>

#include "array.hpp"
#include "character.hpp"
#include "complex.hpp"
#include "decimal.hpp"
#include "half.hpp"
#include "logical.hpp"

namespace cuf {
namespace detail {

/// Field of a real kind in list-directed output: Gw.dEe.
struct real_field {
    int width;
    int digits;
    int exponent_digits;
};
template <class T>
inline constexpr real_field field_of = sizeof(T) == 8 ? real_field{25, 17, 3} : sizeof(T) == 4 ? real_field{16, 9, 2} : real_field{12, 5, 2};

/// Most characters a real takes, with a margin for the sign.
inline constexpr int real_text_size = 32;

/// Text of one real without padding.
struct real_text {
    char text[real_text_size];
    int n = 0;
    /// Blanks that stand for the missing exponent.
    int blanks_after = 0;

    CUF_FN void put(char c) { text[n++] = c; }
    CUF_FN void put(const char* s)
    {
        while (*s != '\0') put(*s++);
    }
};

CUF_FN inline void fixed_form(real_text& t, const decimal& d, int digits)
{
    // The exponent is -1 .. digits-1: a leading zero only below one.
    if (d.exponent < 0) t.put('0');
    for (int k = 0; k <= d.exponent; ++k) t.put(char('0' + d.digits[k]));
    t.put('.');
    for (int k = d.exponent + 1; k < digits; ++k) t.put(char('0' + d.digits[k]));
}

CUF_FN inline void exponent_form(real_text& t, const decimal& d, int digits, int exponent_digits)
{
    t.put(char('0' + d.digits[0]));
    t.put('.');
    for (int k = 1; k < digits; ++k) t.put(char('0' + d.digits[k]));
    t.put('E');
    t.put(d.exponent < 0 ? '-' : '+');
    int rest = d.exponent < 0 ? -d.exponent : d.exponent;
    char reversed[3];
    for (int k = 0; k < exponent_digits; ++k) {
        reversed[k] = char('0' + rest % 10);
        rest /= 10;
    }
    for (int k = exponent_digits; k-- > 0;) t.put(reversed[k]);
}

/// `in_complex`: short infinities, and one digit more in exponent form.
CUF_FN inline real_text format_real(double x, real_field field, bool in_complex)
{
    real_text t;
    if (x != x) {
        t.put("NaN");
        return t;
    }
    if ((bit_cast<uint64_t>(x) >> 63) != 0) {
        t.put('-');
        x = -x;
    }
    if (x - x != 0) {
        t.put(in_complex ? "Inf" : "Infinity");
        return t;
    }
    t.blanks_after = field.exponent_digits + 2;
    if (x == 0) {
        t.put("0.");
        for (int k = 1; k < field.digits; ++k) t.put('0');
        return t;
    }
    decimal d = to_decimal(x, field.digits);
    if (d.exponent >= -1 && d.exponent < field.digits) {
        fixed_form(t, d, field.digits);
        return t;
    }
    t.blanks_after = 0;
    if (in_complex) d = to_decimal(x, field.digits + 1);
    exponent_form(t, d, field.digits + (in_complex ? 1 : 0), field.exponent_digits);
    return t;
}

/// Collects one record and prints it in one call; a record longer than the buffer is printed in parts.
template <int Capacity>
class print_line {
public:
    CUF_FN void integer(int64_t value, int width)
    {
        separate(false);
        char reversed[20];
        int n = 0;
        uint64_t rest = value < 0 ? uint64_t(0) - uint64_t(value) : uint64_t(value);
        do {
            reversed[n++] = char('0' + rest % 10);
            rest /= 10;
        } while (rest != 0);
        blanks(width - n - (value < 0 ? 1 : 0));
        if (value < 0) put('-');
        while (n > 0) put(reversed[--n]);
    }
    CUF_FN void logical(bool value)
    {
        separate(false);
        put(value ? 'T' : 'F');
    }
    CUF_FN void real(double value, real_field field)
    {
        separate(false);
        const real_text t = format_real(value, field, false);
        blanks(field.width - t.n - t.blanks_after);
        put(t.text, t.n);
        blanks(t.blanks_after);
    }
    CUF_FN void complex(double re, double im, real_field field)
    {
        separate(false);
        const real_text a = format_real(re, field, true);
        const real_text b = format_real(im, field, true);
        blanks(2 * field.width - a.n - b.n);
        put('(');
        put(a.text, a.n);
        put(',');
        put(b.text, b.n);
        put(')');
    }
    CUF_FN void characters(char_view s)
    {
        separate(true);
        put(s.text, s.n);
    }
    CUF_FN void finish()
    {
#if defined(CUF_TARGET_CPU)
        put('\n');
        std::fwrite(text_, 1, size_t(n_), stdout);
        std::fflush(stdout);
#else
        text_[n_] = '\0';
        printf("%s\n", text_);
#endif
    }

private:
    /// The blank before an item; adjacent character items have none.
    CUF_FN void separate(bool is_character)
    {
        if (first_ || !(is_character && after_character_)) put(' ');
        first_ = false;
        after_character_ = is_character;
    }
    CUF_FN void blanks(int count)
    {
        for (int k = 0; k < count; ++k) put(' ');
    }
    CUF_FN void put(const char* s, int64_t count)
    {
        for (int64_t k = 0; k < count; ++k) put(s[k]);
    }
    CUF_FN void put(char c)
    {
        if (n_ == Capacity) {
#if defined(CUF_TARGET_CPU)
            std::fwrite(text_, 1, size_t(n_), stdout);
#else
            text_[n_] = '\0';
            printf("%s", text_);
#endif
            n_ = 0;
        }
        text_[n_++] = c;
    }

    char text_[Capacity + 1];
    int n_ = 0;
    bool first_ = true;
    bool after_character_ = false;
};

template <class T>
struct is_complex : std::false_type {};
template <class T>
struct is_complex<cuf::complex<T>> : std::true_type {};
template <class T>
struct is_logical : std::is_same<T, bool> {};
template <int K>
struct is_logical<cuf::logical<K>> : std::true_type {};
template <class T>
concept array_item = requires(const T& x) {
    typename T::element;
    x.lower(1);
};

/// Upper limit of the characters that an item takes, with its separator.
template <class T>
CUF_FN constexpr int item_size()
{
    if constexpr (integer_kind<T>) return 22;
    else if constexpr (is_complex<T>::value) return 2 * real_text_size;
    else if constexpr (is_logical<T>::value) return 2;
    else if constexpr (std::is_array_v<T> || text<T>) return sizeof(T) < 16 ? 32 : int(sizeof(T)) + 1;
    else if constexpr (array_item<T>) return 256;
    else return real_text_size;
}

template <class Line, class T>
CUF_FN void print_item(Line& line, const T& x)
{
    if constexpr (is_logical<T>::value) {
        line.logical(bool(x));
    } else if constexpr (integer_kind<T>) {
        line.integer(int64_t(x), sizeof(T) == 8 ? 20 : sizeof(T) == 4 ? 11 : sizeof(T) == 2 ? 6 : 4);
    } else if constexpr (is_complex<T>::value) {
        line.complex(x.re, x.im, field_of<typename T::part>);
    } else if constexpr (text_operand<T>) {
        line.characters(x);
    } else if constexpr (array_item<T>) {
        const auto v = view(x);
        for (int64_t k = 0; k < v.size(); ++k) {
            int64_t rest = k, offset = 0;
            for (int d = 1; d <= T::rank; ++d) {
                offset += rest % v.size(d) * v.stride(d);
                rest /= v.size(d);
            }
            print_item(line, v.data()[offset]);
        }
    } else {
        line.real(double(x), field_of<T>);
    }
}

}  // namespace detail

/// PRINT *, items: integers, reals, complex and logical numbers, characters, arrays of these.
template <class... T>
CUF_FN void print(const T&... items)
{
    constexpr int size = (detail::item_size<T>() + ... + 2);
    detail::print_line<(size < 1024 ? size : 1024)> line;
    ((detail::print_item(line, items)), ...);
    line.finish();
}

/// The same item by item: a list with implied do loops.
class print_record {
public:
    template <class... T>
    CUF_FN void add(const T&... items)
    {
        (detail::print_item(line_, items), ...);
    }
    CUF_FN void finish() { line_.finish(); }

private:
    detail::print_line<1024> line_;
};

}  // namespace cuf
