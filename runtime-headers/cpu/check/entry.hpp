// What device code and the runtime call of the checks. Only cpu_runtime.cpp includes this.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "../memory.hpp"
#include "../state.hpp"
#include "access.hpp"
#include "undefined.hpp"
#include <fstream>
#include <tuple>
#include <ucontext.h>
#include <unordered_map>
#include <unordered_set>

namespace cuf::check {

thread_local std::uint64_t instance = 0;
inline std::atomic<std::uint64_t> instances{0};

// ---- allocations at the end of the program ----

inline std::vector<const void*>& tables()
{
    static auto* all = new std::vector<const void*>;
    return *all;
}
void holds_nothing(const void* table) { tables().push_back(table); }

/// The words that the variables of modules and of the main program hold, directly or through the heap: their components.
class held_words {
public:
    held_words()
    {
        holds_nothing(&cpu::allocations());
        holds_nothing(&program());
        for (const void* table : tables()) words_.insert(reinterpret_cast<std::uintptr_t>(table));
        words_.insert(reinterpret_cast<std::uintptr_t>(&tables()));
        dl_iterate_phdr(
            [](dl_phdr_info* info, std::size_t, void* data) {
                auto& held = *static_cast<held_words*>(data);
                for (int i = 0; i < info->dlpi_phnum; ++i) {
                    const auto& segment = info->dlpi_phdr[i];
                    if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_W)) continue;
                    held.scan(info->dlpi_addr + segment.p_vaddr, segment.p_memsz);
                }
                return 1;  // the program alone, not its libraries
            },
            this);
        while (!open_.empty()) {
            const std::uintptr_t at = open_.back();
            open_.pop_back();
            scan(at, pieces_.at(at));
        }
    }
    bool contain(const void* base) const { return words_.count(reinterpret_cast<std::uintptr_t>(base)) != 0; }

private:
    void scan(std::uintptr_t first, std::size_t bytes)
    {
        for (std::uintptr_t at = (first + 7) & ~std::uintptr_t{7}; at + 8 <= first + bytes; at += 8) {
            const std::uintptr_t word = *reinterpret_cast<const std::uintptr_t*>(at);
            if (word == 0 || !words_.insert(word).second) continue;
            if (pieces_.count(word)) open_.push_back(word);
        }
    }

    /// The pieces of the heap with their bytes. Before each is its size with some bits: so it is in the GNU C library; elsewhere there are none.
    static std::unordered_map<std::uintptr_t, std::size_t> pieces()
    {
        std::unordered_map<std::uintptr_t, std::size_t> all;
        std::ifstream maps("/proc/self/maps");
        unsigned long first = 0, end = 0;
        for (std::string line; std::getline(maps, line);)
            if (line.find("[heap]") != std::string::npos && std::sscanf(line.c_str(), "%lx-%lx", &first, &end) == 2) break;
        for (std::uintptr_t at = first; at + 32 <= end;) {
            const std::size_t size = *reinterpret_cast<const std::size_t*>(at + 8) & ~std::size_t{7};
            if (size < 32 || size > end - at) break;
            all[at + 16] = std::min(size - 8, end - at - 16);
            at += size;
        }
        return all;
    }

    const std::unordered_map<std::uintptr_t, std::size_t> pieces_ = pieces();
    std::unordered_set<std::uintptr_t> words_;
    std::vector<std::uintptr_t> open_;
};

/// The program that is at its end ends with an error: what else is to be done at its end, such as closing files, is done.
[[noreturn]] inline void end_again()
{
    reported = true;
    std::exit(1);
}

inline void report_leaks()
{
    if (reported) return;
    const auto left = cpu::allocations().unfreed();
    if (left.empty()) return;
    const held_words held;
    rt::flush_output();
    unsigned told = 0;
    std::size_t count = 0;
    for (const auto& a : left) {
        if (!a.by_call && held.contain(a.base)) continue;
        ++count;
        if (++told > 10) continue;
        const std::string place = place_of_allocation(a.base);
        std::fprintf(stderr, "cuf2cu: leak: %zu bytes of %s memory%s%s were never freed\n", a.size, cpu::kind_name(a.type), place.empty() ? "" : ", allocated at ",
                     place.c_str());
    }
    if (count == 0) return;
    if (count > told || count > 10) std::fprintf(stderr, "cuf2cu: leak: %zu allocations in all\n", count);
    end_again();
}

// ---- launches ----

struct lost_launch {
    std::string what;
    calls from;
};
inline std::unique_ptr<lost_launch>& lost()
{
    static auto* launch = new std::unique_ptr<lost_launch>;  // until the very end
    return *launch;
}
void failed_launch(const void* kernel, const char* why)
{
    if (lost()) return;
    lost() = std::make_unique<lost_launch>(lost_launch{cpu::kernel_name(kernel) + " did not run: " + why, {}});
    lost()->from.note();
}
void asked_for_error() { lost().reset(); }

inline void at_end()
{
    if (reported) return;
    if (lost()) {
        rt::flush_output();
        const std::string place = lost()->from.place();
        std::fprintf(stderr, "cuf2cu: launch: kernel %s%s%s; the program did not ask for the error\n", lost()->what.c_str(), place.empty() ? "" : ", ", place.c_str());
        end_again();
    }
    if (on(leak)) report_leaks();
}

/// The checks that the program was compiled with.
[[maybe_unused]] static const bool at_end_too = std::atexit(&at_end) == 0;

// ---- variables ----

/// Those that were made known since.
inline void watch_device_variables()
{
    static std::size_t watched = 0;
    std::lock_guard lock(device_variables_lock);
    for (; watched < device_variables().size(); ++watched) {
        const auto& [data, bytes] = device_variables()[watched];
        cover(data, bytes);
        if (on(race)) set_states(data, bytes, tracked);
    }
}

void* host_alias(void* data)
{
    cpu::allocation_table::report_faults();
    return modules().alias(data);
}
void* host_address(void* data, std::size_t bytes, const char* name)
{
    {
        std::lock_guard lock(program().lock);
        program().variables[reinterpret_cast<std::uintptr_t>(data)] = {bytes, name};
    }
    void* alias = host_alias(data);
    cpu::allocations().add_variable(alias, bytes, cudaMemoryTypeDevice);
    return alias;
}

void enter_shared(shared_variable& variable, const void* data, std::size_t bytes, const char* name)
{
    variable.block = instance;
    if (!variable.known) {
        variable.known = true;
        if (watches()) cover(data, bytes);
        std::lock_guard lock(program().lock);
        program().variables[reinterpret_cast<std::uintptr_t>(data)] = {bytes, std::string("the shared variable ") + name};
    }
    if (watches())
        set_states(data, bytes, static_cast<unsigned char>((on(init) ? unwritten : 0) | (on(race) ? tracked | in_shared : 0)));
}

void begin_local(const void* data, std::size_t bytes, const char* name)
{
    local_names[next_local++ % known_locals] = {reinterpret_cast<std::uintptr_t>(data), bytes, name};
    if (on(init)) set_states(data, bytes, unwritten);
}
void end_local(const void* data, std::size_t bytes)
{
    if (on(init)) set_states(data, bytes, 0);
}

// ---- the heap of the device ----

void begin_heap(const void* data, std::size_t bytes)
{
    if (!watches()) return;
    cover(data, bytes);
    set_states(data, bytes, static_cast<unsigned char>((on(init) ? unwritten : 0) | (on(race) ? tracked : 0)));
    if (on(race)) forget_accesses(data, bytes);
}
void end_heap(const void* data, std::size_t bytes)
{
    if (watches()) set_states(data, bytes, 0);
}

// ---- blocks ----

void begin_kernel(std::uint64_t blocks)
{
    if (on(present)) look_at_host();
    if (on(barriers)) remember_memory();
    if (!watches()) return;
    watch_device_variables();
    if (on(race)) begin_grid(std::uint32_t(std::min<std::uint64_t>(blocks, 0xffffffffu)));
}

void begin_block(void* dynamic, std::size_t bytes)
{
    instance = ++instances;
    if (!watches()) return;
    if (on(race)) {
        const std::uint32_t block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
        std::uint32_t cluster = block;
        if (cpu::self.shape == cpu::shape_cluster) {
            const uint3 c = cpu::self.cluster_dim;
            cluster = ((blockIdx.z / c.z) * gridDim.y + blockIdx.y / c.y) * gridDim.x + blockIdx.x / c.x;
        }
        block_state::mine().begin_block(block, cluster);
    }
    static thread_local const void* known = nullptr;
    static thread_local std::size_t known_bytes = 0;
    if (known != dynamic || known_bytes != bytes) {
        known = dynamic;
        known_bytes = bytes;
        cover(dynamic, whole_dynamic(bytes));
        set_states(dynamic, whole_dynamic(bytes), beyond);
        std::lock_guard lock(program().lock);
        program().variables[reinterpret_cast<std::uintptr_t>(dynamic)] = {bytes, "the dynamic shared memory"};
    }
    set_states(dynamic, bytes, static_cast<unsigned char>((on(init) ? unwritten : 0) | (on(race) ? tracked | in_shared : 0)));
}
void end_block()
{
    if (in_doubt) settle_doubts();
    instance = 0;
}
void pass_barrier()
{
    if (in_doubt) settle_doubts();
    if (on(race)) block_state::mine().begin_segment();
}
void pass_warp(unsigned warp, unsigned lanes)
{
    if (on(race)) block_state::mine().warp_sync(warp, lanes);
}
void pass_group()
{
    if (!on(race)) return;
    block_state& b = block_state::mine();
    ++b.at.grid;
    b.begin_segment();
}

// ---- findings ----

void out_of_bounds(const char* name, const void* data, int rank, int dimension, std::int64_t at, std::int64_t lower, std::int64_t upper, bool open)
{
    std::string array = name ? name : "";
    if (array.empty()) {
        array = what_holds(reinterpret_cast<std::uintptr_t>(data));
        array = array == "memory" ? "an array of rank " + std::to_string(rank) : array.substr(0, array.find(" (byte "));
    }
    std::string text = "subscript " + std::to_string(at) + " of dimension " + std::to_string(dimension) + " of " + array + " is outside its bounds " +
                       std::to_string(lower) + ":" + (open ? std::string("*") : std::to_string(upper));
    report("bounds", text + here(__builtin_return_address(0)));
}

inline const void* fault_pc([[maybe_unused]] void* context)
{
#if defined(__x86_64__)
    return reinterpret_cast<const char*>(static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]) + 1;
#elif defined(__aarch64__)
    return reinterpret_cast<const char*>(static_cast<ucontext_t*>(context)->uc_mcontext.pc) + 1;
#else
    return nullptr;
#endif
}

/// The place of the fault, or of what called the function that it is in.
inline std::string fault_place(const void* pc)
{
    if (std::string text = place_of(pc); !text.empty()) return ", " + text;
    calls here;
    here.note();
    const std::string text = here.place();
    if (text.empty()) return text;
    return (without_lines(pc) ? ", in a procedure without line numbers that is called at " : ", ") + text;
}

[[noreturn]] inline void end_by_fault(const char* kind, const std::string& text)
{
    rt::flush_output();
    std::fprintf(stderr, "cuf2cu: %s: %s\n", kind, text.c_str());
    std::fflush(stderr);
    std::_Exit(1);
}

void host_fault(void* address, void* context)
{
    if (!enabled_checks) return;
    const std::string what = fault_text(reinterpret_cast<std::uintptr_t>(address), true);
    if (!what.empty()) end_by_fault("host", "host code touches " + what + fault_place(fault_pc(context)));
}
void kernel_fault(void* address, void* context)
{
    if (!enabled_checks) return;
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    const std::string what = fault_text(at, false);
    const bool free = what.find("has been freed") != std::string::npos;
    end_by_fault(free ? "free" : "bounds", "access of " + (what.empty() ? (at < 4096 ? "no memory: a null pointer" : "host memory, or memory that is not there") : what) +
                                               here(fault_pc(context)));
}

}  // namespace cuf::check
