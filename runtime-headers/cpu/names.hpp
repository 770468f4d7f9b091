// Names of kernels for messages: looked up in the symbol table of the file that holds them. Only cpu_runtime.cpp includes this.
#pragma once // SPDX-License-Identifier: MIT OR Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <string>
#include <vector>

namespace cuf::cpu {

/// The symbol at exactly this address (relative to the load address) in an ELF file, or an empty string. dladdr sees exported
/// symbols only, which the kernels of an executable are not.
inline std::string elf_symbol(const char* path, std::uintptr_t value)
{
    std::string found;
    std::FILE* file = std::fopen(path, "rb");
    if (!file) return found;
    const auto read = [file](auto& to, std::size_t count, std::size_t offset) {
        to.resize(count);
        return std::fseek(file, long(offset), SEEK_SET) == 0 && std::fread(to.data(), sizeof to[0], count, file) == count;
    };
    std::vector<ElfW(Ehdr)> header;
    std::vector<ElfW(Shdr)> sections;
    if (read(header, 1, 0) && std::memcmp(header[0].e_ident, ELFMAG, SELFMAG) == 0 && read(sections, header[0].e_shnum, header[0].e_shoff)) {
        for (const auto& table : sections) {
            if (table.sh_type != SHT_SYMTAB || table.sh_link >= sections.size()) continue;
            std::vector<ElfW(Sym)> symbols;
            std::vector<char> names;
            const auto& strings = sections[table.sh_link];
            if (!read(symbols, table.sh_size / sizeof(ElfW(Sym)), table.sh_offset) || !read(names, strings.sh_size, strings.sh_offset)) continue;
            for (const auto& symbol : symbols)
                if (symbol.st_value == value && (symbol.st_info & 0xf) == STT_FUNC && symbol.st_name < names.size()) {
                    found = &names[symbol.st_name];
                    break;
                }
        }
    }
    std::fclose(file);
    return found;
}

/// `module::kernel`, without its parameters; the address where no symbol is known.
inline std::string kernel_name(const void* kernel)
{
    std::string name;
    Dl_info info{};
    link_map* map = nullptr;
    if (dladdr1(kernel, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP)) {
        if (info.dli_sname && info.dli_saddr == kernel) name = info.dli_sname;
        if (name.empty() && map) {
            const char* path = map->l_name && *map->l_name ? map->l_name : "/proc/self/exe";
            name = elf_symbol(path, reinterpret_cast<std::uintptr_t>(kernel) - map->l_addr);
        }
    }
    if (name.empty()) {
        char text[40];
        std::snprintf(text, sizeof text, "at %p", kernel);
        return text;
    }
    int status = 0;
    if (char* plain = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status)) {
        name = plain;
        std::free(plain);
    }
    // A template's name begins with the type of its result.
    if (name.rfind("void ", 0) == 0) name.erase(0, 5);
    // The closure of a kernel of the user's CUDA C++ is named after it.
    const std::string body = "cuf::own::run_body<";
    if (name.rfind(body, 0) == 0) name.erase(0, body.size());
    const auto open = name.find_first_of("(<");
    return open == std::string::npos || open == 0 ? name : name.substr(0, open);
}

}  // namespace cuf::cpu
