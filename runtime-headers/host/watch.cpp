// Who watches a program: its profile and its record, as the environment asks for them (docs/watch.md).
// SPDX-License-Identifier: MIT OR Apache-2.0
#include "watch_profile.hpp"
#include "watch_record.hpp"
#if defined(CUF_TARGET_CPU)
#include "watch_shuffle.hpp"
#endif

// Set by the linker for a program that was built with --profile or --nvtx.
extern "C" __attribute__((weak)) const char cuf_profile_always;
extern "C" __attribute__((weak)) const char cuf_nvtx_always;

namespace cuf::rt {

struct watchers {
    std::recursive_mutex lock;
    profiler* profile;
    recorder* record;
    bool begun = false;
};

static watchers& all_watchers()
{
    static auto* all = new watchers{{}, profiler::wished(&cuf_profile_always != nullptr, &cuf_nvtx_always != nullptr), recorder::wished()};
    return *all;
}

static void* watch(const work& of, const watched* done)
{
    watchers& all = all_watchers();
    std::lock_guard hold(all.lock);
    quiet keep_last_error;
    if (!all.begun) {
        all.begun = true;
        // What CUDA registers for the end of the program has to run after what is registered here.
        (void)cudaFree(nullptr);
        (void)std::atexit([] {
            watchers& every = all_watchers();
            std::lock_guard last(every.lock);
            watching = nullptr;
            if (every.profile != nullptr) every.profile->end();
            if (every.record != nullptr) every.record->end();
        });
    }
    const bool single = of.kind > work::graph;
    if (all.profile != nullptr && done == nullptr && !single) return all.profile->begin(of);
    if (all.profile != nullptr && done != nullptr) all.profile->done(of, done->begun);
    if (all.record != nullptr && (done != nullptr || single)) all.record->done(of);
    return nullptr;
}

[[maybe_unused]] static const bool is_watched = [] {
#if defined(CUF_TARGET_CPU)
    cpu::wish_order();
#endif
    const watchers& all = all_watchers();
    if (all.profile != nullptr || all.record != nullptr) watching = &watch;
    return true;
}();

}  // namespace cuf::rt
