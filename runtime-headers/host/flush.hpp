// A program that the runtime ends keeps what it has written.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>

extern "C" __attribute__((weak)) void _gfortran_flush_i4(const int* unit);

namespace cuf::rt {

/// Writes out the buffers of Fortran's units and of C's streams. Another thread does it, and is waited for two seconds: the caller may hold
/// the lock of a unit (`print *, f()` with an error in `f`, or a fault during a transfer).
inline void flush_output()
{
    struct progress {
        std::mutex lock;
        std::condition_variable changed;
        bool done = false;
    };
    const auto p = std::make_shared<progress>();
    const auto flush = [p] {
        if (_gfortran_flush_i4 != nullptr) _gfortran_flush_i4(nullptr);
        std::fflush(nullptr);
        std::lock_guard held(p->lock);
        p->done = true;
        p->changed.notify_all();
    };
    try {
        std::thread(flush).detach();
    } catch (const std::system_error&) {
        return;  // no more threads
    }
    std::unique_lock held(p->lock);
    p->changed.wait_for(held, std::chrono::seconds(2), [&] { return p->done; });
}

}  // namespace cuf::rt
