// Counts the blocks of the heap in use: preloaded, it gives their number as mallinfo2's uordblks. (Bytes in use, which the C library
// counts, differ by what a block that lives on has more than it asked for.)
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <malloc.h>

extern "C" {
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

static std::atomic<long> blocks{0};

static void *counted(void *p) {
  blocks += p != nullptr;
  return p;
}

void *malloc(size_t n) { return counted(__libc_malloc(n)); }
void *calloc(size_t n, size_t size) { return counted(__libc_calloc(n, size)); }
void *memalign(size_t alignment, size_t n) { return counted(__libc_memalign(alignment, n)); }
void *aligned_alloc(size_t alignment, size_t n) { return memalign(alignment, n); }

int posix_memalign(void **p, size_t alignment, size_t n) {
  *p = memalign(alignment, n);
  return *p ? 0 : ENOMEM;
}

void free(void *p) {
  blocks -= p != nullptr;
  __libc_free(p);
}

void *realloc(void *p, size_t n) {
  if (!p) return malloc(n);
  if (n) return __libc_realloc(p, n);
  free(p);
  return nullptr;
}

struct mallinfo2 mallinfo2() {
  struct mallinfo2 info {};
  info.uordblks = blocks;
  return info;
}
}
