// Launches and transfers for those who watch the program (host/watch.cpp, where the environment asks for it); else a branch each.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "launch_config.hpp"
#include <type_traits>

namespace cuf {

/// Work while it is given to the device, or a result that the host has of the statement at `place`. `data`: the kernel, the descriptor of
/// what is assigned, the result. `type` ends with the C++ type of a result as g++ writes it.
struct work {
    enum what { launch, to_device, to_host, on_device, on_host, copy, fill, graph, result, allocated, synchronised, variable } kind;
    const void* data;
    std::int64_t bytes = 0, stream = 0;
    const void* other = nullptr;  // the configuration of a launch, the source of a copy (null: a CUDA array), the shape of a variable
    const char *place = nullptr, *type = nullptr;
    std::size_t length = 0;       // of an element of a result
};
/// Called before work, and after it with what it gave; null if nobody watches.
inline void* (*watching)(const work& of, const struct watched* done) = nullptr;
struct watched {
    work of;
    void* begun = watching ? watching(of, nullptr) : nullptr;
    ~watched() { if (watching) watching(of, this); }
};

template <class T>
void watch_result(const char* place, const T& first, std::int64_t elements = 1)
{
    if (watching) watching({work::result, &first, elements * std::int64_t(sizeof(T)), 0, nullptr, place, __PRETTY_FUNCTION__, sizeof(T)}, nullptr);
}

/// A managed variable of a module: its elements are of the type of `result`, its name is `place`.
struct variable_shape {
    int rank = 0;
    std::int64_t extent[15] = {};
};
template <class T>
void watch_elements(void* address, const char* name, const variable_shape& shape)
{
    watching({work::variable, address, 0, 0, &shape, name, __PRETTY_FUNCTION__, sizeof(T)}, nullptr);
}
/// Called whenever the host takes the address of such a variable.
template <class V>
void* watch_variable(void* address, const char* name)
{
    if (!watching || !address) return address;
    variable_shape shape;
    if constexpr (requires { typename V::element; V::size(1); }) {
        for (; shape.rank < V::rank; ++shape.rank) shape.extent[shape.rank] = V::size(shape.rank + 1);
        watch_elements<typename V::element>(address, name, shape);
    } else {
        watch_elements<V>(address, name, shape);
    }
    return address;
}
#define CUF_WATCHED_ADDRESS(address, ...) ::cuf::watch_variable<std::remove_cvref_t<decltype((__VA_ARGS__))>>(address, #__VA_ARGS__)

}  // namespace cuf
