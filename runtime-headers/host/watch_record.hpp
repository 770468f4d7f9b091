// The record of what comes back to the host, for `cuf2cu run --compare` and `cuf2cu compare`.
//
// CUF_RECORD names a file, or is fd:N for one that is open. A line tells what it is ("cuf2cu record 1 TARGET"), then follow events:
//   L <kernel>\t<place>                                           a launch
//   T <what>\t<type>\t<extents, by commas>\t<bytes>\t<place>      data of the host has changed; its bytes follow the line; of managed data
//                                                              it ends with \t and the place of its ALLOCATE, or `variable` and the name
//   E                                                             the end
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "allocation.hpp"
#include "convert.hpp"
#include "watch_place.hpp"
#include <fcntl.h>

namespace cuf::rt {

class recorder {
public:
    /// A recorder as the environment asks for it; null if it asks for none.
    static recorder* wished()
    {
        const char* to = std::getenv("CUF_RECORD");
        if (to == nullptr || *to == '\0') return nullptr;
        std::FILE* file = nullptr;
        int number = 0;
        if (std::sscanf(to, "fd:%d", &number) == 1) {
            (void)fcntl(number, F_SETFD, FD_CLOEXEC);
            file = fdopen(number, "wb");
        } else {
            file = std::fopen(to, "wb");
        }
        if (file == nullptr) fail("CUF_RECORD: %s cannot be written", to);
        (void)std::setvbuf(file, nullptr, _IOFBF, std::size_t{1} << 18);
#if defined(CUF_TARGET_CPU)
        std::fputs("cuf2cu record 1 cpu\n", file);
#else
        std::fputs("cuf2cu record 1 cuda\n", file);
#endif
        return new recorder{file};
    }

    void done(const work& of)
    {
        switch (of.kind) {
        case work::launch:
        case work::graph:
            std::fprintf(file_, "L %s\t%s\n", of.kind == work::graph ? "a graph" : name_of_kernel(of.data).c_str(), statement().c_str());
            launched_ = true;
            break;
        case work::to_host: transfer("assignment", *static_cast<const desc*>(of.data), of.stream); break;
        case work::copy: copied(of); break;
        case work::result: result(of); break;
        case work::allocated: allocated(*static_cast<const desc*>(of.data)); break;
        case work::variable: variable(of); break;
        case work::synchronised: synchronised(); break;
        default: break;
        }
    }

    void end()
    {
        std::fputs("E\n", file_);
        std::fflush(file_);
    }

private:
    explicit recorder(std::FILE* file) : file_(file) {}

    void head(const char* what, const std::string& type, const desc& d, const std::string& place)
    {
        std::string extents;
        std::int64_t bytes = static_cast<std::int64_t>(d.elem_len);
        for (int i = 0; i < d.rank; ++i) {
            extents += (i ? "," : "") + std::to_string(d.dim[i].extent);
            bytes *= d.dim[i].extent;
        }
        std::fprintf(file_, "T %s\t%s\t%s\t%lld\t%s\n", what, type.c_str(), extents.c_str(), static_cast<long long>(bytes), place.c_str());
    }

    /// The elements side by side, first subscript first.
    void elements(const desc& d)
    {
        if (element_count(d) == 0) return;
        std::int64_t index[15] = {};
        const char* at = static_cast<const char*>(d.base_addr);
        const bool rows = d.rank > 0 && d.dim[0].sm == static_cast<std::ptrdiff_t>(d.elem_len);
        const std::size_t run = d.elem_len * (rows ? static_cast<std::size_t>(d.dim[0].extent) : 1);
        for (;;) {
            (void)std::fwrite(at, 1, run, file_);
            int i = rows ? 1 : 0;
            for (; i < d.rank; ++i) {
                at += d.dim[i].sm;
                if (++index[i] < d.dim[i].extent) break;
                at -= d.dim[i].sm * index[i];
                index[i] = 0;
            }
            if (i >= d.rank) return;
        }
    }

    void transfer(const char* what, const desc& given, std::int64_t stream)
    {
        const desc d = counted(given);
        if (d.base_addr == nullptr || !is_hosts(d.base_addr) || !runs_now(stream_handle(stream))) return;
        // A copy to pinned memory may be under way.
        (void)cudaStreamSynchronize(stream_handle(stream));
        head(what, category_of(d) == category::other ? "bytes" : type_name(type_of(d)), d, statement());
        elements(d);
    }

    void copied(const work& of)
    {
        desc d = counted(*static_cast<const desc*>(of.data));
        const bool to_host = d.base_addr != nullptr && is_hosts(address(d)) && !is_hosts(of.other);
        if (!to_host) return;
        if (is_raw(d)) {
            d.base_addr = address(d);
            set_elements(d, category::integer, 1);
            d.rank = 1;
            d.dim[0] = {0, of.bytes, 1};
        } else if (element_count(d) * static_cast<std::int64_t>(d.elem_len) != of.bytes && d.elem_len > 0) {
            d.rank = 1;
            d.dim[0] = {0, of.bytes / static_cast<std::int64_t>(d.elem_len), static_cast<std::ptrdiff_t>(d.elem_len)};
        }
        transfer("copy", d, of.stream);
    }

    /// `[with T = float]`
    static element_type type_of_result(const char* text, std::size_t size)
    {
        const std::string all = text, mark = "T = ";
        const auto at = all.rfind(mark);
        const std::string name = at == std::string::npos ? all : all.substr(at + mark.size());
        const auto has = [&](const char* word) { return name.find(word) != std::string::npos; };
        // Types of the program stand in the namespaces of its modules.
        const std::string first = name.substr(0, name.find_first_of(";]"));
        if (first.find("::") != std::string::npos && first.compare(0, 5, "cuf::") != 0) return {category::structure, size};
        if (has("complex")) return {category::complex, size};
        if (has("half")) return {category::structure, size};
        if (has("logical") || has("bool")) return {category::logical, size};
        if (has("float") || has("double")) return {category::real, size};
        return {has("character") ? category::character : category::integer, size};
    }

    /// What `of` tells of an element.
    static desc element_of(const work& of)
    {
        desc d{};
        d.base_addr = const_cast<void*>(of.data);
        set_elements(d, type_of_result(of.type, of.length).type, of.length);
        return d;
    }

    void result(const work& of)
    {
        desc d = element_of(of);
        d.rank = of.bytes == static_cast<std::int64_t>(d.elem_len) ? 0 : 1;
        d.dim[0] = {0, of.bytes / static_cast<std::int64_t>(d.elem_len), static_cast<std::ptrdiff_t>(d.elem_len)};
        const std::string& place = statement();
        head("result", type_name(type_of_result(of.type, of.length)), d, place.empty() ? std::string(of.place) : place);
        elements(d);
    }

    struct managed_array {
        desc shape;
        std::string place;
        bool variable = false;  // of a module: never freed
    };

    void allocated(const desc& d)
    {
        std::erase_if(managed_, [&](const managed_array& a) { return a.shape.base_addr == d.base_addr; });
        managed_.push_back({counted(d), statement()});
    }

    void variable(const work& of)
    {
        desc d = element_of(of);
        const auto& shape = *static_cast<const variable_shape*>(of.other);
        auto distance = static_cast<std::ptrdiff_t>(d.elem_len);
        for (; d.rank < shape.rank; ++d.rank) {
            d.dim[d.rank] = {0, shape.extent[d.rank], distance};
            distance *= shape.extent[d.rank];
        }
        const std::string place = std::string("variable ") + of.place;
        std::erase_if(managed_, [&](const managed_array& a) { return a.variable && a.place == place; });
        managed_.push_back({d, place, true});
    }

    /// What kernels may have written to managed data.
    void synchronised()
    {
        if (!launched_) return;
        launched_ = false;
        std::erase_if(managed_, [](const managed_array& a) { return !a.variable && !is_live(a.shape.base_addr); });
        for (const managed_array& a : managed_) {
            head("managed data", type_name(type_of(a.shape)), a.shape, statement() + "\t" + a.place);
            elements(a.shape);
        }
    }

    static bool is_live(void* p)
    {
        allocation_table& t = allocations();
        std::lock_guard hold(t.lock);
        const auto at = t.live.find(p);
        return at != t.live.end() && at->second.where == space::managed;
    }

    std::FILE* file_;
    bool launched_ = false;
    std::vector<managed_array> managed_;
};

}  // namespace cuf::rt
