// The profile of a program: kernels, CUF loops and transfers by statement, as a table or as JSON at the end.
//
// CUF_PROFILE=1 (or NVCOMPILER_ACC_TIME=1), text:FILE, json, json:FILE; CUF_NVTX=1 gives Nsight a range for each piece of work.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "queue.hpp"
#include "watch_place.hpp"
#include <chrono>
#include <deque>
#include <memory>
#if !defined(CUF_TARGET_CPU) && defined(__has_include)
#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#define CUF_WATCH_NVTX 1
#endif
#endif

#if defined(CUF_TARGET_CPU)
#include "../cpu/shuffle.hpp"
#endif

namespace cuf::rt {

struct profile_row {
    std::string what, name, place;
    std::uint64_t calls = 0, timed = 0;
    double total = 0, least = 0, most = 0;  // seconds
    std::uint64_t bytes = 0;
    // Of kernels: on cuda registers of a thread and the share of a multiprocessor's warps that can be resident, in percent; on cpu
    // operating-system threads and switches between device threads.
    std::int64_t registers = -1, occupancy = -1, threads = -1, switches = -1;

    void add(double seconds)
    {
        least = timed == 0 ? seconds : std::min(least, seconds);
        most = std::max(most, seconds);
        total += seconds;
        ++timed;
    }
};

#if defined(CUF_TARGET_CPU)

/// Work is complete when it has been given to the emulated device: the host's clock tells its time.
class stopwatch {
public:
    void* start(profile_row&, const work&) { return new clock::time_point(clock::now()); }
    void stop(profile_row& row, const work& of, void* begun)
    {
        const std::unique_ptr<clock::time_point> from(static_cast<clock::time_point*>(begun));
        row.add(std::chrono::duration<double>(clock::now() - *from).count());
        if (of.kind != work::launch) return;
        const cpu::grid_report grid = cpu::last_grid();
        row.threads = std::max<std::int64_t>(row.threads, grid.threads);
        row.switches = std::max<std::int64_t>(row.switches, 0) + static_cast<std::int64_t>(grid.switches);
    }
    void settle() {}

private:
    using clock = std::chrono::steady_clock;
};

#else

/// Two events for each piece of work, asked for their times later: nothing waits but where very many are under way.
class stopwatch {
public:
    void* start(profile_row& row, const work& of)
    {
        quiet keep_last_error;
        const cudaStream_t stream = stream_handle(of.stream);
        if (!runs_now(stream)) return nullptr;
        auto piece = std::make_unique<pending>(pending{&row, this_device(), event(), event()});
        if (piece->from == nullptr || piece->to == nullptr || cudaEventRecord(piece->from, stream) != cudaSuccess) return nullptr;
        return piece.release();
    }
    void stop(profile_row& row, const work& of, void* begun)
    {
        quiet keep_last_error;
        if (of.kind == work::launch && row.registers < 0) describe(row, of);
        std::unique_ptr<pending> piece(static_cast<pending*>(begun));
        if (!piece || cudaEventRecord(piece->to, stream_handle(of.stream)) != cudaSuccess) return;
        under_way_.push_back(*piece);
        while (!under_way_.empty() && (under_way_.size() > most_under_way || cudaEventQuery(under_way_.front().to) == cudaSuccess)) finish();
    }
    /// Waits for all that is under way.
    void settle()
    {
        quiet keep_last_error;
        while (!under_way_.empty()) finish();
    }

private:
    static constexpr std::size_t most_under_way = 4096;

    struct pending {
        profile_row* row;
        device_key device;
        cudaEvent_t from, to;
    };

    void finish()
    {
        const pending piece = under_way_.front();
        under_way_.pop_front();
        float milliseconds = 0;
        // A device that has been reset has no events any more.
        if (cudaEventSynchronize(piece.to) == cudaSuccess && cudaEventElapsedTime(&milliseconds, piece.from, piece.to) == cudaSuccess)
            piece.row->add(milliseconds * 1e-3);
        if (piece.device == this_device()) idle_.insert(idle_.end(), {piece.from, piece.to});
    }

    cudaEvent_t event()
    {
        if (!(device_ == this_device())) idle_.clear();
        device_ = this_device();
        cudaEvent_t made = nullptr;
        if (idle_.empty()) return cudaEventCreate(&made) == cudaSuccess ? made : nullptr;
        made = idle_.back();
        idle_.pop_back();
        return made;
    }

    static void describe(profile_row& row, const work& of)
    {
        const auto& at = *static_cast<const launch_config*>(of.other);
        cudaFuncAttributes attributes{};
        if (cudaFuncGetAttributes(&attributes, of.data) != cudaSuccess) return;
        row.registers = attributes.numRegs;
        int device = 0, blocks = 0, most = 0;
        const int threads = at.block[0] * at.block[1] * at.block[2];
        if (threads < 1 || cudaGetDevice(&device) != cudaSuccess ||
            cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerMultiProcessor, device) != cudaSuccess || most < 32 ||
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, of.data, threads, static_cast<std::size_t>(std::max<std::int64_t>(at.bytes, 0))) != cudaSuccess)
            return;
        row.occupancy = std::int64_t{100} * blocks * ((threads + 31) / 32) / (most / 32);
    }

    device_key device_;
    std::vector<cudaEvent_t> idle_;
    std::deque<pending> under_way_;
};

#endif

class profiler {
public:
    /// A profiler as the environment asks for it; null if it asks for none. `table`, `ranges`: asked for when the program was built.
    static profiler* wished(bool table, bool ranges)
    {
        const auto value = [](const char* name) {
            const char* text = std::getenv(name);
            return std::string(text == nullptr || std::strcmp(text, "0") == 0 ? "" : text);
        };
        std::string form = value("CUF_PROFILE");
        // CUF_PROFILE=0 turns off what the program was built with.
        table = (table && std::getenv("CUF_PROFILE") == nullptr) || !value("NVCOMPILER_ACC_TIME").empty();
        if (form.empty() && table) form = "text";
        ranges = ranges || !value("CUF_NVTX").empty();
        if (form.empty() && !ranges) return nullptr;
        return new profiler(form, ranges);
    }

    void* begin(const work& of)
    {
        if (!is_work(of)) return nullptr;
        profile_row& row = row_of(of);
        open_range(row);
        if (form_.empty()) return nullptr;
        ++row.calls;
        row.bytes += static_cast<std::uint64_t>(std::max<std::int64_t>(of.bytes, 0));
        return new piece{&row, watch_.start(row, of)};
    }

    void done(const work& of, void* begun)
    {
        if (!is_work(of)) return;
        close_range();
        const std::unique_ptr<piece> p(static_cast<piece*>(begun));
        if (p) watch_.stop(*p->row, of, p->time);
    }

    void end()
    {
        if (form_.empty()) return;
        watch_.settle();
        std::fflush(stdout);
        const auto colon = form_.find(':');
        const std::string file = colon == std::string::npos ? "" : form_.substr(colon + 1);
        const bool json = form_.compare(0, 4, "json") == 0;
        std::FILE* to = file.empty() ? stderr : std::fopen(file.c_str(), "w");
        if (to == nullptr) {
            std::fprintf(stderr, "cuf2cu runtime: CUF_PROFILE: %s cannot be written\n", file.c_str());
            return;
        }
        json ? write_json(to) : write_text(to);
        if (to != stderr) (void)std::fclose(to);
    }

private:
    struct piece {
        profile_row* row;
        void* time;
    };

    profiler(std::string form, bool ranges) : form_(std::move(form)), ranges_(ranges), began_(std::chrono::steady_clock::now()) {}

    static bool is_work(const work& of) { return of.kind <= work::graph; }

    static const char* what(const work& of, const std::string& kernel)
    {
        switch (of.kind) {
        case work::launch: return is_loop(kernel) ? "CUF loop" : is_array_operation(kernel) ? "array operation" : "kernel";
        case work::to_device: return "to the device";
        case work::to_host: return "to the host";
        case work::on_device: return "on the device";
        case work::on_host: return "on the host";
        case work::fill: return "fill";
        case work::graph: return "graph";
        default: break;
        }
        const char* to = address(*static_cast<const desc*>(of.data));
        return is_hosts(to) ? (is_hosts(of.other) ? "on the host" : "to the host") : is_hosts(of.other) ? "to the device" : "on the device";
    }

    profile_row& row_of(const work& of)
    {
        const std::string name = of.kind == work::launch ? name_of_kernel(of.data) : std::string();
        const char* kind = what(of, name);
        const std::string& place = statement();
        auto& row = rows_[name + "\n" + kind + "\n" + place];
        if (!row) row = std::make_unique<profile_row>(profile_row{kind, short_name(name), place});
        return *row;
    }

    static std::string short_name(const std::string& name)
    {
        const bool part = is_loop(name) || is_array_operation(name);
        return part ? name.substr(name.rfind(':') == std::string::npos ? 0 : name.rfind(':') + 1) : name;
    }

    static std::string short_place(const std::string& place) { return place.empty() ? "?" : place.substr(place.rfind('/') + 1); }

    void open_range([[maybe_unused]] const profile_row& row) const
    {
#if defined(CUF_WATCH_NVTX)
        if (ranges_) nvtxRangePushA((row.name.empty() ? row.what + " " + short_place(row.place) : row.name + " " + short_place(row.place)).c_str());
#endif
    }
    void close_range() const
    {
#if defined(CUF_WATCH_NVTX)
        if (ranges_) nvtxRangePop();
#endif
    }

    /// Those that took longest come first.
    std::vector<const profile_row*> sorted(bool transfers) const
    {
        std::vector<const profile_row*> found;
        for (const auto& [key, row] : rows_)
            if (row->calls > 0 && transfers == row->name.empty()) found.push_back(row.get());
        std::stable_sort(found.begin(), found.end(), [](const profile_row* a, const profile_row* b) { return a->total > b->total; });
        return found;
    }

    static std::string device_name()
    {
#if defined(CUF_TARGET_CPU)
        return "cpu target";
#else
        cudaDeviceProp properties{};
        int device = 0;
        return cudaGetDevice(&device) == cudaSuccess && cudaGetDeviceProperties(&properties, device) == cudaSuccess ? properties.name : "no device";
#endif
    }

    double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count(); }

    void write_text(std::FILE* to) const
    {
        std::fprintf(to, "\ncuf2cu profile of %s: %s, %.3f s\n", program_name().c_str(), device_name().c_str(), seconds());
#if defined(CUF_TARGET_CPU)
        const char* own = "threads   switches";
#else
        const char* own = "registers occupancy";
#endif
        if (const auto rows = sorted(false); !rows.empty()) {
            std::fprintf(to, "     calls   total ms    mean us     min us     max us  %s  kernel, CUF loop, array operation\n", own);
            for (const profile_row* r : rows) {
                times(to, *r);
#if defined(CUF_TARGET_CPU)
                std::fprintf(to, "  %7lld %10lld", static_cast<long long>(r->threads), static_cast<long long>(r->switches));
#else
                std::fprintf(to, "  %9lld %8lld%%", static_cast<long long>(r->registers), static_cast<long long>(r->occupancy));
#endif
                std::fprintf(to, "  %s %s, %s\n", r->what.c_str(), r->name.c_str(), short_place(r->place).c_str());
            }
        }
        if (const auto rows = sorted(true); !rows.empty()) {
            std::fputs("     calls   total ms    mean us     min us     max us         MB       GB/s  transfer\n", to);
            for (const profile_row* r : rows) {
                times(to, *r);
                std::fprintf(to, " %10.3f %10.2f  %s, %s\n", static_cast<double>(r->bytes) * 1e-6, rate(*r), r->what.c_str(), short_place(r->place).c_str());
            }
        }
    }

    /// GB/s of the calls whose time is known.
    static double rate(const profile_row& r)
    {
        if (!(r.total > 0) || r.calls == 0) return 0;
        return static_cast<double>(r.bytes) * 1e-9 / r.total * static_cast<double>(r.timed) / static_cast<double>(r.calls);
    }

    static void times(std::FILE* to, const profile_row& r)
    {
        const double mean = r.timed == 0 ? 0 : r.total / static_cast<double>(r.timed);
        std::fprintf(to, "%10llu %10.3f %10.1f %10.1f %10.1f", static_cast<unsigned long long>(r.calls), r.total * 1e3, mean * 1e6, r.least * 1e6, r.most * 1e6);
    }

    static std::string quoted(const std::string& text)
    {
        std::string out = "\"";
        for (const char c : text) {
            if (c == '"' || c == '\\') out += '\\';
            if (static_cast<unsigned char>(c) >= 32) out += c;
        }
        return out + '"';
    }

    void write_json(std::FILE* to) const
    {
#if defined(CUF_TARGET_CPU)
        const char* target = "cpu";
#else
        const char* target = "cuda";
#endif
        std::fprintf(to, "{\"program\": %s, \"target\": \"%s\", \"device\": %s, \"seconds\": %.6f, \"work\": [", quoted(program_name()).c_str(), target,
                     quoted(device_name()).c_str(), seconds());
        const char* separator = "\n";
        for (const bool transfers : {false, true})
            for (const profile_row* r : sorted(transfers)) {
                std::fprintf(to, "%s{\"what\": %s, \"name\": %s, \"place\": %s, \"calls\": %llu, \"timed\": %llu, \"total\": %.9f, \"min\": %.9f, \"max\": %.9f",
                             separator, quoted(r->what).c_str(), quoted(r->name).c_str(), quoted(r->place).c_str(),
                             static_cast<unsigned long long>(r->calls), static_cast<unsigned long long>(r->timed), r->total, r->least, r->most);
                if (transfers) std::fprintf(to, ", \"bytes\": %llu", static_cast<unsigned long long>(r->bytes));
                const std::pair<const char*, std::int64_t> known[] = {
                    {"registers", r->registers}, {"occupancy", r->occupancy}, {"threads", r->threads}, {"switches", r->switches}};
                for (const auto& [name, value] : known)
                    if (value >= 0) std::fprintf(to, ", \"%s\": %lld", name, static_cast<long long>(value));
                std::fputs("}", to);
                separator = ",\n";
            }
        std::fputs("\n]}\n", to);
    }

    std::string form_;
    bool ranges_;
    std::chrono::steady_clock::time_point began_;
    stopwatch watch_;
    std::map<std::string, std::unique_ptr<profile_row>> rows_;  // by name, kind and place
};

}  // namespace cuf::rt
