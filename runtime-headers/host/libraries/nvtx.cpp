// NVTX for the module nvtx, and by its own C names for programs that bind to them: NVIDIA's library is a header without symbols that Fortran
// could bind to. Without the header (the cpu target, a toolkit without it) ranges and marks mean nothing.
// The C names are weak: a library or a C file of the program's own that has them takes precedence.
// SPDX-License-Identifier: MIT OR Apache-2.0
#include <cstdint>

#if !defined(CUF_TARGET_CPU) && defined(__has_include)
#if __has_include(<nvtx3/nvToolsExt.h>)
#define NVTX_EXPORT_API
#define NVTX_DECLSPEC __attribute__((weak))
#include <nvtx3/nvToolsExt.h>
#define CUF_NVTX_HEADER 1
#endif
#endif

namespace cuf::nvtx {

/// The type nvtxEventAttributes of the module: NVIDIA's structure, and room for the text that its message points to.
struct event {
    std::uint16_t version, size;
    std::uint32_t category;
    std::int32_t color_type;
    std::uint32_t color;
    std::int32_t payload_type, reserved;
    std::int64_t payload;
    std::int32_t message_type;
    const void* message;  // null: the text
    char text[256];
};

#if defined(CUF_NVTX_HEADER)
inline nvtxEventAttributes_t attributes(const event& e)
{
    nvtxEventAttributes_t a{};
    a.version = NVTX_VERSION;
    a.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    a.category = e.category;
    a.colorType = e.color_type;
    a.color = e.color;
    a.payloadType = e.payload_type;
    a.payload.llValue = e.payload;
    a.messageType = e.message_type;
    if (e.message_type == NVTX_MESSAGE_TYPE_REGISTERED)
        a.message.registered = static_cast<nvtxStringHandle_t>(const_cast<void*>(e.message));
    else
        a.message.ascii = e.message ? static_cast<const char*>(e.message) : e.text;
    return a;
}

inline nvtxDomainHandle_t domain_of(void* handle) { return static_cast<nvtxDomainHandle_t>(handle); }
#endif

}  // namespace cuf::nvtx

using cuf::nvtx::event;

// A null domain is NVTX's default one.
#if defined(CUF_NVTX_HEADER)
using cuf::nvtx::attributes;
using cuf::nvtx::domain_of;

extern "C" {
void cuf_nvtx_initialize() { nvtxInitialize(nullptr); }
void* cuf_nvtx_domain_create(const char* name) { return nvtxDomainCreateA(name); }
void cuf_nvtx_domain_destroy(void* domain) { nvtxDomainDestroy(domain_of(domain)); }
void* cuf_nvtx_register_string(void* domain, const char* text) { return nvtxDomainRegisterStringA(domain_of(domain), text); }
void cuf_nvtx_name_category(void* domain, std::uint32_t category, const char* name) { nvtxDomainNameCategoryA(domain_of(domain), category, name); }
void cuf_nvtx_name_thread(std::uint32_t thread, const char* name) { nvtxNameOsThreadA(thread, name); }
int cuf_nvtx_push(void* domain, const event* e)
{
    const auto a = attributes(*e);
    return nvtxDomainRangePushEx(domain_of(domain), &a);
}
int cuf_nvtx_pop(void* domain) { return nvtxDomainRangePop(domain_of(domain)); }
std::uint64_t cuf_nvtx_start(void* domain, const event* e)
{
    const auto a = attributes(*e);
    return nvtxDomainRangeStartEx(domain_of(domain), &a);
}
void cuf_nvtx_end(void* domain, std::uint64_t range) { nvtxDomainRangeEnd(domain_of(domain), range); }
void cuf_nvtx_mark(void* domain, const event* e)
{
    const auto a = attributes(*e);
    nvtxDomainMarkEx(domain_of(domain), &a);
}
}
#else
extern "C" {
void cuf_nvtx_initialize() {}
void* cuf_nvtx_domain_create(const char*) { return nullptr; }
void cuf_nvtx_domain_destroy(void*) {}
void* cuf_nvtx_register_string(void*, const char*) { return nullptr; }
void cuf_nvtx_name_category(void*, std::uint32_t, const char*) {}
void cuf_nvtx_name_thread(std::uint32_t, const char*) {}
int cuf_nvtx_push(void*, const event*) { return -1; }
int cuf_nvtx_pop(void*) { return -1; }
std::uint64_t cuf_nvtx_start(void*, const event*) { return 0; }
void cuf_nvtx_end(void*, std::uint64_t) {}
void cuf_nvtx_mark(void*, const event*) {}
}

#define CUF_NVTX extern "C" __attribute__((weak))
CUF_NVTX void nvtxInitialize(const void*) {}
CUF_NVTX void nvtxMarkA(const char*) {}
CUF_NVTX void nvtxMarkEx(const void*) {}
CUF_NVTX std::uint64_t nvtxRangeStartA(const char*) { return 0; }
CUF_NVTX std::uint64_t nvtxRangeStartEx(const void*) { return 0; }
CUF_NVTX void nvtxRangeEnd(std::uint64_t) {}
CUF_NVTX int nvtxRangePushA(const char*) { return -2; }
CUF_NVTX int nvtxRangePushEx(const void*) { return -2; }
CUF_NVTX int nvtxRangePop() { return -2; }
CUF_NVTX void nvtxNameCategoryA(std::uint32_t, const char*) {}
CUF_NVTX void nvtxNameOsThreadA(std::uint32_t, const char*) {}
CUF_NVTX void* nvtxDomainCreateA(const char*) { return nullptr; }
CUF_NVTX void nvtxDomainDestroy(void*) {}
CUF_NVTX void nvtxDomainMarkEx(void*, const void*) {}
CUF_NVTX std::uint64_t nvtxDomainRangeStartEx(void*, const void*) { return 0; }
CUF_NVTX void nvtxDomainRangeEnd(void*, std::uint64_t) {}
CUF_NVTX int nvtxDomainRangePushEx(void*, const void*) { return -2; }
CUF_NVTX int nvtxDomainRangePop(void*) { return -2; }
CUF_NVTX void nvtxDomainNameCategoryA(void*, std::uint32_t, const char*) {}
CUF_NVTX void* nvtxDomainRegisterStringA(void*, const char*) { return nullptr; }
#undef CUF_NVTX
#endif
