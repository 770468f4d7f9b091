// Arrays that own their elements: automatic arrays and temporaries of device code whose size is known at run time only.
#pragma once

#include "array.hpp"

#include <utility>

namespace cuf {

namespace detail {

template <class T, int R, int... K>
CUF_FN array<T, R> dense_of(const descriptor& d, std::integer_sequence<int, K...>)
{
    return array<T, R>(static_cast<T*>(d.base), range{d.lower[K], d.lower[K] + d.extent[K] - 1}...);
}

}  // namespace detail

/// The array that a descriptor of contiguous data describes.
template <class T, int R>
CUF_FN array<T, R> dense(const descriptor& d)
{
    return detail::dense_of<T, R>(d, std::make_integer_sequence<int, R>());
}

/// Contiguous array with storage of its own from the (device) heap, freed at the end of its scope. Each bound is an extent or a `range`.
template <class T, int R>
class local_array {
public:
    static constexpr int rank = R;
    using element = T;

    /// Not allocated.
    CUF_FN local_array() : a_(dense<T, R>(descriptor{})), owner_(false) {}
    template <class... B>
        requires(sizeof...(B) == R)
    CUF_FN local_array(B... bounds) : local_array()
    {
        allocate(bounds...);
    }
    template <class... B>
        requires(sizeof...(B) == R)
    CUF_FN void allocate(B... bounds)
    {
        deallocate();
        const int64_t n = array<T, R>(nullptr, bounds...).size();
        a_ = array<T, R>(new T[n > 0 ? n : 1], bounds...);
        owner_ = true;
    }
    CUF_FN void deallocate()
    {
        if (owner_) delete[] a_.data();
        owner_ = false;
        a_ = dense<T, R>(descriptor{});
    }
    CUF_FN local_array(local_array&& from) : a_(from.a_), owner_(std::exchange(from.owner_, false)) {}
    local_array(const local_array&) = delete;
    local_array& operator=(const local_array&) = delete;
    CUF_FN ~local_array()
    {
        if (owner_) delete[] a_.data();
    }

    template <class... S>
        requires(sizeof...(S) == R)
    CUF_FN T& operator()(S... s) const
    {
        return a_(s...);
    }
    CUF_FN T* data() const { return a_.data(); }
    CUF_FN int64_t lbound(int d) const { return a_.lbound(d); }
    CUF_FN int64_t ubound(int d) const { return a_.ubound(d); }
    CUF_FN int64_t size(int d) const { return a_.size(d); }
    CUF_FN int64_t size() const { return a_.size(); }
    CUF_FN int64_t origin(int d) const { return a_.origin(d); }
    CUF_FN static constexpr bool contiguous() { return true; }
    CUF_FN operator view<T, R>() const { return view<T, R>(a_); }
    CUF_FN operator view<const T, R>() const { return view<const T, R>(a_); }

private:
    array<T, R> a_;
    bool owner_;
};

template <class T, int R>
view(const local_array<T, R>&) -> view<T, R>;

/// The elements of a section side by side: the section itself where they are, else a copy that is written back at the end of the
/// full expression.
template <class T, int R>
class packed {
public:
    CUF_FN explicit packed(const view<T, R>& v) : v_(v), own_(v.contiguous() ? nullptr : new value[v.size()])
    {
        if (own_) copy([](value& mine, T& theirs) { mine = theirs; });
    }
    packed(const packed&) = delete;
    packed& operator=(const packed&) = delete;
    CUF_FN ~packed()
    {
        if (!own_) return;
        if constexpr (!std::is_const_v<T>) copy([](value& mine, T& theirs) { theirs = mine; });
        delete[] own_;
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
};

}  // namespace cuf
