// Entry points of module cudafor: graphs.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "assign.hpp"

extern "C" {

using cuf::rt::desc;

int cufapi_graph_create(void** graph, const desc* flags)
{
    return cudaGraphCreate(reinterpret_cast<cudaGraph_t*>(graph), static_cast<unsigned>(cuf::rt::integer(flags)));
}
int cufapi_graph_destroy(void* const* graph) { return cudaGraphDestroy(static_cast<cudaGraph_t>(*graph)); }
int cufapi_graph_exec_destroy(void* const* exec) { return cudaGraphExecDestroy(static_cast<cudaGraphExec_t>(*exec)); }
int cufapi_graph_instantiate(void** exec, void* const* graph, const desc* flags)
{
    return cudaGraphInstantiate(reinterpret_cast<cudaGraphExec_t*>(exec), static_cast<cudaGraph_t>(*graph),
                                static_cast<unsigned long long>(cuf::rt::integer(flags)));
}
int cufapi_graph_launch(void* const* exec, const desc* stream)
{
    const cuf::watched seen{{cuf::work::graph, *exec, 0, cuf::rt::stream_number(stream)}};
    return cudaGraphLaunch(static_cast<cudaGraphExec_t>(*exec), cuf::rt::stream_arg(stream));
}
int cufapi_begin_capture(const desc* stream, int mode)
{
    cuf::note_stream(reinterpret_cast<std::int64_t>(cuf::rt::stream_arg(stream)));
    cuf::prepare_capture();
    cudaError_t code = cudaStreamBeginCapture(cuf::rt::stream_arg(stream), static_cast<cudaStreamCaptureMode>(mode));
    if (code == cudaSuccess) cuf::rt::captured_stream = cuf::rt::stream_arg(stream);
    return code;
}
int cufapi_end_capture(const desc* stream, void** graph)
{
    if (cuf::rt::captured_stream == cuf::rt::stream_arg(stream)) cuf::rt::captured_stream = nullptr;
    return cudaStreamEndCapture(cuf::rt::stream_arg(stream), reinterpret_cast<cudaGraph_t*>(graph));
}
int cufapi_is_capturing(const desc* stream, int* status)
{
    cudaStreamCaptureStatus s{};
    cudaError_t code = cudaStreamIsCapturing(cuf::rt::stream_arg(stream), &s);
    if (code == cudaSuccess) *status = s;
    return code;
}

}  // extern "C"
