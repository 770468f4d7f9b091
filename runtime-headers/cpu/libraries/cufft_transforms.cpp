// cuFFT on the cpu target, by FFTW: plans, their sizes, and the transforms.
// SPDX-License-Identifier: MIT OR Apache-2.0
//
// A plan of cuFFT fits many calls: any arrays, both directions, in place or not. A plan of FFTW fits one of these combinations and is
// made when it is first met. FFTW_ESTIMATE leaves the arrays alone while it plans; FFTW_UNALIGNED lets a plan serve any arrays.
#include "library.hpp"
#include <cstring>
#include <fftw3.h>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace cuf::cpu::fft {

enum result { success = 0, invalid_plan = 1, invalid_type = 3, invalid_value = 4, internal_error = 5, exec_failed = 6, invalid_size = 8, no_workspace = 13, not_supported = 16 };

enum form { complex_to_complex, real_to_complex, complex_to_real };

/// What a transform takes and gives.
struct kind_of_data {
    form what;
    bool twice;  // double precision

    friend bool operator==(const kind_of_data&, const kind_of_data&) = default;
    std::size_t real_bytes() const { return twice ? sizeof(double) : sizeof(float); }
    std::size_t input_bytes() const { return what == real_to_complex ? real_bytes() : 2 * real_bytes(); }
    std::size_t output_bytes() const { return what == complex_to_real ? real_bytes() : 2 * real_bytes(); }
};

/// Where the elements of one side of a transform lie, in elements.
struct layout {
    std::ptrdiff_t stride[3], distance;
};

/// The plan of FFTW for one direction, in place or not. FFTW's plans of the two precisions are different types.
struct fftw_plans {
    fftw_plan twice[2][2] = {};
    fftwf_plan once[2][2] = {};

    fftw_plans() = default;
    fftw_plans(const fftw_plans&) = delete;
    ~fftw_plans()
    {
        for (auto& of : twice)
            for (fftw_plan p : of)
                if (p) fftw_destroy_plan(p);
        for (auto& of : once)
            for (fftwf_plan p : of)
                if (p) fftwf_destroy_plan(p);
    }
};

struct plan {
    bool made = false;
    kind_of_data data{};
    int rank = 0;
    std::ptrdiff_t n[3] = {}, batch = 0;
    /// Of the advanced layout, and of the basic one out of place.
    layout in{}, out{};
    /// With the basic layout, real data in place have rows padded to whole complex elements.
    bool basic = true;
    cudaStream_t stream = nullptr;
    bool allocates = true;
    void* work_area = nullptr;
    std::size_t work_size = 0;
    long long properties[2] = {0, 1};
    std::mutex planning;
    fftw_plans made_by_fftw;

    /// Elements of the transform in its last dimension on the complex side.
    std::ptrdiff_t half() const { return n[rank - 1] / 2 + 1; }
};

/// FFTW's planner is not to be entered twice at a time.
inline std::mutex& planner()
{
    static std::mutex mutex;
    return mutex;
}

class plan_table {
public:
    int add()
    {
        std::lock_guard lock(mutex_);
        plans_[next_] = std::make_shared<plan>();
        return next_++;
    }
    std::shared_ptr<plan> find(int handle)
    {
        std::lock_guard lock(mutex_);
        const auto at = plans_.find(handle);
        return at == plans_.end() ? nullptr : at->second;
    }
    bool remove(int handle)
    {
        std::lock_guard lock(mutex_);
        return plans_.erase(handle) != 0;
    }

private:
    std::mutex mutex_;
    std::map<int, std::shared_ptr<plan>> plans_;
    int next_ = 1;
};

inline plan_table& plans()
{
    static auto* table = new plan_table;
    return *table;
}

/// What the callers of all the forms of making a plan give. A null embedding: the basic layout.
struct request {
    int rank;
    const long long* n;
    const long long* inembed = nullptr;
    long long istride = 1, idist = 1;
    const long long* onembed = nullptr;
    long long ostride = 1, odist = 1;
    long long batch = 1;
};

inline bool data_of(int type, kind_of_data& data)
{
    switch (type) {
    case 0x29: data = {complex_to_complex, false}; return true;
    case 0x2a: data = {real_to_complex, false}; return true;
    case 0x2c: data = {complex_to_real, false}; return true;
    case 0x69: data = {complex_to_complex, true}; return true;
    case 0x6a: data = {real_to_complex, true}; return true;
    case 0x6c: data = {complex_to_real, true}; return true;
    default: return false;
    }
}

inline layout packed(const plan& p, std::ptrdiff_t last)
{
    layout l{};
    std::ptrdiff_t step = 1;
    for (int d = p.rank - 1; d >= 0; --d) {
        l.stride[d] = step;
        step *= d == p.rank - 1 ? last : p.n[d];
    }
    l.distance = step;
    return l;
}

inline layout embedded(int rank, const long long* embed, long long stride, long long distance)
{
    layout l{};
    std::ptrdiff_t step = stride;
    for (int d = rank - 1; d >= 0; --d) {
        l.stride[d] = step;
        step *= embed[d];
    }
    l.distance = distance;
    return l;
}

/// What cuFFT reports is a matter of its algorithms; this one says what keeps the whole transform once, as the larger ones need.
inline std::size_t work_size(const plan& p)
{
    std::size_t elements = std::size_t(p.batch);
    for (int d = 0; d < p.rank; ++d) elements *= std::size_t(p.n[d]);
    return elements * 2 * p.data.real_bytes();
}

inline result fill(plan& p, const kind_of_data& data, const request& r)
{
    if (r.rank < 1 || r.rank > 3 || !r.n) return invalid_value;
    p.data = data;
    p.rank = r.rank;
    p.batch = r.batch;
    if (r.batch < 1) return invalid_size;
    for (int d = 0; d < r.rank; ++d) {
        if (r.n[d] < 1) return invalid_size;
        p.n[d] = r.n[d];
    }
    p.basic = !r.inembed || !r.onembed;
    if (p.basic) {
        p.in = packed(p, data.what == complex_to_real ? p.half() : p.n[p.rank - 1]);
        p.out = packed(p, data.what == real_to_complex ? p.half() : p.n[p.rank - 1]);
    } else {
        if (r.istride < 1 || r.ostride < 1 || r.idist < 0 || r.odist < 0) return invalid_value;
        p.in = embedded(r.rank, r.inembed, r.istride, r.idist);
        p.out = embedded(r.rank, r.onembed, r.ostride, r.odist);
    }
    p.work_size = work_size(p);
    p.made = true;
    return success;
}

/// Makes the plan that was created, or only its size. The size goes to `bytes` if the caller has room for it.
inline result make(int handle, const kind_of_data& data, const request& r, std::size_t* bytes, bool keep)
{
    const auto p = plans().find(handle);
    if (!p || (keep && p->made)) return invalid_plan;
    plan only_measured;
    plan& target = keep ? *p : only_measured;
    const result code = fill(target, data, r);
    if (code == success && bytes) *bytes = target.work_size;
    return code;
}

inline result make(int handle, int type, const request& r, std::size_t* bytes, bool keep)
{
    kind_of_data data{};
    return data_of(type, data) ? make(handle, data, r, bytes, keep) : invalid_type;
}

inline result estimate(int type, const request& r, std::size_t* bytes)
{
    kind_of_data data{};
    plan measured;
    if (!data_of(type, data)) return invalid_type;
    const result code = fill(measured, data, r);
    if (code != success) return code;
    if (!bytes) return invalid_value;
    *bytes = measured.work_size;
    return success;
}

inline result create(int* handle)
{
    if (!handle) return invalid_value;
    *handle = plans().add();
    return success;
}

inline result create_and_make(int* handle, int type, const request& r)
{
    if (!handle) return invalid_value;
    const int made = plans().add();
    const result code = make(made, type, r, nullptr, true);
    if (code != success) plans().remove(made);
    else *handle = made;
    return code;
}

/// Integers of default kind as long ones; null stays null.
class widened {
public:
    widened(int rank, const int* values) : null_(!values)
    {
        if (values && rank > 0) values_.assign(values, values + rank);
    }
    const long long* get() const { return null_ ? nullptr : values_.data(); }

private:
    bool null_;
    std::vector<long long> values_;
};

// ---- execution ----

/// The layouts of a call.
struct arrangement {
    layout in, out;
};

inline arrangement arranged(const plan& p, bool in_place)
{
    arrangement a{p.in, p.out};
    if (!p.basic || !in_place) return a;
    if (p.data.what == real_to_complex) a.in = packed(p, 2 * p.half());
    if (p.data.what == complex_to_real) a.out = packed(p, 2 * p.half());
    return a;
}

/// Elements from the first that a side of the transform touches to the last.
inline std::size_t extent(const plan& p, const layout& l, bool complex_half)
{
    std::ptrdiff_t last = (p.batch - 1) * l.distance;
    for (int d = 0; d < p.rank; ++d) {
        const std::ptrdiff_t count = complex_half && d == p.rank - 1 ? p.half() : p.n[d];
        last += (count - 1) * l.stride[d];
    }
    return std::size_t(last) + 1;
}

/// FFTW plans and executes in the precision of `Real`.
template <class Real>
struct precision;

#define CUF_FFTW(REAL, PREFIX, MEMBER)                                                                                                        \
    template <>                                                                                                                               \
    struct precision<REAL> {                                                                                                                  \
        using complex = PREFIX##complex;                                                                                                      \
        using dims = PREFIX##iodim64;                                                                                                         \
        using made_plan = PREFIX##plan;                                                                                                       \
        static made_plan& kept(fftw_plans& all, bool inverse, bool in_place) { return all.MEMBER[inverse][in_place]; }                        \
        static made_plan prepare(const kind_of_data& data, int rank, const dims* n, const dims* many, void* in, void* out, bool inverse)      \
        {                                                                                                                                     \
            constexpr unsigned flags = FFTW_ESTIMATE | FFTW_UNALIGNED;                                                                        \
            if (data.what == real_to_complex)                                                                                                 \
                return PREFIX##plan_guru64_dft_r2c(rank, n, 1, many, static_cast<REAL*>(in), static_cast<complex*>(out), flags);              \
            if (data.what == complex_to_real)                                                                                                 \
                return PREFIX##plan_guru64_dft_c2r(rank, n, 1, many, static_cast<complex*>(in), static_cast<REAL*>(out), flags);              \
            return PREFIX##plan_guru64_dft(rank, n, 1, many, static_cast<complex*>(in), static_cast<complex*>(out),                           \
                                           inverse ? FFTW_BACKWARD : FFTW_FORWARD, flags);                                                    \
        }                                                                                                                                     \
        static void execute(made_plan p, const kind_of_data& data, void* in, void* out)                                                       \
        {                                                                                                                                     \
            if (data.what == real_to_complex) PREFIX##execute_dft_r2c(p, static_cast<REAL*>(in), static_cast<complex*>(out));                 \
            else if (data.what == complex_to_real) PREFIX##execute_dft_c2r(p, static_cast<complex*>(in), static_cast<REAL*>(out));            \
            else PREFIX##execute_dft(p, static_cast<complex*>(in), static_cast<complex*>(out));                                               \
        }                                                                                                                                     \
    };
CUF_FFTW(double, fftw_, twice)
CUF_FFTW(float, fftwf_, once)
#undef CUF_FFTW

/// Does the transform on memory that is open. Only transforms of complex numbers in one layout are done in place: of the others FFTW
/// gets a copy of the input, which it may destroy.
template <class Real>
void transform(plan& p, const arrangement& a, void* in, void* out, bool inverse)
{
    using by = precision<Real>;
    const bool in_place = in == out, same = std::memcmp(&a.in, &a.out, sizeof a.in) == 0;
    const bool direct = p.data.what == complex_to_complex ? !in_place || same : p.data.what == real_to_complex && !in_place;
    std::vector<unsigned char> copy;
    if (!direct) {
        const auto* first = static_cast<const unsigned char*>(in);
        copy.assign(first, first + extent(p, a.in, p.data.what == complex_to_real) * p.data.input_bytes());
        in = copy.data();
    }
    typename by::made_plan* made = nullptr;
    {
        std::lock_guard own(p.planning);
        made = &by::kept(p.made_by_fftw, inverse, in_place);
        if (!*made) {
            typename by::dims n[3], many{p.batch, a.in.distance, a.out.distance};
            for (int d = 0; d < p.rank; ++d) n[d] = {p.n[d], a.in.stride[d], a.out.stride[d]};
            std::lock_guard all(planner());
            *made = by::prepare(p.data, p.rank, n, &many, in, out, inverse);
        }
    }
    if (*made) by::execute(*made, p.data, in, out);
}

inline result execute(int handle, void* in, void* out, bool inverse)
{
    const auto p = plans().find(handle);
    if (!p || !p->made) return invalid_plan;
    if (!in || !out) return invalid_value;
    if (!p->allocates && p->work_size != 0 && !p->work_area) return no_workspace;
    const arrangement a = arranged(*p, in == out);
    const cudaError_t code = submit_work(p->stream, [=] {
        if (p->data.twice) transform<double>(*p, a, in, out, inverse);
        else transform<float>(*p, a, in, out, inverse);
    });
    return code == cudaSuccess ? success : exec_failed;
}

/// A call for one kind of data.
inline result execute_as(int handle, const kind_of_data& data, void* in, void* out, int direction)
{
    const auto p = plans().find(handle);
    if (!p || !p->made) return invalid_plan;
    if (!(p->data == data)) return invalid_type;
    if (direction != -1 && direction != 1) return invalid_value;
    return execute(handle, in, out, direction == 1);
}

/// The kind of data of a plan of cufftXt, from CUDA's types of data. Half precision is not done.
inline result data_of_types(int input, int output, int execution, kind_of_data& data)
{
    constexpr int r32 = 0, r64 = 1, c32 = 4, c64 = 5;
    const auto is = [&](int i, int o, int e) { return input == i && output == o && execution == e; };
    if (is(c32, c32, c32)) data = {complex_to_complex, false};
    else if (is(r32, c32, c32)) data = {real_to_complex, false};
    else if (is(c32, r32, c32)) data = {complex_to_real, false};
    else if (is(c64, c64, c64)) data = {complex_to_complex, true};
    else if (is(r64, c64, c64)) data = {real_to_complex, true};
    else if (is(c64, r64, c64)) data = {complex_to_real, true};
    else return input >= 0 && input <= 6 && output >= 0 && output <= 6 ? not_supported : invalid_type;
    return success;
}

template <class Change>
result change(int handle, Change apply)
{
    const auto p = plans().find(handle);
    return p ? apply(*p) : invalid_plan;
}

}  // namespace cuf::cpu::fft

using namespace cuf::cpu::fft;

#define CUF_API extern "C" int

CUF_API cufftCreate(int* plan) { return create(plan); }
CUF_API cufftDestroy(int plan) { return plans().remove(plan) ? success : invalid_plan; }

CUF_API cufftPlan1d(int* plan, int nx, int type, int batch)
{
    const long long n[] = {nx};
    return create_and_make(plan, type, {.rank = 1, .n = n, .batch = batch});
}
CUF_API cufftPlan2d(int* plan, int nx, int ny, int type)
{
    const long long n[] = {nx, ny};
    return create_and_make(plan, type, {.rank = 2, .n = n});
}
CUF_API cufftPlan3d(int* plan, int nx, int ny, int nz, int type)
{
    const long long n[] = {nx, ny, nz};
    return create_and_make(plan, type, {.rank = 3, .n = n});
}
CUF_API cufftPlanMany(int* plan, int rank, int* n, int* inembed, int istride, int idist, int* onembed, int ostride, int odist, int type, int batch)
{
    const widened sizes(rank, n), input(rank, inembed), output(rank, onembed);
    return create_and_make(plan, type, {rank, sizes.get(), input.get(), istride, idist, output.get(), ostride, odist, batch});
}

CUF_API cufftMakePlan1d(int plan, int nx, int type, int batch, std::size_t* workSize)
{
    const long long n[] = {nx};
    return make(plan, type, {.rank = 1, .n = n, .batch = batch}, workSize, true);
}
CUF_API cufftMakePlan2d(int plan, int nx, int ny, int type, std::size_t* workSize)
{
    const long long n[] = {nx, ny};
    return make(plan, type, {.rank = 2, .n = n}, workSize, true);
}
CUF_API cufftMakePlan3d(int plan, int nx, int ny, int nz, int type, std::size_t* workSize)
{
    const long long n[] = {nx, ny, nz};
    return make(plan, type, {.rank = 3, .n = n}, workSize, true);
}
CUF_API cufftMakePlanMany(int plan, int rank, int* n, int* inembed, int istride, int idist, int* onembed, int ostride, int odist, int type,
                          int batch, std::size_t* workSize)
{
    const widened sizes(rank, n), input(rank, inembed), output(rank, onembed);
    return make(plan, type, {rank, sizes.get(), input.get(), istride, idist, output.get(), ostride, odist, batch}, workSize, true);
}
CUF_API cufftMakePlanMany64(int plan, int rank, long long* n, long long* inembed, long long istride, long long idist, long long* onembed,
                            long long ostride, long long odist, int type, long long batch, std::size_t* workSize)
{
    return make(plan, type, {rank, n, inembed, istride, idist, onembed, ostride, odist, batch}, workSize, true);
}
CUF_API cufftXtMakePlanMany(int plan, int rank, long long* n, long long* inembed, long long istride, long long idist, int inputtype,
                            long long* onembed, long long ostride, long long odist, int outputtype, long long batch, std::size_t* workSize,
                            int executiontype)
{
    kind_of_data data{};
    const result code = data_of_types(inputtype, outputtype, executiontype, data);
    return code == success ? make(plan, data, {rank, n, inembed, istride, idist, onembed, ostride, odist, batch}, workSize, true) : code;
}

CUF_API cufftEstimate1d(int nx, int type, int batch, std::size_t* workSize)
{
    const long long n[] = {nx};
    return estimate(type, {.rank = 1, .n = n, .batch = batch}, workSize);
}
CUF_API cufftEstimate2d(int nx, int ny, int type, std::size_t* workSize)
{
    const long long n[] = {nx, ny};
    return estimate(type, {.rank = 2, .n = n}, workSize);
}
CUF_API cufftEstimate3d(int nx, int ny, int nz, int type, std::size_t* workSize)
{
    const long long n[] = {nx, ny, nz};
    return estimate(type, {.rank = 3, .n = n}, workSize);
}
CUF_API cufftEstimateMany(int rank, int* n, int* inembed, int istride, int idist, int* onembed, int ostride, int odist, int type, int batch,
                          std::size_t* workSize)
{
    const widened sizes(rank, n), input(rank, inembed), output(rank, onembed);
    return estimate(type, {rank, sizes.get(), input.get(), istride, idist, output.get(), ostride, odist, batch}, workSize);
}
CUF_API cufftGetSize1d(int plan, int nx, int type, int batch, std::size_t* workSize)
{
    const long long n[] = {nx};
    return make(plan, type, {.rank = 1, .n = n, .batch = batch}, workSize, false);
}
CUF_API cufftGetSize2d(int plan, int nx, int ny, int type, std::size_t* workSize)
{
    const long long n[] = {nx, ny};
    return make(plan, type, {.rank = 2, .n = n}, workSize, false);
}
CUF_API cufftGetSize3d(int plan, int nx, int ny, int nz, int type, std::size_t* workSize)
{
    const long long n[] = {nx, ny, nz};
    return make(plan, type, {.rank = 3, .n = n}, workSize, false);
}
CUF_API cufftGetSizeMany(int plan, int rank, int* n, int* inembed, int istride, int idist, int* onembed, int ostride, int odist, int type,
                         int batch, std::size_t* workSize)
{
    const widened sizes(rank, n), input(rank, inembed), output(rank, onembed);
    return make(plan, type, {rank, sizes.get(), input.get(), istride, idist, output.get(), ostride, odist, batch}, workSize, false);
}
CUF_API cufftGetSizeMany64(int plan, int rank, long long* n, long long* inembed, long long istride, long long idist, long long* onembed,
                           long long ostride, long long odist, int type, long long batch, std::size_t* workSize)
{
    return make(plan, type, {rank, n, inembed, istride, idist, onembed, ostride, odist, batch}, workSize, false);
}
CUF_API cufftXtGetSizeMany(int plan, int rank, long long* n, long long* inembed, long long istride, long long idist, int inputtype,
                           long long* onembed, long long ostride, long long odist, int outputtype, long long batch, std::size_t* workSize,
                           int executiontype)
{
    kind_of_data data{};
    const result code = data_of_types(inputtype, outputtype, executiontype, data);
    return code == success ? make(plan, data, {rank, n, inembed, istride, idist, onembed, ostride, odist, batch}, workSize, false) : code;
}
CUF_API cufftGetSize(int plan, std::size_t* workSize)
{
    if (!workSize) return invalid_value;
    return change(plan, [=](const auto& p) {
        *workSize = p.work_size;
        return success;
    });
}

CUF_API cufftSetWorkArea(int plan, void* workArea)
{
    return change(plan, [=](auto& p) {
        p.work_area = workArea;
        return success;
    });
}
CUF_API cufftSetAutoAllocation(int plan, int autoAllocate)
{
    return change(plan, [=](auto& p) {
        p.allocates = autoAllocate != 0;
        return success;
    });
}
CUF_API cufftXtSetWorkAreaPolicy(int plan, int policy, std::size_t*)
{
    return change(plan, [=](auto&) { return policy >= 0 && policy <= 2 ? success : invalid_value; });
}
CUF_API cufftSetStream(int plan, cudaStream_t stream)
{
    return change(plan, [=](auto& p) {
        p.stream = stream;
        return success;
    });
}
CUF_API cufftGetVersion(int* version)
{
    if (!version) return invalid_value;
    *version = 12000;
    return success;
}
CUF_API cufftGetProperty(int property, int* value)
{
    if (!value || property < 0 || property > 2) return invalid_value;
    *value = property == 0 ? 12 : 0;
    return success;
}
CUF_API cufftSetPlanPropertyInt64(int plan, int property, const long long value)
{
    if (property != 1 && property != 2) return not_supported;
    return change(plan, [=](auto& p) {
        p.properties[property - 1] = value;
        return success;
    });
}
CUF_API cufftGetPlanPropertyInt64(int plan, int property, long long* value)
{
    if (property != 1 && property != 2) return not_supported;
    if (!value) return invalid_value;
    return change(plan, [=](const auto& p) {
        *value = p.properties[property - 1];
        return success;
    });
}
CUF_API cufftResetPlanProperty(int plan, int property) { return cufftSetPlanPropertyInt64(plan, property, property == 1 ? 0 : 1); }

CUF_API cufftExecC2C(int plan, void* idata, void* odata, int direction) { return execute_as(plan, {complex_to_complex, false}, idata, odata, direction); }
CUF_API cufftExecR2C(int plan, void* idata, void* odata) { return execute_as(plan, {real_to_complex, false}, idata, odata, -1); }
CUF_API cufftExecC2R(int plan, void* idata, void* odata) { return execute_as(plan, {complex_to_real, false}, idata, odata, 1); }
CUF_API cufftExecZ2Z(int plan, void* idata, void* odata, int direction) { return execute_as(plan, {complex_to_complex, true}, idata, odata, direction); }
CUF_API cufftExecD2Z(int plan, void* idata, void* odata) { return execute_as(plan, {real_to_complex, true}, idata, odata, -1); }
CUF_API cufftExecZ2D(int plan, void* idata, void* odata) { return execute_as(plan, {complex_to_real, true}, idata, odata, 1); }

CUF_API cufftXtExec(int plan, void* input, void* output, int direction)
{
    const auto p = plans().find(plan);
    if (!p || !p->made) return invalid_plan;
    if (p->data.what != complex_to_complex) return execute(plan, input, output, p->data.what == complex_to_real);
    return execute_as(plan, p->data, input, output, direction);
}
