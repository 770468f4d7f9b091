// character(n) of kind 1: blank-padded values, substrings and the character intrinsics.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0

#include "base.hpp"
#include "heap.hpp"

namespace cuf {

/// Characters that live elsewhere: the argument type of everything that reads text.
struct char_view {
    CUF_INLINE constexpr char_view(const char* first, int64_t length) : text(first), n(length) {}
    /// An absent argument.
    CUF_INLINE constexpr char_view(std::nullptr_t) : text(nullptr), n(0) {}
    template <class C>
        requires(std::is_same_v<C, char>)
    CUF_INLINE constexpr char_view(const C& c) : text(&c), n(1)
    {
    }
    template <int64_t M>
    CUF_INLINE constexpr char_view(const char (&literal)[M]) : text(literal), n(M - 1)
    {
    }

    CUF_INLINE constexpr int64_t len() const { return n; }
    /// The substring (lo:hi).
    CUF_INLINE constexpr char_view operator()(int64_t lo, int64_t hi) const { return {text + (lo - 1), hi < lo ? 0 : hi - lo + 1}; }

    const char* text;
    int64_t n;
};

namespace detail {

/// Characters into other memory: truncates or pads with blanks.
CUF_FN constexpr void copy_text(char* to, int64_t n, char_view from)
{
    const int64_t common = from.n < n ? from.n : n;
    for (int64_t k = 0; k < common; ++k) to[k] = from.text[k];
    for (int64_t k = common; k < n; ++k) to[k] = ' ';
}

/// Character assignment: truncates or pads with blanks; source and target may overlap.
CUF_FN constexpr void assign_text(char* to, int64_t n, char_view from)
{
    const int64_t common = from.n < n ? from.n : n;
    bool forward = true;
    for (int64_t k = 1; k < common; ++k) {
        if (to == from.text + k) {
            forward = false;
            break;
        }
    }
    if (forward) {
        copy_text(to, n, from);
    } else {
        for (int64_t k = common; k-- > 0;) to[k] = from.text[k];
        for (int64_t k = common; k < n; ++k) to[k] = ' ';
    }
}

}  // namespace detail

template <int N>
struct character;

/// A substring on the left side of an assignment, or a dummy argument of any length.
struct char_ref {
    CUF_INLINE constexpr char_ref(char* first, int64_t length) : text(first), n(length) {}
    /// An absent argument.
    CUF_INLINE constexpr char_ref(std::nullptr_t) : text(nullptr), n(0) {}
    char_ref(const char_ref&) = default;
    CUF_INLINE constexpr operator char_view() const { return {text, n}; }
    CUF_INLINE constexpr const char_ref& operator=(char_view from) const
    {
        detail::assign_text(text, n, from);
        return *this;
    }
    CUF_INLINE constexpr const char_ref& operator=(const char_ref& from) const { return *this = char_view(from); }
    template <int N>
    CUF_INLINE constexpr const char_ref& operator=(const character<N>& from) const
    {
        return *this = char_view(from);
    }
    template <int64_t M>
    CUF_INLINE constexpr const char_ref& operator=(const char (&literal)[M]) const
    {
        return *this = char_view(literal);
    }
    CUF_INLINE constexpr int64_t len() const { return n; }
    /// The substring (lo:hi).
    CUF_INLINE constexpr char_ref operator()(int64_t lo, int64_t hi) const { return {text + (lo - 1), hi < lo ? 0 : hi - lo + 1}; }

    char* text;
    int64_t n;
};

/// Text of any length that owns its characters: values of expressions, and variables whose length is an expression.
class string {
public:
    CUF_FN explicit string(int64_t length) : string("a character value", length) {}
    /// A variable, declared at `place` in the Fortran source.
    CUF_FN string(const char* place, int64_t length)
        : n_(length > 0 ? length : 0), more_(n_ > room ? heap::need<char>(place, n_) : nullptr)
    {
    }
    CUF_FN string(char_view from) : string(from.n) { detail::assign_text(text(), n_, from); }
    template <int64_t M>
    CUF_FN string(const char (&literal)[M]) : string(char_view(literal))
    {
    }
    template <int N>
    CUF_FN string(const character<N>& from) : string(char_view(from))
    {
    }
    CUF_FN string(const char_ref& from) : string(char_view(from)) {}
    CUF_FN string(const string& from) : string(char_view(from)) {}
    CUF_FN ~string() { heap::destroy(more_); }

    /// Keeps the length.
    CUF_FN string& operator=(char_view from)
    {
        detail::assign_text(text(), n_, from);
        return *this;
    }
    CUF_FN string& operator=(const string& from) { return *this = char_view(from); }
    template <int64_t M>
    CUF_FN string& operator=(const char (&literal)[M])
    {
        return *this = char_view(literal);
    }
    template <int N>
    CUF_FN string& operator=(const character<N>& from)
    {
        return *this = char_view(from);
    }
    CUF_FN string& operator=(const char_ref& from) { return *this = char_view(from); }
    CUF_INLINE char* text() { return more_ ? more_ : few_; }
    CUF_INLINE const char* text() const { return more_ ? more_ : few_; }
    CUF_INLINE operator char_view() const { return {text(), n_}; }
    CUF_INLINE operator char_ref() & { return {text(), n_}; }
    CUF_INLINE int64_t len() const { return n_; }
    CUF_INLINE char_ref operator()(int64_t lo, int64_t hi) { return {text() + (lo - 1), hi < lo ? 0 : hi - lo + 1}; }
    CUF_INLINE char_view operator()(int64_t lo, int64_t hi) const { return char_view(*this)(lo, hi); }

private:
    static constexpr int64_t room = 64;
    int64_t n_;
    char* more_;
    char few_[room];
};

/// character(len=N): trivial, N bytes.
template <int N>
struct character {
    static_assert(N >= 1);

    character() = default;
    CUF_INLINE constexpr character(char_view from) : text{} { detail::copy_text(text, N, from); }
    template <int64_t M>
    CUF_INLINE constexpr character(const char (&literal)[M]) : character(char_view(literal))
    {
    }
    template <int M>
        requires(M != N)
    CUF_INLINE constexpr character(const character<M>& from) : character(char_view(from))
    {
    }
    CUF_INLINE constexpr character(const char_ref& from) : character(char_view(from)) {}
    CUF_INLINE character(const string& from) : character(char_view(from)) {}
    CUF_INLINE constexpr explicit character(char c) : character(char_view(&c, 1)) {}

    CUF_INLINE constexpr operator char_view() const { return {text, N}; }
    CUF_INLINE constexpr operator char_ref() & { return {text, N}; }
    CUF_INLINE static constexpr int64_t len() { return N; }
    /// The substring (lo:hi).
    CUF_INLINE constexpr char_ref operator()(int64_t lo, int64_t hi) { return {text + (lo - 1), hi < lo ? 0 : hi - lo + 1}; }
    CUF_INLINE constexpr char_view operator()(int64_t lo, int64_t hi) const { return char_view(*this)(lo, hi); }

    char text[N];
};

namespace detail {

template <class T>
struct is_text : std::false_type {};
template <int N>
struct is_text<character<N>> : std::true_type {};
template <>
struct is_text<char_view> : std::true_type {};
template <>
struct is_text<char_ref> : std::true_type {};
template <>
struct is_text<string> : std::true_type {};

template <class T>
concept text = is_text<std::remove_cvref_t<T>>::value;
template <class T>
concept text_operand = std::is_convertible_v<const T&, char_view>;

/// Blank-padded comparison by the codes of the characters: negative, 0 or positive.
CUF_FN constexpr int compare_text(char_view a, char_view b)
{
    const int64_t n = a.n > b.n ? a.n : b.n;
    for (int64_t k = 0; k < n; ++k) {
        const int ca = k < a.n ? uint8_t(a.text[k]) : ' ';
        const int cb = k < b.n ? uint8_t(b.text[k]) : ' ';
        if (ca != cb) return ca - cb;
    }
    return 0;
}

}  // namespace detail

#define CUF_TEXT_COMPARISON(op)                                                 \
    template <class A, class B>                                                 \
        requires((detail::text<A> && detail::text_operand<B>) ||                \
                 (detail::text_operand<A> && detail::text<B>))                  \
    CUF_INLINE constexpr bool operator op(const A& a, const B& b)               \
    {                                                                           \
        return detail::compare_text(a, b) op 0;                                 \
    }
CUF_TEXT_COMPARISON(==)
CUF_TEXT_COMPARISON(!=)
CUF_TEXT_COMPARISON(<)
CUF_TEXT_COMPARISON(<=)
CUF_TEXT_COMPARISON(>)
CUF_TEXT_COMPARISON(>=)
#undef CUF_TEXT_COMPARISON

/// The first and the last string of a length in the collating sequence: MAXVAL and MINVAL of no elements.
template <int N>
CUF_INLINE constexpr character<N> lowest_text()
{
    character<N> c{};
    for (char& x : c.text) x = 0;
    return c;
}
template <int N>
CUF_INLINE constexpr character<N> highest_text()
{
    character<N> c{};
    for (char& x : c.text) x = char(255);
    return c;
}

/// MAX and MIN of texts: as long as the longest, which is a constant.
template <int N, class... More>
CUF_FN constexpr character<N> max_text(char_view first, const More&... more)
{
    char_view best = first;
    ((best = detail::compare_text(best, more) < 0 ? char_view(more) : best), ...);
    return best;
}
template <int N, class... More>
CUF_FN constexpr character<N> min_text(char_view first, const More&... more)
{
    char_view best = first;
    ((best = detail::compare_text(best, more) > 0 ? char_view(more) : best), ...);
    return best;
}

/// The same of lengths known at run time.
template <class... More>
CUF_FN string max_text(char_view first, const More&... more)
{
    char_view best = first;
    int64_t n = first.n;
    ((best = detail::compare_text(best, more) < 0 ? char_view(more) : best, n = n < char_view(more).n ? char_view(more).n : n), ...);
    string longest(n);
    longest = best;
    return longest;
}
template <class... More>
CUF_FN string min_text(char_view first, const More&... more)
{
    char_view best = first;
    int64_t n = first.n;
    ((best = detail::compare_text(best, more) > 0 ? char_view(more) : best, n = n < char_view(more).n ? char_view(more).n : n), ...);
    string longest(n);
    longest = best;
    return longest;
}

/// a // b where both lengths are constants.
template <int N, int M>
CUF_INLINE constexpr character<N + M> concat(const character<N>& a, const character<M>& b)
{
    character<N + M> c{};
    detail::assign_text(c.text, N, a);
    detail::assign_text(c.text + N, M, b);
    return c;
}
template <int N, int64_t M>
CUF_INLINE constexpr auto concat(const character<N>& a, const char (&b)[M])
{
    return concat(a, character<int(M - 1)>(b));
}
template <int64_t N, int M>
CUF_INLINE constexpr auto concat(const char (&a)[N], const character<M>& b)
{
    return concat(character<int(N - 1)>(a), b);
}
template <int Copies, int N>
CUF_INLINE constexpr character<N * Copies> repeat(const character<N>& s)
{
    character<N * Copies> c{};
    for (int at = 0; at < N * Copies; at += N) detail::assign_text(c.text + at, N, s);
    return c;
}

/// a // b where a length is known at run time only.
CUF_FN inline string joined(char_view a, char_view b)
{
    string c(a.n + b.n);
    detail::assign_text(c.text(), a.n, a);
    detail::assign_text(c.text() + a.n, b.n, b);
    return c;
}
template <integer_kind I>
CUF_FN string repeat(char_view s, I copies)
{
    string c(copies > 0 ? s.n * int64_t(copies) : 0);
    for (int64_t at = 0; at < c.len(); at += s.n) detail::assign_text(c.text() + at, s.n, s);
    return c;
}

CUF_INLINE constexpr int len(char_view s) { return int(s.n); }
/// Length without trailing blanks.
CUF_INLINE constexpr int len_trim(char_view s)
{
    int64_t n = s.n;
    while (n > 0 && s.text[n - 1] == ' ') --n;
    return int(n);
}
/// The text without trailing blanks; refers to the storage of s.
CUF_INLINE constexpr char_view trim(char_view s) { return {s.text, len_trim(s)}; }

/// Position of `sub` in s, the last one if `back`; 0 if there is none.
CUF_FN constexpr int index(char_view s, char_view sub, bool back = false)
{
    const int64_t last = s.n - sub.n;
    for (int64_t k = 0; k <= last; ++k) {
        const int64_t at = back ? last - k : k;
        int64_t j = 0;
        while (j < sub.n && s.text[at + j] == sub.text[j]) ++j;
        if (j == sub.n) return int(at + 1);
    }
    return 0;
}

namespace detail {

/// First (last if `back`) position whose membership in `set` equals `member`.
CUF_FN constexpr int find_member(char_view s, char_view set, bool back, bool member)
{
    for (int64_t k = 0; k < s.n; ++k) {
        const int64_t at = back ? s.n - 1 - k : k;
        bool found = false;
        for (int64_t j = 0; j < set.n && !found; ++j) found = s.text[at] == set.text[j];
        if (found == member) return int(at + 1);
    }
    return 0;
}

}  // namespace detail

CUF_INLINE constexpr int scan(char_view s, char_view set, bool back = false) { return detail::find_member(s, set, back, true); }
CUF_INLINE constexpr int verify(char_view s, char_view set, bool back = false) { return detail::find_member(s, set, back, false); }

template <int N>
CUF_FN constexpr character<N> adjustl(const character<N>& s)
{
    int first = 0;
    while (first < N && s.text[first] == ' ') ++first;
    return char_view(s.text + first, N - first);
}
template <int N>
CUF_FN constexpr character<N> adjustr(const character<N>& s)
{
    const int n = len_trim(s);
    character<N> r{};
    for (int k = 0; k < N; ++k) r.text[k] = k < N - n ? ' ' : s.text[k - (N - n)];
    return r;
}

CUF_FN inline string adjustl(char_view s)
{
    int64_t first = 0;
    while (first < s.n && s.text[first] == ' ') ++first;
    string r(s.n);
    r = char_view(s.text + first, s.n - first);
    return r;
}
CUF_FN inline string adjustr(char_view s)
{
    const int64_t n = len_trim(s);
    string r = joined(char_view(s.text, 0), s);
    r = char_view(" ");
    r(s.n - n + 1, s.n) = char_view(s.text, n);
    return r;
}

/// Code of the character, 0..255.
CUF_INLINE constexpr int ichar(char_view c) { return uint8_t(c.text[0]); }
CUF_INLINE constexpr int iachar(char_view c) { return uint8_t(c.text[0]); }
template <integer_kind I>
CUF_INLINE constexpr character<1> char_(I code)
{
    return character<1>(char(code));
}
template <integer_kind I>
CUF_INLINE constexpr character<1> achar(I code)
{
    return character<1>(char(code));
}

/// The first N characters of text in place, for a dummy of that length.
template <int N, class X>
CUF_INLINE auto& characters(X&& from)
{
    using text_type = std::conditional_t<std::is_convertible_v<X, char_ref>, char_ref, char_view>;
    using object = std::conditional_t<std::is_same_v<text_type, char_ref>, character<N>, const character<N>>;
    return *reinterpret_cast<object*>(text_type(from).text);
}

/// The bytes of text as a T; those that the text has not are zero.
template <class T, class X>
    requires(std::is_same_v<X, char_view> || std::is_same_v<X, char_ref> || std::is_same_v<X, string>)
CUF_FN T transfer(const X& x)
{
    T result{};
    const char_view from = x;
    __builtin_memcpy(&result, from.text, int64_t(sizeof(T)) < from.n ? int64_t(sizeof(T)) : from.n);
    return result;
}

}  // namespace cuf
