// Kernels and device variables by name.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include "../device/registry.hpp"
#include "core.hpp"
#include <set>

namespace cuf::rt {

struct name_table {
    std::mutex lock;
    std::map<std::string, const void*> kernels;
    std::map<const void*, const void*> wide;  // second versions
    struct symbol {
        const void* handle;  // what cudaGetSymbolAddress takes; on the cpu target the address itself
        std::size_t bytes;
    };
    std::map<std::string, symbol> symbols;
    std::set<std::string> texts;  // character values assigned to type(c_ptr) variables
};
inline name_table& names()
{
    static name_table* t = new name_table;
    return *t;
}

/// The kernel that a `func` argument names; null if there is none.
inline const void* kernel_of(const desc* func)
{
    if (func == nullptr) return nullptr;
    if (category_of(*func) == category::c_funptr) return *static_cast<void**>(func->base_addr);
    return find_kernel(name_of(func).c_str());
}

/// Keeps a C copy of a character value for the rest of the run.
inline const char* intern(const char* text, std::size_t length)
{
    while (length > 0 && text[length - 1] == ' ') --length;
    name_table& t = names();
    std::lock_guard hold(t.lock);
    return t.texts.insert(std::string(text, length)).first->c_str();
}

struct symbol_place {
    char* address;
    std::size_t bytes;  // 0 if unknown
};

/// A `symbol` argument: a character value, a c_ptr that was set to one, or a device variable itself.
inline cudaError_t resolve_symbol(const desc* symbol, symbol_place& place)
{
    std::string name;
    if (category_of(*symbol) == category::character) {
        name.assign(static_cast<const char*>(symbol->base_addr), symbol->elem_len);
        while (!name.empty() && name.back() == ' ') name.pop_back();
    } else {
        const char* p = address(*symbol);
        name_table& t = names();
        std::lock_guard hold(t.lock);
        bool text = is_raw(*symbol) && std::any_of(t.texts.begin(), t.texts.end(),
                                                   [p](const std::string& s) { return s.c_str() == p; });
        if (!text) {
            place = {address(*symbol), unit(*symbol) * static_cast<std::size_t>(element_count(*symbol))};
            return place.address ? cudaSuccess : cudaErrorInvalidSymbol;
        }
        name = p;
    }
    name_table::symbol found{};
    {
        name_table& t = names();
        std::lock_guard hold(t.lock);
        auto it = t.symbols.find(name);
        if (it == t.symbols.end()) return cudaErrorInvalidSymbol;
        found = it->second;
    }
#if defined(CUF_TARGET_CPU)
    void* at = const_cast<void*>(found.handle);
#if defined(CUF_CHECK)
    at = check::host_alias(at);
#endif
    place = {static_cast<char*>(at), found.bytes};
    return cudaSuccess;
#else
    void* p = nullptr;
    std::size_t bytes = 0;
    cudaError_t code = cudaGetSymbolAddress(&p, found.handle);
    if (code == cudaSuccess) code = cudaGetSymbolSize(&bytes, found.handle);
    place = {static_cast<char*>(p), bytes};
    return code;
#endif
}

}  // namespace cuf::rt

namespace cuf {

bool register_kernel(const char* name, const void* kernel, const void* wide)
{
    rt::name_table& t = rt::names();
    std::lock_guard hold(t.lock);
    t.kernels.insert_or_assign(name, kernel);
    if (wide != nullptr) t.wide.insert_or_assign(kernel, wide);
    return true;
}

const void* wide_version(const void* kernel)
{
    rt::name_table& t = rt::names();
    std::lock_guard hold(t.lock);
    auto found = t.wide.find(kernel);
    return found == t.wide.end() ? nullptr : found->second;
}

bool register_symbol(const char* name, const void* handle, std::size_t bytes)
{
    rt::name_table& t = rt::names();
    std::lock_guard hold(t.lock);
    t.symbols.insert_or_assign(name, rt::name_table::symbol{handle, bytes});
    return true;
}

const void* find_kernel(const char* name)
{
    rt::name_table& t = rt::names();
    std::lock_guard hold(t.lock);
    auto exact = t.kernels.find(name);
    if (exact != t.kernels.end()) return exact->second;
    std::string tail = std::string("_") + name;
    const void* found = nullptr;
    for (const auto& [known, kernel] : t.kernels) {
        if (known.size() <= tail.size() || known.compare(known.size() - tail.size(), tail.size(), tail) != 0) continue;
        if (found != nullptr && found != kernel) return nullptr;
        found = kernel;
    }
    return found;
}

}  // namespace cuf

#if !defined(CUF_TARGET_CPU)
// Device variables of the program's own C++ files by name: nvcc's start-up code reports each of them here when the
// program is linked with -Wl,--wrap=__cudaRegisterVar. Without that flag these two are not used.
extern "C" __attribute__((weak)) void __real___cudaRegisterVar(void**, char*, char*, const char*, int, std::size_t,
                                                              int, int);
extern "C" void __wrap___cudaRegisterVar(void** binary, char* handle, char* address, const char* name, int external,
                                         std::size_t bytes, int constant, int global)
{
    cuf::register_symbol(name, handle, bytes);
    __real___cudaRegisterVar(binary, handle, address, name, external, bytes, constant, global);
}
#endif
