// Launches of CUDA C++ of the user's own on the cpu target. The translation (src/emulation) writes `k<<<grid, block>>>(x)` as
// `(::cuf::own::configured(grid, block), k(x))`, and the body of a kernel as a closure over its parameters: the call of the kernel
// converts the arguments as the language says, and hands the closure over to be run by the threads of the grid.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "../target.hpp"
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <utility>

namespace cuf::own {

/// The configuration between `<<<` and `>>>`.
inline launch_config configuration(dim3 grid, dim3 block, std::size_t bytes = 0, cudaStream_t stream = nullptr)
{
    // An extent out of range becomes 0, which a launch reports as an invalid configuration.
    const auto extent = [](unsigned n) { return n > 0x7fffffffu ? 0 : std::int32_t(n); };
    return {{extent(grid.x), extent(grid.y), extent(grid.z)},
            {extent(block.x), extent(block.y), extent(block.z)},
            bytes > 0x7fffffff ? -1 : std::int64_t(bytes),
            reinterpret_cast<std::int64_t>(stream),
            0};
}

/// A configuration that waits for the call of its kernel, to the end of the expression.
class configured {
public:
    explicit configured(dim3 grid, dim3 block, std::size_t bytes = 0, cudaStream_t stream = nullptr)
        : at_(configuration(grid, block, bytes, stream)), block_(cpu::self.block), outer_(waiting)
    {
        waiting = this;
    }
    ~configured()
    {
        if (!waits_) return;
        waiting = outer_;
        if (std::uncaught_exceptions() > 0) return;
        std::fputs("cuf2cu: error: a launch in CUDA C++ has called a function whose `__global__` cuf2cu has not seen\n", stderr);
        std::exit(1);
    }
    configured(const configured&) = delete;
    configured& operator=(const configured&) = delete;

    /// The configuration that waits for the kernel called now: null in a thread of a grid.
    static const configured* of_call()
    {
        return waiting && waiting->block_ == cpu::self.block ? waiting : nullptr;
    }
    /// Takes the innermost configuration.
    static launch_config take()
    {
        configured* const c = waiting;
        waiting = c->outer_;
        c->waits_ = false;
        return c->at_;
    }

private:
    launch_config at_;
    void* block_;  // the launching block, null for host code: threads of a grid run in another
    configured* outer_;
    bool waits_ = true;

    inline static thread_local constinit configured* waiting = nullptr;
};

/// Each thread has a copy of the closure, and so of the kernel's parameters.
template <class F>
void run_body(F body)
{
    body();
}

/// The body of a kernel: launched if a configuration waits for it, else run by the calling thread of a grid.
template <class F>
inline void kernel_body(F body)
{
    if (configured::of_call()) [[unlikely]]
        launch(configured::take(), &run_body<F>, std::move(body));
    else
        body();
}

/// Of a kernel that is declared here and defined elsewhere, in Fortran perhaps: `launcher(grid, block)(k)(x)`.
struct launcher {
    explicit launcher(dim3 grid, dim3 block, std::size_t bytes = 0, cudaStream_t stream = nullptr)
        : at(configuration(grid, block, bytes, stream))
    {
    }
    template <class... P>
    auto operator()(void (*kernel)(P...)) const
    {
        return call<P...>{at, kernel};
    }

    template <class... P>
    struct call {
        launch_config at;
        void (*kernel)(P...);
        void operator()(P... p) const { launch(at, kernel, static_cast<P>(p)...); }
    };
    launch_config at;
};

/// `extern __shared__ T name[];` outside of functions: the dynamic shared block of whoever asks.
template <class T>
struct dynamic_array {
    operator T*() const { return dynamic_shared<T>(); }
    template <class U>
    explicit operator U*() const
    {
        return dynamic_shared<U>();
    }
};

/// Launches by function and addresses of the arguments.
template <class... P, std::size_t... I>
void launch_values(cpu::launch_shape shape, const launch_config& at, void (*kernel)(P...), void** values, std::index_sequence<I...>)
{
    cpu::launch_as(shape, {}, at, kernel, *static_cast<std::remove_reference_t<P>*>(values[I])...);
}

}  // namespace cuf::own

template <class... P>
cudaError_t cudaLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void** values, std::size_t bytes = 0, cudaStream_t stream = nullptr)
{
    cuf::own::launch_values(cuf::cpu::shape_plain, cuf::own::configuration(grid, block, bytes, stream), kernel, values,
                            std::index_sequence_for<P...>());
    return cuf::last_launch_result();
}
template <class... P>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(P...), dim3 grid, dim3 block, void** values, std::size_t bytes = 0,
                                        cudaStream_t stream = nullptr)
{
    cuf::own::launch_values(cuf::cpu::shape_cooperative, cuf::own::configuration(grid, block, bytes, stream), kernel, values,
                            std::index_sequence_for<P...>());
    return cuf::last_launch_result();
}
