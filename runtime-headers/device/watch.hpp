// Launches and transfers for those who watch the program (host/watch.cpp, where the environment asks for it); else a branch each.
#pragma once
#include "launch_config.hpp"

namespace cuf {

/// Work while it is given to the device, or a result that the host has of the statement at `place`. `data`: the kernel, the descriptor of
/// what is assigned, the result. `type` ends with the C++ type of a result as g++ writes it.
struct work {
    enum what { launch, to_device, to_host, on_device, on_host, copy, fill, graph, result, allocated, synchronised } kind;
    const void* data;
    std::int64_t bytes = 0, stream = 0;
    const void* other = nullptr;  // the configuration of a launch, the source of a copy
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

}  // namespace cuf
