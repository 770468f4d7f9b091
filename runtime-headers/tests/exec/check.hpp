// Check macro of the tests of the execution model.
#pragma once
#include <cstdio>

inline int failures = 0;

#define CHECK(condition)                                                                                \
    do {                                                                                                \
        if (!(condition)) {                                                                             \
            if (++failures <= 20) std::printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);   \
        }                                                                                               \
    } while (0)

inline int report(const char* name)
{
    std::printf("%s %s\n", failures ? "FAIL" : "PASS", name);
    return failures != 0;
}
