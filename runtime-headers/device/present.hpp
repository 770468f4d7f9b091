// Host data in compute constructs of OpenACC (2.6): launchers ask for their copies on the device.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0

#include <type_traits>

#include "acc.hpp"
#include "bounds.hpp"
#include "launch_config.hpp"

namespace cuf {

namespace acc {

/// The device address of host data that are present, else their own address.
void* device_or_host(void* host, std::size_t bytes);

/// The device address of static data that a directive declares there; what no procedure has entered yet is entered.
void* declared(const void* host, std::size_t bytes, const char* designator);

/// Waits until the constructs have ended that are in a stream, unless it is one of a queue (OpenACC 2.16).
void finish(std::int64_t stream, const char* place);

}  // namespace acc

namespace acc {

/// The copy on the device of an array of the host, with the same bounds, by one of the functions above.
template <class T, class Find>
descriptor copy_of(const descriptor& host, const char* designator, Find find)
{
    descriptor copy = host;
    std::int64_t before = 0, after = 0;  // of the first element, in elements
    for (int k = 0; k < host.rank; ++k) {
        // Of an assumed-size array the last extent is not known, and stands as something that is no extent.
        if (host.extent[k] < 0 && k == host.rank - 1) break;
        if (host.extent[k] <= 0) return copy;
        const std::int64_t last = (host.extent[k] - 1) * host.stride[k];
        (last < 0 ? before : after) += last;
    }
    using element = std::remove_const_t<T>;
    element* const lowest = static_cast<element*>(host.base) + before;
    const std::size_t bytes = sizeof(T) * static_cast<std::size_t>(after - before + 1);
    copy.base = static_cast<element*>(find(lowest, bytes, designator)) - before;
    return copy;
}

}  // namespace acc

/// The copy on the device of an array of the host, with the same bounds.
template <class T>
descriptor present(const descriptor& host, const char* designator)
{
    return acc::copy_of<T>(host, designator, acc::device);
}

/// The same of static data that is declared on the device.
template <class T>
descriptor declared(const descriptor& host, const char* designator)
{
    return acc::copy_of<T>(host, designator, acc::declared);
}

template <class T>
T* declared(T* host, const char* designator)
{
    return static_cast<T*>(acc::declared(host, sizeof(T), designator));
}

/// The copy on the device of a scalar of the host.
template <class T>
T* present(T* host, const char* designator)
{
    return static_cast<T*>(acc::device(host, sizeof(T), designator));
}

/// Where a reduction is stored: on the device if the variable is present there (OpenACC 2.9.11).
template <class T>
T* present_or_host(T* host)
{
    return static_cast<T*>(acc::device_or_host(host, sizeof(T)));
}

/// The end of a construct, for which the host waits unless it is asynchronous.
inline void finish_construct(const char* place, const launch_config& config)
{
    acc::finish(config.stream, place);
}

}  // namespace cuf
