// Spreads the blocks of a launch over a persistent pool of operating-system threads. Only cpu_runtime.cpp includes this.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "../device/loops.hpp"
#include "../host/flush.hpp"
#include "block.hpp"
#include "plain.hpp"
#include <algorithm>
#include <memory>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace cuf::cpu {

/// Cores that this process has.
inline unsigned cores()
{
    cpu_set_t set;
    const int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return unsigned(std::max(count, 1));
}

/// Operating-system threads that run blocks: CUF_CPU_THREADS, else OMP_NUM_THREADS, else as many as this process has cores.
inline unsigned worker_count()
{
    static const unsigned count = [] {
        if (const char* text = std::getenv("CUF_CPU_THREADS"))
            if (const int wanted = std::atoi(text); wanted > 0) return unsigned(std::min(wanted, 1024));
        if (next_order) return 1u;
        if (const char* text = std::getenv("OMP_NUM_THREADS"))
            if (const int wanted = std::atoi(text); wanted > 0) return unsigned(std::min(wanted, 1024));
        return cores();
    }();
    return count;
}

inline const plain_kernel* find_plain(const void* kernel)
{
    static const auto known = [] {
        std::unordered_map<const void*, const plain_kernel*> all;
        for (const plain_kernel* k = plain_kernel::first; k; k = k->next) all.emplace(k->kernel, k);
        return all;
    }();
    if (chosen_execution() == execution::fibers) return nullptr;
    const auto found = known.find(kernel);
    return found == known.end() ? nullptr : found->second;
}

/// Memory for the reductions of CUF loops that run by rows.
unsigned char* loop_slots(std::size_t bytes)
{
    static thread_local unsigned char* memory = nullptr;
    static thread_local std::size_t size = 0;
    if (bytes > size) {
        std::free(memory);
        size = (bytes + 4095) / 4096 * 4096;
        memory = static_cast<unsigned char*>(std::aligned_alloc(64, size));
        if (!memory) stop("no memory for the values of a reduction");
    }
    return memory;
}

/// A launch that was made by a thread of a kernel, or kept in a graph.
struct kept_launch {
    launch_config at;
    erased_launch what;
    std::shared_ptr<void> call;

    kept_launch(const launch_config& at_, const erased_launch& what_) : at(at_), what(what_), call(what_.clone(what_.call), what_.destroy)
    {
        what.call = call.get();
    }
};

struct grid_job {
    grid_job(const erased_launch& launch, uint3 grid_, uint3 block_, std::size_t bytes_)
        : what(&launch), grid(grid_), block(block_), bytes(bytes_), tasks(std::uint64_t(grid.x) * grid.y * grid.z)
    {
    }

    const erased_launch* what;
    const plain_kernel* plain = nullptr;  // how its threads run as loops, or null
    uint3 grid, block;
    std::size_t bytes;
    std::uint64_t tasks;               // blocks, or members of gangs
    std::uint64_t chunk = 1;           // tasks taken at a time
    std::atomic<std::uint64_t> next{0};
    unsigned limit = 1;                // operating-system threads that may take part
    unsigned joined = 0;               // guarded by the pool
    std::atomic<unsigned> active{1};   // threads that run its blocks, the launching one included
    std::atomic<unsigned> waiting{0};  // of them, those whose blocks only wait for others
    std::uint64_t order = 0;           // of blocks and threads; 0: their own
    std::atomic<std::uint64_t> switches{0};
    std::vector<std::unique_ptr<gang>> gangs;
    std::mutex children_lock;
    std::vector<kept_launch> children;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> left;  // tasks that a thread had taken and waits for; guarded by the pool
    std::atomic<std::size_t> count_left{0};
};

inline thread_local grid_job* current_job = nullptr;
/// The task that the operating-system thread is at, and the end of those that it has taken.
inline thread_local std::uint64_t current_task = 0, last_task = 0;

/// A loop over threads does not know which of them it is at when a fault comes: the blocks run again, thread by thread, to find it.
inline thread_local sigjmp_buf fault_return;
inline thread_local bool in_plain = false;

/// The faults that are reported with the kernel and the thread.
inline constexpr int faults[] = {SIGSEGV, SIGBUS, SIGFPE};
inline struct sigaction fault_before[3];

/// Reports a fault of a kernel and ends the program; one of the host program goes to the handler that was there before.
inline void on_fault(int signal, siginfo_t* info, void* context)
{
    if (self.block) {
        runner& r = runner::mine();
        if (in_plain && !(signal != SIGFPE && r.guards(info->si_addr))) {
            in_plain = false;
            siglongjmp(fault_return, signal);
        }
        if (signal != SIGFPE && r.guards(info->si_addr)) {
            rt::flush_output();
            std::fprintf(stderr, "cuf2cu: error: stack overflow in kernel %s: a thread has %zu bytes; set CUF_CPU_STACK to more\n",
                         kernel_name(r.kernel()).c_str(), stack_size());
        } else {
            if (signal != SIGFPE) check::kernel_fault(info->si_addr, context);
            rt::flush_output();
            char address[40] = "";
            if (signal != SIGFPE) std::snprintf(address, sizeof address, " at %p", info->si_addr);
            std::fprintf(stderr, "cuf2cu: error: kernel %s, block (%u,%u,%u), thread (%u,%u,%u): %s%s\n", kernel_name(r.kernel()).c_str(),
                         blockIdx.x + 1, blockIdx.y + 1, blockIdx.z + 1, threadIdx.x + 1, threadIdx.y + 1, threadIdx.z + 1,
                         signal == SIGFPE ? "integer division by zero" : "illegal memory access", address);
        }
        std::fflush(stderr);
        std::_Exit(1);
    }
    for (int i = 0; i < 3; ++i) {
        if (faults[i] != signal) continue;
        const struct sigaction& before = fault_before[i];
        if ((before.sa_flags & SA_SIGINFO) && before.sa_sigaction) {
            before.sa_sigaction(signal, info, context);
        } else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
            before.sa_handler(signal);
        } else {
            sigaction(signal, &before, nullptr);  // the fault happens again
        }
    }
}

/// A stack for the fault handler, on each thread that runs blocks.
inline void prepare_thread()
{
    static thread_local bool done = false;
    if (done) return;
    done = true;
    static const bool installed = [] {
        struct sigaction action{};
        action.sa_sigaction = &on_fault;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        sigemptyset(&action.sa_mask);
        for (int i = 0; i < 3; ++i) sigaction(faults[i], &action, &fault_before[i]);
        return true;
    }();
    if (!installed) return;
    constexpr std::size_t bytes = 65536;
    stack_t stack{};
    stack.ss_sp = std::malloc(bytes);
    stack.ss_size = bytes;
    if (stack.ss_sp) sigaltstack(&stack, nullptr);
}

class worker_pool {
public:
    static worker_pool& instance()
    {
        static auto* pool = new worker_pool;  // lives as long as its threads: to the end of the process
        return *pool;
    }

    /// Runs all tasks of the job. False if the threads that a gang needs cannot be had.
    bool run(grid_job& job, bool all_together)
    {
        std::unique_lock one_grid(launch_lock_);
        std::unique_lock lock(mutex_);
        if (job.limit > 1) grow(job.limit - 1);
        if (all_together && workers_ < job.limit - 1) return false;
        job_ = &job;  // a job of one thread, too: its blocks may ask for help
        if (job.limit > 1) {
            if (job.limit == 2)
                work_.notify_one();
            else
                work_.notify_all();
            ++posted_;
        }
        lock.unlock();
        take_tasks(job);
        --job.active;
        spin([&] { return job.active == 0; });
        lock.lock();
        idle_.wait(lock, [&] { return job.active == 0; });  // the others may still ask for help
        job_ = nullptr;
        return true;
    }

    /// All blocks that run wait for others, and no other one will run.
    bool hopeless()
    {
        std::lock_guard lock(mutex_);
        return job_ && job_->waiting == job_->active && (!has_tasks(*job_) || job_->limit >= most_workers);
    }

    /// Another thread joins the running grid: its blocks wait for blocks that nobody runs, perhaps for those that this thread would run next.
    void help()
    {
        std::lock_guard lock(mutex_);
        if (!job_ || job_->limit >= most_workers) return;
        if (current_task + 1 < last_task) {
            job_->left.emplace_back(current_task + 1, last_task);
            job_->count_left = job_->left.size();
            last_task = current_task + 1;
        }
        if (!has_tasks(*job_)) return;
        // One that has been asked may not have come yet.
        if (job_->joined + 1 >= job_->limit) ++job_->limit;
        grow(job_->limit - 1);
        work_.notify_all();
    }

    static constexpr unsigned most_workers = 4608;

private:
    /// Until it is so, or a while has passed; not where threads share a core.
    template <class F>
    static void spin(F done)
    {
        static const bool worth = [] {
            const char* policy = std::getenv("OMP_WAIT_POLICY");
            const bool passive = policy && (policy[0] == 'p' || policy[0] == 'P');
            return !passive && worker_count() <= cores();
        }();
        static std::atomic<unsigned> spinning{0};
        const bool room = worth && spinning.fetch_add(1) < cores();
        constexpr std::chrono::microseconds most{100};
        if (room)
            for (const auto end = std::chrono::steady_clock::now() + most; !done() && std::chrono::steady_clock::now() < end;)
                for (int i = 0; i < 32 && !done(); ++i) relax();
        if (worth) --spinning;
    }
    static void relax()
    {
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#elif defined(__aarch64__)
        asm volatile("yield");
#endif
    }

    static bool has_tasks(const grid_job& job) { return job.next < job.tasks || !job.left.empty(); }

    /// The tasks that come next, as current_task and last_task; false if there are none. First those for which others wait.
    bool take(grid_job& job)
    {
        if (job.count_left && take_left(job)) return true;
        current_task = job.next.fetch_add(job.chunk, std::memory_order_relaxed);
        last_task = std::min(current_task + job.chunk, job.tasks);
        return current_task < job.tasks || take_left(job);
    }

    bool take_left(grid_job& job)
    {
        std::lock_guard lock(mutex_);
        if (job.left.empty()) return false;
        std::tie(current_task, last_task) = job.left.back();
        job.left.pop_back();
        job.count_left = job.left.size();
        return true;
    }

    void grow(unsigned wanted)
    {
        while (workers_ < wanted) {
            // The stack holds the shared variables of all kernels too (they are thread-local).
            for (std::size_t bytes = std::size_t{8} << 20;; bytes *= 2) {
                pthread_attr_t attributes;
                pthread_attr_init(&attributes);
                pthread_attr_setstacksize(&attributes, bytes);
                pthread_t thread;
                const int code = pthread_create(&thread, &attributes, &work_loop, this);
                pthread_attr_destroy(&attributes);
                if (code == EINVAL && bytes < (std::size_t{1} << 32)) continue;
                if (code != 0) return;
                pthread_detach(thread);
                break;
            }
            ++workers_;
        }
    }

    static void* work_loop(void* pool)
    {
        static_cast<worker_pool*>(pool)->work();
        return nullptr;
    }

    [[noreturn]] void work()
    {
        sigset_t all;
        sigfillset(&all);
        for (const int signal : faults) sigdelset(&all, signal);
        pthread_sigmask(SIG_BLOCK, &all, nullptr);  // the program's signals go to the program's threads
        std::unique_lock lock(mutex_);
        for (;;) {
            const auto wanted = [&] { return job_ && job_->joined + 1 < job_->limit && has_tasks(*job_); };
            while (!wanted()) {
                // The next launch often comes soon, and waking takes longer than a small grid.
                const unsigned before = posted_;
                lock.unlock();
                spin([&] { return posted_ != before; });
                lock.lock();
                if (posted_ == before) work_.wait(lock, wanted);
            }
            grid_job& job = *job_;
            ++job.joined;
            ++job.active;
            lock.unlock();
            take_tasks(job);
            lock.lock();
            if (--job.active == 0) idle_.notify_all();
        }
    }

    static void take_tasks(grid_job& job)
    {
        prepare_thread();
        current_job = &job;
        blockDim = job.block;
        gridDim = job.grid;
        self.shape = job.what->shape;
        runner& r = runner::mine();
        r.provide_dynamic(job.bytes);
        runner::block_job block{job.what->run, job.what->call, job.what->kernel, job.bytes, nullptr, 0, [] { instance().help(); },
                                [](int more) { current_job->waiting += unsigned(more); }, [] { return instance().hopeless(); }, job.order};
        r.switches = 0;
        while (instance().take(job)) {
            const std::uint64_t first = current_task;
            if (job.what->shape == shape_cluster) {
                run_clusters(job, r, block, unsigned(first));
            } else if (job.plain) {
                run_plain(job, r, block, first, last_task);
            } else {
                if (!job.gangs.empty()) {
                    block.group = job.gangs[0].get();
                    block.member = unsigned(first);
                }
                const auto place = [&](std::uint64_t i) { return job.order && !block.group ? shuffled(i, job.tasks, job.order) : i; };
                set_block(job.grid, place(first));
                for (;;) {
                    r.run(block);
                    if (++current_task >= last_task) break;
                    if (++blockIdx.x == gridDim.x || job.order) set_block(job.grid, place(current_task));
                }
                if (block.group) block.group->leave(false);
            }
        }
        job.switches += r.switches;
        current_job = nullptr;
    }

    static void run_plain(grid_job& job, runner& r, const runner::block_job& block, std::uint64_t first, std::uint64_t last)
    {
        struct range {
            const grid_job& job;
            std::uint64_t first, last;
        } const blocks{job, first, last};
        runner::block_job all = block;
        all.call = &blocks;
        all.run = [](const void* call) {
            const auto& b = *static_cast<const range*>(call);
            run_blocks(b.job, b.first, b.last);
        };
        if (const int signal = sigsetjmp(fault_return, 0); signal == 0) {
            in_plain = true;
            r.run_plain(all);
            in_plain = false;
        } else {
            sigset_t one;
            sigemptyset(&one);
            sigaddset(&one, signal);
            pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
            find_fault(job, r, block, first, last);
        }
    }

    /// As few stretches of threads as the kernel allows.
    static void run_blocks(const grid_job& job, std::uint64_t first, std::uint64_t last)
    {
        const void* call = job.what->call;
        if (job.plain->pieces) {
            for (std::uint64_t i = first; i < last; ++i) job.plain->run_piece(call, i, worker_count());
            return;
        }
        for (std::uint64_t i = first; i < last;) {
            set_block(job.grid, i);
            std::uint64_t together = 1;
            if (job.plain->wide) together = std::min<std::uint64_t>({last - i, job.grid.x - blockIdx.x, most_width / job.block.x});
            job.plain->run(call, unsigned(together * job.block.x));
            i += together;
        }
    }

    [[noreturn]] static void find_fault(const grid_job& job, runner& r, const runner::block_job& block, std::uint64_t first, std::uint64_t last)
    {
        r.end_plain();
        element.on = false;
        if (job.plain->pieces) {
            first = 0;
            last = std::uint64_t(job.grid.x) * job.grid.y * job.grid.z;
        }
        for (std::uint64_t i = first; i < last; ++i) {
            set_block(job.grid, i);
            r.run(block);
        }
        stop("kernel " + kernel_name(job.what->kernel) + ": illegal memory access or integer division by zero");
    }

    static void set_block(const uint3& grid, std::uint64_t i)
    {
        blockIdx = uint3{unsigned(i % grid.x), unsigned(i / grid.x % grid.y), unsigned(i / grid.x / grid.y)};
    }

    /// One member of a gang: takes its place in the clusters gang, gang + gangs, ...
    static void run_clusters(grid_job& job, runner& r, runner::block_job& block, unsigned task)
    {
        const cluster_shape shape = job.what->cluster;
        const unsigned size = unsigned(shape.x * shape.y * shape.z);
        const unsigned member = task % size, gang_number = task / size;
        gang& group = *job.gangs[gang_number];
        block.group = &group;
        block.member = member;
        self.cluster_dim = uint3{unsigned(shape.x), unsigned(shape.y), unsigned(shape.z)};
        self.cluster_index = uint3{member % self.cluster_dim.x, member / self.cluster_dim.x % self.cluster_dim.y,
                                   member / self.cluster_dim.x / self.cluster_dim.y};
        group.base[member] = reinterpret_cast<unsigned char*>(&self);
        group.dynamic[member] = self.dynamic_shared;
        const uint3 clusters{job.grid.x / self.cluster_dim.x, job.grid.y / self.cluster_dim.y, job.grid.z / self.cluster_dim.z};
        const std::uint64_t count = std::uint64_t(clusters.x) * clusters.y * clusters.z;
        for (std::uint64_t c = gang_number; c < count; c += job.gangs.size()) {
            blockIdx = uint3{unsigned(c % clusters.x) * self.cluster_dim.x + self.cluster_index.x,
                             unsigned(c / clusters.x % clusters.y) * self.cluster_dim.y + self.cluster_index.y,
                             unsigned(c / clusters.x / clusters.y) * self.cluster_dim.z + self.cluster_index.z};
            group.wait();
            r.run(block);
            group.leave(true);
        }
    }

    std::mutex launch_lock_;  // one grid at a time
    std::mutex mutex_;
    std::condition_variable work_, idle_;
    grid_job* job_ = nullptr;
    unsigned workers_ = 0;
    std::atomic<unsigned> posted_{0};  // grids for several threads
};

inline thread_local grid_report report_of_grid{};
grid_report last_grid() { return report_of_grid; }

/// A launch of a kernel whose threads are loops: how it is shared out.
inline void plan_plain(grid_job& job, const plain_kernel& plain, unsigned workers)
{
    if (!plain.fits(job.what->call)) return;
    if (plain.pieces) {
        // A thread by itself runs its iterations one after another, and a program may count on that.
        if (job.tasks == 1 && job.block.x * job.block.y * job.block.z == 1) return;
        const std::uint64_t pieces = plain.pieces(job.what->call, job.grid, job.block, workers);
        job.tasks = pieces;
        job.chunk = std::clamp<std::uint64_t>(pieces / (std::uint64_t(workers) * 16), 1, 64);
    } else {
        // The loops count on this.
        const auto beyond = [](unsigned blocks, unsigned threads) { return std::uint64_t(blocks) * threads > most_first; };
        if (beyond(job.grid.x, job.block.x) || beyond(job.grid.y, job.block.y) || beyond(job.grid.z, job.block.z)) return;
        // Not so small that sharing out costs more than the work: some thousand threads, but something for each core; whole rows of blocks.
        const unsigned threads = job.block.x * job.block.y * job.block.z;
        std::uint64_t chunk = std::max<std::uint64_t>(job.tasks / (std::uint64_t(workers) * 8), 4096 / threads);
        chunk = std::min(chunk, job.tasks / (std::uint64_t(workers) * 4));
        if (chunk > job.grid.x) chunk -= chunk % job.grid.x;
        job.chunk = std::clamp<std::uint64_t>(chunk, 1, job.tasks);
    }
    job.plain = &plain;
}

/// Runs a grid whose configuration has been checked, and the launches that its threads made.
inline cudaError_t run_grid(const erased_launch& what, uint3 grid, uint3 block, std::size_t bytes, void (*relaunch)(const kept_launch&))
{
    check::begin_kernel(std::uint64_t(grid.x) * grid.y * grid.z);
    grid_job job{what, grid, block, bytes};
    if (next_order) job.order = next_order();
    const unsigned workers = worker_count();
    if (what.shape == shape_cooperative) {
        if (job.tasks > worker_pool::most_workers) return cudaErrorCooperativeLaunchTooLarge;
        job.limit = unsigned(job.tasks);
        job.gangs.push_back(std::make_unique<gang>(job.limit, true));
    } else if (what.shape == shape_cluster) {
        const unsigned size = unsigned(what.cluster.x * what.cluster.y * what.cluster.z);
        const auto gangs = std::clamp<std::uint64_t>(workers / size, 1, job.tasks / size);
        for (std::uint64_t i = 0; i < gangs; ++i) job.gangs.push_back(std::make_unique<gang>(size));
        job.tasks = gangs * size;
        job.limit = unsigned(job.tasks);
    } else {
        job.chunk = std::clamp<std::uint64_t>(job.tasks / (std::uint64_t(workers) * 16), 1, 64);
        if (const plain_kernel* plain = job.order ? nullptr : find_plain(what.kernel)) plan_plain(job, *plain, workers);
        job.limit = unsigned(std::min<std::uint64_t>(workers, job.tasks));
    }
    if (!worker_pool::instance().run(job, what.shape != shape_plain)) return cudaErrorCooperativeLaunchTooLarge;
    const auto location = [](const std::source_location& at) { return runner::location(at); };
    const auto again = [&] {
        check::begin_kernel(std::uint64_t(grid.x) * grid.y * grid.z);
        grid_job alone{what, grid, block, bytes};
        worker_pool::instance().run(alone, false);
    };
    if (what.shape == shape_cooperative || what.shape == shape_cluster)
        check::end_kernel(what.kernel, location, nullptr);
    else
        check::end_kernel(what.kernel, location, again);
    for (const kept_launch& child : job.children) relaunch(child);
    report_of_grid = {job.switches, job.joined + 1};
    return cudaSuccess;
}

}  // namespace cuf::cpu
