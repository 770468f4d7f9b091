// Table of the allocations of the emulated device, which are ordinary memory. Only cpu_runtime.cpp includes this.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "runtime_checks.hpp"
#include "state.hpp"
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <sys/mman.h>
#include <sys/sysinfo.h>
#include <unistd.h>
#include <vector>

struct cudaArray {
    cudaChannelFormatDesc desc;
    cudaExtent extent;  // elements; 0 in a dimension that the array has not
    unsigned flags;
    std::size_t element;  // bytes
    std::vector<unsigned char> data;

    std::size_t row() const { return extent.width * element; }
    std::size_t rows() const { return (extent.height ? extent.height : 1) * (extent.depth ? extent.depth : 1); }
};

namespace cuf::cpu {

inline std::size_t total_memory()
{
    return std::size_t(sysconf(_SC_PHYS_PAGES)) * std::size_t(sysconf(_SC_PAGESIZE));
}
inline std::size_t free_memory()
{
    return std::size_t(sysconf(_SC_AVPHYS_PAGES)) * std::size_t(sysconf(_SC_PAGESIZE));
}

struct allocation {
    void* base = nullptr;
    std::size_t size = 0;  // 0: none
    cudaMemoryType type = cudaMemoryTypeUnregistered;
    unsigned flags = 0;
    bool registered = false;  // the program's own memory (cudaHostRegister)
    bool by_call = false;      // the program called a function of the runtime API for it
    std::uint64_t number = 0;  // counts the allocations of the program, from 1; 0: of the runtime
};

/// The word for a kind of memory in messages.
inline const char* kind_name(cudaMemoryType type)
{
    return type == cudaMemoryTypeManaged ? "managed" : type == cudaMemoryTypeHost ? "pinned" : "device";
}

/// The variable of the environment is 1.
inline bool wished(const char* variable)
{
    const char* value = std::getenv(variable);
    return value && *value == '1';
}

class allocation_table {
public:
    cudaError_t allocate(void** pointer, std::size_t bytes, cudaMemoryType type, unsigned flags)
    {
        if (!pointer) return cudaErrorInvalidValue;
        *pointer = nullptr;
        if (bytes == 0) return cudaSuccess;
        if (bytes > total_memory()) return cudaErrorMemoryAllocation;
        std::lock_guard lock(mutex_);
        void* memory = obtain(bytes, type);
        if (!memory) return cudaErrorMemoryAllocation;
        // As fresh memory of a device tends to be; programs must not rely on either.
        if (type == cudaMemoryTypeManaged) std::memset(memory, 0, bytes);
        table_[memory] = {memory, bytes, type, flags, false, called_, ++obtained_};
        check::note_allocation(memory, bytes);
        device_bytes_ += type == cudaMemoryTypeHost ? 0 : bytes;
        *pointer = memory;
        return cudaSuccess;
    }

    bool release(void* pointer, bool host)
    {
        std::lock_guard lock(mutex_);
        const auto at = table_.find(pointer);
        if (at == table_.end() || at->second.registered || (at->second.type == cudaMemoryTypeHost) != host) return false;
        if (!host) device_bytes_ -= at->second.size;
        give_back(at->second);
        table_.erase(at);
        return true;
    }

    cudaError_t add_registered(void* pointer, std::size_t bytes, unsigned flags)
    {
        if (!pointer || bytes == 0) return cudaErrorInvalidValue;
        if (find(pointer).size) return cudaErrorHostMemoryAlreadyRegistered;
        std::lock_guard lock(mutex_);
        table_[pointer] = {pointer, bytes, cudaMemoryTypeHost, flags, true, false, 0};
        return cudaSuccess;
    }

    /// The memory stays to the end of the program, and is nothing that the program allocated.
    void keep(void* pointer)
    {
        std::lock_guard lock(mutex_);
        const auto at = table_.find(pointer);
        if (at != table_.end()) at->second.number = 0;
    }

    bool remove_registered(void* pointer)
    {
        std::lock_guard lock(mutex_);
        const auto at = table_.find(pointer);
        if (at == table_.end() || !at->second.registered) return false;
        table_.erase(at);
        return true;
    }

    /// A device or managed variable of a module, which is never freed.
    void add_variable(void* variable, std::size_t bytes, cudaMemoryType type)
    {
        std::lock_guard lock(mutex_);
        variables_[variable] = {variable, bytes, type};
    }

    /// The allocation, or variable, that holds the address.
    allocation find(const void* pointer)
    {
        std::lock_guard lock(mutex_);
        const allocation found = holder(table_, pointer);
        return found.size ? found : holder(variables_, pointer);
    }

    /// Frees all device memory (cudaDeviceReset).
    void reset()
    {
        std::lock_guard lock(mutex_);
        for (auto at = table_.begin(); at != table_.end();) {
            if (at->second.registered) {
                ++at;
            } else {
                give_back(at->second);
                at = table_.erase(at);
            }
        }
        device_bytes_ = 0;
    }

    std::size_t device_bytes()
    {
        std::lock_guard lock(mutex_);
        return device_bytes_;
    }

    /// How many allocations of a kind have not been freed.
    std::size_t count(cudaMemoryType type)
    {
        std::lock_guard lock(mutex_);
        return std::size_t(std::count_if(table_.begin(), table_.end(), [type](const auto& entry) {
            return entry.second.number != 0 && entry.second.type == type;
        }));
    }

    /// The allocations that have not been freed, in the order in which they were made.
    std::vector<allocation> unfreed()
    {
        std::lock_guard lock(mutex_);
        std::vector<allocation> left;
        for (const auto& [base, a] : table_)
            if (a.number != 0) left.push_back(a);
        std::sort(left.begin(), left.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
        return left;
    }

    /// All memory that was allocated: address and bytes.
    std::vector<std::pair<const void*, std::size_t>> all()
    {
        std::lock_guard lock(mutex_);
        std::vector<std::pair<const void*, std::size_t>> found;
        for (const auto& [base, a] : table_) found.emplace_back(base, a.size);
        return found;
    }

    /// What this thread allocates from now on is for calls of the runtime API by the program, or not.
    static void by_call(bool call) { called_ = call; }

    /// Says on standard error which allocations have not been freed, in the order in which they were made, then a line with the sums.
    void report_leaks()
    {
        const std::vector<allocation> left = unfreed();
        std::size_t bytes = 0;
        for (const auto& a : left) {
            std::fprintf(stderr, "cuf2cu: allocation %llu was never freed: %s memory, %zu bytes\n", static_cast<unsigned long long>(a.number), kind_name(a.type), a.size);
            bytes += a.size;
        }
        std::fprintf(stderr, "cuf2cu: %zu of %llu allocations never freed, %zu bytes\n", left.size(), static_cast<unsigned long long>(obtained_), bytes);
    }

    /// With CUF2CU_GUARD=1 in the environment, device memory is closed to host code, as on the hardware: it may be touched
    /// between open and close only, which the kernels, copies and fills call.
    void open()
    {
        if (!guarded_) return;
        std::lock_guard lock(mutex_);
        if (users_++ == 0) protect(PROT_READ | PROT_WRITE);
    }
    void close()
    {
        if (!guarded_) return;
        std::lock_guard lock(mutex_);
        if (--users_ == 0) protect(PROT_NONE);
    }

    /// From now on says what the fault is and leaves it to the handler of the Fortran library, which prints where.
    static void report_faults()
    {
        static struct sigaction before = [] {
            struct sigaction mine{}, old{};
            mine.sa_flags = SA_SIGINFO;
            mine.sa_sigaction = [](int, siginfo_t* info, void* context) {
                check::host_fault(info->si_addr, context);
                constexpr char text[] = "cuf2cu: host code touches device memory, or memory that is not there\n";
                (void)!write(STDERR_FILENO, text, sizeof text - 1);
                sigaction(SIGSEGV, &before, nullptr);
            };
            sigaction(SIGSEGV, &mine, &old);
            return old;
        }();
        (void)before;
    }

private:
    static allocation holder(const std::map<void*, allocation>& all, const void* pointer)
    {
        auto at = all.upper_bound(const_cast<void*>(pointer));
        if (at == all.begin()) return {};
        --at;
        const auto offset = std::size_t(static_cast<const char*>(pointer) - static_cast<const char*>(at->first));
        return offset < at->second.size ? at->second : allocation{};
    }

    static std::size_t pages(std::size_t bytes)
    {
        const auto page = std::size_t(sysconf(_SC_PAGESIZE));
        return (bytes + page - 1) / page * page;
    }
    bool closed(cudaMemoryType type) const { return guarded_ && type == cudaMemoryTypeDevice; }

    /// Large data in large pages, if the system has them: kernels go through it again and again.
    static void* ordinary(std::size_t bytes)
    {
        constexpr std::size_t page = std::size_t{1} << 21;
        const std::size_t unit = bytes >= 2 * page ? page : 256, whole = (bytes + unit - 1) / unit * unit;
        void* memory = std::aligned_alloc(unit, whole);
        if (memory && unit == page) (void)madvise(memory, whole, MADV_HUGEPAGE);
        return memory;
    }

    void* obtain(std::size_t bytes, cudaMemoryType type)
    {
        if (!closed(type)) {
            void* memory = ordinary(bytes);
            if (memory && type == cudaMemoryTypeManaged) check::begin_managed(memory, bytes);
            return memory;
        }
        report_faults();
        if (check::enabled_checks) return check::obtain(bytes, users_ != 0);
        void* memory = mmap(nullptr, pages(bytes), users_ ? PROT_READ | PROT_WRITE : PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        return memory == MAP_FAILED ? nullptr : memory;
    }
    void give_back(const allocation& a)
    {
        if (!closed(a.type)) {
            if (a.type == cudaMemoryTypeManaged) check::end_managed(a.base, a.size);
            std::free(a.base);
        } else if (check::enabled_checks) {
            check::give_back(a.base, a.size);
        } else {
            munmap(a.base, pages(a.size));
        }
    }
    void protect(int access)
    {
        for (const auto& [base, a] : table_) {
            if (!closed(a.type)) continue;
            if (check::enabled_checks) check::open_block(base, a.size, access);
            else mprotect(base, pages(a.size), access);
        }
        if (check::enabled_checks) check::open_modules(access);
    }

    std::mutex mutex_;
    std::map<void*, allocation> table_;
    std::map<void*, allocation> variables_;
    std::size_t device_bytes_ = 0;
    std::uint64_t obtained_ = 0;
    const bool guarded_ = wished("CUF2CU_GUARD") || check::enabled_checks != 0;
    int users_ = 0;
    inline static thread_local bool called_ = false;
};

inline allocation_table& allocations()
{
    static auto* table = new allocation_table;
    return *table;
}

/// While it lives, device memory is open.
struct device_access {
    device_access() { allocations().open(); }
    ~device_access() { allocations().close(); }
    device_access(const device_access&) = delete;
};

/// False if the range starts in an allocation and goes past its end, or is null.
inline bool range_ok(const void* pointer, std::size_t bytes)
{
    if (bytes == 0) return true;
    if (!pointer) return false;
    const allocation a = allocations().find(pointer);
    if (!a.size) return true;
    return std::size_t(static_cast<const char*>(pointer) - static_cast<const char*>(a.base)) + bytes <= a.size;
}

inline cudaError_t check_copy(const void* dst, const void* src, std::size_t dst_bytes, std::size_t src_bytes, cudaMemcpyKind kind)
{
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
    return range_ok(dst, dst_bytes) && range_ok(src, src_bytes) ? cudaSuccess : cudaErrorInvalidValue;
}

inline void copy_rows(void* dst, std::size_t dpitch, const void* src, std::size_t spitch, std::size_t width, std::size_t height)
{
    auto* to = static_cast<unsigned char*>(dst);
    auto* from = static_cast<const unsigned char*>(src);
    for (std::size_t i = 0; i < height; ++i) {
        std::memmove(to + i * dpitch, from + i * spitch, width);
        check::copied(to + i * dpitch, from + i * spitch, width);
    }
}

}  // namespace cuf::cpu
