// NCCL on the cpu target: communicators of the one rank that this process is. Collective operations then copy; what is sent is received
// by the same rank.
// SPDX-License-Identifier: MIT OR Apache-2.0
#include "library.hpp"
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

struct ncclComm {
    int device = 0;
};

namespace cuf::cpu::nccl {

enum result { success = 0, unhandled_cuda_error = 1, system_error = 2, internal_error = 3, invalid_argument = 4, invalid_usage = 5, remote_error = 6, in_progress = 7 };

struct unique_id {
    char internal[128];
};

inline std::size_t bytes_of(int datatype)
{
    constexpr std::size_t sizes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};
    return datatype >= 0 && datatype < int(std::size(sizes)) ? sizes[datatype] : 0;
}

class communicator_table {
public:
    ncclComm* add()
    {
        std::lock_guard lock(mutex_);
        auto made = std::make_unique<ncclComm>();
        ncclComm* handle = made.get();
        all_[handle] = std::move(made);
        return handle;
    }
    bool has(const ncclComm* comm)
    {
        std::lock_guard lock(mutex_);
        return all_.count(comm) != 0;
    }
    bool remove(const ncclComm* comm)
    {
        std::lock_guard lock(mutex_);
        return all_.erase(comm) != 0;
    }

private:
    std::mutex mutex_;
    std::map<const ncclComm*, std::unique_ptr<ncclComm>> all_;
};

inline communicator_table& communicators()
{
    static auto* table = new communicator_table;
    return *table;
}

inline result done(cudaError_t code) { return code == cudaSuccess ? success : unhandled_cuda_error; }

/// One end of a message to oneself.
struct message {
    ncclComm* comm;
    void* data;
    std::size_t bytes;
    cudaStream_t stream;
};

/// The group that a thread has begun; what is sent and received in it belongs together.
struct group {
    int depth = 0;
    std::vector<message> sent, received;
};
inline thread_local group current;

inline result create(ncclComm** comm, int ranks, int rank)
{
    if (!comm || ranks < 1 || rank < 0 || rank >= ranks) return invalid_argument;
    if (ranks > 1) {
        std::fputs("cuf2cu: NCCL has one rank on the cpu target; programs of several need GPUs\n", stderr);
        return invalid_usage;
    }
    *comm = communicators().add();
    return success;
}

inline result copy(const void* from, void* to, std::size_t count, int datatype, ncclComm* comm, cudaStream_t stream)
{
    const std::size_t bytes = bytes_of(datatype) * count;
    if (!communicators().has(comm) || bytes_of(datatype) == 0) return invalid_argument;
    if (count == 0) return success;
    if (!from || !to) return invalid_argument;
    return done(submit_work(stream, [=] { std::memmove(to, from, bytes); }));
}

inline result reduce(const void* from, void* to, std::size_t count, int datatype, int op, ncclComm* comm, cudaStream_t stream)
{
    return op < 0 || op > 4 ? invalid_argument : copy(from, to, count, datatype, comm, stream);
}

inline result post(std::vector<message> group::*end, void* data, std::size_t count, int datatype, int peer, ncclComm* comm, cudaStream_t stream)
{
    if (!communicators().has(comm) || bytes_of(datatype) == 0 || peer != 0 || (count && !data)) return invalid_argument;
    // Alone it would wait for its other end for ever.
    if (current.depth == 0) return invalid_usage;
    (current.*end).push_back({comm, data, count * bytes_of(datatype), stream});
    return success;
}

/// Gives every message to the receive operation that stands at its place among those of the communicator.
inline result deliver()
{
    auto sent = std::move(current.sent), received = std::move(current.received);
    current.sent.clear();
    current.received.clear();
    for (const message& from : sent) {
        auto to = received.begin();
        while (to != received.end() && to->comm != from.comm) ++to;
        if (to == received.end() || to->bytes != from.bytes) return invalid_usage;
        const message into = *to;
        received.erase(to);
        const result code = done(submit_work(into.stream, [from, into] { std::memmove(into.data, from.data, into.bytes); }));
        if (code != success) return code;
    }
    return received.empty() ? success : invalid_usage;
}

}  // namespace cuf::cpu::nccl

using cuf::cpu::nccl::communicators;
using cuf::cpu::nccl::unique_id;

#define CUF_API extern "C" int

CUF_API ncclGetVersion(int* version)
{
    if (!version) return cuf::cpu::nccl::invalid_argument;
    *version = 22809;
    return cuf::cpu::nccl::success;
}
CUF_API ncclGetUniqueId(unique_id* id)
{
    static int made = 0;
    if (!id) return cuf::cpu::nccl::invalid_argument;
    *id = {};
    std::snprintf(id->internal, sizeof id->internal, "%d", ++made);
    return cuf::cpu::nccl::success;
}
CUF_API ncclCommInitRank(ncclComm** comm, int nranks, unique_id, int rank) { return cuf::cpu::nccl::create(comm, nranks, rank); }
CUF_API ncclCommInitAll(ncclComm** comm, int ndev, const int* devlist)
{
    if (ndev < 1 || (devlist && devlist[0] != 0)) return cuf::cpu::nccl::invalid_argument;
    return cuf::cpu::nccl::create(comm, ndev, 0);
}
CUF_API ncclCommFinalize(ncclComm* comm) { return communicators().has(comm) ? cuf::cpu::nccl::success : cuf::cpu::nccl::invalid_argument; }
CUF_API ncclCommDestroy(ncclComm* comm) { return communicators().remove(comm) ? cuf::cpu::nccl::success : cuf::cpu::nccl::invalid_argument; }
CUF_API ncclCommAbort(ncclComm* comm) { return ncclCommDestroy(comm); }
CUF_API ncclCommGetAsyncError(ncclComm* comm, int* error)
{
    if (!error || !communicators().has(comm)) return cuf::cpu::nccl::invalid_argument;
    *error = cuf::cpu::nccl::success;
    return cuf::cpu::nccl::success;
}
CUF_API ncclCommCount(const ncclComm* comm, int* count)
{
    if (!count || !communicators().has(comm)) return cuf::cpu::nccl::invalid_argument;
    *count = 1;
    return cuf::cpu::nccl::success;
}
CUF_API ncclCommCuDevice(const ncclComm* comm, int* device)
{
    if (!device || !communicators().has(comm)) return cuf::cpu::nccl::invalid_argument;
    *device = comm->device;
    return cuf::cpu::nccl::success;
}
CUF_API ncclCommUserRank(const ncclComm* comm, int* rank)
{
    if (!rank || !communicators().has(comm)) return cuf::cpu::nccl::invalid_argument;
    *rank = 0;
    return cuf::cpu::nccl::success;
}
extern "C" const char* ncclGetErrorString(int code)
{
    switch (code) {
    case cuf::cpu::nccl::success: return "no error";
    case cuf::cpu::nccl::unhandled_cuda_error: return "unhandled cuda error";
    case cuf::cpu::nccl::system_error: return "unhandled system error";
    case cuf::cpu::nccl::internal_error: return "internal error";
    case cuf::cpu::nccl::invalid_argument: return "invalid argument";
    case cuf::cpu::nccl::invalid_usage: return "invalid usage";
    case cuf::cpu::nccl::remote_error: return "remote process exited or there was a network error";
    case cuf::cpu::nccl::in_progress: return "NCCL operation in progress";
    default: return "unknown result code";
    }
}

CUF_API ncclAllReduce(const void* from, void* to, std::size_t count, int datatype, int op, ncclComm* comm, cudaStream_t stream)
{
    return cuf::cpu::nccl::reduce(from, to, count, datatype, op, comm, stream);
}
CUF_API ncclReduce(const void* from, void* to, std::size_t count, int datatype, int op, int root, ncclComm* comm, cudaStream_t stream)
{
    return root != 0 ? cuf::cpu::nccl::invalid_argument : cuf::cpu::nccl::reduce(from, to, count, datatype, op, comm, stream);
}
CUF_API ncclReduceScatter(const void* from, void* to, std::size_t count, int datatype, int op, ncclComm* comm, cudaStream_t stream)
{
    return cuf::cpu::nccl::reduce(from, to, count, datatype, op, comm, stream);
}
CUF_API ncclBroadcast(const void* from, void* to, std::size_t count, int datatype, int root, ncclComm* comm, cudaStream_t stream)
{
    return root != 0 ? cuf::cpu::nccl::invalid_argument : cuf::cpu::nccl::copy(from, to, count, datatype, comm, stream);
}
CUF_API ncclBcast(void* data, std::size_t count, int datatype, int root, ncclComm* comm, cudaStream_t stream)
{
    return ncclBroadcast(data, data, count, datatype, root, comm, stream);
}
CUF_API ncclAllGather(const void* from, void* to, std::size_t count, int datatype, ncclComm* comm, cudaStream_t stream)
{
    return cuf::cpu::nccl::copy(from, to, count, datatype, comm, stream);
}

CUF_API ncclSend(const void* data, std::size_t count, int datatype, int peer, ncclComm* comm, cudaStream_t stream)
{
    return cuf::cpu::nccl::post(&cuf::cpu::nccl::group::sent, const_cast<void*>(data), count, datatype, peer, comm, stream);
}
CUF_API ncclRecv(void* data, std::size_t count, int datatype, int peer, ncclComm* comm, cudaStream_t stream)
{
    return cuf::cpu::nccl::post(&cuf::cpu::nccl::group::received, data, count, datatype, peer, comm, stream);
}
CUF_API ncclGroupStart()
{
    ++cuf::cpu::nccl::current.depth;
    return cuf::cpu::nccl::success;
}
CUF_API ncclGroupEnd()
{
    if (cuf::cpu::nccl::current.depth == 0) return cuf::cpu::nccl::invalid_usage;
    return --cuf::cpu::nccl::current.depth == 0 ? cuf::cpu::nccl::deliver() : cuf::cpu::nccl::success;
}
