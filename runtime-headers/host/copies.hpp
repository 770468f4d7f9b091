// Entry points of module cuf_runtime: assignment between host and device.
#pragma once
#include "assign.hpp"

extern "C" {

using namespace cuf::rt;

void cuf_rt_h2d(const desc* to, const desc* from) { assign(*to, *from, direction::to_device); }
void cuf_rt_d2h(const desc* to, const desc* from) { assign(*to, *from, direction::to_host); }
void cuf_rt_d2d(const desc* to, const desc* from) { assign(*to, *from, direction::on_device); }

void cuf_rt_await(const desc* stream)
{
    quiet keep_last_error;
    check(cudaStreamSynchronize(stream_arg(stream)), "a reduction of device data in a stream");
}

}  // extern "C"
