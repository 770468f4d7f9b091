// Entry point of module cuf_runtime: host data that a unified pointer gets as its target (guide 3.2.3).
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "assign.hpp"

#include <algorithm>
#include <map>
#if !defined(CUF_TARGET_CPU)
#include <link.h>
#include <unistd.h>
#endif

namespace cuf::rt {

#if !defined(CUF_TARGET_CPU)
/// From the first byte of some data to behind its last.
struct byte_range {
    std::uintptr_t begin, end;
};

/// The bytes between the first and the last element.
inline byte_range bytes_of(const desc& a)
{
    std::intptr_t low = 0, high = static_cast<std::intptr_t>(a.elem_len);
    for (int d = 0; d < a.rank; ++d) {
        const std::intptr_t last = (a.dim[d].extent - 1) * a.dim[d].sm;
        (last < 0 ? low : high) += last;
    }
    const auto first = reinterpret_cast<std::uintptr_t>(a.base_addr);
    return {first + low, first + high};
}

/// Whether the data is static: it lies in a part of the program or of one of its libraries that can be written to.
inline bool is_static(byte_range data)
{
    const auto covers = [](dl_phdr_info* object, std::size_t, void* wanted) {
        const byte_range& data = *static_cast<const byte_range*>(wanted);
        for (int i = 0; i < object->dlpi_phnum; ++i) {
            const auto& part = object->dlpi_phdr[i];
            const std::uintptr_t begin = object->dlpi_addr + part.p_vaddr;
            if (part.p_type == PT_LOAD && (part.p_flags & PF_W) && begin <= data.begin && data.end <= begin + part.p_memsz)
                return 1;
        }
        return 0;
    };
    return dl_iterate_phdr(covers, &data) != 0;
}

/// Maps the pages of static data into the devices' address space, those that are not there yet. They stay there: static data
/// lives as long as the program.
inline void map_static(byte_range data)
{
    static std::mutex lock;
    static std::map<std::uintptr_t, std::uintptr_t> mapped;  // begin, end
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const std::uintptr_t last = (data.end + page - 1) / page * page;
    std::lock_guard hold(lock);
    for (std::uintptr_t at = data.begin / page * page; at < last;) {
        auto next = mapped.upper_bound(at);
        if (next != mapped.begin() && std::prev(next)->second > at) {
            at = std::prev(next)->second;
            continue;
        }
        const std::uintptr_t end = next == mapped.end() ? last : std::min(last, next->first);
        void* const pages = reinterpret_cast<void*>(at);
        check(cudaHostRegister(pages, end - at, cudaHostRegisterPortable | cudaHostRegisterMapped), "target of a unified pointer");
        void* seen = nullptr;
        check(cudaHostGetDevicePointer(&seen, pages, 0), "target of a unified pointer");
        if (seen != pages) fail("the device has another address for host data than the host: it cannot be the target of a unified pointer");
        mapped[at] = end;
        at = end;
    }
}
#endif

}  // namespace cuf::rt

extern "C" {

/// Makes sure that devices reach the target of a unified pointer. Where they do not reach all memory of the host, static data can be
/// mapped; other data may be freed without notice while its pages are mapped, so that is an error.
void cuf_rt_reach([[maybe_unused]] const cuf::rt::desc* p)
{
#if !defined(CUF_TARGET_CPU)
    using namespace cuf::rt;
    if (p->base_addr == nullptr || element_count(*p) == 0) return;
    quiet keep_last_error;
    const int device = cuf::this_device().device;
    int all = 1;
    check(cudaDeviceGetAttribute(&all, cudaDevAttrPageableMemoryAccess, device), "target of a unified pointer");
    if (all || !pageable(p->base_addr)) return;
    const byte_range data = bytes_of(*p);
    if (!is_static(data))
        fail("device %d does not reach the memory of the host (cudaDevAttrPageableMemoryAccess is 0): there, the target of a unified "
             "pointer has to be unified, managed, pinned or static data (of a module, the main program or with SAVE)",
             device);
    map_static(data);
#endif
}

}  // extern "C"
