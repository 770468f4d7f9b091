// Conversion of elements between the intrinsic types, as by Fortran assignment: on the host, and of single elements in kernels.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "core.hpp"

namespace cuf::rt {

struct element_type {
    category type;
    std::size_t length;  // bytes

    CUF_RT_BOTH bool numeric() const
    {
        return type == category::integer || type == category::real || type == category::complex ||
               type == category::logical || half();
    }
    /// real(2) has no Fortran type on the host: the runtime's derived type of two bytes stands for it.
    CUF_RT_BOTH bool half() const { return type == category::structure && length == 2; }
};
inline element_type type_of(const desc& d) { return {category_of(d), d.elem_len}; }

inline bool same_representation(element_type a, element_type b)
{
    if (a.length != b.length) return false;
    if (a.type == b.type) return true;
    bool plain = a.numeric() || a.type == category::character;
    bool plain_b = b.numeric() || b.type == category::character;
    return !plain && !plain_b;
}

/// Of a kind that the runtime can compute with: real(10), real(16) and integer(16) have no type here. Fortran converts these before.
inline bool computable(element_type t)
{
    switch (t.type) {
    case category::real: return t.length == 4 || t.length == 8;
    case category::complex: return t.length == 8 || t.length == 16;
    case category::integer:
    case category::logical: return t.length <= 8;
    default: return true;
    }
}

inline bool convertible(element_type from, element_type to)
{
    if (!computable(from) || !computable(to)) return false;
    return (from.numeric() && to.numeric()) || (from.type == category::character && to.type == category::character);
}

CUF_RT_BOTH inline float half_to_float(std::uint16_t h)
{
    std::uint32_t sign = static_cast<std::uint32_t>(h & 0x8000u) << 16;
    std::uint32_t exponent = (h >> 10) & 31u;
    std::uint32_t fraction = h & 0x3ffu;
    std::uint32_t bits;
    if (exponent == 31) {
        bits = sign | 0x7f800000u | (fraction << 13);
    } else if (exponent != 0) {
        bits = sign | ((exponent + 112) << 23) | (fraction << 13);
    } else if (fraction == 0) {
        bits = sign;
    } else {
        int shift = 0;
        while ((fraction & 0x400u) == 0) {
            fraction <<= 1;
            ++shift;
        }
        bits = sign | (static_cast<std::uint32_t>(113 - shift) << 23) | ((fraction & 0x3ffu) << 13);
    }
    float f;
    std::memcpy(&f, &bits, sizeof f);
    return f;
}

/// Round to nearest, ties to even.
CUF_RT_BOTH inline std::uint16_t double_to_half(double x)
{
    std::uint64_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    auto sign = static_cast<std::uint16_t>((bits >> 48) & 0x8000u);
    int exponent = static_cast<int>((bits >> 52) & 0x7ff) - 1023;
    std::uint64_t fraction = bits & 0xfffffffffffffull;
    if (exponent == 1024) return static_cast<std::uint16_t>(sign | 0x7c00u | (fraction ? 0x200u : 0u));
    if (exponent < -26) return sign;
    std::uint64_t significand = fraction | (1ull << 52);
    int drop = exponent >= -14 ? 42 : 42 + (-14 - exponent);
    std::uint64_t kept = significand >> drop;
    std::uint64_t rest = significand & ((1ull << drop) - 1);
    std::uint64_t tie = 1ull << (drop - 1);
    if (rest > tie || (rest == tie && (kept & 1))) ++kept;
    // a carry out of the fraction moves into the exponent by itself
    std::uint64_t h = exponent >= -14 ? (static_cast<std::uint64_t>(exponent + 14) << 10) + kept : kept;
    return h >= 0x7c00u ? static_cast<std::uint16_t>(sign | 0x7c00u) : static_cast<std::uint16_t>(sign | h);
}

/// One element on its way from one type to another; exact for every source type.
struct wide {
    enum { whole, floating } form;
    std::int64_t i;
    double re, im;
};

template <typename T>
CUF_RT_BOTH T read_as(const char* p)
{
    T v;
    std::memcpy(&v, p, sizeof v);
    return v;
}

CUF_RT_BOTH inline wide load(const char* p, element_type t)
{
    if (t.half()) return {wide::floating, 0, half_to_float(read_as<std::uint16_t>(p)), 0};
    switch (t.type) {
    case category::real:
        return {wide::floating, 0, t.length == 4 ? read_as<float>(p) : read_as<double>(p), 0};
    case category::complex:
        if (t.length == 8) return {wide::floating, 0, read_as<float>(p), read_as<float>(p + 4)};
        return {wide::floating, 0, read_as<double>(p), read_as<double>(p + 8)};
    default: {
        std::int64_t v = integer_at(p, category::integer, t.length);
        return {wide::whole, v, 0, 0};
    }
    }
}

template <typename T>
CUF_RT_BOTH void write_as(char* p, T v)
{
    std::memcpy(p, &v, sizeof v);
}

CUF_RT_BOTH inline void save(char* p, element_type t, const wide& w, bool from_logical)
{
    bool whole = w.form == wide::whole;
    if (t.half()) {
        write_as(p, double_to_half(whole ? static_cast<double>(w.i) : w.re));
        return;
    }
    switch (t.type) {
    case category::real:
    case category::complex: {
        bool single = t.length == (t.type == category::real ? 4u : 8u);
        if (single) {
            write_as(p, whole ? static_cast<float>(w.i) : static_cast<float>(w.re));
            if (t.type == category::complex) write_as(p + 4, static_cast<float>(w.im));
        } else {
            write_as(p, whole ? static_cast<double>(w.i) : w.re);
            if (t.type == category::complex) write_as(p + 8, w.im);
        }
        break;
    }
    default: {
        std::int64_t v = whole ? w.i : static_cast<std::int64_t>(w.re);
        if (t.type == category::logical && from_logical) v = v != 0;
        switch (t.length) {
        case 1: write_as(p, static_cast<std::int8_t>(v)); break;
        case 2: write_as(p, static_cast<std::int16_t>(v)); break;
        case 4: write_as(p, static_cast<std::int32_t>(v)); break;
        default: write_as(p, v); break;
        }
    }
    }
}

template <typename To, typename From>
void cast_all(char* to, const char* from, std::int64_t n)
{
    for (std::int64_t k = 0; k < n; ++k)
        write_as(to + k * sizeof(To), static_cast<To>(read_as<From>(from + k * sizeof(From))));
}

/// Converts one element. The types must be `convertible`.
CUF_RT_BOTH inline void convert_element(char* to, element_type to_type, const char* from, element_type from_type)
{
    if (to_type.type != category::character) return save(to, to_type, load(from, from_type), from_type.type == category::logical);
    for (std::size_t i = 0; i < to_type.length; ++i) to[i] = i < from_type.length ? from[i] : ' ';
}

/// Converts n elements. The types must be `convertible`.
inline void convert(char* to, element_type to_type, const char* from, element_type from_type, std::int64_t n)
{
    if (to_type.type == category::character) {
        std::size_t common = std::min(to_type.length, from_type.length);
        for (std::int64_t k = 0; k < n; ++k, to += to_type.length, from += from_type.length) {
            std::memcpy(to, from, common);
            std::memset(to + common, ' ', to_type.length - common);
        }
        return;
    }
    // the frequent pairs without the detour
    if (to_type.type == category::real && from_type.type == category::real) {
        if (to_type.length == 4 && from_type.length == 8) return cast_all<float, double>(to, from, n);
        if (to_type.length == 8 && from_type.length == 4) return cast_all<double, float>(to, from, n);
    }
    if (to_type.type == category::real && from_type.type == category::integer && from_type.length == 4) {
        if (to_type.length == 4) return cast_all<float, std::int32_t>(to, from, n);
        if (to_type.length == 8) return cast_all<double, std::int32_t>(to, from, n);
    }
    for (std::int64_t k = 0; k < n; ++k, to += to_type.length, from += from_type.length)
        convert_element(to, to_type, from, from_type);
}

inline std::string type_name(element_type t)
{
    std::size_t kind = t.type == category::complex ? t.length / 2 : t.length;
    switch (t.type) {
    case category::integer: return "integer(" + std::to_string(kind) + ")";
    case category::logical: return "logical(" + std::to_string(kind) + ")";
    case category::real: return kind == 16 ? "real(10) or real(16)" : "real(" + std::to_string(kind) + ")";
    case category::complex: return "complex(" + std::to_string(kind) + ")";
    case category::character: return "character(" + std::to_string(t.length) + ")";
    default: return "derived type of " + std::to_string(t.length) + " bytes";
    }
}

}  // namespace cuf::rt
