// The memory of allocatables and pointers in the memory mode "managed" (guide 2.15): allocation, reallocation and finalisation stay the
// Fortran compiler's, whose objects take memory from here instead of from malloc.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "allocation.hpp"
#include <bit>
#include <cerrno>
#include <malloc.h>
#include <pthread.h>

#if defined(CUF_TARGET_CPU)
extern "C" void cuf_cpu_keep(void*);
#endif

namespace cuf::rt {

/// Blocks of managed memory. Small ones have sizes that are powers of two and come out of chunks that are kept; large ones are chunks
/// of their own. A block that is freed may still be in use by the device: it is given again after the devices have been waited
/// for, which happens once for many blocks.
class managed_heap {
public:
    void* take(std::size_t bytes)
    {
        bytes = std::max(bytes, smallest);
        if (!usable()) return std::malloc(bytes);
        if (bytes > largest) return chunk_for(bytes, 0);
        const std::size_t block = std::bit_ceil(bytes);
        if (void* p = pop(block)) return p;
        auto* first = static_cast<char*>(chunk_for(chunk_bytes, block));
        if (first == nullptr) return pop(block);
        std::lock_guard hold(lock_);
        for (std::size_t at = chunk_bytes - block; at > 0; at -= block) ready_[class_of(block)].push_back(first + at);
        return first;
    }

    /// False if the memory is not from here: from a library, or from before there was a device.
    bool give(void* p)
    {
        std::size_t size = 0;
        {
            std::lock_guard hold(lock_);
            const auto c = chunk_of(p);
            if (c == chunks_.end()) return false;
            if (forked_) return true;  // CUDA's memory is the parent's
            size = c->second.block ? c->second.block : c->second.bytes;
            if (c->second.lost) return true;
            freed_.push_back(p);
            freed_bytes_ += size;
            if (freed_bytes_ <= kept_bytes) return true;
        }
        collect();
        return true;
    }

    /// Bytes from `p` to the end of its block; 0 if it is not from here.
    std::size_t room(void* p)
    {
        std::lock_guard hold(lock_);
        const auto c = chunk_of(p);
        if (c == chunks_.end()) return 0;
        return c->second.block ? c->second.block : c->second.bytes;
    }

    /// A reset of the device takes all memory with it.
    void lose()
    {
        std::lock_guard hold(lock_);
        for (auto& c : chunks_) c.second.lost = true;
        for (auto& r : ready_) r.clear();
        freed_.clear();
        freed_bytes_ = 0;
    }

    void before_fork() { lock_.lock(); }
    void after_fork(bool child)
    {
        forked_ = forked_ || child;
        lock_.unlock();
    }

private:
    struct chunk {
        std::size_t bytes;
        std::size_t block;  // of small blocks; 0: it is one block
        bool lost;
    };

    static constexpr std::size_t smallest = 64, largest = std::size_t{1} << 18, chunk_bytes = std::size_t{1} << 22;
    /// Freed memory that may wait for the devices.
    static constexpr std::size_t kept_bytes = std::size_t{1} << 26;

    static std::size_t class_of(std::size_t block) { return static_cast<std::size_t>(std::countr_zero(block)); }

    /// There is a device, and this process may use it.
    bool usable() const
    {
        static const bool present = [] {
            quiet keep_last_error;
            int devices = 0, device = 0, concurrent = 0;
            if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) return false;
            if (cudaGetDevice(&device) == cudaSuccess &&
                cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, device) == cudaSuccess && !concurrent)
                fail("this program was built with --mem=managed, but the host may not touch managed memory while kernels run on this "
                     "device (cudaDevAttrConcurrentManagedAccess is 0)");
            return true;
        }();
        return present && !forked_;
    }

    std::map<char*, chunk>::iterator chunk_of(void* p)
    {
        auto c = chunks_.upper_bound(static_cast<char*>(p));
        if (c == chunks_.begin()) return chunks_.end();
        --c;
        return static_cast<char*>(p) < c->first + c->second.bytes ? c : chunks_.end();
    }

    void* pop(std::size_t block)
    {
        std::lock_guard hold(lock_);
        auto& ready = ready_[class_of(block)];
        if (ready.empty()) return nullptr;
        void* p = ready.back();
        ready.pop_back();
        return p;
    }

    void* chunk_for(std::size_t bytes, std::size_t block)
    {
        void* p = new_chunk(bytes);
        if (p == nullptr) {
            collect();
            p = new_chunk(bytes);
        }
        if (p == nullptr) {
            errno = ENOMEM;
            return nullptr;
        }
        auto* first = static_cast<char*>(p);
        std::lock_guard hold(lock_);
        // Of memory that a reset has taken the addresses may come again.
        auto old = chunks_.lower_bound(first);
        if (old != chunks_.begin() && std::prev(old)->first + std::prev(old)->second.bytes > first) --old;
        while (old != chunks_.end() && old->first < first + bytes) old = chunks_.erase(old);
        chunks_[first] = {bytes, block, false};
        return p;
    }

    static void* new_chunk(std::size_t bytes)
    {
        quiet keep_last_error;
        const outside_of_captures relaxed;
        void* p = nullptr;
        if (cudaMallocManaged(&p, bytes, cudaMemAttachGlobal) != cudaSuccess) return nullptr;
        note_device(this_device().device);
#if defined(CUF_TARGET_CPU)
        cuf_cpu_keep(p);
#endif
        return p;
    }

    static void end_chunk(void* p)
    {
        const outside_of_captures relaxed;
        (void)cudaFree(p);
    }

    /// Waits for the devices and makes what was freed before usable again. While a graph is captured nothing can be waited for.
    void collect()
    {
        quiet keep_last_error;
        if (captured_stream != nullptr) return;
        std::vector<void*> freed;
        {
            std::lock_guard hold(lock_);
            freed.swap(freed_);
            freed_bytes_ = 0;
        }
        // A device with an error runs nothing any more, but its memory is lost.
        if (!idle()) return;
        std::vector<void*> ended;
        {
            std::lock_guard hold(lock_);
            for (void* p : freed) {
                const auto c = chunk_of(p);
                if (c == chunks_.end() || c->second.lost) continue;
                if (c->second.block) {
                    ready_[class_of(c->second.block)].push_back(p);
                } else {
                    chunks_.erase(c);
                    ended.push_back(p);
                }
            }
        }
        for (void* p : ended) end_chunk(p);
    }

    /// Waits for all devices that the program has used.
    static bool idle()
    {
        const outside_of_captures relaxed;
        bool good = cudaDeviceSynchronize() == cudaSuccess;
        const int here = this_device().device;
        for (int d = 0; several_devices() && d < 64; ++d) {
            if (d == here || !(used_devices >> d & 1)) continue;
            on_device_of other(d);
            good = cudaDeviceSynchronize() == cudaSuccess && good;
        }
        return good;
    }

    /// Managed memory may be had while a stream is captured: it is no part of the graph.
    class outside_of_captures {
    public:
        outside_of_captures() { exchange(); }
        ~outside_of_captures() { exchange(); }
        outside_of_captures(const outside_of_captures&) = delete;
        outside_of_captures& operator=(const outside_of_captures&) = delete;

    private:
        void exchange()
        {
#if !defined(CUF_TARGET_CPU)
            (void)cudaThreadExchangeStreamCaptureMode(&mode_);
#endif
        }
        [[maybe_unused]] cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
    };

    std::mutex lock_;
    std::map<char*, chunk> chunks_;
    std::vector<void*> ready_[20];
    std::vector<void*> freed_;
    std::size_t freed_bytes_ = 0;
    bool forked_ = false;
};

/// Made by the first allocation, and there to the end of the process: exit handlers free memory, too.
inline managed_heap& heap_of_host()
{
    static managed_heap* heap = [] {
        auto* made = new managed_heap;
        (void)pthread_atfork([] { heap_of_host().before_fork(); }, [] { heap_of_host().after_fork(false); },
                             [] { heap_of_host().after_fork(true); });
        return made;
    }();
    return *heap;
}

}  // namespace cuf::rt
