// Shuffles that gave undefined values (`--check=sync`): whether the program uses these. Only cpu_runtime.cpp includes this.
//
// A NaN stands for such a value, which is looked for in memory at the end of the kernel. Of integers, conditions and small kinds it does
// not tell enough: the kernel runs again, in processes of their own, with other values in its place. What differs at the end depends on it.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "../memory.hpp"
#include "access.hpp"
#include <bit>
#include <chrono>
#include <csignal>
#include <functional>
#include <memory>
#include <sys/wait.h>
#include <tuple>
#include <unistd.h>
#include <unordered_map>

namespace cuf::check {

/// A shuffle that gave an undefined value: where, of which lane, to which thread.
struct undefined_shuffle {
    std::source_location at;
    unsigned why;
    uint3 block, thread;
};
inline std::mutex undefined_lock;
inline std::vector<undefined_shuffle>& undefined_shuffles()
{
    static auto* all = new std::vector<undefined_shuffle>;
    return *all;
}

/// What another run puts in the place of the values of one shuffle; without one marks stand for all.
struct other_value {
    std::size_t number;
    int fill;
};
inline const other_value* other_run = nullptr;

/// NaNs, which arithmetic with reals passes on; as integers they are far from other values.
inline std::uint64_t undefined_mark(std::size_t number) { return (std::uint64_t(0x7fd50000u + unsigned(number)) << 32) | (0x5a7e0000u + unsigned(number)); }

stand_in note_undefined(unsigned why, std::source_location at)
{
    std::lock_guard lock(undefined_lock);
    auto& all = undefined_shuffles();
    const auto same = [&](const undefined_shuffle& u) {
        return u.why >> 8 == why >> 8 && u.at.line() == at.line() && u.at.column() == at.column() && std::strcmp(u.at.file_name(), at.file_name()) == 0;
    };
    auto found = std::find_if(all.begin(), all.end(), same);
    constexpr std::size_t most = 1000;
    if (found == all.end() && all.size() == most) found = all.end() - 1;
    if (found == all.end()) found = all.insert(found, {at, why, blockIdx, threadIdx});
    // The first thread of the first block, whatever order they run in.
    const auto order = [](const uint3& block, const uint3& thread) { return std::tuple(block.z, block.y, block.x, thread.z, thread.y, thread.x); };
    if (order(blockIdx, threadIdx) < order(found->block, found->thread)) *found = {at, why, blockIdx, threadIdx};
    const auto number = std::size_t(found - all.begin());
    return {undefined_mark(number), other_run && other_run->number == number ? other_run->fill : stand_in::mark};
}

/// What the marks of a shuffle look like in memory: as they are, and converted from one kind of real to the other.
inline void add_marks(std::size_t number, std::unordered_map<std::uint32_t, std::size_t>& four, std::unordered_map<std::uint64_t, std::size_t>& eight)
{
    const std::uint64_t mark = undefined_mark(number);
    const auto word = std::uint32_t(mark >> 32);
    four.emplace(word, number);
    four.emplace(std::bit_cast<std::uint32_t>(float(std::bit_cast<double>(mark))), number);
    eight.emplace(mark, number);
    eight.emplace(std::bit_cast<std::uint64_t>(double(std::bit_cast<float>(word))), number);
}

/// All memory that kernels may write: address and bytes.
inline std::vector<std::pair<const void*, std::size_t>> memory_of_kernels()
{
    auto all = cpu::allocations().all();
    std::lock_guard lock(device_variables_lock);
    all.insert(all.end(), device_variables().begin(), device_variables().end());
    return all;
}

/// The shuffle of which a mark is in memory.
inline const undefined_shuffle* marked_in_memory()
{
    auto& all = undefined_shuffles();
    std::unordered_map<std::uint32_t, std::size_t> four;
    std::unordered_map<std::uint64_t, std::size_t> eight;
    for (std::size_t i = 0; i < all.size(); ++i) add_marks(i, four, eight);
    for (const auto& [base, bytes] : memory_of_kernels()) {
        const char* data = static_cast<const char*>(base);
        for (std::size_t k = 0; k + 4 <= bytes; k += 4) {
            std::uint32_t word;
            std::memcpy(&word, data + k, 4);
            // The sign may have changed.
            if (const auto at = four.find(word & 0x7fffffffu); at != four.end()) return &all[at->second];
            if (k % 8 != 0 || k + 8 > bytes) continue;
            std::uint64_t both;
            std::memcpy(&both, data + k, 8);
            if (const auto at = eight.find(both & ~(std::uint64_t{1} << 63)); at != eight.end()) return &all[at->second];
        }
    }
    return nullptr;
}

// ---- other runs ----

/// All memory that kernels may write, as it was before one.
class memory_copy {
public:
    /// Of so much, or there is none.
    static constexpr std::size_t most = std::size_t{256} << 20;

    static std::unique_ptr<memory_copy> make()
    {
        const auto all = memory_of_kernels();
        std::size_t bytes = 0;
        for (const auto& [base, size] : all) bytes += size;
        if (bytes > most) return nullptr;
        auto copy = std::make_unique<memory_copy>();
        for (const auto& [base, size] : all) copy->pieces_.emplace_back(const_cast<void*>(base), std::vector<char>(static_cast<const char*>(base), static_cast<const char*>(base) + size));
        return copy;
    }
    void put_back() const
    {
        for (const auto& [base, data] : pieces_) std::memcpy(base, data.data(), data.size());
    }
    /// Of what is in that memory now.
    std::uint64_t hash() const
    {
        std::uint64_t h = 0xcbf29ce484222325u;
        for (const auto& [base, data] : pieces_) h = hashed(static_cast<const char*>(base), data.size(), h);
        return h;
    }
    static std::uint64_t hashed(const char* data, std::size_t bytes, std::uint64_t h)
    {
        for (std::size_t i = 0; i < bytes; i += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, data + i, std::min<std::size_t>(8, bytes - i));
            h = (h ^ word) * 0x9e3779b97f4a7c15u;
            h ^= h >> 29;
        }
        return h;
    }

private:
    std::vector<std::pair<void*, std::vector<char>>> pieces_;
};

/// What the kernel that runs now began with.
inline thread_local std::unique_ptr<memory_copy> memory_before;
inline thread_local std::chrono::steady_clock::time_point time_before;

void remember_memory()
{
    if (apart) return;
    memory_before = shuffles_exist ? memory_copy::make() : nullptr;
    time_before = std::chrono::steady_clock::now();
}

/// How another run ended: nobody knows, by a fault, or with a hash of memory and of what it printed.
using run_end = std::uint64_t;
inline constexpr run_end unknown = 0, by_fault = 1;

/// The child's part. What it writes reaches nobody: not memory, not files.
[[noreturn]] inline void run_and_tell(const memory_copy& before, const std::function<void()>& again, unsigned seconds, int to)
{
    apart = true;
    std::atexit([] { _exit(1); });
    std::signal(SIGALRM, SIG_DFL);
    alarm(seconds);
    const int text = memfd_create("cuf2cu", 0), nothing = open("/dev/null", O_RDWR);
    for (int file = 0; file < 4096; ++file)
        if (file != to && file != text && file != nothing && fcntl(file, F_GETFD) >= 0) dup2(file == 1 ? text : nothing, file);
    modules().separate();
    before.put_back();
    again();
    std::fflush(stdout);
    run_end end = before.hash();
    char line[4096];
    lseek(text, 0, SEEK_SET);
    for (ssize_t n; (n = read(text, line, sizeof line)) > 0;) end = memory_copy::hashed(line, std::size_t(n), end);
    end |= 2;
    const bool told = write(to, &end, sizeof end) == sizeof end;
    _exit(told ? 0 : 1);
}

inline run_end run_apart(const memory_copy& before, const std::function<void()>& again, unsigned seconds)
{
    int ends[2];
    if (pipe(ends) != 0) return unknown;
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        run_and_tell(before, again, seconds, ends[1]);
    }
    close(ends[1]);
    run_end end = unknown;
    ssize_t n = 0;
    if (child > 0)
        while ((n = read(ends[0], &end, sizeof end)) < 0 && errno == EINTR) {
        }
    close(ends[0]);
    int status = 0;
    pid_t waited = -1;
    if (child > 0)
        while ((waited = waitpid(child, &status, 0)) < 0 && errno == EINTR) {
        }
    if (n == sizeof end) return end;
    // It may have waited for a thread of the host that it does not have.
    const bool in_time = waited == child && !(WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM);
    return in_time ? by_fault : unknown;
}

/// The shuffle whose values the end of the kernel depends on. Marks are in all runs but for those values, and one thread runs them, so that
/// they differ by nothing else.
inline const undefined_shuffle* found_by_runs(const memory_copy& before, const std::function<void()>& again)
{
    const auto taken = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - time_before);
    const unsigned seconds = 10 + 20 * unsigned(taken.count());
    const run_end usual = run_apart(before, again, seconds);
    // Of a kernel whose end is another one each time nothing is known.
    if (usual == unknown || usual == by_fault || run_apart(before, again, seconds) != usual) return nullptr;
    auto& all = undefined_shuffles();
    constexpr std::size_t most = 16;
    for (std::size_t i = 0; i < std::min(all.size(), most); ++i) {
        for (const int fill : {int(stand_in::own), 0x7e, 0xfe, 0}) {
            const other_value value{i, fill};
            other_run = &value;
            const run_end end = run_apart(before, again, seconds);
            other_run = nullptr;
            if (end == unknown) return nullptr;
            if (end != usual) return &all[i];
        }
    }
    return nullptr;
}

void report_undefined(const void* kernel, std::string (*location)(const std::source_location&), const std::function<void()>& again)
{
    const std::unique_ptr<memory_copy> before = std::move(memory_before);
    static std::mutex one_report;
    std::lock_guard lock(one_report);
    auto& all = undefined_shuffles();
    if (all.empty()) return;
    std::string use = "an undefined value is in memory at the end of the kernel";
    const undefined_shuffle* found = marked_in_memory();
    // The same kernel with the same fault is not looked at for ever.
    static auto* looks = new std::unordered_map<const void*, int>;
    constexpr int most = 20;
    if (!found && before && again && (*looks)[kernel]++ < most) {
        use = "what the kernel leaves in memory or prints depends on an undefined value";
        found = found_by_runs(*before, again);
    }
    if (found) {
        const auto triple = [](const uint3& v) { return "(" + std::to_string(v.x + 1) + "," + std::to_string(v.y + 1) + "," + std::to_string(v.z + 1) + ")"; };
        const char* why = found->why & lane_has_ended ? "has ended" : found->why & lane_is_missing ? "does not exist" : "is not in the mask";
        report("sync", "the shuffle reads lane " + std::to_string((found->why & 31) + 1) + ", which " + why + location(found->at) + ", kernel " + cpu::kernel_name(kernel) +
                           ", block " + triple(found->block) + ", thread " + triple(found->thread) + ": " + use);
    }
    all.clear();
}

}  // namespace cuf::check
