// The vector types of CUDA, with its layout: `float4` is aligned for one access.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "../api.hpp"

#define CUF_VECTORS(name, element, alignment_2, alignment_4)                                                        \
    struct name##1 {                                                                                                \
        element x;                                                                                                  \
    };                                                                                                              \
    struct alignas(alignment_2) name##2 {                                                                           \
        element x, y;                                                                                               \
    };                                                                                                              \
    struct alignas(alignment_4) name##4 {                                                                           \
        element x, y, z, w;                                                                                         \
    };                                                                                                              \
    inline name##1 make_##name##1(element x) { return {x}; }                                                        \
    inline name##2 make_##name##2(element x, element y) { return {x, y}; }                                          \
    inline name##4 make_##name##4(element x, element y, element z, element w) { return {x, y, z, w}; }
#define CUF_VECTOR_3(name, element)                                                                                 \
    struct name##3 {                                                                                                \
        element x, y, z;                                                                                            \
    };                                                                                                              \
    inline name##3 make_##name##3(element x, element y, element z) { return {x, y, z}; }

CUF_VECTORS(char, signed char, 2, 4)
CUF_VECTORS(uchar, unsigned char, 2, 4)
CUF_VECTORS(short, short, 4, 8)
CUF_VECTORS(ushort, unsigned short, 4, 8)
CUF_VECTORS(int, int, 8, 16)
CUF_VECTORS(uint, unsigned int, 8, 16)
CUF_VECTORS(long, long, 16, 16)
CUF_VECTORS(ulong, unsigned long, 16, 16)
CUF_VECTORS(longlong, long long, 16, 16)
CUF_VECTORS(ulonglong, unsigned long long, 16, 16)
CUF_VECTORS(float, float, 8, 16)
CUF_VECTORS(double, double, 16, 16)
CUF_VECTOR_3(char, signed char)
CUF_VECTOR_3(uchar, unsigned char)
CUF_VECTOR_3(short, short)
CUF_VECTOR_3(ushort, unsigned short)
CUF_VECTOR_3(int, int)
CUF_VECTOR_3(long, long)
CUF_VECTOR_3(ulong, unsigned long)
CUF_VECTOR_3(longlong, long long)
CUF_VECTOR_3(ulonglong, unsigned long long)
CUF_VECTOR_3(float, float)
CUF_VECTOR_3(double, double)
inline uint3 make_uint3(unsigned int x, unsigned int y, unsigned int z) { return {x, y, z}; }
#undef CUF_VECTORS
#undef CUF_VECTOR_3
