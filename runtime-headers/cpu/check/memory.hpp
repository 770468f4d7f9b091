// Allocations under the checks: pages of their own with closed ones around them, kept closed for a while after they are freed; module data that host
// code cannot touch; leaks. Only cpu_runtime.cpp includes this.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "mirror.hpp"
#include "state.hpp"
#include <deque>
#include <link.h>

namespace cuf::check {

inline std::size_t page_bytes()
{
    static const auto bytes = std::size_t(sysconf(_SC_PAGESIZE));
    return bytes;
}
inline std::size_t whole_pages(std::size_t bytes) { return (bytes + page_bytes() - 1) / page_bytes() * page_bytes(); }
inline std::size_t padded(std::size_t bytes) { return (bytes + 255) / 256 * 256; }

/// The pages of an allocation, without the closed ones around them.
inline char* first_page(void* memory, std::size_t bytes)
{
    return static_cast<char*>(memory) + padded(bytes) - whole_pages(padded(bytes));
}

/// Memory whose end is that of a page, up to the alignment that programs may rely on; null if there is none.
inline void* obtain(std::size_t bytes, bool open)
{
    const std::size_t inner = whole_pages(padded(bytes)), all = inner + 2 * page_bytes();
    void* memory = mmap(nullptr, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
    char* first = static_cast<char*>(memory) + page_bytes();
    if (open) mprotect(first, inner, PROT_READ | PROT_WRITE);
    char* data = first + inner - padded(bytes);
    if (watches()) {
        cover(first, inner);
        set_states(first, inner, beyond);
        set_states(data, bytes, static_cast<unsigned char>((on(init) ? unwritten : 0) | (on(race) ? tracked : 0)));
        if (on(race)) forget_accesses(data, bytes);
    }
    return data;
}

inline void open_block(void* memory, std::size_t bytes, int access) { mprotect(first_page(memory, bytes), whole_pages(padded(bytes)), access); }

inline void note_allocation(void* memory, std::size_t bytes)
{
    memory_block block{bytes, std::make_shared<calls>(), nullptr};
    block.allocated->note();
    std::lock_guard lock(program().lock);
    program().blocks[reinterpret_cast<std::uintptr_t>(memory)] = std::move(block);
}

inline std::string place_of_allocation(const void* memory)
{
    known_program& p = program();
    std::unique_lock lock(p.lock);
    const auto* block = holder(p.blocks, reinterpret_cast<std::uintptr_t>(memory));
    if (!block || !block->second.allocated) return {};
    const auto at = block->second.allocated;
    lock.unlock();
    return at->place();
}

/// The memory was freed: it stays closed until many others have been freed.
inline void give_back(void* memory, std::size_t bytes)
{
    struct closed {
        void* memory;
        std::size_t bytes;
    };
    static auto* all = new std::deque<closed>;
    constexpr std::size_t kept = 1024;
    char* first = first_page(memory, bytes);
    mprotect(first, whole_pages(padded(bytes)), PROT_NONE);
    madvise(first, whole_pages(padded(bytes)), MADV_DONTNEED);
    if (watches()) set_states(memory, bytes, freed);
    known_program& p = program();
    std::lock_guard lock(p.lock);
    if (const auto block = p.blocks.find(reinterpret_cast<std::uintptr_t>(memory)); block != p.blocks.end()) {
        block->second.released = std::make_shared<calls>();
        block->second.released->note();
    }
    all->push_back({memory, bytes});
    if (all->size() <= kept) return;
    const closed oldest = all->front();
    all->pop_front();
    p.blocks.erase(reinterpret_cast<std::uintptr_t>(oldest.memory));
    char* old = first_page(oldest.memory, oldest.bytes);
    if (watches()) set_states(old, whole_pages(padded(oldest.bytes)), 0);
    munmap(old - page_bytes(), whole_pages(padded(oldest.bytes)) + 2 * page_bytes());
}

// ---- what the runtime writes and copies ----

inline void wrote(const void* to, std::size_t bytes)
{
    if (watches() && bytes) mark_written(to, bytes);
    if (on(present) && bytes) wrote_mirror(reinterpret_cast<std::uintptr_t>(to), bytes);
}

/// Bytes were copied: what nothing has written stays so.
inline void copied(const void* to, const void* from, std::size_t bytes)
{
    if (on(present) && bytes) copied_mirror(to, from, bytes);
    if (!on(init) || !bytes) {
        if (watches() && bytes) mark_written(to, bytes);
        return;
    }
    const auto source = reinterpret_cast<std::uintptr_t>(from);
    if (!states_of(source) && !states_of(source + bytes - 1)) return mark_written(to, bytes);
    auto at = reinterpret_cast<std::uintptr_t>(to), end = at + bytes;
    for (std::uintptr_t k = source; at < end; ++at, ++k) {
        unsigned char* states = states_of(at);
        if (!states || !*states) continue;
        const unsigned char* other = states_of(k);
        *states = static_cast<unsigned char>((*states & ~unwritten) | (other ? *other & unwritten : 0));
    }
}

/// Code that is not watched may have written any device memory.
inline void wrote_anything()
{
    if (!on(init)) return;
    std::lock_guard lock(program().lock);
    for (const auto& [at, block] : program().blocks)
        if (!block.released) mark_written(reinterpret_cast<const void*>(at), block.bytes);
}

// ---- variables of modules ----

/// The pages of device variables become visible at another place, too, which is closed to host code: the variables' own addresses are known to
/// device code only.
class module_data {
public:
    /// Before the first address is asked for.
    void add(void* variable, std::size_t bytes)
    {
        const auto page = page_bytes();
        const auto at = reinterpret_cast<std::uintptr_t>(variable);
        std::lock_guard lock(lock_);
        wanted_[at / page * page] = std::max(wanted_[at / page * page], (at + bytes + page - 1) / page * page);
    }
    void* alias(void* variable)
    {
        std::lock_guard lock(lock_);
        map_wanted();
        const auto at = reinterpret_cast<std::uintptr_t>(variable);
        for (const auto& m : all_)
            if (at >= m.from && at < m.to) return m.alias + (at - m.from);
        return variable;
    }
    void protect(int access)
    {
        std::lock_guard lock(lock_);
        for (const auto& m : all_) mprotect(m.alias, m.to - m.from, access);
        access_ = access;
    }
    /// In a process that has been forked: what it writes stays in it.
    void separate()
    {
        for (const mapping& m : all_) {
            const int file = memfd_create("cuf2cu", MFD_CLOEXEC);
            const std::size_t bytes = m.to - m.from;
            const bool copied = file >= 0 && ftruncate(file, off_t(bytes)) == 0 && write_all(file, reinterpret_cast<const char*>(m.from), bytes);
            const auto mapped = [&](void* at) { return mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) != MAP_FAILED; };
            if (!copied || !mapped(m.alias) || !mapped(reinterpret_cast<void*>(m.from))) _exit(1);
            close(file);
        }
    }
    /// The variable's own address, for one that host code has; 0 for others.
    std::uintptr_t original(std::uintptr_t at) const
    {
        for (const auto& m : all_)
            if (const std::uintptr_t k = at - reinterpret_cast<std::uintptr_t>(m.alias); k < m.to - m.from) return m.from + k;
        return 0;
    }

private:
    struct mapping {
        std::uintptr_t from, to;
        char* alias;
    };

    void map_wanted()
    {
        std::uintptr_t from = 0, to = 0;
        for (const auto& [first, end] : wanted_) {
            if (first >= to) {
                if (to) map(from, to);
                from = first;
            }
            to = std::max(to, end);
        }
        if (to) map(from, to);
        wanted_.clear();
    }

    /// Without memory for it host code has the variables themselves.
    void map(std::uintptr_t from, std::uintptr_t to)
    {
        const std::size_t bytes = to - from;
        const int file = memfd_create("cuf2cu", MFD_CLOEXEC);
        if (file < 0) return;
        bool good = ftruncate(file, off_t(bytes)) == 0 && write_all(file, reinterpret_cast<const char*>(from), bytes);
        // The alias has the shadow of the variables: both lie alike in their chunks.
        void* room = good ? mmap(nullptr, bytes + 3 * chunk_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) : MAP_FAILED;
        void* alias = nullptr;
        if (room != MAP_FAILED) {
            const auto base = (reinterpret_cast<std::uintptr_t>(room) + chunk_bytes - 1) & ~(chunk_bytes - 1);
            alias = mmap(reinterpret_cast<void*>(base + (from & (chunk_bytes - 1))), bytes, access_, MAP_SHARED | MAP_FIXED, file, 0);
            good = alias != MAP_FAILED && mmap(reinterpret_cast<void*>(from), bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) != MAP_FAILED;
        }
        close(file);
        if (!good || !alias) return;
        if (watches()) cover_alias(alias, reinterpret_cast<const void*>(from), bytes);
        all_.push_back({from, to, static_cast<char*>(alias)});
    }

    static bool write_all(int file, const char* data, std::size_t bytes)
    {
        for (std::size_t done = 0; done < bytes;) {
            const ssize_t n = pwrite(file, data + done, bytes - done, off_t(done));
            if (n <= 0) return false;
            done += std::size_t(n);
        }
        return true;
    }

    std::mutex lock_;
    std::map<std::uintptr_t, std::uintptr_t> wanted_;  // pages
    std::vector<mapping> all_;
    int access_ = PROT_NONE;
};
inline module_data& modules()
{
    static auto* data = new module_data;
    return *data;
}

inline std::mutex device_variables_lock;
inline std::vector<std::pair<const void*, std::size_t>>& device_variables()
{
    static auto* all = new std::vector<std::pair<const void*, std::size_t>>;
    return *all;
}
/// A variable of a module, at start-up.
inline void add_device_variable(void* data, std::size_t bytes, bool managed)
{
    std::lock_guard lock(device_variables_lock);
    device_variables().emplace_back(data, bytes);
    if (!managed) modules().add(data, bytes);
}

// ---- faults ----

/// What a host access, or an access of a kernel that faulted, went to; empty where nothing is known of the address.
inline std::string fault_text(std::uintptr_t at, bool by_host)
{
    if (const std::uintptr_t own = modules().original(at)) return "device variable " + what_holds(own);
    known_program& p = program();
    std::unique_lock lock(p.lock);
    const auto* block = holder(p.blocks, at);
    const bool free = block && block->second.released;
    // The closed pages beside an allocation.
    std::string beside;
    for (const auto& [from, b] : p.blocks) {
        if (block || by_host) break;
        const auto first = reinterpret_cast<std::uintptr_t>(first_page(reinterpret_cast<void*>(from), b.bytes));
        const std::uintptr_t end = first + whole_pages(padded(b.bytes));
        if (at - (first - page_bytes()) >= end + page_bytes() - (first - page_bytes())) continue;
        const auto made = b.allocated;
        const std::uintptr_t far = at < from ? from - at : at - from - b.bytes + 1;
        beside = std::to_string(far) + (at < from ? " bytes before" : " bytes behind the end of") + " device memory of " + std::to_string(b.bytes) + " bytes";
        lock.unlock();
        if (const std::string place = made ? made->place() : ""; !place.empty()) beside += ", allocated at " + place;
        return beside;
    }
    if (!block) return {};
    lock.unlock();
    return what_holds(at) + (free ? " that has been freed" + where_freed(at) : "");
}

}  // namespace cuf::check
