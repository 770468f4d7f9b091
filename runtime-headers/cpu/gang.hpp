// How blocks run: the way that is wished for, the end with a message, and gangs of blocks that wait for each other. Only cpu_runtime.cpp includes this.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "../host/flush.hpp"
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace cuf::cpu {

/// How kernels run, each way with those before it: thread by thread, in fibers where threads wait; those whose threads do not wait as loops;
/// threads that meet in their order in rings.
enum class execution { fibers, loops, rings };

/// All of them, or CUF_CPU_EXECUTION=fibers or loops; checks look at each access of each thread.
inline execution chosen_execution()
{
    static const execution chosen = [] {
#if defined(CUF_CHECK)
        return execution::fibers;
#else
        const char* text = std::getenv("CUF_CPU_EXECUTION");
        const std::string_view wish = text ? text : "";
        return wish == "fibers" ? execution::fibers : wish == "loops" ? execution::loops : execution::rings;
#endif
    }();
    return chosen;
}

/// Seconds in which nothing changes until a grid whose blocks all wait counts as one that waits for ever: CUF_CPU_PATIENCE, 0: it never does.
inline double patience()
{
    static const double seconds = [] {
        const char* text = std::getenv("CUF_CPU_PATIENCE");
        return text && *text ? std::atof(text) : 20.0;
    }();
    return seconds;
}

/// Ends the program with a message; the first caller wins, the others wait for the end.
[[noreturn]] inline void stop(const std::string& message)
{
    static std::mutex once;
    once.lock();
    rt::flush_output();
    std::fprintf(stderr, "cuf2cu: error: %s\n", message.c_str());
    std::fflush(stderr);
    std::exit(1);
}

/// Blocks that run together, each on its own operating-system thread: a cooperative grid or a cluster.
class gang {
public:
    /// `all`: a barrier is for all members (a grid); else for those that have not left (a cluster).
    explicit gang(unsigned members, bool all = false) : members_(members), all_(all), base(members), dynamic(members) {}

    /// Barrier of the members; false if it can never be complete.
    bool wait()
    {
        std::unique_lock lock(mutex_);
        if (all_ && left_ > 0) return false;
        const auto mine = turn_;
        if (++arrived_ + left_ == members_)
            release();
        else
            changed_.wait(lock, [&] { return turn_ != mine || (all_ && left_ > 0); });
        return turn_ != mine;
    }
    /// The member takes no part in later barriers; together: returns when all have left, the gang is as new then.
    void leave(bool together)
    {
        std::unique_lock lock(mutex_);
        const auto mine = rounds_;
        if (++left_ == members_) {
            // Of a grid nobody comes again.
            if (!all_) left_ = 0;
            ++rounds_;
            changed_.notify_all();
            return;
        }
        if (all_)
            changed_.notify_all();
        else if (arrived_ > 0 && arrived_ + left_ == members_)
            release();
        if (together) changed_.wait(lock, [&] { return rounds_ != mine; });
    }

private:
    void release()
    {
        arrived_ = 0;
        ++turn_;
        changed_.notify_all();
    }
    std::mutex mutex_;
    std::condition_variable changed_;
    unsigned members_, arrived_ = 0, left_ = 0;
    bool all_;
    std::uint64_t turn_ = 0, rounds_ = 0;

public:
    std::vector<unsigned char*> base, dynamic;  // per member: an address in its thread-local storage; its dynamic shared block
};

}  // namespace cuf::cpu
