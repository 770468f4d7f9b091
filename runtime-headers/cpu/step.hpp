// Lanes of a warp in step: each waits at an access of VOLATILE data until nothing else in its block can run; then those go on that
// are least far in the program, so that lanes that parted meet again where their paths do. Only cpu_runtime.cpp includes this.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "fiber.hpp"
#include "target.hpp"
#include <cstring>

namespace cuf::cpu {

/// Accesses that bring a thread nothing new (reads of what it has read already) until it counts as waiting for another one.
inline constexpr unsigned step_patience = 256;

/// Remembers that the thread read these bytes there, or wrote.
inline void note_access(fiber& f, const void* place, std::size_t bytes, bool store)
{
    std::uint64_t hash = 14695981039346656037u;
    for (std::size_t i = 0; i < bytes; ++i) hash = (hash ^ static_cast<const unsigned char*>(place)[i]) * 1099511628211u;
    bool known = false;
    for (const auto& seen : f.seen) known |= seen.place == place && seen.hash == hash;
    f.idle = known && !store ? f.idle + 1 : 0;
    if (f.idle == 0) self.moved = true;
    if (!known) f.seen[f.next_seen++ % std::size(f.seen)] = {place, hash};
}

class step_list {
public:
    bool empty() const { return count_ == 0; }
    void clear() { count_ = 0; }
    void add(fiber* f, bool store) { waiting_[count_++] = {f, store}; }

    /// Gives those that go on to `push`. True if all of them only wait for others.
    template <class F>
    bool release(F push)
    {
        const wait* first[32] = {};
        bool idle[32] = {};
        for (unsigned i = 0; i < count_; ++i) {
            const wait& w = waiting_[i];
            const unsigned warp = w.parked->linear >> 5;
            const int order = first[warp] ? compare(w, *first[warp]) : -1;
            const bool waits = w.parked->idle > step_patience;
            if (order < 0) {
                first[warp] = &w;
                idle[warp] = waits;
            } else if (order == 0) {
                idle[warp] = idle[warp] && waits;
            }
        }
        bool all_idle = true;
        unsigned left = 0;
        wait next[32] = {};
        for (unsigned k = 0; k < 32; ++k)
            if (first[k]) next[k] = *first[k];
        for (unsigned i = 0; i < count_; ++i) {
            const wait w = waiting_[i];
            const unsigned warp = w.parked->linear >> 5;
            // Lanes that wait for others of their warp let these go on, as those of a GPU do.
            if (idle[warp] || compare(w, next[warp]) == 0) {
                all_idle = all_idle && w.parked->idle > step_patience;
                push(w.parked);
            } else {
                waiting_[left++] = w;
            }
        }
        count_ = left;
        return all_idle;
    }

private:
    struct wait {
        fiber* parked;
        bool store;
    };

    static int compare(const std::source_location& a, const std::source_location& b)
    {
        if (a.file_name() != b.file_name())
            if (const int order = std::strcmp(a.file_name(), b.file_name())) {
                // Procedures stand in headers: they end before their caller goes on.
                const auto header = [](const char* name) { return name[0] && name[std::strlen(name) - 1] == 'h'; };
                const int kinds = int(header(b.file_name())) - int(header(a.file_name()));
                return kinds ? kinds : order;
            }
        return a.line() < b.line() ? -1 : a.line() > b.line();
    }

    static unsigned path(const wait& w, const loop_turns** out, unsigned most)
    {
        unsigned depth = 0;
        for (const loop_turns* t = w.parked->turns; t; t = t->outer) ++depth;
        unsigned at = depth;
        for (const loop_turns* t = w.parked->turns; t; t = t->outer)
            if (--at < most) out[at] = t;
        return depth < most ? depth : most;
    }

    /// Which of two lanes is less far: by the turns of the loops that both are in, then by place.
    static int compare(const wait& a, const wait& b)
    {
        const loop_turns *pa[16], *pb[16];
        const unsigned na = path(a, pa, 16), nb = path(b, pb, 16);
        for (unsigned i = 0;; ++i) {
            const int order = compare(i < na ? pa[i]->at : a.parked->site, i < nb ? pb[i]->at : b.parked->site);
            if (order) return order;
            if (i >= na || i >= nb) break;
            if (pa[i]->turn != pb[i]->turn) return pa[i]->turn < pb[i]->turn ? -1 : 1;
        }
        if (a.store != b.store) return a.store ? 1 : -1;
        const unsigned ca = a.parked->site.column(), cb = b.parked->site.column();
        return ca < cb ? -1 : ca > cb;
    }

    wait waiting_[1024];
    unsigned count_ = 0;
};

}  // namespace cuf::cpu
