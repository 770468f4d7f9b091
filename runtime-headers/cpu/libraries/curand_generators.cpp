// cuRAND's host API on the cpu target: generators and what they fill arrays with.
// SPDX-License-Identifier: MIT OR Apache-2.0
#include "library.hpp"
#include "curand_engines.hpp"
#include "curand_mersenne.hpp"
#include "curand_sobol.hpp"
#include <atomic>
#include <cstdio>
#include <map>
#include <memory>
#include <mutex>

namespace cuf::cpu::random {

enum result {
    success = 0,
    not_initialized = 101,
    type_error = 103,
    out_of_range = 104,
    length_not_multiple = 105,
    launch_failure = 201,
};

enum kind { xorwow = 101, mrg32k3a = 121, mtgp32 = 141, mt19937 = 142, philox = 161, sobol32 = 201, scrambled_sobol32 = 202, sobol64 = 203, scrambled_sobol64 = 204 };
enum ordering { best = 100, plain = 101, seeded = 102, legacy = 103, dynamic = 104, quasi = 201 };

struct generator {
    kind type;
    bool on_host;
    unsigned long long seed = 0, offset = 0;
    int order = best;
    unsigned dimensions = 1;
    cudaStream_t stream = nullptr;
    std::unique_ptr<engine> numbers;  // null: to be made anew

    bool is_quasi() const { return type >= sobol32; }

    std::unique_ptr<engine> made() const
    {
        // What the kernels of cuRAND have as threads; the seeds of the seeded ordering are this far apart.
        constexpr unsigned long long seed_step = 0x2fd111;
        switch (type) {
        case xorwow: return std::make_unique<rotating_engine<curandStateXORWOW_t>>(4096, order == seeded ? seed_step : 0);
        case mrg32k3a: return std::make_unique<rotating_engine<curandStateMRG32k3a_t>>(order == legacy ? 4096 : 81920, 0);
        case philox: return std::make_unique<philox_engine>();
        case mt19937: return std::make_unique<twister_engine>();
        case sobol32:
        case scrambled_sobol32: return std::make_unique<sobol_engine>(dimensions, type == scrambled_sobol32);
        default: return std::make_unique<sobol64_engine>(dimensions, type == scrambled_sobol64);
        }
    }
    void fill(const request& r)
    {
        if (!numbers) {
            numbers = made();
            numbers->start(seed, offset);
        }
        numbers->fill(r);
    }
};

class generator_table {
public:
    generator* add(kind type, bool on_host)
    {
        std::lock_guard lock(mutex_);
        auto made = std::make_shared<generator>(generator{.type = type, .on_host = on_host, .numbers = nullptr});
        if (made->is_quasi()) made->order = quasi;
        all_[made.get()] = made;
        return made.get();
    }
    std::shared_ptr<generator> find(const generator* handle)
    {
        std::lock_guard lock(mutex_);
        const auto at = all_.find(handle);
        return at == all_.end() ? nullptr : at->second;
    }
    bool remove(const generator* handle)
    {
        std::lock_guard lock(mutex_);
        return all_.erase(handle) != 0;
    }

private:
    std::mutex mutex_;
    std::map<const generator*, std::shared_ptr<generator>> all_;
};

inline generator_table& generators()
{
    static auto* table = new generator_table;
    return *table;
}

/// The library's tables are not published.
inline void say_scrambled()
{
    static std::atomic_flag said;
    if (!said.test_and_set())
        std::fputs("cuf2cu: scrambled Sobol sequences of the cpu target are not those of a GPU: other numbers of the same distribution\n", stderr);
}

inline result create(generator** handle, int type, bool on_host)
{
    if (!handle) return not_initialized;
    if (type == 100) type = xorwow;
    if (type == 200) type = sobol32;
    switch (type) {
    case mtgp32:
        std::fputs("cuf2cu: the generator MTGP32 is not there on the cpu target; take CURAND_RNG_PSEUDO_MT19937, or run on a GPU\n", stderr);
        return type_error;
    case scrambled_sobol32:
    case scrambled_sobol64: say_scrambled(); [[fallthrough]];
    case xorwow:
    case mrg32k3a:
    case mt19937:
    case philox:
    case sobol32:
    case sobol64: *handle = generators().add(kind(type), on_host); return success;
    default: return type_error;
    }
}

template <class Change>
result change(generator* handle, Change apply)
{
    const auto g = generators().find(handle);
    return g ? apply(*g) : not_initialized;
}

/// Fills an array, in the order of the generator's stream; memory of the host at once.
inline result generate(generator* handle, const request& r)
{
    const auto g = generators().find(handle);
    if (!g) return not_initialized;
    const bool is64 = g->type == sobol64 || g->type == scrambled_sobol64;
    if (r.what == quantity::bits && is64) return type_error;
    if (r.what == quantity::long_bits && !is64) return type_error;
    if (r.what == quantity::poisson && !(r.first > 0)) return out_of_range;
    const bool in_pairs = r.is_normal() && (g->type == xorwow || g->type == mrg32k3a);
    if (r.count % (in_pairs ? 2 : g->dimensions) != 0) return length_not_multiple;
    if (r.count == 0) return success;
    if (!r.out) return launch_failure;
    if (g->on_host) {
        g->fill(r);
        return success;
    }
    return submit_work(g->stream, [g, r] { g->fill(r); }) == cudaSuccess ? success : launch_failure;
}

}  // namespace cuf::cpu::random

using cuf::cpu::random::generate;
using cuf::cpu::random::generator;
using cuf::cpu::random::generators;
using cuf::cpu::random::quantity;

#define CUF_API extern "C" int

CUF_API curandCreateGenerator(generator** g, int type) { return cuf::cpu::random::create(g, type, false); }
CUF_API curandCreateGeneratorHost(generator** g, int type) { return cuf::cpu::random::create(g, type, true); }
CUF_API curandDestroyGenerator(generator* g)
{
    return generators().remove(g) ? cuf::cpu::random::success : cuf::cpu::random::not_initialized;
}
CUF_API curandGetVersion(int* version)
{
    if (!version) return cuf::cpu::random::out_of_range;
    *version = 100400;
    return cuf::cpu::random::success;
}
CUF_API curandGetProperty(int property, int* value)
{
    constexpr int parts[] = {10, 4, 0};
    if (!value || property < 0 || property > 2) return cuf::cpu::random::out_of_range;
    *value = parts[property];
    return cuf::cpu::random::success;
}
CUF_API curandSetStream(generator* g, cudaStream_t stream)
{
    return cuf::cpu::random::change(g, [=](generator& of) {
        of.stream = stream;
        return cuf::cpu::random::success;
    });
}
/// The sequence of the new seed goes on where the old one stood; Mersenne twisters begin.
CUF_API curandSetPseudoRandomGeneratorSeed(generator* g, unsigned long long seed)
{
    return cuf::cpu::random::change(g, [=](generator& of) {
        if (of.is_quasi()) return cuf::cpu::random::type_error;
        if (seed == of.seed) return cuf::cpu::random::success;
        if (of.numbers) of.offset = of.numbers->position();
        of.numbers = nullptr;
        of.seed = seed;
        return cuf::cpu::random::success;
    });
}
CUF_API curandSetGeneratorOffset(generator* g, unsigned long long offset)
{
    return cuf::cpu::random::change(g, [=](generator& of) {
        if (of.type == cuf::cpu::random::mt19937) return cuf::cpu::random::type_error;
        of.numbers = nullptr;
        of.offset = offset;
        return cuf::cpu::random::success;
    });
}
CUF_API curandSetGeneratorOrdering(generator* g, int order)
{
    return cuf::cpu::random::change(g, [=](generator& of) {
        using namespace cuf::cpu::random;
        bool fits = order == plain || order == legacy;
        if (order == best) fits = of.type != mt19937;
        if (order == seeded) fits = of.type == xorwow;
        if (order == dynamic) fits = !of.on_host;
        if (of.is_quasi() ? order != quasi : !fits) return out_of_range;
        if (order == of.order) return success;
        if (of.numbers) of.offset = of.numbers->position();
        of.numbers = nullptr;
        of.order = order;
        return success;
    });
}
CUF_API curandSetQuasiRandomGeneratorDimensions(generator* g, unsigned dimensions)
{
    return cuf::cpu::random::change(g, [=](generator& of) {
        using namespace cuf::cpu::random;
        if (!of.is_quasi()) return type_error;
        if (dimensions < 1 || dimensions > 20000) return out_of_range;
        if (dimensions > sobol_dimensions) {
            std::fprintf(stderr, "cuf2cu: quasi-random generators have at most %u dimensions on the cpu target\n", sobol_dimensions);
            return out_of_range;
        }
        if (of.numbers) of.offset = of.numbers->position();
        of.numbers = nullptr;
        of.dimensions = dimensions;
        return success;
    });
}
CUF_API curandGenerateSeeds(generator* g)
{
    return cuf::cpu::random::change(g, [](generator&) { return cuf::cpu::random::success; });
}

CUF_API curandGenerate(generator* g, unsigned* out, std::size_t n) { return generate(g, {quantity::bits, out, n}); }
CUF_API curandGenerateLongLong(generator* g, unsigned long long* out, std::size_t n) { return generate(g, {quantity::long_bits, out, n}); }
CUF_API curandGenerateUniform(generator* g, float* out, std::size_t n) { return generate(g, {quantity::uniform, out, n}); }
CUF_API curandGenerateUniformDouble(generator* g, double* out, std::size_t n) { return generate(g, {quantity::uniform_double, out, n}); }
CUF_API curandGenerateNormal(generator* g, float* out, std::size_t n, float mean, float stddev)
{
    return generate(g, {quantity::normal, out, n, mean, stddev});
}
CUF_API curandGenerateNormalDouble(generator* g, double* out, std::size_t n, double mean, double stddev)
{
    return generate(g, {quantity::normal_double, out, n, mean, stddev});
}
CUF_API curandGenerateLogNormal(generator* g, float* out, std::size_t n, float mean, float stddev)
{
    return generate(g, {quantity::log_normal, out, n, mean, stddev});
}
CUF_API curandGenerateLogNormalDouble(generator* g, double* out, std::size_t n, double mean, double stddev)
{
    return generate(g, {quantity::log_normal_double, out, n, mean, stddev});
}
CUF_API curandGeneratePoisson(generator* g, unsigned* out, std::size_t n, double lambda) { return generate(g, {quantity::poisson, out, n, lambda}); }
/// The methods differ in speed only.
CUF_API curandGeneratePoissonMethod(generator* g, unsigned* out, std::size_t n, double lambda, int)
{
    return generate(g, {quantity::poisson, out, n, lambda});
}
