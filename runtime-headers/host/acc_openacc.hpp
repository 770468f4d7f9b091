// Entry points of module openacc (OpenACC 3.2 and A.1): what programs call themselves.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "acc_api.hpp"

namespace cuf::acc {

/// Values of acc_device_kind.
enum device_type { type_none, type_default, type_host, type_not_host, type_nvidia, type_radeon, type_current = 10 };

inline std::atomic<int>& chosen_type()
{
    static std::atomic<int> type{type_nvidia};
    return type;
}

inline bool is_gpu(int type) { return type == type_default || type == type_not_host || type == type_nvidia || type == type_current; }

inline int devices_of(int type)
{
    if (type == type_host) return 1;
    if (!is_gpu(type)) return 0;
    quiet keep_last_error;
    int n = 0;
    return cudaGetDeviceCount(&n) == cudaSuccess ? n : 0;
}

/// The device with a number of the program's; -1: the current one.
inline void choose(int number, int type)
{
    if (!is_gpu(type) || number < 0) return;
    check(cudaSetDevice(number), "OpenACC: choosing a device");
}

/// Data of the program's call: all of it, or so many bytes from its first element on.
inline host_bytes range_of(const desc* a, const desc* bytes, const char* procedure)
{
    if (bytes == nullptr || bytes->base_addr == nullptr) return whole_range(a, procedure, false);
    if (a == nullptr || a->base_addr == nullptr) return {};
    const host_bytes whole = is_marked_range(*a) ? range_of(a) : host_bytes{static_cast<char*>(a->base_addr), 0};
    const std::int64_t n = rt::integer(bytes);
    return {whole.low, n > 0 ? static_cast<std::size_t>(n) : 0};
}

/// A call of the program's about data. Of two arguments of a procedure whose name ends with `_async` the second is the queue.
struct call {
    desc whole;  // without `bytes`, the data as it is passed
    host_bytes data;
    std::int64_t async;
    const char* place;
};
inline call call_of(const desc* a, const desc* bytes, const desc* async, const char* place, bool has_queue)
{
    if (has_queue && async == nullptr) std::swap(bytes, async);
    const bool all = bytes == nullptr && a != nullptr && a->base_addr != nullptr;
    return {all ? rt::copy_of(*a) : desc{}, bytes == nullptr ? host_bytes{} : range_of(a, bytes, place), rt::integer(async, async_sync), place};
}
inline host_bytes data_of(const call& c) { return c.whole.base_addr == nullptr ? c.data : whole_range(&c.whole, c.place, false); }

inline void enter(const call& c, absent what) { enter_range(data_of(c), c.place, c.async, what, life::dynamic); }
inline void leave(const call& c, bool out, bool finalize) { leave_range(data_of(c), c.place, c.async, out, finalize, life::dynamic); }

inline void update(const call& c, direction dir)
{
    if (c.whole.base_addr != nullptr) return update(&c.whole, c.place, c.async, false, dir);
    marked_range marked{{range_mark[0], range_mark[1]}, c.data.low, static_cast<std::int64_t>(c.data.bytes)};
    desc d{};
    rt::set_elements(d, rt::category::structure, sizeof marked);
    d.base_addr = &marked;
    update(&d, c.place, c.async, false, dir);
}

/// Whether all work of a stream is done.
inline bool is_done(cudaStream_t stream)
{
    quiet keep_last_error;
    const cudaError_t code = cudaStreamQuery(stream);
    if (code != cudaErrorNotReady) check(code, "OpenACC: an error of a queue's work");
    return code == cudaSuccess;
}

inline bool is_done(std::int64_t number)
{
    const auto queue = queue_of(number);
    std::lock_guard hold(lock());
    const auto stream = used_stream(here(), queue);
    return !stream || is_done(*stream);
}

inline bool all_done()
{
    std::lock_guard hold(lock());
    for (const auto& q : here().queues)
        if (!is_done(q.second.stream)) return false;
    return true;
}

/// Takes all data off the device, and its queues.
inline void shut_down()
{
    std::lock_guard hold(lock());
    device_data& d = here();
    check(cudaDeviceSynchronize(), "OpenACC: an error of the device's work");
    for (auto e = d.present.begin(); e != d.present.end();) {
        if (e->second.from == entry::own) give(d, e->second.device, rounded(e->second.bytes), nullptr);
        e = e->second.from == entry::fixed ? std::next(e) : d.present.erase(e);
    }
    trim(d, 0);
    for (const auto& q : d.queues)
        if (q.second.own) (void)cudaStreamDestroy(q.second.stream);
    d.queues.clear();
}

/// Calls `use(object)` for all objects that are present, any of which may have the component.
template <typename Use>
void for_objects(const host_bytes& data, std::int64_t async, Use use)
{
    if (data.empty()) return;
    const auto queue = queue_of(async);
    std::lock_guard hold(lock());
    device_data& d = here();
    const cudaStream_t stream = stream_of(d, queue);
    for (auto& e : d.present) use(d, host_bytes{const_cast<char*>(e.first), e.second.bytes}, stream);
}

inline void attach_everywhere(const desc* a, std::int64_t async)
{
    const host_bytes data = range_of(a);
    for_objects(data, async, [&](device_data& d, const host_bytes& object, cudaStream_t stream) { attach(d, object, *a, stream); });
}

inline void detach_everywhere(const desc* a, std::int64_t async, bool finalize)
{
    const host_bytes data = range_of(a);
    for_objects(data, async, [&](device_data& d, const host_bytes& object, cudaStream_t stream) { detach(d, object, data, finalize, stream); });
}

/// Bytes between memory of the host and of the device, as the program has them.
inline void copy(void* to, const void* from, const desc* bytes, const desc* async)
{
    const std::int64_t n = rt::integer(bytes);
    if (n <= 0) return;
    const auto queue = queue_of(async);
    std::lock_guard hold(lock());
    const cudaStream_t stream = stream_of(here(), queue);
    check(rt::copy_flat(static_cast<char*>(to), static_cast<const char*>(from), n, stream), "OpenACC: acc_memcpy");
    complete(queue, stream);
}

inline void* host_of(const desc* a)
{
    if (rt::category_of(*a) == rt::category::c_ptr && a->rank == 0)
        fail("OpenACC: acc_memcpy takes the host's data itself, not its address: pass the variable instead of c_loc(variable)");
    return a->base_addr;
}

inline void map(const desc* a, void* device, const desc* bytes)
{
    const host_bytes r = range_of(a, bytes, "acc_map_data: data");
    if (r.empty()) return;
    std::lock_guard hold(lock());
    device_data& d = here();
    const lookup l = find(d, r);
    if (l.found != presence::absent)
        fail("acc_map_data: the data is present already%s", described(l.at->first, l.at->second).c_str());
    entry e{r.bytes, static_cast<char*>(device), entry::mapped, 0, 1};
    e.place = "acc_map_data: data";
    d.present.emplace(r.low, std::move(e));
}

inline void unmap(const desc* a)
{
    const host_bytes r = range_of(a);
    if (r.empty()) return;
    std::lock_guard hold(lock());
    device_data& d = here();
    const lookup l = find(d, r);
    if (l.found == presence::absent) return;
    if (l.at->second.from != entry::mapped || l.at->first != r.low) fail("acc_unmap_data: the data was not mapped by acc_map_data");
    d.present.erase(l.at);
}

inline bool is_present(const desc* a, const desc* bytes)
{
    if (a == nullptr || a->base_addr == nullptr) return false;
    host_bytes r = bytes == nullptr ? acc::range_of(a) : range_of(a, bytes, "acc_is_present: data");
    // Of data without elements the address counts.
    if (r.empty()) r = {static_cast<char*>(a->base_addr), 1};
    std::lock_guard hold(lock());
    const presence found = find(here(), r).found;
    return found == presence::present || (found == presence::absent && needs_no_copy(r.low));
}

inline void* host_address(const char* device)
{
    std::lock_guard hold(lock());
    for (const auto& [low, e] : here().present)
        if (device >= e.device && device < e.device + e.bytes) return const_cast<char*>(low) + (device - e.device);
    return nullptr;
}

/// Values of acc_device_property_kind.
enum property { total_memory = 1, free_memory, shared_memory, name_of_device, vendor, driver };

}  // namespace cuf::acc

extern "C" {

using cuf::rt::desc;

int cuf_rt_acc_get_num_devices(int type) { return cuf_acc::devices_of(type); }
void cuf_rt_acc_set_device_type(int type) { cuf_acc::chosen_type() = type == cuf_acc::type_host ? cuf_acc::type_host : cuf_acc::type_nvidia; }
int cuf_rt_acc_get_device_type() { return cuf_acc::chosen_type(); }
void cuf_rt_acc_set_device_num(int number, int type) { cuf_acc::choose(number, type == cuf_acc::type_none ? cuf_acc::type_default : type); }
int cuf_rt_acc_get_device_num(int type) { return cuf_acc::is_gpu(type) ? cuf::this_device().device : 0; }

std::int64_t cuf_rt_acc_get_property(int number, int type, int property)
{
    if (!cuf_acc::is_gpu(type)) return property == cuf_acc::shared_memory && type == cuf_acc::type_host;
    const cuf::rt::on_device_of device(number);
    std::size_t free = 0, total = 0;
    switch (property) {
    case cuf_acc::total_memory:
    case cuf_acc::free_memory:
        if (cudaMemGetInfo(&free, &total) != cudaSuccess) return 0;
        return static_cast<std::int64_t>(property == cuf_acc::total_memory ? total : free);
    case cuf_acc::shared_memory: return cuf_acc::host_is_shared();
    default: return 0;
    }
}

void cuf_rt_acc_get_property_string(int number, int type, int property, const desc* text)
{
    std::string value;
    if (cuf_acc::is_gpu(type)) {
        cudaDeviceProp p{};
        int version = 0;
        if (property == cuf_acc::vendor) value = "NVIDIA";
        if (property == cuf_acc::name_of_device && cudaGetDeviceProperties(&p, number < 0 ? cuf::this_device().device : number) == cudaSuccess)
            value = p.name;
        if (property == cuf_acc::driver && cudaDriverGetVersion(&version) == cudaSuccess) value = std::to_string(version);
    }
    cuf::rt::store_text(text, value);
}

void cuf_rt_acc_init(int) { cuf::rt::check(cudaFree(nullptr), "OpenACC: acc_init"); }
void cuf_rt_acc_init_device(int number, int type)
{
    if (!cuf_acc::is_gpu(type)) return;
    const cuf::rt::on_device_of device(number);
    cuf_rt_acc_init(type);
}
void cuf_rt_acc_shutdown(int type)
{
    if (cuf_acc::is_gpu(type)) cuf_acc::shut_down();
}
void cuf_rt_acc_shutdown_device(int number, int type)
{
    const cuf::rt::on_device_of device(number);
    cuf_rt_acc_shutdown(type);
}
/// On the host. (In device code the answer is known when it is compiled.)
int cuf_rt_acc_on_device(int type) { return type == cuf_acc::type_host; }

void cuf_rt_acc_wait_device(const desc* queue, int number)
{
    const cuf::rt::on_device_of device(number);
    cuf_rt_acc_wait(queue);
}
void cuf_rt_acc_wait_all_device(int number)
{
    const cuf::rt::on_device_of device(number);
    cuf_rt_acc_wait_all();
}
int cuf_rt_acc_async_test(const desc* queue) { return cuf_acc::is_done(cuf::rt::integer(queue)); }
int cuf_rt_acc_async_test_all() { return cuf_acc::all_done(); }
int cuf_rt_acc_async_test_device(const desc* queue, int number)
{
    const cuf::rt::on_device_of device(number);
    return cuf_rt_acc_async_test(queue);
}
int cuf_rt_acc_async_test_all_device(int number)
{
    const cuf::rt::on_device_of device(number);
    return cuf_rt_acc_async_test_all();
}

void cuf_rt_acc_set_default_async(const desc* async)
{
    const std::int64_t number = cuf::rt::integer(async);
    const auto queue = number == cuf_acc::async_noval ? std::optional(cuf_acc::async_default) : cuf_acc::queue_of(number);
    cuf_acc::default_queue = queue.value_or(cuf_acc::async_sync);
}
int cuf_rt_acc_get_default_async() { return cuf_acc::default_queue; }

void cuf_rt_acc_set_cuda_stream(const desc* async, const desc* stream)
{
    const auto queue = cuf_acc::queue_of(async);
    const std::int64_t number = cuf::rt::integer(stream);
    if (!queue) cuf::rt::fail("acc_set_cuda_stream: acc_async_sync is not a queue: use cudaforSetDefaultStream for synchronous work");
    std::lock_guard hold(cuf_acc::lock());
    cuf_acc::device_data& d = cuf_acc::here();
    if (const auto old = d.queues.find(*queue); old != d.queues.end()) {
        cuf_acc::wait(old->second.stream);
        if (old->second.own) (void)cudaStreamDestroy(old->second.stream);
    }
    cuf::note_stream(number, true);
    d.queues.insert_or_assign(*queue, cuf_acc::stream_of_queue{cuf::rt::stream_handle(number), false});
}

// ---- data ----

void cuf_rt_accapi_copyin(const desc* a, const desc* bytes)
{
    cuf_acc::enter(cuf_acc::call_of(a, bytes, nullptr, "acc_copyin: data", false), cuf_acc::absent::copied_in);
}
void cuf_rt_accapi_copyin_async(const desc* a, const desc* bytes, const desc* async)
{
    cuf_acc::enter(cuf_acc::call_of(a, bytes, async, "acc_copyin_async: data", true), cuf_acc::absent::copied_in);
}
void cuf_rt_accapi_create(const desc* a, const desc* bytes)
{
    cuf_acc::enter(cuf_acc::call_of(a, bytes, nullptr, "acc_create: data", false), cuf_acc::absent::allocated);
}
void cuf_rt_accapi_create_async(const desc* a, const desc* bytes, const desc* async)
{
    cuf_acc::enter(cuf_acc::call_of(a, bytes, async, "acc_create_async: data", true), cuf_acc::absent::allocated);
}
void cuf_rt_accapi_copyout(const desc* a, const desc* bytes)
{
    cuf_acc::leave(cuf_acc::call_of(a, bytes, nullptr, "acc_copyout: data", false), true, false);
}
void cuf_rt_accapi_copyout_async(const desc* a, const desc* bytes, const desc* async)
{
    cuf_acc::leave(cuf_acc::call_of(a, bytes, async, "acc_copyout_async: data", true), true, false);
}
void cuf_rt_accapi_delete(const desc* a, const desc* bytes)
{
    cuf_acc::leave(cuf_acc::call_of(a, bytes, nullptr, "acc_delete: data", false), false, false);
}
void cuf_rt_accapi_delete_async(const desc* a, const desc* bytes, const desc* async)
{
    cuf_acc::leave(cuf_acc::call_of(a, bytes, async, "acc_delete_async: data", true), false, false);
}
void cuf_rt_accapi_copyout_finalize(const desc* a, const desc* bytes)
{
    cuf_acc::leave(cuf_acc::call_of(a, bytes, nullptr, "acc_copyout_finalize: data", false), true, true);
}
void cuf_rt_accapi_copyout_finalize_async(const desc* a, const desc* bytes, const desc* async)
{
    cuf_acc::leave(cuf_acc::call_of(a, bytes, async, "acc_copyout_finalize_async: data", true), true, true);
}
void cuf_rt_accapi_delete_finalize(const desc* a, const desc* bytes)
{
    cuf_acc::leave(cuf_acc::call_of(a, bytes, nullptr, "acc_delete_finalize: data", false), false, true);
}
void cuf_rt_accapi_delete_finalize_async(const desc* a, const desc* bytes, const desc* async)
{
    cuf_acc::leave(cuf_acc::call_of(a, bytes, async, "acc_delete_finalize_async: data", true), false, true);
}
void cuf_rt_accapi_update_device(const desc* a, const desc* bytes)
{
    cuf_acc::update(cuf_acc::call_of(a, bytes, nullptr, "acc_update_device: data", false), cuf_acc::direction::to_device);
}
void cuf_rt_accapi_update_device_async(const desc* a, const desc* bytes, const desc* async)
{
    cuf_acc::update(cuf_acc::call_of(a, bytes, async, "acc_update_device_async: data", true), cuf_acc::direction::to_device);
}
void cuf_rt_accapi_update_self(const desc* a, const desc* bytes)
{
    cuf_acc::update(cuf_acc::call_of(a, bytes, nullptr, "acc_update_self: data", false), cuf_acc::direction::to_host);
}
void cuf_rt_accapi_update_self_async(const desc* a, const desc* bytes, const desc* async)
{
    cuf_acc::update(cuf_acc::call_of(a, bytes, async, "acc_update_self_async: data", true), cuf_acc::direction::to_host);
}

int cuf_rt_acc_is_present(const desc* a, const desc* bytes) { return cuf_acc::is_present(a, bytes); }

void cuf_rt_accapi_attach(const desc* a) { cuf_acc::attach_everywhere(a, cuf_acc::async_sync); }
void cuf_rt_accapi_attach_async(const desc* a, const desc* async) { cuf_acc::attach_everywhere(a, cuf::rt::integer(async)); }
void cuf_rt_accapi_detach(const desc* a) { cuf_acc::detach_everywhere(a, cuf_acc::async_sync, false); }
void cuf_rt_accapi_detach_async(const desc* a, const desc* async) { cuf_acc::detach_everywhere(a, cuf::rt::integer(async), false); }
void cuf_rt_accapi_detach_finalize(const desc* a) { cuf_acc::detach_everywhere(a, cuf_acc::async_sync, true); }
void cuf_rt_accapi_detach_finalize_async(const desc* a, const desc* async) { cuf_acc::detach_everywhere(a, cuf::rt::integer(async), true); }

// ---- addresses ----

/// Null if the data is absent.
void* cuf_rt_acc_deviceptr(const desc* a)
{
    const cuf_acc::host_bytes r = cuf_acc::range_of(a);
    if (r.empty()) return nullptr;
    std::lock_guard hold(cuf_acc::lock());
    const cuf_acc::lookup l = cuf_acc::find(cuf_acc::here(), r);
    if (l.found == cuf_acc::presence::absent) return cuf_acc::needs_no_copy(r.low) ? r.low : nullptr;
    return l.device(r) + (cuf_acc::is_marked_range(*a) ? 0 : static_cast<char*>(a->base_addr) - r.low);
}
void* cuf_rt_acc_hostptr(const char* device) { return cuf_acc::host_address(device); }

void* cuf_rt_acc_malloc(const desc* bytes)
{
    const std::int64_t n = cuf::rt::integer(bytes);
    void* p = nullptr;
    if (n <= 0 || cuf::rt::allocate(&p, static_cast<std::size_t>(n), cuf::rt::space::device, nullptr, false, nullptr) != cudaSuccess) return nullptr;
    return p;
}
void cuf_rt_acc_free(void* p) { cuf::rt::check(cuf::rt::release(p, false), "acc_free"); }

void cuf_rt_acc_map_data(const desc* a, void* device, const desc* bytes) { cuf_acc::map(a, device, bytes); }
void cuf_rt_acc_unmap_data(const desc* a) { cuf_acc::unmap(a); }

void cuf_rt_acc_memcpy_to_device_async(void* to, const desc* from, const desc* bytes, const desc* async)
{
    cuf_acc::copy(to, cuf_acc::host_of(from), bytes, async);
}
void cuf_rt_acc_memcpy_to_device(void* to, const desc* from, const desc* bytes) { cuf_rt_acc_memcpy_to_device_async(to, from, bytes, nullptr); }
void cuf_rt_acc_memcpy_from_device_async(const desc* to, const void* from, const desc* bytes, const desc* async)
{
    cuf_acc::copy(cuf_acc::host_of(to), from, bytes, async);
}
void cuf_rt_acc_memcpy_from_device(const desc* to, const void* from, const desc* bytes)
{
    cuf_rt_acc_memcpy_from_device_async(to, from, bytes, nullptr);
}
void cuf_rt_acc_memcpy_device_async(void* to, const void* from, const desc* bytes, const desc* async) { cuf_acc::copy(to, from, bytes, async); }
void cuf_rt_acc_memcpy_device(void* to, const void* from, const desc* bytes) { cuf_acc::copy(to, from, bytes, nullptr); }

}  // extern "C"
