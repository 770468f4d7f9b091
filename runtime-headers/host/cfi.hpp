// The C descriptor of Fortran 2018 as gfortran 12 and later lay it out. Declared here rather than taken from
// <ISO_Fortran_binding.h>, which lives among gfortran's own headers where nvcc must not look.
#pragma once
#include <cstddef>
#include <cstdint>

namespace cuf::cfi {

struct dimension {
    std::ptrdiff_t lower_bound;
    std::ptrdiff_t extent;  // -1: last dimension of an assumed-size array
    std::ptrdiff_t sm;      // distance between elements, bytes
};

struct descriptor {
    void* base_addr;
    std::size_t elem_len;
    int version;
    std::int8_t rank;
    std::int8_t attribute;
    std::int16_t type;
    dimension dim[15];
};

// Low byte of `type`; the kind stands in the bits above it.
enum class category : int {
    integer = 1,
    logical = 2,
    real = 3,
    complex = 4,
    character = 5,
    structure = 6,
    c_ptr = 7,
    c_funptr = 8,
    other = -1,
};

inline category category_of(const descriptor& d)
{
    return d.type < 0 ? category::other : static_cast<category>(d.type & 0xff);
}

}  // namespace cuf::cfi
