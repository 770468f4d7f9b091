// Entry points of module cudafor: streams and events.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "assign.hpp"

namespace cuf::rt {

inline cudaEvent_t event_of(void* const* e) { return static_cast<cudaEvent_t>(*e); }

}  // namespace cuf::rt

extern "C" {

using cuf::rt::desc;

std::int64_t cufapi_default_stream(const desc* variable)
{
    if (variable == nullptr) return cuf::rt::thread_stream;
    return cuf::rt::tied_stream(cuf::rt::address(*variable));
}

/// (variable, stream) ties a variable; a stream alone, in either place, ties this thread.
int cufapi_set_default_stream(const desc* variable, const desc* stream)
{
    if (variable == nullptr || stream == nullptr) {
        cuf::rt::thread_stream = cuf::rt::stream_number(variable ? variable : stream);
        cuf::note_stream(cuf::rt::thread_stream);
        return cudaSuccess;
    }
    if (cuf::rt::address(*variable) == nullptr) return cudaErrorInvalidValue;
    cuf::note_stream(cuf::rt::stream_number(stream));
    cuf::rt::tie_stream(cuf::rt::address(*variable),
                        cuf::rt::unit(*variable) * static_cast<std::size_t>(cuf::rt::element_count(*variable)),
                        cuf::rt::stream_number(stream));
    return cudaSuccess;
}

int cufapi_stream_attach(const desc* stream, const desc* p, const desc* length,
                         const desc* flags)
{
    if (cuf::rt::integer(length) != 0) return cudaErrorInvalidValue;
    return cudaStreamAttachMemAsync(cuf::rt::stream_arg(stream), cuf::rt::address(*p), 0,
                                    static_cast<unsigned>(cuf::rt::integer(flags, cudaMemAttachSingle)));
}

static cudaError_t created(cudaError_t code, cudaStream_t s, const desc* stream)
{
    if (code != cudaSuccess) return code;
    cuf::rt::store_stream(stream, cuf::rt::number_of(s));
    cuf::note_stream(cuf::rt::number_of(s), true);
    return code;
}

int cufapi_stream_create_flags(const desc* stream, int flags)
{
    cudaStream_t s = nullptr;
    cudaError_t code = cudaStreamCreateWithFlags(&s, static_cast<unsigned>(flags));
    return created(code, s, stream);
}
int cufapi_stream_create(const desc* stream) { return cufapi_stream_create_flags(stream, cudaStreamDefault); }
int cufapi_stream_create_priority(const desc* stream, int flags, int priority)
{
    cudaStream_t s = nullptr;
    cudaError_t code = cudaStreamCreateWithPriority(&s, static_cast<unsigned>(flags), priority);
    return created(code, s, stream);
}

int cufapi_stream_destroy(const desc* stream)
{
    const std::int64_t handle = cuf::rt::stream_number(stream);
    if (handle != 0) cuf::rt::untie_stream(handle);
    const cudaError_t code = cudaStreamDestroy(cuf::rt::stream_handle(handle));
    if (code == cudaSuccess) cuf::rt::forget_stream(handle);
    return code;
}
int cufapi_stream_priority(const desc* stream, int* priority)
{
    return cudaStreamGetPriority(cuf::rt::stream_arg(stream), priority);
}
int cufapi_stream_query(const desc* stream) { return cudaStreamQuery(cuf::rt::stream_arg(stream)); }
int cufapi_stream_synchronize(const desc* stream)
{
    const cudaError_t code = cudaStreamSynchronize(cuf::rt::stream_arg(stream));
    if (cuf::watching) cuf::watching({cuf::work::synchronised, nullptr}, nullptr);
    return code;
}
int cufapi_stream_wait(const desc* stream, void* const* event, const desc* flags)
{
    return cudaStreamWaitEvent(cuf::rt::stream_arg(stream), cuf::rt::event_of(event),
                               static_cast<unsigned>(cuf::rt::integer(flags)));
}

// ---- events ----

int cufapi_event_create_flags(void** event, int flags)
{
    cudaEvent_t e = nullptr;
    cudaError_t code = cudaEventCreateWithFlags(&e, static_cast<unsigned>(flags));
    if (code == cudaSuccess) *event = e;
    return code;
}
int cufapi_event_create(void** event) { return cufapi_event_create_flags(event, cudaEventDefault); }
int cufapi_event_destroy(void* const* event) { return cudaEventDestroy(cuf::rt::event_of(event)); }
int cufapi_event_elapsed(float* time, void* const* start, void* const* end)
{
    return cudaEventElapsedTime(time, cuf::rt::event_of(start), cuf::rt::event_of(end));
}
int cufapi_event_query(void* const* event) { return cudaEventQuery(cuf::rt::event_of(event)); }
int cufapi_event_record(void* const* event, const desc* stream)
{
    return cudaEventRecord(cuf::rt::event_of(event), cuf::rt::stream_arg(stream));
}
int cufapi_event_synchronize(void* const* event) { return cudaEventSynchronize(cuf::rt::event_of(event)); }

}  // extern "C"
