// Assignment between host and device: the order of the work, conversion, overlap, captures.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "across.hpp"

namespace cuf::rt {

enum class direction { to_device, to_host, on_device, on_host };

inline work::what watched_as(direction d) { return static_cast<work::what>(work::to_device + static_cast<int>(d)); }
inline const char* what(direction d)
{
    switch (d) {
    case direction::to_device: return "assignment to a device variable";
    case direction::to_host: return "assignment from a device variable";
    case direction::on_host: return "assignment to an allocatable variable";
    default: return "assignment between device variables";
    }
}

inline std::string shape_text(const desc& d)
{
    std::string s = "(";
    for (int i = 0; i < d.rank; ++i) s += (i ? "," : "") + std::to_string(d.dim[i].extent);
    return s + ")";
}

inline bool same_shape(const desc& a, const desc& b)
{
    bool same = a.rank == b.rank;
    for (int i = 0; same && i < a.rank; ++i) same = a.dim[i].extent == b.dim[i].extent;
    return same;
}

inline void require_conformable(const desc& to, const desc& from, direction dir)
{
    if (!same_shape(to, from))
        fail("%s: shapes differ, %s = %s", what(dir), shape_text(to).c_str(), shape_text(from).c_str());
}

/// Memory that the host must not touch, or (managed data) not before the kernels launched so far are complete.
inline bool on_device(const void* p)
{
    if (allocated_on(p) >= 0) return true;
    cudaPointerAttributes a{};
    return p != nullptr && attributes_of(p, a) && (a.type == cudaMemoryTypeDevice || a.type == cudaMemoryTypeManaged);
}

/// An assignment: where its work goes.
struct assignment {
    const desc& to;
    const desc& from;
    direction dir;
    queue at;
    /// The program tied the variable or the thread to a stream.
    bool tied;
    /// Only the source is tied to that stream, or data of a device that is not the current one takes part.
    bool apart;

    void require(cudaError_t code) const { check(code, what(dir)); }
    element_type to_type() const { return type_of(to); }
    element_type from_type() const { return type_of(from); }
    bool same() const { return same_representation(to_type(), from_type()); }
    const desc& host() const { return dir == direction::to_device ? from : to; }
    /// One value for all elements, or a scalar of the host, which is passed by value: nothing reads it later.
    bool one_value() const
    {
        if (from.rank != 0) return false;
        if (to.rank > 0 || dir != direction::to_device) return to.rank > 0;
        return at.captured || (to.elem_len <= largest_pattern && only_on_device(to.base_addr));
    }
};

[[noreturn]] inline void not_in_capture(const assignment& a, const char* why)
{
    fail("%s while a stream is captured: %s", what(a.dir), why);
}

/// The end of work on device memory that leaves nothing of the host's in flight: whoever uses the data next comes after it in the order
/// of the streams. The host waits where it may read or change the data itself, or where that order is not enough.
inline void finish(const assignment& a)
{
    if (a.at.captured) return;
#if !defined(CUF_TARGET_CPU)
    const bool from_device = a.dir == direction::on_device;
    if (!a.apart && !order_of_streams_is_not_enough() && only_on_device(a.to.base_addr) &&
        (!from_device || only_on_device(a.from.base_addr)))
        return note_unwaited();
#endif
    a.require(cudaStreamSynchronize(a.at.stream));
}

/// The source of a copy between device variables may be written by work in the stream it is tied to, or on the device that owns it.
inline void await_source(const assignment& a)
{
    std::int64_t tied = tied_stream(a.from.base_addr);
    cudaStream_t stream = stream_handle(tied);
    if (several_devices()) {
        on_device_of source(a.from.base_addr);
        if (source.elsewhere()) return a.require(cudaStreamSynchronize(stream));
    }
    if (tied != 0 && (!a.at.captured || queue_of(tied).captured)) a.require(order_after(a.at.stream, stream));
}

/// A conversion between device variables, by a kernel.
inline void convert_within(const assignment& a)
{
    if (!overlap(a.to, a.from)) {
        a.require(convert_on_device(a.to, a.from, a.at.stream));
        return finish(a);
    }
    if (!a.at.captured) settle();
    copy_shape s = against_packed(a.from, nullptr, true);
    device_buffer temporary(s.bytes(), a.at);
    const desc packed = packed_like(a.from, temporary.data());
    a.require(copy_device(against_packed(a.from, temporary.data(), true), a.at.stream));
    a.require(convert_on_device(a.to, packed, a.at.stream));
    finish(a);
}

/// A conversion as part of a graph.
inline void convert_captured(const assignment& a)
{
    if (a.dir != direction::on_device) not_in_capture(a, "a conversion needs host memory");
    convert_within(a);
}

/// Every element of the destination gets the scalar, which is read when the stream comes to it.
inline void spread(const assignment& a)
{
    a.require(copy_device(repeated(a.to, static_cast<char*>(a.from.base_addr)), a.at.stream));
    finish(a);
}

/// Every element of the destination gets the scalar.
inline void assign_scalar(const assignment& a)
{
    const desc& to = a.to;
    std::string source(a.from.elem_len, '\0'), element(to.elem_len, '\0');
    if (a.dir == direction::to_device) {
        std::memcpy(source.data(), a.from.base_addr, a.from.elem_len);
    } else if (a.at.captured) {
        if (a.dir == direction::to_host) not_in_capture(a, "the value would have to pass through host memory");
        return a.same() ? spread(a) : convert_captured(a);
    } else if (a.dir == direction::on_device && a.same() && reachable(to.base_addr) && reachable(a.from.base_addr)) {
        return spread(a);
    } else {
        a.require(copy_across(packed_like(a.from, source.data()), a.from, false, a.at));
    }
    if (a.same())
        element = source;
    else
        convert(element.data(), a.to_type(), source.data(), a.from_type(), 1);
    if (a.dir == direction::to_host) return copy_on_host(repeated(to, element.data()));
    a.require(fill(to, element.data(), a.at));
    finish(a);
}

/// On the device where kernels reach both sides, else through host memory, where the elements are converted.
inline void assign_converted(const assignment& a)
{
    if (a.at.captured) return convert_captured(a);
    if (a.dir == direction::on_device && reachable(a.to.base_addr) && reachable(a.from.base_addr)) return convert_within(a);
    settle();
    std::int64_t n = element_count(a.to);
    auto source = host_buffer(n * static_cast<std::int64_t>(a.from.elem_len));
    auto target = host_buffer(n * static_cast<std::int64_t>(a.to.elem_len));
    if (a.dir == direction::to_device)
        copy_on_host(against_packed(a.from, source.get(), true));
    else
        a.require(copy_across(packed_like(a.from, source.get()), a.from, false, a.at));
    convert(target.get(), a.to_type(), source.get(), a.from_type(), n);
    if (a.dir == direction::to_host)
        copy_on_host(against_packed(a.to, target.get(), false));
    else
        a.require(copy_across(a.to, packed_like(a.to, target.get()), true, a.at));
}

/// Between host and device memory, with the elements as they are.
inline void assign_across(const assignment& a, const copy_shape& s)
{
    if (a.at.captured) {
        if (pageable(a.host().base_addr)) not_in_capture(a, "the host data has to be pinned, for the graph will use it");
        return a.require(copy_by_rows(s, a.at.stream));
    }
    // What is tied to a stream and has no gaps goes on in it.
    if (a.tied && s.axes.empty() && !pageable(a.host().base_addr)) return a.require(copy_by_rows(s, a.at.stream));
    const bool to_device = a.dir == direction::to_device;
    a.require(copy_across(a.to, a.from, to_device, a.at));
}

/// Between device variables, with the elements as they are.
inline void assign_within(const assignment& a, const copy_shape& s)
{
    if (overlap(a.to, a.from)) {
        if (!a.at.captured) settle();
        device_buffer temporary(s.bytes(), a.at);
        a.require(copy_device(against_packed(a.from, temporary.data(), true), a.at.stream));
        a.require(copy_device(against_packed(a.to, temporary.data(), false), a.at.stream));
    } else {
        a.require(copy_device(s, a.at.stream));
    }
    finish(a);
}

/// Pinned memory is the host's: nothing waits, and nothing of it belongs to a graph.
inline void assign_on_host(const assignment& a)
{
    if (a.from.rank != 0) require_conformable(a.to, a.from, a.dir);
    std::int64_t n = element_count(a.from);
    auto source = host_buffer(n * static_cast<std::int64_t>(a.from.elem_len));
    copy_on_host(against_packed(a.from, source.get(), true));
    auto target = host_buffer(n * static_cast<std::int64_t>(a.to.elem_len));
    if (a.same())
        target.swap(source);
    else
        convert(target.get(), a.to_type(), source.get(), a.from_type(), n);
    copy_on_host(a.one_value() ? repeated(a.to, target.get()) : against_packed(a.to, target.get(), false));
}

/// `to = from` with the meaning of Fortran's assignment, in the order of the work on the device that owns the data. Complete on return
/// where the host takes part, except where the program tied the variable or the thread to a stream and the host side is pinned; else
/// it is ordered in the stream (see `finish`).
/// In a stream that is captured it becomes part of the graph.
inline void assign(const desc& target, const desc& source, direction dir)
{
    const desc to = counted(target);
    desc from = counted(source);
    // An address that a function gives comes as an array of one, for gfortran 12 passes it wrongly otherwise.
    if (to.rank == 0 && from.rank == 1 && element_count(from) == 1) from.rank = 0;
    if (element_count(to) == 0 && (from.rank == 0 || element_count(from) == 0)) return;
    if (to.base_addr == nullptr) fail("%s: the left-hand side is not allocated", what(dir));
    if (from.base_addr == nullptr) fail("%s: the right-hand side is not allocated", what(dir));
    const void* device = dir == direction::to_host ? from.base_addr : to.base_addr;
    on_device_of owner(device);
    std::int64_t id = tied_stream(device);
    if (id == 0 && dir == direction::on_device) id = tied_stream(from.base_addr);
    if (id == 0 && !owner.elsewhere()) id = thread_stream;
    const bool own = id == 0 || id == thread_stream || id == tied_stream(to.base_addr);
    const bool elsewhere = owner.elsewhere() || (several_devices() && dir == direction::on_device && on_device_of(from.base_addr).elsewhere());
    const assignment a{to, from, dir, queue_of(id), id != 0, !own || elsewhere};
    if (!a.same() && !convertible(a.from_type(), a.to_type()))
        fail("%s: a value of type %s cannot become %s", what(dir), type_name(a.from_type()).c_str(),
             type_name(a.to_type()).c_str());
    const watched seen{{watched_as(dir), &to, element_count(to) * std::int64_t(to.elem_len), reinterpret_cast<std::int64_t>(a.at.stream)}};
    if (dir == direction::on_host) return assign_on_host(a);
    if (several_devices() && !a.at.captured && is_managed(device)) settle_others();
    if (dir == direction::on_device) await_source(a);

    if (a.one_value()) return assign_scalar(a);
    require_conformable(to, from, dir);
    if (!a.same()) return assign_converted(a);
    copy_shape s = between(to, from);
    if (dir == direction::on_device || overlap(to, from)) return assign_within(a, s);
    assign_across(a, s);
}

}  // namespace cuf::rt
