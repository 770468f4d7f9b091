// Runs the threads of one block at a time: fibers, barriers, warp operations, detection of threads that wait for ever.
// Only cpu_runtime.cpp includes this.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "fiber.hpp"
#include "gang.hpp"
#include "names.hpp"
#include "shuffle.hpp"
#include "step.hpp"
#include "warp_state.hpp"
#include <filesystem>
#include <fstream>
#include <iterator>
#include "target.hpp"
#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>
#include <mutex>
#include <sched.h>
#include <string>

namespace cuf::cpu {

inline constexpr int max_block = 1024;
inline constexpr int spin_turn = 128;  // atomics and fences of a thread until others get a turn

class runner {
public:
    struct block_job {
        run_function run;
        const void* call;
        const void* kernel;
        std::size_t bytes;
        gang* group;       // of a cooperative grid or a cluster, else null
        unsigned member;   // this block's number in it
        void (*help)();    // called when the block can only wait for blocks that do not run yet
        void (*waiting)(int more);  // the block counts as one that waits for others, or no more
        bool (*hopeless)();         // all blocks that run do, and no other one will run
        std::uint64_t order;  // of the threads; 0: their own
    };

    static runner& mine()
    {
        static thread_local runner* instance = new runner;
        return *instance;
    }

    void provide_dynamic(std::size_t bytes)
    {
        const std::size_t whole = check::whole_dynamic(bytes);
        if (whole > dynamic_bytes_) {
            std::free(dynamic_);
            dynamic_bytes_ = whole;
            dynamic_ = static_cast<unsigned char*>(std::aligned_alloc(1024, dynamic_bytes_));
        }
        self.dynamic_shared = dynamic_;
    }

    /// Runs the block blockIdx of a grid to its end.
    void run(const block_job& job)
    {
        job_ = job;
        total_ = blockDim.x * blockDim.y * blockDim.z;
        started_ = finished_ = 0;
        waiting_count_ = group_count_ = active_count_ = 0;
        predicates_ = 0;
        head_ = tail_ = 0;
        stalls_ = spins_ = step_spins_ = 0;
        in_order_ = true;
        steps_.clear();
        self.forked = false;
        self.spin_budget = spin_turn;
        self.block = this;
        self.block_ring = self.warp_ring = nullptr;
        rings_ = ring_possible && !job.order && chosen_execution() == execution::rings;
        check::begin_block(self.dynamic_shared, job_.bytes);
        current_ = pool_.take(&entry);
        if (job.order) fork_at(0, 0);
        switch_context(main_, current_->saved);
        while (finished_ < total_) {
            unblock();
            resume_from(main_, pop());
        }
        self.block = nullptr;
        goes_on();
        check::end_block();
    }

    /// Blocks of a kernel whose threads are said not to wait, as loops over them: job.run runs them all. On a thread's stack, with its size and guard.
    void run_plain(const block_job& job)
    {
        job_ = job;
        plain_ = true;
        total_ = 1;
        started_ = finished_ = 0;
        head_ = tail_ = 0;
        self.forked = false;
        self.spin_budget = spin_turn;
        self.block = this;
        current_ = pool_.take(&entry);
        switch_context(main_, current_->saved);
        end_plain();
    }
    void end_plain()
    {
        plain_ = false;
        self.block = nullptr;
    }

    bool start()
    {
        if (started_ == total_ || (!start_now_ && head_ != tail_)) return false;
        start_now_ = false;
        if (job_.order) next_ = place_of(unsigned(shuffled(started_, total_, job_.order + blockIdx.x + 7 * blockIdx.y)));
        threadIdx = next_;
        current_->linear = linear_now();
        ++started_;
        current_->x = next_.x;
        current_->y = next_.y;
        current_->z = next_.z;
        if (++next_.x == blockDim.x) {
            next_.x = 0;
            if (++next_.y == blockDim.y) {
                next_.y = 0;
                ++next_.z;
            }
        }
        return true;
    }

    void finish()
    {
        self.moved = true;
        if (in_ring()) leave_ring();
        ++finished_;
        const unsigned linear = current_->linear;
        warp_state& warp = warps_[linear >> 5];
        warp.exited |= 1u << (linear & 31);
        if (warp.waiting) complete_waiting(warp);
        if (waiting_count_ && waiting_count_ == total_ - finished_) {
            if (mixed_) different_statements();
            release_barrier();
        }
    }

    int barrier(int predicate, int operation, std::source_location at)
    {
        fork();
        self.moved = true;
        current_->site = at;
        current_->idle = 0;
        predicates_ += predicate != 0;
        if (waiting_count_ && !same_statement(at, waiting_[0]->site)) mixed_ = true;
        in_order_ = in_order_ && current_->linear == waiting_count_;
        if (waiting_count_ + 1 == total_ - finished_) {
            if (mixed_) {
                waiting_[waiting_count_++] = current_;
                different_statements();
            }
            if (rings_ && in_order_ && waiting_count_ + 1 == total_ && total_ > 1) {
                waiting_[waiting_count_++] = current_;
                enter_block_ring();
            } else {
                release_barrier(1);
            }
        } else {
            waiting_[waiting_count_++] = current_;
            park();
        }
        switch (operation) {
        case barrier_count: return int(barrier_true_);
        case barrier_and: return barrier_true_ == barrier_arrived_;
        case barrier_or: return barrier_true_ != 0;
        default: return 0;
        }
    }

    void group_barrier(launch_shape shape, std::source_location at)
    {
        if (self.shape != shape)
            fail(shape == shape_cooperative ? "the kernel synchronises the grid, but was not launched as a grid_global kernel"
                                            : "the kernel synchronises its cluster, but was launched without cluster_dims");
        fork();
        current_->site = at;
        group_[group_count_++] = current_;
        park();
    }

    void yield()
    {
        self.spin_budget = spin_turn;
        // Without loops that could wait for another thread.
        if (plain_) return;
        fork();
        only_waits(nullptr);
        if (active_count_ && ++spins_ > 64) release_active();
        if (!steps_.empty() && ++step_spins_ > 64) release_steps();
        if (started_ == total_ && head_ == tail_) {
            if (active_count_) {
                release_active();
            } else if (!steps_.empty()) {
                release_steps();
            } else {
                // Nothing else can run in this block: the thread waits for another block.
                if (++stalls_ % 16 == 0) job_.help();
                sched_yield();
                return;
            }
        }
        push(current_);
        if (started_ < total_) {
            start_fiber();
        } else {
            resume_from(current_->saved, pop());
        }
    }

    unsigned existing()
    {
        const unsigned first = linear_now() & ~31u;
        const unsigned total = blockDim.x * blockDim.y * blockDim.z;
        return total - first >= 32 ? ~0u : (1u << (total - first)) - 1;
    }

    std::uint64_t rendezvous(warp_operation operation, unsigned mask, std::uint64_t value, int source, std::source_location at)
    {
        fork();
        self.moved = true;
        current_->site = at;
        current_->idle = 0;
        const int lane = int(current_->linear & 31);
        warp_state& warp = warps_[current_->linear >> 5];
        // The full mask is everyone's way to say "the whole warp", also in a warp that has fewer lanes.
        const unsigned named = mask == ~0u ? warp.existing : mask;
        if (named & ~warp.existing) fail_mask("names lanes that do not exist", mask);
        if (!(named >> lane & 1)) fail_mask("lacks the calling lane", mask);
        warp.mask[lane] = named;
        warp.operation[lane] = operation;
        warp.source[lane] = source;
        warp.value[lane] = value;
        warp.parked[lane] = current_;
        warp.waiting |= 1u << lane;
        const unsigned lanes = unsigned(std::popcount(warp.existing));
        // A warp that waits for another one by shuffles and plain loads lets it run now and then.
        const bool all = rings_ && mask == ~0u && warp.exited == 0 && warp.waiting == warp.existing && unsigned(lane) + 1 == lanes && lanes > 1 &&
                         (ring_.turns < ring_state::most_turns || (ring_.turns = 0) != 0);
        if (!complete(warp, lane, lane, all)) {
            park();
        } else if (all) {
            ring_warp_ = &warp;
            ring_.now = &warp.exchanged.of[warp.exchanged.parity];
            ring_.then = &warp.exchanged.of[warp.exchanged.parity ^ 1];
            enter_ring(self.warp_ring, warp.parked, lanes);
        }
        self.undefined = warp.undefined[lane];
        return warp.result[lane];
    }

    /// Why the lane `from` has no value for a shuffle of the lanes `needed`, with its number; 0: it has one.
    static unsigned undefined(const warp_state& warp, unsigned needed, int from)
    {
        if (needed >> from & 1) return 0;
        const unsigned why = !(warp.existing >> from & 1) ? check::lane_is_missing : warp.exited >> from & 1 ? check::lane_has_ended : check::lane_is_elsewhere;
        return why | unsigned(from);
    }

    unsigned active(const void* site)
    {
        fork();
        active_[active_count_++] = {current_, site, 0};
        const fiber* me = current_;
        park();
        return active_result_[me->linear];
    }

    void volatile_access(const void* place, std::size_t bytes, bool store, std::source_location at)
    {
        if (in_ring()) leave_ring();
        // A thread's own data.
        const auto* p = static_cast<const unsigned char*>(place);
        if (p >= current_->stack && p < current_->stack + current_->stack_bytes) return;
        fork();
        current_->site = at;
        steps_.add(current_, store);
        fiber& me = *current_;
        park();
        note_access(me, place, bytes, store);
    }

    loop_turns** innermost_loop()
    {
        if (in_ring()) leave_ring();
        return &current_->turns;
    }

    void* shared_of(void* shared, int rank)
    {
        auto* p = static_cast<unsigned char*>(shared);
        gang& group = *job_.group;
        const unsigned there = unsigned(rank);
        if (job_.bytes && p >= dynamic_ && p < dynamic_ + dynamic_bytes_) return group.dynamic[there] + (p - dynamic_);
        return group.base[there] + (p - group.base[job_.member]);
    }

    gang* group() const { return job_.group; }

    [[noreturn]] void fail(const std::string& what)
    {
        char place[160];
        std::snprintf(place, sizeof place, ", block (%u,%u,%u), thread (%u,%u,%u): ", blockIdx.x + 1, blockIdx.y + 1, blockIdx.z + 1,
                      threadIdx.x + 1, threadIdx.y + 1, threadIdx.z + 1);
        stop("kernel " + kernel_name(job_.kernel) + place + what);
    }

    bool guards(const void* address) const { return pool_.guards(address); }
    const void* kernel() const { return job_.kernel; }
    std::uint64_t switches = 0;  // between fibers

private:
    struct active_wait {
        fiber* parked;
        const void* site;
        unsigned mask;
    };

    static void entry()
    {
        for (;;) {
            runner& r = mine();
            r.job_.run(r.job_.call);
            if (!self.forked) r.finished_ = r.total_;
            r.pool_.give_back(r.current_);
            r.next();
        }
    }

    unsigned linear_now() const
    {
        return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    }

    /// The first wait of a block: from now on the threads are counted, those before this one have ended.
    void fork()
    {
        if (!self.forked) [[unlikely]]
            fork_now();
        if (in_ring()) leave_ring();
    }
    static uint3 place_of(unsigned linear) { return uint3{linear % blockDim.x, linear / blockDim.x % blockDim.y, linear / blockDim.x / blockDim.y}; }
    void fork_now() { fork_at(linear_now(), 1); }
    /// Threads before this one have ended; it runs, or begins like those behind it.
    void fork_at(unsigned linear, unsigned begun)
    {
        if (plain_) fail("a thread waits for others, which the file beside the generated code, named .lines, excludes: translate the program again");
        self.forked = true;
        current_->linear = linear;
        current_->x = threadIdx.x;
        current_->y = threadIdx.y;
        current_->z = threadIdx.z;
        finished_ = linear;
        started_ = linear + begun;
        next_ = place_of(started_);
        for (unsigned first = 0; first < total_; first += 32) {
            warp_state& warp = warps_[first >> 5];
            warp.existing = total_ - first >= 32 ? ~0u : (1u << (total_ - first)) - 1;
            warp.exited = linear >= first + 32 ? ~0u : linear > first ? (1u << (linear - first)) - 1 : 0;
            warp.waiting = 0;
            warp.exchanged.parity = 0;
        }
    }

    void push(fiber* f)
    {
        ready_[tail_ % ready_slots] = f;
        ++tail_;
    }
    void push_first(fiber* f)
    {
        --head_;
        ready_[head_ % ready_slots] = f;
    }
    fiber* pop()
    {
        fiber* f = ready_[head_ % ready_slots];
        ++head_;
        return f;
    }

    void resume_from(context& from, fiber* f)
    {
        if (&from == &f->saved) return;
        current_ = f;
        threadIdx = uint3{f->x, f->y, f->z};
        ++switches;
        switch_context(from, f->saved);
    }

    void start_fiber()
    {
        context& from = current_->saved;
        current_ = pool_.take(&entry);
        start_now_ = true;
        ++switches;
        switch_context(from, current_->saved);
    }

    /// Leaves the current fiber for one that can go on, for a thread not yet started, or for unblock().
    void next()
    {
        if (head_ != tail_) {
            resume_from(current_->saved, pop());
        } else if (started_ < total_ && self.forked) {
            start_fiber();
        } else {
            switch_context(current_->saved, main_);
        }
    }
    void park() { next(); }

    /// The calling thread is the last of those that have met, in their order; the first one goes on.
    void enter_ring(ring_state*& ring, fiber* const* members, unsigned count)
    {
        for (unsigned i = 0; i < count; ++i) ring_.contexts[i] = members[i]->saved;
        ring_.members = count;
        ring_.at = 0;
        ring_.site = current_->site;
        ring_.first = uint3{members[0]->x, members[0]->y, members[0]->z};
        threadIdx = ring_.first;
        ring = &ring_;
        switch_context(ring_.contexts[count - 1], ring_.contexts[0]);
    }
    void enter_block_ring()
    {
        barrier_true_ = predicates_;
        barrier_arrived_ = total_;
        predicates_ = 0;
        waiting_count_ = 0;
        enter_ring(self.block_ring, waiting_, total_);
    }

    static bool in_ring() { return self.block_ring || self.warp_ring; }

    /// What the ring stands for as lists: members before this one wait, those behind it can go on.
    void leave_ring()
    {
        self.moved = true;
        const bool of_block = self.block_ring;
        const unsigned at = ring_.at;
        fiber* const* members = of_block ? waiting_ : ring_warp_->parked;
        self.block_ring = self.warp_ring = nullptr;
        switches += std::exchange(ring_.switches, 0) + at;
        for (unsigned i = 0; i < ring_.members; ++i) members[i]->saved = ring_.contexts[i];
        for (unsigned i = 0; i < at; ++i) members[i]->site = ring_.site;
        current_ = members[at];
        // They were to go on before all others.
        for (unsigned i = ring_.members - 1; i > at; --i) push_first(members[i]);
        in_order_ = true;
        if (of_block) {
            waiting_count_ = at;
            return;
        }
        warp_state& warp = *ring_warp_;
        ring_exchange& with = *ring_.now;
        warp.exchanged.parity = &with == &warp.exchanged.of[1];
        for (unsigned i = 0; i < at; ++i) {
            const std::uint64_t*& result = with.result[i];
            warp.mask[i] = warp.existing;
            warp.operation[i] = ring_.operation;
            warp.value[i] = with.values[i];
            warp.source[i] = ring_.operation == warp_shuffle ? int(result - with.values) : 0;
            warp.waiting |= 1u << i;
            // Found in another way, since a lane may end instead of coming.
            result = &warp.result[i];
        }
    }

    void release_barrier(unsigned more = 0)
    {
        check::pass_barrier();
        in_order_ = true;
        barrier_true_ = predicates_;
        barrier_arrived_ = waiting_count_ + more;
        predicates_ = 0;
        for (unsigned i = 0; i < waiting_count_; ++i) push(waiting_[i]);
        waiting_count_ = 0;
    }

    /// Completes the operation of the waiting lane if all lanes it names are there. The lane `self_lane` (-1: none) goes on by itself.
    /// `ring`: those that it names are all, and go on as a ring.
    bool complete(warp_state& warp, int lane, int self_lane, bool ring = false)
    {
        const unsigned named = warp.mask[lane], needed = named & ~warp.exited;
        if ((warp.waiting & needed) != needed) return false;
        for (int l = 0; l < 32; ++l)
            if ((needed >> l & 1) && warp.mask[l] != named) return false;
        const warp_operation operation = warp.operation[lane];
        for (int l = 0; l < 32; ++l) {
            if (!(needed >> l & 1)) continue;
            if (warp.operation[l] != operation) fail_mask("is used by different warp operations at the same time", named);
            warp.result[l] = result(warp, operation, needed, l);
            warp.undefined[l] = operation == warp_shuffle ? undefined(warp, needed, warp.source[l]) : 0;
        }
        warp.waiting &= ~needed;
        check::pass_warp(unsigned(&warp - warps_), needed);
        for (int l = 0; l < 32 && !ring; ++l)
            if ((needed >> l & 1) && l != self_lane) push(warp.parked[l]);
        return true;
    }

    static std::uint64_t result(const warp_state& warp, warp_operation operation, unsigned needed, int lane)
    {
        std::uint64_t lanes = 0;
        switch (operation) {
        case warp_shuffle: {
            const int from = warp.source[lane];
            // A lane that takes no part has no value: the own one stays.
            return needed >> from & 1 ? warp.value[from] : warp.value[lane];
        }
        case warp_ballot:
            for (int l = 0; l < 32; ++l)
                if ((needed >> l & 1) && warp.value[l]) lanes |= 1u << l;
            return lanes | std::uint64_t(needed) << 32;
        case warp_match_any:
            for (int l = 0; l < 32; ++l)
                if ((needed >> l & 1) && warp.value[l] == warp.value[lane]) lanes |= 1u << l;
            return lanes;
        case warp_match_all:
            for (int l = 0; l < 32; ++l)
                if ((needed >> l & 1) && warp.value[l] != warp.value[lane]) return 0;
            return needed;
        default: return needed;
        }
    }

    void complete_waiting(warp_state& warp)
    {
        for (int l = 0; l < 32; ++l)
            if (warp.waiting >> l & 1) complete(warp, l, -1);
    }

    /// Threads that asked for the active lanes go on: those of a warp at one place are active together.
    void release_active()
    {
        spins_ = 0;
        for (unsigned i = 0; i < active_count_; ++i) {
            unsigned lanes = 0;
            const unsigned warp = active_[i].parked->linear >> 5;
            for (unsigned k = 0; k < active_count_; ++k)
                if (active_[k].site == active_[i].site && active_[k].parked->linear >> 5 == warp) lanes |= 1u << (active_[k].parked->linear & 31);
            active_result_[active_[i].parked->linear] = lanes;
        }
        for (unsigned i = 0; i < active_count_; ++i) push(active_[i].parked);
        active_count_ = 0;
    }

    bool release_steps()
    {
        step_spins_ = 0;
        return steps_.release([this](fiber* f) { push(f); });
    }

    /// Nothing can run: makes something ready, or reports that nothing ever will be.
    void unblock()
    {
        if (head_ != tail_) return;
        if (!steps_.empty()) {
            // Those that only wait for another block let the processor run it.
            if (release_steps()) {
                only_waits(ready_[head_ % ready_slots]);
                if (++stalls_ % 16 == 0) job_.help();
                sched_yield();
            }
        } else if (active_count_) {
            release_active();
        } else if (group_count_ && group_count_ == total_ - finished_) {
            // The first thread of a block answers for it.
            if (self.shape == shape_cooperative && (warps_[0].exited & 1)) deadlock("the first thread of the block has ended");
            job_.waiting(1);
            const bool met = job_.group->wait();
            job_.waiting(-1);
            self.moved = true;
            if (!met) deadlock("another block of the grid has ended");
            check::pass_group();
            for (unsigned i = 0; i < group_count_; ++i) push(group_[i]);
            group_count_ = 0;
        } else {
            deadlock();
        }
    }

    /// Threads wait for what others change: at the access of `volatile_one`, or by atomic operations. Where nothing changes for long, in no
    /// block of the grid, nothing ever will: what the host does next it does when the grid has ended (decision 816).
    void only_waits(const fiber* volatile_one)
    {
        if (std::exchange(self.moved, false)) return goes_on();
        if (++waits_ % 4096 != 0) return;
        job_.help();
        const auto now = std::chrono::steady_clock::now();
        if (waits_ == 4096) waits_since_ = now;
        const double most = patience();
        // Threads that compute between their accesses wait less often.
        constexpr double often = 50000;
        if (most <= 0 || std::chrono::duration<double>(now - waits_since_).count() < most || double(waits_) < most * often) return;
        if (!std::exchange(counts_as_waiting_, true)) job_.waiting(1);
        if (!job_.hopeless()) return;
        const std::string where = volatile_one ? location(volatile_one->site) : " by an atomic operation or a fence";
        char text[60];
        std::snprintf(text, sizeof text, ", for %g seconds already", most);
        const std::string which = volatile_one ? place(volatile_one) : place(current_);
        stop("kernel " + kernel_name(job_.kernel) + ", block (" + std::to_string(blockIdx.x + 1) + "," + std::to_string(blockIdx.y + 1) + "," +
             std::to_string(blockIdx.z + 1) + "), " + which + " waits" + where + text +
             ", for something that no thread of its grid does; other kernels, in whatever stream, run when this one has ended "
             "(CUF_CPU_PATIENCE=SECONDS waits longer, 0 for ever)");
    }
    void goes_on()
    {
        waits_ = 0;
        if (std::exchange(counts_as_waiting_, false)) job_.waiting(-1);
    }

    static bool same_statement(const std::source_location& a, const std::source_location& b)
    {
        return a.line() == b.line() && a.column() == b.column() &&
               (a.file_name() == b.file_name() || std::strcmp(a.file_name(), b.file_name()) == 0);
    }

    /// All running threads wait, but not at the same call of syncthreads, as CUDA Fortran asks (guide 3.6.4).
    [[noreturn]] void different_statements() { deadlock("a barrier is one statement for all threads of a block"); }

    static std::string place(const fiber* f)
    {
        return "thread (" + std::to_string(f->x + 1) + "," + std::to_string(f->y + 1) + "," + std::to_string(f->z + 1) + ")";
    }

public:
    /// `, line 31 of heat.cuf`; the place in the C++ where that is not known.
    static std::string location(const std::source_location& at)
    {
        const char* slash = std::strrchr(at.file_name(), '/');
        const std::string file = slash ? slash + 1 : at.file_name(), own = ", line " + std::to_string(at.line()) + " of " + file;
        const source_lines* table = source_lines::first;
        while (table && table->file != at.file_name()) table = table->next;
        if (!table) return own;
        const std::string source = source_line(*table, at.line());
        switch (state_of(*table)) {
        case file_state::unchanged: return source.empty() ? own : ", " + source;
        case file_state::edited: return own + " (" + file + " was edited, so the line of " + table->source + " is not known)";
        default: return source.empty() ? own : own + " (" + source + " if " + file + " was not edited)";
        }
    }

    /// `line 31 of heat.cuf` for a line of the generated file; empty if no statement of the table is there.
    static std::string source_line(const source_lines& table, unsigned at)
    {
        const std::pair<unsigned, unsigned>* last = nullptr;
        for (const auto& entry : table.lines)
            if (entry.first <= at && (!last || entry.first > last->first)) last = &entry;
        // A statement may be broken into a few lines.
        if (!last || at >= last->first + 4) return {};
        return "line " + std::to_string(last->second) + " of " + table.source;
    }

    enum class file_state { unchanged, edited, unknown };

    /// Whether a generated file is as it was translated. It is looked for from the working directory, then from the program's and those above it.
    static file_state state_of(const source_lines& table)
    {
        if (table.unchanged) return file_state::unchanged;
        if (table.hash == 0) return file_state::unknown;
        std::ifstream text(table.file, std::ios::binary);
        if (!text && table.file.front() != '/') {
            std::error_code error;
            std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
            for (int i = 0; i < 5 && !text && !folder.empty(); ++i, folder = folder.parent_path()) text.open(folder / table.file, std::ios::binary);
        }
        if (!text) return file_state::unknown;
        std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
        for (std::istreambuf_iterator<char> c(text), end; c != end; ++c) hash = (hash ^ static_cast<unsigned char>(*c)) * 0x100000001b3u;
        return hash == table.hash ? file_state::unchanged : file_state::edited;
    }

private:
    [[noreturn]] void deadlock(const char* because = nullptr)
    {
        std::string text = "barrier divergence in kernel " + kernel_name(job_.kernel) + ", block (" + std::to_string(blockIdx.x + 1) + "," +
                           std::to_string(blockIdx.y + 1) + "," + std::to_string(blockIdx.z + 1) + "): of " + std::to_string(total_ - finished_) +
                           " running threads";
        // Those that wait at the same place, in the order of their first.
        struct waiting_group {
            std::string what;
            const fiber* first;
            unsigned count;
        };
        std::vector<waiting_group> groups;
        const auto add = [&](const fiber* f, const std::string& what) {
            const std::string at = what + location(f->site);
            for (auto& g : groups)
                if (g.what == at) {
                    ++g.count;
                    return;
                }
            groups.push_back({at, f, 1});
        };
        for (unsigned i = 0; i < waiting_count_; ++i) add(waiting_[i], "at syncthreads");
        for (unsigned i = 0; i < group_count_; ++i) add(group_[i], "at a grid or cluster barrier");
        for (unsigned w = 0; w * 32 < total_; ++w) {
            const warp_state& warp = warps_[w];
            for (int lane = 0; lane < 32; ++lane) {
                if (!(warp.waiting >> lane & 1)) continue;
                char mask[60];
                std::snprintf(mask, sizeof mask, "at a warp operation with mask z'%08x'", warp.mask[lane]);
                add(warp.parked[lane], mask);
            }
        }
        const char* separator = " ";
        for (const auto& g : groups) {
            text += separator + std::to_string(g.count) + (g.count == 1 ? " waits " : " wait ") + g.what + " (first: " + place(g.first) + ")";
            separator = ", ";
        }
        if (because) text += std::string(", but ") + because;
        stop(text);
    }

    [[noreturn]] void fail_mask(const char* what, unsigned mask)
    {
        char text[120];
        std::snprintf(text, sizeof text, "the mask z'%08x' of a warp operation %s", mask, what);
        fail(text + location(current_->site));
    }

    static constexpr unsigned ready_slots = 2 * max_block;

    context main_{};
    fiber_pool pool_;
    fiber* current_ = nullptr;
    block_job job_{};
    bool plain_ = false;
    unsigned total_ = 0, started_ = 0, finished_ = 0;
    uint3 next_{};
    bool start_now_ = false;
    fiber* ready_[ready_slots];
    unsigned head_ = 0, tail_ = 0;
    fiber* waiting_[max_block];
    unsigned waiting_count_ = 0, predicates_ = 0, barrier_true_ = 0, barrier_arrived_ = 0;
    bool mixed_ = false;
    bool rings_ = false;
    bool in_order_ = true;  // the threads that wait at the barrier are the first of the block
    warp_state* ring_warp_ = nullptr;
    ring_state ring_{};
    fiber* group_[max_block];
    unsigned group_count_ = 0;
    active_wait active_[max_block];
    unsigned active_result_[max_block];
    unsigned active_count_ = 0, spins_ = 0, stalls_ = 0, step_spins_ = 0;
    std::uint64_t waits_ = 0;
    std::chrono::steady_clock::time_point waits_since_{};
    bool counts_as_waiting_ = false;
    step_list steps_;
    warp_state warps_[max_block / 32];
    unsigned char* dynamic_ = nullptr;
    std::size_t dynamic_bytes_ = 0;
};

// ---- what kernels call ----

inline runner& running()
{
    if (!self.block) stop("a barrier, warp or block function was called outside a kernel");
    return *static_cast<runner*>(self.block);
}

bool start_thread() { return running().start(); }
void finish_thread() { running().finish(); }
int barrier(int predicate, int operation, std::source_location at) { return running().barrier(predicate, operation, at); }
void plain_barrier(std::source_location at) { running().barrier(0, barrier_plain, at); }
void grid_barrier(std::source_location at) { running().group_barrier(shape_cooperative, at); }
void cluster_barrier(std::source_location at) { running().group_barrier(shape_cluster, at); }
unsigned active_lanes(const void* site) { return running().active(site); }
unsigned existing_lanes() { return running().existing(); }
void volatile_access(void* place, std::size_t bytes, bool store, std::source_location at)
{
    if (self.block) running().volatile_access(place, bytes, store, at);
}
loop_turns::loop_turns(std::source_location at_) : at(at_), innermost(self.block ? running().innermost_loop() : nullptr), outer(nullptr)
{
    if (!innermost) return;
    outer = *innermost;
    *innermost = this;
}
loop_turns::~loop_turns()
{
    if (innermost) *innermost = outer;
}
void fail(const char* what) { running().fail(what); }

void yield()
{
    if (self.block) {
        running().yield();
    } else {
        self.spin_budget = spin_turn;
        sched_yield();
    }
}

std::uint64_t warp_rendezvous(warp_operation operation, unsigned mask, std::uint64_t value, int source, std::source_location at)
{
    return running().rendezvous(operation, mask, value, source, at);
}

void* map_shared_rank(void* shared, int rank)
{
    runner& r = running();
    if (self.shape != shape_cluster) r.fail("cluster_map_shared_rank in a kernel that was launched without cluster_dims");
    const unsigned size = self.cluster_dim.x * self.cluster_dim.y * self.cluster_dim.z;
    if (rank < 0 || unsigned(rank) >= size) r.fail("cluster_map_shared_rank: rank " + std::to_string(rank + 1) + " is not in 1:" + std::to_string(size));
    return r.shared_of(shared, rank);
}

}  // namespace cuf::cpu
