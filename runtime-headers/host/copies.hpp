// Entry points of module cuf_runtime: assignment between host and device.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "assign.hpp"

extern "C" {

using namespace cuf::rt;

void cuf_rt_h2d(const desc* to, const desc* from, const desc* to_at, const desc* from_at)
{
    assign(based(*to, to_at), based(*from, from_at), direction::to_device);
}
void cuf_rt_d2h(const desc* to, const desc* from, const desc* to_at, const desc* from_at)
{
    assign(based(*to, to_at), based(*from, from_at), direction::to_host);
}
void cuf_rt_d2d(const desc* to, const desc* from, const desc* to_at, const desc* from_at)
{
    assign(based(*to, to_at), based(*from, from_at), direction::on_device);
}

void cuf_rt_await(const desc* stream)
{
    quiet keep_last_error;
    check(cudaStreamSynchronize(stream_arg(stream)), "a reduction of device data in a stream");
}

std::int64_t cuf_rt_stream(const desc* stream) { return stream_number(stream); }

void cuf_rt_open_device(void)
{
#if defined(CUF_TARGET_CPU)
    cuf::cpu::let_host_in(true);
#else
    fail("this program was compiled with CUF_HOST_LOOPS: its loops run in host code, which cannot touch the memory of a GPU");
#endif
}

void cuf_rt_close_device(void)
{
#if defined(CUF_TARGET_CPU)
    cuf::cpu::let_host_in(false);
#endif
}

}  // extern "C"
