// Data whose type is known when the program runs (cudaDataType): elements are read and written as complex numbers of double precision.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "../../device/half.hpp"
#include <complex>
#include <cstdint>
#include <cstring>

namespace cuf::cpu {

/// cudaDataType, the types that the emulations take.
enum data_type : int {
    r_16f = 2,
    c_16f = 6,
    r_16bf = 14,
    r_32f = 0,
    c_32f = 4,
    r_64f = 1,
    c_64f = 5,
    r_8i = 3,
    c_8i = 7,
    r_32i = 10
};

inline bool is_complex_type(int type) { return type == c_16f || type == c_32f || type == c_64f || type == c_8i; }

/// Bytes of an element; 0: a type that is not taken.
inline std::size_t size_of(int type)
{
    switch (type) {
    case r_8i: return 1;
    case r_16f:
    case r_16bf:
    case c_8i: return 2;
    case r_32f:
    case r_32i:
    case c_16f: return 4;
    case r_64f:
    case c_32f: return 8;
    case c_64f: return 16;
    default: return 0;
    }
}

inline float bfloat_value(std::uint16_t bits)
{
    const std::uint32_t wide = std::uint32_t(bits) << 16;
    float value;
    std::memcpy(&value, &wide, sizeof value);
    return value;
}
/// Rounded to nearest, ties to even.
inline std::uint16_t bfloat_bits(float value)
{
    std::uint32_t wide;
    std::memcpy(&wide, &value, sizeof wide);
    if (value != value) return 0x7fff;
    return std::uint16_t((wide + 0x7fff + (wide >> 16 & 1)) >> 16);
}

template <class T>
T element_at(const void* data, std::int64_t i)
{
    T value;
    std::memcpy(&value, static_cast<const char*>(data) + i * std::int64_t(sizeof(T)), sizeof(T));
    return value;
}
template <class T>
void put_element(void* data, std::int64_t i, T value)
{
    std::memcpy(static_cast<char*>(data) + i * std::int64_t(sizeof(T)), &value, sizeof(T));
}

inline std::complex<double> load(int type, const void* data, std::int64_t i)
{
    switch (type) {
    case r_16f: return double(float(element_at<half>(data, i)));
    case c_16f: return {double(float(element_at<half>(data, 2 * i))), double(float(element_at<half>(data, 2 * i + 1)))};
    case r_16bf: return double(bfloat_value(element_at<std::uint16_t>(data, i)));
    case r_32f: return double(element_at<float>(data, i));
    case c_32f: return {double(element_at<float>(data, 2 * i)), double(element_at<float>(data, 2 * i + 1))};
    case r_64f: return element_at<double>(data, i);
    case c_64f: return {element_at<double>(data, 2 * i), element_at<double>(data, 2 * i + 1)};
    case r_8i: return double(element_at<std::int8_t>(data, i));
    case c_8i: return {double(element_at<std::int8_t>(data, 2 * i)), double(element_at<std::int8_t>(data, 2 * i + 1))};
    case r_32i: return double(element_at<std::int32_t>(data, i));
    default: return 0.0;
    }
}

inline void store(int type, void* data, std::int64_t i, std::complex<double> value)
{
    const double re = value.real(), im = value.imag();
    switch (type) {
    case r_16f: return put_element(data, i, half(re));
    case c_16f: put_element(data, 2 * i, half(re)); return put_element(data, 2 * i + 1, half(im));
    case r_16bf: return put_element(data, i, bfloat_bits(float(re)));
    case r_32f: return put_element(data, i, float(re));
    case c_32f: put_element(data, 2 * i, float(re)); return put_element(data, 2 * i + 1, float(im));
    case r_64f: return put_element(data, i, re);
    case c_64f: put_element(data, 2 * i, re); return put_element(data, 2 * i + 1, im);
    case r_32i: return put_element(data, i, std::int32_t(std::int64_t(re)));
    default: return;
    }
}

}  // namespace cuf::cpu
