// Arrays that own their elements: automatic arrays and temporaries of device code whose size is known at run time only.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0

#include "array.hpp"
#include "heap.hpp"

#include <utility>

namespace cuf {

namespace detail {

template <class T, int R, int... K>
CUF_FN array<T, R> dense_of(const descriptor& d, std::integer_sequence<int, K...>)
{
    return array<T, R>(static_cast<T*>(d.base), range{d.lower[K], d.lower[K] + d.extent[K] - 1}...);
}

/// STAT= of an object that is (not) allocated when it must not (must) be: gfortran's value; and of a lack of memory.
inline constexpr int wrong_state = 5014;
inline constexpr int no_memory = 5020;

/// An ALLOCATE or DEALLOCATE statement without STAT= failed, which stands at `place`.
CUF_FN inline void require(const char* place, int status)
{
    if (status == 0) return;
    heap::stop_at(place, status == no_memory ? CUF_HEAP_IS_FULL
                                       : "the object is allocated already, or not allocated");
}

}  // namespace detail

/// The array that a descriptor of contiguous data describes.
template <class T, int R>
CUF_FN array<T, R> dense(const descriptor& d)
{
    return detail::dense_of<T, R>(d, std::make_integer_sequence<int, R>());
}

/// Contiguous array with storage of its own, freed at the end of its scope: from the (device) heap, or in the object where it is small
/// and not allocatable. Each bound is an extent or a `range`; `place` is the statement's in the Fortran source.
template <class T, int R>
class local_array {
public:
    static constexpr int rank = R;
    using element = T;

    /// Not allocated.
    CUF_FN local_array() : a_(dense<T, R>(descriptor{})), owner_(false) {}
    /// An automatic array or a temporary.
    template <class... B>
        requires(sizeof...(B) == R)
    CUF_FN explicit local_array(const char* place, B... bounds) : local_array()
    {
        const int64_t n = array<T, R>(nullptr, bounds...).size();
        T* elements = near_.data();
        if (n > near_.most) {
            elements = heap::need<T>(place, n);
        } else if constexpr (!std::is_trivially_default_constructible_v<T>) {
            for (int64_t k = 0; k < n; ++k) ::new (static_cast<void*>(elements + k)) T;
        }
        a_ = array<T, R>(elements, bounds...);
        owner_ = true;
    }
    /// ALLOCATE with STAT=: 0 if it was done.
    template <class... B>
        requires(sizeof...(B) == R)
    CUF_FN int try_allocate(B... bounds)
    {
        if (owner_) return detail::wrong_state;
        T* p = heap::create<T>(array<T, R>(nullptr, bounds...).size());
        if (p == nullptr) return detail::no_memory;
        a_ = array<T, R>(p, bounds...);
        owner_ = true;
        return 0;
    }
    template <class... B>
        requires(sizeof...(B) == R)
    CUF_FN void allocate(const char* place, B... bounds)
    {
        detail::require(place, try_allocate(bounds...));
    }
    /// DEALLOCATE with STAT=.
    CUF_FN int try_deallocate()
    {
        if (!owner_) return detail::wrong_state;
        release();
        return 0;
    }
    CUF_FN void deallocate(const char* place) { detail::require(place, try_deallocate()); }
    /// Frees the elements, if there are any.
    CUF_FN void release()
    {
        free_elements();
        owner_ = false;
        a_ = dense<T, R>(descriptor{});
    }
    /// Makes room for a value of this shape; what has the shape already keeps its elements and bounds.
    template <class... B>
        requires(sizeof...(B) == R)
    CUF_FN void reshape_to(const char* place, B... bounds)
    {
        const array<T, R> wanted(nullptr, bounds...);
        bool same = owner_;
        for (int d = 1; d <= R; ++d) same = same && a_.size(d) == wanted.size(d);
        if (same) return;
        release();
        allocate(place, bounds...);
    }
    /// MOVE_ALLOC: takes the elements over.
    CUF_FN void take(local_array& from)
    {
        if (&from == this) return;
        release();
        take_elements(from);
    }
    CUF_FN local_array(local_array&& from) : a_(from.a_), owner_(false) { take_elements(from); }
    local_array(const local_array&) = delete;
    local_array& operator=(const local_array&) = delete;
    CUF_FN ~local_array() { free_elements(); }

    template <class... S>
        requires(sizeof...(S) == R)
    CUF_FN T& operator()(S... s) const
    {
        return a_(s...);
    }
    CUF_FN T* data() const { return a_.data(); }
    CUF_FN int64_t lbound(int d) const { return a_.lbound(d); }
    CUF_FN int64_t ubound(int d) const { return a_.ubound(d); }
    CUF_FN int64_t upper(int d) const { return a_.upper(d); }
    CUF_FN int64_t size(int d) const { return a_.size(d); }
    CUF_FN int64_t size() const { return a_.size(); }
    CUF_FN int64_t lower(int d) const { return a_.lower(d); }
    CUF_FN static constexpr bool contiguous() { return true; }
    CUF_FN operator view<T, R>() const { return view<T, R>(a_); }
    CUF_FN operator view<const T, R>() const { return view<const T, R>(a_); }

private:
    CUF_FN bool is_near() { return a_.data() == near_.data(); }
    CUF_FN void free_elements()
    {
        if (owner_ && !is_near()) heap::destroy(a_.data());
    }
    CUF_FN void take_elements(local_array& from)
    {
        a_ = from.a_;
        owner_ = from.owner_;
        if (owner_ && from.is_near()) {
            const int64_t n = a_.size();
            for (int64_t k = 0; k < n; ++k) ::new (static_cast<void*>(near_.data() + k)) T(a_.data()[k]);
            a_.point_to(near_.data());
        }
        from.owner_ = false;
        from.a_ = dense<T, R>(descriptor{});
    }

    array<T, R> a_;
    bool owner_;
    heap::near_elements<T> near_;
};

template <class T, int R>
view(const local_array<T, R>&) -> view<T, R>;

/// An array on the heap that the threads of a block share: all of them declare it, and leave its scope, together.
template <class T, int R>
class block_array {
public:
    static constexpr int rank = R;
    using element = T;

    template <class... B>
        requires(sizeof...(B) == R)
    __device__ explicit block_array(const char* place, B... bounds) : a_(nullptr, bounds...)
    {
        a_.point_to(elements_for(place, a_.size()));
    }
    block_array(const block_array&) = delete;
    block_array& operator=(const block_array&) = delete;
    __device__ ~block_array() { release(a_.data()); }

    template <class... S>
        requires(sizeof...(S) == R)
    CUF_FN T& operator()(S... s) const
    {
        return a_(s...);
    }
    CUF_FN T* data() const { return a_.data(); }
    CUF_FN int64_t lbound(int d) const { return a_.lbound(d); }
    CUF_FN int64_t ubound(int d) const { return a_.ubound(d); }
    CUF_FN int64_t upper(int d) const { return a_.upper(d); }
    CUF_FN int64_t size(int d) const { return a_.size(d); }
    CUF_FN int64_t size() const { return a_.size(); }
    CUF_FN int64_t lower(int d) const { return a_.lower(d); }
    CUF_FN static constexpr bool contiguous() { return true; }
    CUF_FN operator view<T, R>() const { return view<T, R>(a_); }
    CUF_FN operator view<const T, R>() const { return view<const T, R>(a_); }

private:
    static __device__ T* elements_for(const char* place, int64_t n)
    {
        __shared__ T* elements;
        if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0) elements = heap::need<T>(place, n);
        __syncthreads();
        T* const found = elements;
        __syncthreads();
        return found;
    }
    static __device__ void release(T* elements)
    {
        __syncthreads();
        if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0) heap::destroy(elements);
    }

    array<T, R> a_;
};

template <class T, int R>
view(const block_array<T, R>&) -> view<T, R>;

/// Allocatable scalar.
template <class T>
class local_scalar {
public:
    /// Not allocated.
    local_scalar() = default;
    CUF_FN local_scalar(local_scalar&& from) : p_(from.p_) { from.p_ = nullptr; }
    local_scalar(const local_scalar&) = delete;
    CUF_FN ~local_scalar() { heap::destroy(p_); }

    CUF_FN int try_allocate()
    {
        if (p_ != nullptr) return detail::wrong_state;
        p_ = heap::create<T>(1);
        return p_ == nullptr ? detail::no_memory : 0;
    }
    CUF_FN void allocate(const char* place) { detail::require(place, try_allocate()); }
    CUF_FN int try_deallocate()
    {
        if (p_ == nullptr) return detail::wrong_state;
        release();
        return 0;
    }
    CUF_FN void deallocate(const char* place) { detail::require(place, try_deallocate()); }
    CUF_FN void release()
    {
        heap::destroy(p_);
        p_ = nullptr;
    }
    CUF_FN void take(local_scalar& from)
    {
        if (&from == this) return;
        release();
        p_ = from.p_;
        from.p_ = nullptr;
    }
    /// Assignment allocates what is not allocated.
    CUF_FN local_scalar& operator=(const T& value)
    {
        if (p_ == nullptr) allocate("assignment to an allocatable scalar");
        *p_ = value;
        return *this;
    }
    CUF_FN T* data() const { return p_; }

private:
    T* p_ = nullptr;
};

/// ALLOCATE and DEALLOCATE of pointers; the status for STAT=.
template <class T, int R, class I, class... B>
CUF_FN int try_allocate(view<T, R, I>& p, B... bounds)
{
    T* data = heap::create<T>(array<T, R>(nullptr, bounds...).size());
    if (data == nullptr) return detail::no_memory;
    p = array<T, R>(data, bounds...);
    return 0;
}
template <class T>
CUF_FN int try_allocate(T*& p)
{
    p = heap::create<T>(1);
    return p == nullptr ? detail::no_memory : 0;
}
template <class P, class... B>
CUF_FN void allocate(const char* place, P& p, B... bounds)
{
    detail::require(place, try_allocate(p, bounds...));
}
template <class T, int R, class I>
CUF_FN int try_deallocate(view<T, R, I>& p)
{
    if (p.data() == nullptr) return detail::wrong_state;
    heap::destroy(p.data());
    p = nullptr;
    return 0;
}
template <class T>
CUF_FN int try_deallocate(T*& p)
{
    if (p == nullptr) return detail::wrong_state;
    heap::destroy(p);
    p = nullptr;
    return 0;
}
template <class P>
CUF_FN void deallocate(const char* place, P& p)
{
    detail::require(place, try_deallocate(p));
}

namespace detail {

/// The address by which two names of data are compared: with --check host code of the cpu target has device variables under another one.
CUF_INLINE const void* place_of(const void* p)
{
#if defined(CUF_CHECK) && defined(CUF_TARGET_CPU)
    return p ? check::host_alias(const_cast<void*>(p)) : p;
#else
    return p;
#endif
}

/// Two views, which may differ in the type of their indices and in const.
template <class V, class W>
CUF_FN bool same_place(const V& a, const W& b)
{
    static_assert(V::rank == W::rank);
    bool same = place_of(a.data()) == place_of(b.data()) && a.data() != nullptr && a.size() > 0;
    for (int d = 1; d <= V::rank; ++d) same = same && a.size(d) == b.size(d) && (a.size(d) == 1 || a.stride(d) == b.stride(d));
    return same;
}

}  // namespace detail

/// ASSOCIATED(p, t): the same elements, of which there are some.
template <class P, class X>
CUF_FN bool associated(const P& p, const X& x)
{
    if constexpr (std::is_pointer_v<P>) {
        return p != nullptr && detail::place_of(p) == detail::place_of(x);
    } else {
        return detail::same_place(view(p), view(x));
    }
}

/// The components `first` and its like of the structures in a section, `first` being that of the first one.
template <class S, int R, class I, class T>
CUF_FN view<T, R> parts(const view<S, R, I>& structures, T& first)
{
    static_assert(sizeof(S) % sizeof(T) == 0);
    int64_t lower[R], extent[R], stride[R];
    for (int d = 1; d <= R; ++d) {
        lower[d - 1] = 1;
        extent[d - 1] = structures.size(d);
        stride[d - 1] = structures.stride(d) * int64_t(sizeof(S) / sizeof(T));
    }
    return view<T, R>(&first, lower, extent, stride);
}

/// `p(lo:hi, ...) => x`: the elements of x in array element order under other bounds. x is of rank 1 or contiguous.
template <class X, class... B>
CUF_FN auto remapped(X&& x, B... bounds)
{
    constexpr int R = sizeof...(B);
    const auto v = view(x);
    using T = std::remove_pointer_t<decltype(v.data())>;
    const array<T, R> shape(v.data(), bounds...);
    int64_t lower[R], extent[R], stride[R];
    int64_t step = std::remove_cvref_t<X>::rank == 1 ? v.stride(1) : 1;
    for (int d = 1; d <= R; ++d) {
        lower[d - 1] = shape.lower(d);
        extent[d - 1] = shape.size(d);
        stride[d - 1] = step;
        step *= extent[d - 1];
    }
    return view<T, R>(v.data(), lower, extent, stride);
}

/// The elements of a section side by side: the section itself where they are, else a copy that is written back at the end of the
/// full expression.
template <class T, int R>
class packed {
public:
    CUF_FN explicit packed(const char* place, const view<T, R>& v) : v_(v), own_(nullptr)
    {
        if (v.contiguous()) return;
        own_ = v.size() > near_.most ? heap::need<value>(place, v.size()) : near_.data();
        if (own_) copy([](value& mine, T& theirs) { mine = theirs; });
    }
    packed(const packed&) = delete;
    packed& operator=(const packed&) = delete;
    CUF_FN ~packed()
    {
        if (!own_) return;
        if constexpr (!std::is_const_v<T>) copy([](value& mine, T& theirs) { theirs = mine; });
        if (own_ != near_.data()) heap::destroy(own_);
    }
    CUF_FN T* data() const { return own_ ? own_ : v_.data(); }

private:
    using value = std::remove_const_t<T>;

    template <class F>
    CUF_FN void copy(F f)
    {
        const int64_t n = v_.size();
        for (int64_t k = 0; k < n; ++k) {
            int64_t rest = k, offset = 0;
            for (int d = 1; d <= R; ++d) {
                offset += rest % v_.size(d) * v_.stride(d);
                rest /= v_.size(d);
            }
            f(own_[k], v_.data()[offset]);
        }
    }

    view<T, R> v_;
    value* own_;
    heap::near_elements<value> near_;
};

template <class T, int R, class I>
packed(const char*, const view<T, R, I>&) -> packed<T, R>;

/// The elements of a section that lie side by side. Stops where they do not: other threads write them while the procedure runs,
/// which a copy would not show.
template <class T, int R>
class in_place {
public:
    CUF_FN explicit in_place(const char* place, const view<T, R>& v) : data_(v.data())
    {
        if (!v.contiguous())
            heap::stop_at(place, "a section whose elements do not lie side by side is passed to a procedure that synchronises threads");
    }
    CUF_FN T* data() const { return data_; }

private:
    T* data_;
};

template <class T, int R, class I>
in_place(const char*, const view<T, R, I>&) -> in_place<T, R>;

/// The element `first` of `whole`, with which an array of the called procedure begins: a column that lies in one piece may do so.
template <class V, class T>
CUF_FN T* sequence(const char* place, const V& whole, T* first)
{
    if (whole.size(1) > 1 && whole.stride(1) != 1)
        heap::stop_at(place, "an array whose elements do not lie side by side is passed by an element to a procedure's array");
    return first;
}

/// Copies of the components `first` and its like of the structures in a section, written back at the end of the full expression.
template <class S, int R, class T>
class gathered {
    using value = std::remove_const_t<T>;
    using byte = std::conditional_t<std::is_const_v<T>, const char, char>;

public:
    template <class I>
    CUF_FN gathered(const char* place, const view<S, R, I>& structures, T& first)
        : n_(structures.size()), place_(reinterpret_cast<byte*>(&first)),
          own_(n_ > near_.most ? heap::need<value>(place, n_) : near_.data())
    {
        for (int d = 1; d <= R; ++d) {
            extent_[d - 1] = structures.size(d);
            stride_[d - 1] = structures.stride(d) * int64_t(sizeof(S));
        }
        for (int64_t k = 0; k < n_; ++k) own_[k] = part(k);
    }
    gathered(const gathered&) = delete;
    gathered& operator=(const gathered&) = delete;
    CUF_FN ~gathered()
    {
        if constexpr (!std::is_const_v<T>)
            for (int64_t k = 0; k < n_; ++k) part(k) = own_[k];
        if (own_ != near_.data()) heap::destroy(own_);
    }
    CUF_FN value* data() const { return own_; }
    CUF_FN view<value, R> whole() const
    {
        int64_t lower[R], stride[R], step = 1;
        for (int d = 0; d < R; ++d) {
            lower[d] = 1;
            stride[d] = step;
            step *= extent_[d];
        }
        return view<value, R>(own_, lower, extent_, stride);
    }

private:
    /// The k-th component in array element order, from 0.
    CUF_FN T& part(int64_t k) const
    {
        int64_t offset = 0;
        for (int d = 0; d < R; ++d) {
            offset += k % extent_[d] * stride_[d];
            k /= extent_[d];
        }
        return *reinterpret_cast<T*>(place_ + offset);
    }

    int64_t n_, extent_[R], stride_[R];
    byte* place_;
    heap::near_elements<value> near_;
    value* own_;
};

template <class S, int R, class I, class T>
gathered(const char*, const view<S, R, I>&, T&) -> gathered<S, R, T>;

}  // namespace cuf
