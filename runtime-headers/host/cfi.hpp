// The C descriptor of Fortran 2018 as gfortran (12 and later) and LLVM flang (22) lay it out, told apart by its version. Declared here
// rather than taken from <ISO_Fortran_binding.h>, which lives among a compiler's own headers where nvcc must not look.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace cuf::cfi {

struct dimension {
    std::ptrdiff_t lower_bound;
    std::ptrdiff_t extent;  // -1: last dimension of an assumed-size array
    std::ptrdiff_t sm;      // distance between elements, bytes
};

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

/// Only a compiler's own code writes descriptors in its form: those that the runtime makes are of gfortran's, and say so with their version.
/// Behind the last of flang's dimensions stands what it knows of the type, so a copy is more than the dimensions here.
struct descriptor {
    void* base_addr;
    std::size_t elem_len;
    int version;
    std::int8_t rank;
    std::uint8_t form[3];  // attribute and type, or type and attribute
    dimension dim[15];
};

/// Versions from here on are dates, of flang's descriptors; gfortran's are small numbers.
constexpr int flang_version = 20000000;

/// The category of flang's type code; its logical kinds but the first are those of `int_least16_t` and so on.
inline category category_of_flang(int type)
{
    if (type < 0) return category::other;
    if (type == 39 || (type >= 13 && type <= 15)) return category::logical;
    if (type <= 24 || type >= 45) return category::integer;
    if (type <= 31) return category::real;
    if (type <= 38) return category::complex;
    if (type == 40 || type == 43 || type == 44) return category::character;
    return type == 41 ? category::c_ptr : category::structure;
}

/// The name of a derived type: flang's addendum follows the dimensions and begins with the descriptors of the bound procedures
/// (of rank 1, with a description) and of its name.
inline bool is_named_by_flang(const descriptor& d, const char* name)
{
    constexpr std::size_t head = offsetof(descriptor, dim), binding = head + sizeof(dimension) + 2 * sizeof(std::int64_t);
    if ((d.form[2] & 1u) == 0) return false;
    const char* type = nullptr;
    std::memcpy(&type, reinterpret_cast<const char*>(&d) + head + sizeof(dimension) * static_cast<std::size_t>(d.rank), sizeof type);
    if (type == nullptr) return false;
    const auto& named = *reinterpret_cast<const descriptor*>(type + binding);
    return named.elem_len == std::strlen(name) && std::memcmp(named.base_addr, name, named.elem_len) == 0;
}

inline category category_of(const descriptor& d)
{
    if (d.version < flang_version) {
        std::int16_t type = 0;  // the low byte; the kind stands in the bits above it
        std::memcpy(&type, d.form + 1, sizeof type);
        return type < 0 ? category::other : static_cast<category>(type & 0xff);
    }
    const category found = category_of_flang(static_cast<std::int8_t>(d.form[0]));
    if (found != category::structure || d.elem_len != sizeof(void*)) return found;
    if (is_named_by_flang(d, "__builtin_c_ptr")) return category::c_ptr;
    return is_named_by_flang(d, "__builtin_c_funptr") ? category::c_funptr : found;
}

/// Makes a descriptor of the runtime's own one of such elements.
inline void set_elements(descriptor& d, category type, std::size_t length)
{
    d.elem_len = length;
    d.version = 1;
    const auto code = static_cast<std::int16_t>(type);
    d.form[0] = 0;
    std::memcpy(d.form + 1, &code, sizeof code);
}

/// A descriptor of the runtime's own of the same data.
inline descriptor copy_of(const descriptor& d)
{
    descriptor c;
    c.base_addr = d.base_addr;
    set_elements(c, category_of(d), d.elem_len);
    c.rank = d.rank;
    for (int i = 0; i < d.rank; ++i) c.dim[i] = d.dim[i];
    return c;
}

}  // namespace cuf::cfi
