// What the emulations of the libraries share: work of a handle goes to its stream. The names of CUDA's runtime API are those of api.hpp.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "../api.hpp"
#include <functional>

namespace cuf::cpu {

/// Does the work, with device memory open to it, in the order of the stream; if the stream is being captured, adds it to the graph
/// instead. The work keeps its own copies of what it needs.
///
/// Errors: cudaErrorInvalidResourceHandle if there is no such stream.
cudaError_t submit_work(cudaStream_t stream, const std::function<void()>& work);

}  // namespace cuf::cpu
