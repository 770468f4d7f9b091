// Checks at run time on the cuda target (--check): every launch is waited for, and errors of launches and subscripts outside their bounds are told
// with the Fortran line. Compiled by nvcc; device/target.hpp includes it in programs that are built so.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "../host/flush.hpp"
#include "../host/place.hpp"
#include "base.hpp"
#include "launch_error.hpp"
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <cxxabi.h>

namespace cuf::check {

/// What the first thread with a subscript outside its bounds leaves in memory of the host, which is there when the kernel has been ended.
struct wrong_subscript {
    int state;  // 0: none, 1: being written, 2: there
    int rank, dimension, line;
    bool open;
    std::int64_t at, lower, upper;
    unsigned block[3], thread[3];
    char name[64], file[256];
};

/// Where that is, for the device code of a file, or of the program with relocatable device code.
#if defined(__CUDACC_RDC__)
inline __device__ wrong_subscript* subscript_place;
#else
static __device__ wrong_subscript* subscript_place;
#endif

/// `heat_m::step`.
inline std::string kernel_name(const void* kernel)
{
    std::string name = "?";
#if CUDART_VERSION >= 12030
    const char* symbol = nullptr;
    if (cudaFuncGetName(&symbol, kernel) == cudaSuccess && symbol != nullptr) name = rt::plain_name(symbol);
#endif
    return name;
}

/// `, line 31 of heat.cuf`.
inline std::string line_of(const std::string& place)
{
    const auto colon = place.rfind(':');
    if (colon == std::string::npos) return {};
    const auto slash = place.rfind('/', colon);
    const auto first = slash == std::string::npos ? 0 : slash + 1;
    return ", line " + place.substr(colon + 1) + " of " + place.substr(first, colon - first);
}

[[noreturn]] inline void tell(const std::string& text)
{
    rt::flush_output();
    std::fprintf(stderr, "cuf2cu: %s\n", text.c_str());
    std::fflush(stderr);
    std::exit(1);
}

inline wrong_subscript& wrong()
{
    static wrong_subscript* one = [] {
        void* memory = nullptr;
        if (cudaHostAlloc(&memory, sizeof(wrong_subscript), cudaHostAllocPortable) != cudaSuccess) tell("error: no memory for the checks");
        std::memset(memory, 0, sizeof(wrong_subscript));
        return static_cast<wrong_subscript*>(memory);
    }();
    return *one;
}

/// The stream's work runs now.
inline bool runs(std::int64_t stream)
{
    cudaStreamCaptureStatus captured{};
    return cudaStreamIsCapturing(reinterpret_cast<cudaStream_t>(stream), &captured) == cudaSuccess && captured == cudaStreamCaptureStatusNone;
}

/// Before a launch: device code of this file learns where to write.
static inline void before_launch([[maybe_unused]] std::int64_t stream)
{
#if defined(CUF_CHECK_BOUNDS)
    static thread_local device_key known;
    if (const device_key here = this_device(); known != here && runs(stream)) {
        known = here;
        wrong_subscript* place = &wrong();
        (void)cudaMemcpyToSymbol(subscript_place, &place, sizeof place);
    }
#endif
}

/// A launch that did not run, until the program asks for its error.
inline std::string& lost_launch()
{
    static std::string text;
    return text;
}

/// After a launch: the result of the launch.
inline cudaError_t after_launch(const void* kernel, std::int64_t stream, cudaError_t code)
{
    if (code != cudaSuccess) {
        if (lost_launch().empty()) {
            lost_launch() = "launch: kernel " + kernel_name(kernel) + line_of(rt::fortran_place()) + ", did not run: " + cudaGetErrorString(code);
            (void)std::atexit([] {
                if (last_error(false) != cudaSuccess) tell(lost_launch());
            });
        }
        return code;
    }
    if (!runs(stream)) return code;
    const cudaError_t ended = cudaStreamSynchronize(reinterpret_cast<cudaStream_t>(stream));
    if (ended == cudaSuccess) return code;
#if defined(CUF_CHECK_BOUNDS)
    if (const wrong_subscript& w = wrong(); w.state == 2) {
        const auto triple = [](const unsigned (&v)[3]) {
            return "(" + std::to_string(v[0] + 1) + "," + std::to_string(v[1] + 1) + "," + std::to_string(v[2] + 1) + ")";
        };
        std::string text = "bounds: subscript " + std::to_string(w.at) + " of dimension " + std::to_string(w.dimension) + " of ";
        text += w.name[0] ? w.name : "an array";
        text += " is outside its bounds " + std::to_string(w.lower) + ":" + (w.open ? std::string("*") : std::to_string(w.upper));
        if (w.line > 0) text += line_of(std::string(w.file) + ":" + std::to_string(w.line));
        text += ", kernel " + kernel_name(kernel);
        tell(text + ", block " + triple(w.block) + ", thread " + triple(w.thread));
    }
#endif
    tell("error: kernel " + kernel_name(kernel) + ", launched at" + line_of(rt::fortran_place()).substr(1) + ": " + cudaGetErrorString(ended) +
        "; compute-sanitizer names the line");
}

#if defined(CUF_CHECK_BOUNDS)

CUF_INLINE void copy_text(char* to, const char* from, int room)
{
    int n = 0;
    for (; from && from[n] && n < room - 1; ++n) to[n] = from[n];
    to[n] = 0;
}

/// The first subscript of a reference, which knows where that stands.
struct located {
    std::int64_t value;
    const char* file;
    int line;

    template <integer_kind S>
    CUF_INLINE constexpr located(S s, const char* file_ = __builtin_FILE(), int line_ = __builtin_LINE())
        : value(std::int64_t(std::make_signed_t<S>(s))), file(file_), line(line_)
    {
    }
};

/// Ends the kernel.
static __device__ __noinline__ void out_of_bounds(const char* name, int rank, int dimension, std::int64_t at, std::int64_t lower, std::int64_t upper, bool open,
                                           const char* file, int line)
{
    if (wrong_subscript* w = subscript_place; w && atomicCAS_system(&w->state, 0, 1) == 0) {
        w->rank = rank;
        w->dimension = dimension;
        w->at = at;
        w->lower = lower;
        w->upper = upper;
        w->open = open;
        w->line = line;
        w->block[0] = blockIdx.x, w->block[1] = blockIdx.y, w->block[2] = blockIdx.z;
        w->thread[0] = threadIdx.x, w->thread[1] = threadIdx.y, w->thread[2] = threadIdx.z;
        copy_text(w->name, name, int(sizeof w->name));
        copy_text(w->file, file, int(sizeof w->file));
        __threadfence_system();
        *static_cast<volatile int*>(&w->state) = 2;
        __threadfence_system();
    }
    // The first one to come may still be writing.
    while (subscript_place && *static_cast<volatile int*>(&subscript_place->state) != 2) {
    }
    __trap();
}

/// All subscripts of a reference to an array's element.
template <class A, class... S>
CUF_INLINE constexpr void subscripts(const A& a, const char* name, const located& first, S... rest)
{
#if defined(__CUDA_ARCH__)
    const std::int64_t at[] = {first.value, std::int64_t(rest)...};
    for (int d = 1; d <= A::rank; ++d) {
        const std::int64_t lower = a.lower(d), upper = lower + a.size(d) - 1;
        const bool open = a.is_open(d);
        if (at[d - 1] < lower || (!open && at[d - 1] > upper))
            out_of_bounds(name, A::rank, d, at[d - 1], lower, upper, open, first.file, first.line);
    }
#endif
}

/// The name of an array of the user's.
template <class A>
CUF_INLINE constexpr void named(A& array, const char* name)
{
    if constexpr (requires { array.name(name); }) array.name(name);
}

#endif

}  // namespace cuf::check
