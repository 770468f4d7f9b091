// Fortran arrays in device code: column-major, any lower bounds, access x(i, j).
//
// `array` wraps the raw pointer of an explicit-shape or assumed-size dummy; the compiler sees through it, so bounds that
// are constants fold. `fixed_array` holds its elements. `view` is the general strided case (assumed shape, sections).
// The index type I may be narrowed to int32_t where every array has fewer than 2^31 elements.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0

#include "bounds.hpp"
#include <type_traits>
#include <utility>

#include <cstddef>

// Arrays know their names where subscripts are checked, on the cuda target also where references stand.
#if defined(CUF_CHECK_BOUNDS)
#define CUF_NAMED_ARRAY                                                                \
    CUF_INLINE constexpr void name(const char* name) { name_ = name; }                 \
    CUF_INLINE constexpr detail::subscripted subscripted() const { return {name_, p_}; } \
    const char* name_ = nullptr;
#define CUF_NAMED_AS(other) name_ = other.name_;
#else
#define CUF_NAMED_ARRAY \
    CUF_INLINE static constexpr detail::subscripted subscripted() { return {nullptr, nullptr}; }
#define CUF_NAMED_AS(other)
#endif

// The operator that gives an element. On the cuda target, where subscripts are checked, the first one brings the place of the reference.
#if defined(CUF_CHECK_BOUNDS) && !defined(CUF_TARGET_CPU)
#define CUF_ELEMENT_OPERATOR(result, dimensions, constness, ...)                                                        \
    template <class... S>                                                                                      \
        requires(sizeof...(S) + 1 == dimensions)                                                               \
    CUF_INLINE constexpr result operator()(check::located first, S... rest) constness                          \
    {                                                                                                          \
        check::subscripts(*this, subscripted().name, first, detail::subscript(rest)...);                       \
        const auto element = [&](auto... s) -> result { return __VA_ARGS__; };               \
        return element(first.value, rest...);                                                                  \
    }
#else
#define CUF_ELEMENT_OPERATOR(result, dimensions, constness, ...)           \
    template <class... S>                                         \
        requires(sizeof...(S) == dimensions)                      \
    CUF_INLINE constexpr result operator()(S... s) constness      \
    {                                                             \
        return __VA_ARGS__;                                       \
    }
#endif

namespace cuf {

template <class T, int R, class I = int64_t>
class view;

/// Contiguous array over memory that it does not own. Each bound is an extent, a `range`, or (last) `assumed`.
template <class T, int R, class I = int64_t>
class array {
public:
    static constexpr int rank = R;
    using element = T;

    template <class... B>
        requires(sizeof...(B) == R && !(std::is_same_v<B, shape<R, I>> || ...))
    CUF_INLINE constexpr array(T* p, B... bounds) : p_(p)
    {
        int k = 0;
        ((set(k++, detail::make_dimension<I>(bounds))), ...);
    }
    CUF_INLINE constexpr array(T* p, const shape<R, I>& s) : array(p, ranks{}, s) {}

    CUF_ELEMENT_OPERATOR(T&, R, const, p_[offset<0>(detail::subscript(s)...)])

    CUF_INLINE constexpr T* data() const { return p_; }
    CUF_INLINE constexpr int64_t lbound(int d) const { return size(d) > 0 || open(d - 1) ? int64_t(lo_[d - 1]) : 1; }
    CUF_INLINE constexpr int64_t ubound(int d) const { return size(d) > 0 ? int64_t(lo_[d - 1]) + n_[d - 1] - 1 : 0; }
    /// The end of a section without one, which for an array without elements is not UBOUND (F2018 9.5.3.3.1).
    CUF_INLINE constexpr int64_t upper(int d) const { return lo_[d - 1] + size(d) - 1; }
    CUF_INLINE constexpr int64_t size(int d) const { return detail::clamp_extent(n_[d - 1]); }
    CUF_INLINE constexpr int64_t size() const
    {
        int64_t n = 1;
        for (int k = 0; k < R; ++k) n *= detail::clamp_extent(n_[k]);
        return n;
    }
    CUF_INLINE static constexpr bool contiguous() { return true; }
    /// Of assumed size, in its last dimension.
    CUF_INLINE constexpr bool is_open(int d) const { return d == R && n_[R - 1] < 0; }
    /// Declared lower bound, also of a dimension of size 0.
    CUF_INLINE constexpr int64_t lower(int d) const { return lo_[d - 1]; }
    /// Other memory, the same bounds: the target of a Cray pointer.
    CUF_INLINE constexpr void point_to(T* p) { p_ = p; }
    CUF_NAMED_ARRAY

private:
    CUF_INLINE constexpr void set(int k, detail::dimension<I> d)
    {
        lo_[k] = d.lo;
        n_[k] = d.extent;
        stride_[k] = k == 0 ? I(1) : stride_[k - 1] * n_[k - 1];
    }
    // For bounds that are parameters: initialisers, not a loop, let nvcc unroll the user's loops as far as for plain pointers.
    using ranks = std::make_integer_sequence<int, R>;
    template <int... K>
    CUF_INLINE constexpr array(T* p, std::integer_sequence<int, K...>, const shape<R, I>& s)
        : p_(p), lo_{s.lower[K]...}, n_{s.extent[K]...}, stride_{stride_of<K>()...}
    {
    }
    template <int K>
    CUF_INLINE constexpr I stride_of() const
    {
        if constexpr (K == 0)
            return 1;
        else
            return stride_of<K - 1>() * n_[K - 1];
    }
    CUF_INLINE constexpr bool open(int k) const { return k == R - 1 && n_[k] == detail::unknown_extent<I>; }

    /// Strides rather than nested products: neighbours in any dimension then differ by an invariant.
    template <int K, class N, class... S>
    CUF_INLINE constexpr I offset(N s, S... rest) const
    {
        // An array of assumed size that host code was given has -1.
        detail::check_subscript(subscripted(), R, K + 1, int64_t(s), lo_[K], n_[K], K == R - 1 && n_[K] < 0);
        const I distance = detail::distance(s, lo_[K]);
        const I term = K == 0 ? distance : distance * stride_[K];
        if constexpr (sizeof...(S) == 0) {
            return term;
        } else {
            return term + offset<K + 1>(rest...);
        }
    }

    T* p_;
    I lo_[R];
    I n_[R];
    I stride_[R];
};

namespace detail {

template <class A, class B>
consteval bool same_shape()
{
    bool same = A::rank == B::rank;
    for (int d = 1; same && d <= A::rank; ++d) same = A::size(d) == B::size(d);
    return same;
}

/// What an operation makes of each element, as an array of the same bounds.
template <class A, class F, std::size_t... K>
CUF_INLINE constexpr A each_element(F f, std::index_sequence<K...>)
{
    return A{{f(K)...}};
}

}  // namespace detail

/// Array of constant shape that holds its elements; trivial. Each bound is an extent or a `range`.
template <class T, auto... B>
struct fixed_array {
    static constexpr int rank = sizeof...(B);
    using element = T;

    /// Declared lower bound, also of a dimension of size 0.
    CUF_INLINE static constexpr int64_t lower(int d)
    {
        constexpr int64_t los[] = {detail::make_dimension<int64_t>(B).lo...};
        return los[d - 1];
    }
    CUF_INLINE static constexpr int64_t size(int d)
    {
        constexpr int64_t ns[] = {detail::clamp_extent(detail::make_dimension<int64_t>(B).extent)...};
        return ns[d - 1];
    }
    CUF_INLINE static constexpr int64_t size() { return (detail::clamp_extent(detail::make_dimension<int64_t>(B).extent) * ...); }
    CUF_INLINE static constexpr int64_t lbound(int d) { return size(d) > 0 ? lower(d) : 1; }
    CUF_INLINE static constexpr int64_t ubound(int d) { return size(d) > 0 ? lower(d) + size(d) - 1 : 0; }
    CUF_INLINE static constexpr int64_t upper(int d) { return lower(d) + size(d) - 1; }
    CUF_INLINE static constexpr bool contiguous() { return true; }

    CUF_ELEMENT_OPERATOR(T&, rank, , elements[offset<0>(elements, detail::subscript(s)...)])
    CUF_ELEMENT_OPERATOR(const T&, rank, const, elements[offset<0>(elements, detail::subscript(s)...)])
    CUF_INLINE static constexpr detail::subscripted subscripted() { return {nullptr, nullptr}; }
    CUF_INLINE static constexpr bool is_open(int) { return false; }
    CUF_INLINE constexpr T* data() { return elements; }
    CUF_INLINE constexpr const T* data() const { return elements; }
    /// Every element becomes the value.
    CUF_INLINE constexpr void fill(T value)
    {
        for (int64_t k = 0; k < size(); ++k) elements[k] = value;
    }
    /// The same elements under other bounds.
    template <auto... C>
        requires(!std::is_same_v<fixed_array<T, C...>, fixed_array> && detail::same_shape<fixed_array, fixed_array<T, C...>>())
    CUF_INLINE constexpr operator fixed_array<T, C...>() const
    {
        fixed_array<T, C...> other;
        for (int64_t k = 0; k < size(); ++k) other.elements[k] = elements[k];
        return other;
    }

    /// In array element order; public so that the type is an aggregate. A zero-sized array keeps one unused element.
    T elements[size() > 0 ? size() : 1];

private:
    /// Constant strides and small extents: plain int arithmetic unless the subscript itself is wider.
    template <int K, class S, class... Rest>
    CUF_INLINE static constexpr auto offset([[maybe_unused]] const void* data, S s, Rest... rest)
    {
        using I = std::conditional_t<(sizeof(S) > 4 || size() > INT32_MAX), int64_t, int32_t>;
        constexpr I lo = I(lower(K + 1));
        detail::check_subscript({nullptr, data}, rank, K + 1, int64_t(s), lo, size(K + 1), false);
        if constexpr (sizeof...(Rest) == 0) {
            return I(s) - lo;
        } else {
            return (I(s) - lo) + I(size(K + 1)) * offset<K + 1>(data, rest...);
        }
    }
};

/// The elements at an address as an array of constant shape.
template <class A, class T>
CUF_INLINE constexpr auto& as(T* p)
{
    return *reinterpret_cast<std::conditional_t<std::is_const_v<T>, const A, A>*>(p);
}

// Arithmetic of arrays of constant shape: element by element, and with scalars. The result has the bounds of the first array.
template <class T, auto... B, class F>
CUF_INLINE constexpr fixed_array<T, B...> each_element(const fixed_array<T, B...>&, F f)
{
    using A = fixed_array<T, B...>;
    return detail::each_element<A>(f, std::make_index_sequence<std::size_t(A::size())>());
}
template <class T, auto... B>
CUF_INLINE constexpr fixed_array<T, B...> operator-(const fixed_array<T, B...>& a)
{
    return each_element(a, [&](std::size_t k) { return T(-a.elements[k]); });
}
#define CUF_ELEMENTWISE(op)                                                                                      \
    template <class T, auto... A, auto... B>                                                                     \
        requires(detail::same_shape<fixed_array<T, A...>, fixed_array<T, B...>>())                               \
    CUF_INLINE constexpr fixed_array<T, A...> operator op(const fixed_array<T, A...>& a, const fixed_array<T, B...>& b) \
    {                                                                                                            \
        return each_element(a, [&](std::size_t k) { return T(a.elements[k] op b.elements[k]); });                \
    }                                                                                                            \
    template <class T, auto... B>                                                                                \
    CUF_INLINE constexpr fixed_array<T, B...> operator op(const fixed_array<T, B...>& a, std::type_identity_t<T> b) \
    {                                                                                                            \
        return each_element(a, [&](std::size_t k) { return T(a.elements[k] op b); });                            \
    }                                                                                                            \
    template <class T, auto... B>                                                                                \
    CUF_INLINE constexpr fixed_array<T, B...> operator op(std::type_identity_t<T> a, const fixed_array<T, B...>& b) \
    {                                                                                                            \
        return each_element(b, [&](std::size_t k) { return T(a op b.elements[k]); });                            \
    }
CUF_ELEMENTWISE(+)
CUF_ELEMENTWISE(-)
CUF_ELEMENTWISE(*)
CUF_ELEMENTWISE(/)
#undef CUF_ELEMENTWISE

/// Strided array over memory that it does not own.
template <class T, int R, class I>
class view {
public:
    static constexpr int rank = R;
    using element = T;

    CUF_INLINE constexpr view(T* base, const I (&lower)[R], const I (&extent)[R], const I (&stride)[R]) : p_(base)
    {
        for (int k = 0; k < R; ++k) {
            lo_[k] = lower[k];
            n_[k] = extent[k];
            stride_[k] = stride[k];
        }
    }
    /// A pointer that is not associated, an optional argument that is absent.
    CUF_INLINE constexpr view(std::nullptr_t) : p_(nullptr)
    {
        for (int k = 0; k < R; ++k) lo_[k] = stride_[k] = 1;
    }
    CUF_INLINE view(const descriptor& d) : p_(static_cast<T*>(d.base))
    {
        for (int k = 0; k < R; ++k) {
            lo_[k] = I(d.lower[k]);
            n_[k] = I(d.extent[k]);
            stride_[k] = I(d.stride[k]);
        }
    }
    CUF_INLINE constexpr view(T* p, const layout<R, I>& l) : view(p, l, std::make_integer_sequence<int, R>()) {}
    /// With lower bounds of its own.
    template <class... L>
        requires(sizeof...(L) == R && (!std::is_class_v<L> && ...))
    CUF_INLINE constexpr view(T* p, const layout<R, I>& l, L... lower)
        : view(p, l, std::make_integer_sequence<int, R>(), lower...)
    {
    }
    template <class U, class J>
        requires(std::is_convertible_v<U (*)[], T (*)[]>)
    CUF_INLINE constexpr view(const view<U, R, J>& v) : p_(v.data())
    {
        for (int k = 0; k < R; ++k) {
            lo_[k] = I(v.lower(k + 1));
            n_[k] = I(v.size(k + 1));
            stride_[k] = I(v.stride(k + 1));
        }
        CUF_NAMED_AS(v)
    }
    template <class U, class J>
        requires(std::is_convertible_v<U (*)[], T (*)[]>)
    CUF_INLINE constexpr view(const array<U, R, J>& a) : p_(a.data())
    {
        dense(a);
        CUF_NAMED_AS(a)
    }
    template <class U, auto... B>
        requires(sizeof...(B) == R && std::is_convertible_v<U (*)[], T (*)[]>)
    CUF_INLINE constexpr view(fixed_array<U, B...>& a) : p_(a.data())
    {
        dense(a);
    }
    template <class U, auto... B>
        requires(sizeof...(B) == R && std::is_convertible_v<const U (*)[], T (*)[]>)
    CUF_INLINE constexpr view(const fixed_array<U, B...>& a) : p_(a.data())
    {
        dense(a);
    }

    CUF_ELEMENT_OPERATOR(T&, R, const, p_[offset<0>(I(detail::subscript(s))...)])
    CUF_INLINE static constexpr bool is_open(int) { return false; }

    CUF_INLINE constexpr T* data() const { return p_; }
    CUF_INLINE constexpr int64_t lbound(int d) const { return n_[d - 1] > 0 ? int64_t(lo_[d - 1]) : 1; }
    CUF_INLINE constexpr int64_t ubound(int d) const { return n_[d - 1] > 0 ? int64_t(lo_[d - 1]) + n_[d - 1] - 1 : 0; }
    CUF_INLINE constexpr int64_t upper(int d) const { return lo_[d - 1] + size(d) - 1; }
    CUF_INLINE constexpr int64_t size(int d) const { return detail::clamp_extent(n_[d - 1]); }
    CUF_INLINE constexpr int64_t size() const
    {
        int64_t n = 1;
        for (int k = 0; k < R; ++k) n *= detail::clamp_extent(n_[k]);
        return n;
    }
    /// Distance of neighbours in dimension d, in elements.
    CUF_INLINE constexpr int64_t stride(int d) const { return stride_[d - 1]; }
    /// Declared lower bound, also of a dimension of size 0.
    CUF_INLINE constexpr int64_t lower(int d) const { return lo_[d - 1]; }
    CUF_INLINE constexpr bool contiguous() const
    {
        int64_t expected = 1;
        bool dense = true;
        for (int k = 0; k < R; ++k) {
            if (n_[k] != 1 && stride_[k] != expected) dense = false;
            expected *= n_[k];
        }
        return dense || size() == 0;
    }
    /// The same elements under other lower bounds.
    template <class... L>
        requires(sizeof...(L) == R)
    CUF_INLINE constexpr view rebased(L... lower) const
    {
        view v = *this;
        int k = 0;
        ((v.lo_[k++] = I(lower)), ...);
        return v;
    }
    CUF_NAMED_ARRAY

private:
    // Initialisers instead of loops, as in `array`.
    template <int... K>
    CUF_INLINE constexpr view(T* p, const layout<R, I>& l, std::integer_sequence<int, K...>)
        : p_(p), lo_{l.lower[K]...}, n_{l.extent[K]...}, stride_{l.stride[K]...}
    {
    }
    template <int... K, class... L>
        requires(sizeof...(L) == R)
    CUF_INLINE constexpr view(T* p, const layout<R, I>& l, std::integer_sequence<int, K...>, L... lower)
        : p_(p), lo_{I(lower)...}, n_{l.extent[K]...}, stride_{l.stride[K]...}
    {
    }
    template <class A>
    CUF_INLINE constexpr void dense(const A& a)
    {
        I step = 1;
        for (int k = 0; k < R; ++k) {
            lo_[k] = I(a.lower(k + 1));
            n_[k] = I(a.size(k + 1));
            stride_[k] = step;
            step *= n_[k];
        }
    }
    template <int K, class... S>
    CUF_INLINE constexpr I offset(I s, S... rest) const
    {
        detail::check_subscript(subscripted(), R, K + 1, s, lo_[K], n_[K], false);
        if constexpr (sizeof...(S) == 0) {
            return (s - lo_[K]) * stride_[K];
        } else {
            return (s - lo_[K]) * stride_[K] + offset<K + 1>(rest...);
        }
    }

    T* p_;
    I lo_[R]{};
    I n_[R]{};
    I stride_[R]{};
};

template <class T, int R, class I>
array(T*, const shape<R, I>&) -> array<T, R, I>;
template <class T, int R, class I>
view(const array<T, R, I>&) -> view<T, R, I>;
template <class T, auto... B>
view(fixed_array<T, B...>&) -> view<T, int(sizeof...(B))>;
template <class T, auto... B>
view(const fixed_array<T, B...>&) -> view<const T, int(sizeof...(B))>;

namespace detail {

/// Collects the dimensions that a section keeps.
template <int R, class I>
struct section_shape {
    int64_t offset = 0;
    I lower[R]{};
    I extent[R]{};
    I stride[R]{};
    int next = 0;

    CUF_INLINE constexpr void keep(int64_t n, int64_t step)
    {
        lower[next] = 1;
        extent[next] = I(clamp_extent(n));
        stride[next] = I(step);
        ++next;
    }
    /// The last dimension of an array of assumed size has no extent.
    template <class V>
    CUF_INLINE static constexpr bool open(const V& v, int d)
    {
        return d == V::rank && v.size(d) == 0;
    }
    template <class V>
    CUF_INLINE constexpr void add(const V& v, int d, all_t)
    {
        keep(v.size(d), v.stride(d));
    }
    template <class V>
    CUF_INLINE constexpr void add(const V& v, int d, slice s)
    {
        const int64_t n = (s.hi - s.lo + s.step) / s.step;
        if (n > 0) {
            check_section(v.subscripted(), V::rank, d, s.lo, v.lower(d), v.size(d), open(v, d));
            check_section(v.subscripted(), V::rank, d, s.lo + (n - 1) * s.step, v.lower(d), v.size(d), open(v, d));
            offset += (s.lo - v.lower(d)) * v.stride(d);
        }
        keep(n, s.step * v.stride(d));
    }
    template <class V, integer_kind S>
    CUF_INLINE constexpr void add(const V& v, int d, S s)
    {
        check_section(v.subscripted(), V::rank, d, subscript(s), v.lower(d), v.size(d), open(v, d));
        offset += (int64_t(subscript(s)) - v.lower(d)) * v.stride(d);
    }
};

CUF_INLINE constexpr bool runs_backwards(slice s) { return s.step < 0; }
template <class S>
CUF_INLINE constexpr bool runs_backwards(S) { return false; }

/// nvcc 13.0 takes a store below a pointer into a local array, at a subscript times a negative stride, for one that leaves the array's first
/// elements alone (seen on sm_90: the value from before is used afterwards). It must not know where such a pointer points.
template <class T>
CUF_INLINE constexpr void forget_origin([[maybe_unused]] T*& p)
{
#if defined(__CUDA_ARCH__)
    if (!__builtin_is_constant_evaluated()) asm volatile("" : "+l"(p) : : "memory");
#endif
}

template <class T, int R, class I, class... S>
CUF_INLINE constexpr auto section_of(const view<T, R, I>& v, S... s)
{
    constexpr int kept = (int(!integer_kind<S>) + ...);
    static_assert(kept > 0, "a section keeps at least one dimension");
    section_shape<kept, I> shape;
    int d = 1;
    ((shape.add(v, d++, s)), ...);
    T* first = v.data() + shape.offset;
    if ((runs_backwards(s) || ...)) forget_origin(first);
    return view<T, kept, I>(first, shape.lower, shape.extent, shape.stride);
}

}  // namespace detail

/// The section x(s1, ..., sR): each s is an integer (drops the dimension), `all` or a `slice`. Bounds start at 1.
template <class X, class... S>
    requires(sizeof...(S) == std::remove_reference_t<X>::rank)
CUF_INLINE constexpr auto section(X&& x, S... s)
{
    return detail::section_of(view(x), s...);
}

}  // namespace cuf
