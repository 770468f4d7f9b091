// CUF_CHECK_BOUNDS: a violation is told with the subscript and the bounds.
#define CUF_CHECK
#define CUF_CHECK_BOUNDS
#include "device/array.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "check.hpp"

void cuf::check::out_of_bounds(const char* name, const void*, int rank, int dimension, std::int64_t at, std::int64_t lower, std::int64_t upper, bool)
{
    std::fprintf(stderr, "subscript %lld of dimension %d of %s of rank %d is outside its bounds %lld:%lld\n", (long long)at, dimension, name ? name : "an array",
                 rank, (long long)lower, (long long)upper);
    std::abort();
}

template <class F>
static std::string message_of(F violation)
{
    int ends[2];
    if (pipe(ends) != 0) return "";
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 2);
        violation();
        _exit(0);
    }
    close(ends[1]);
    std::string text;
    char block[512];
    for (ssize_t n; (n = read(ends[0], block, sizeof block)) > 0;) text.append(block, size_t(n));
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(text.empty() == (WIFEXITED(status) && WEXITSTATUS(status) == 0));
    return text;
}

int main()
{
    float m[24] = {};
    volatile int i = 4;
    cuf::array<float, 2> a(m, 3, cuf::range{0, 7});
    cuf::array<float, 2> open(m, 3, cuf::assumed{2});
    cuf::fixed_array<float, cuf::range{-1, 1}> t{};
    CHECK(message_of([&] { a(i, 0) = 1; }) == "subscript 4 of dimension 1 of an array of rank 2 is outside its bounds 1:3\n");
    CHECK(message_of([&] { a(1, i + 4) = 1; }).find("dimension 2 of an array of rank 2 is outside its bounds 0:7") != std::string::npos);
    CHECK(message_of([&] { t(i - 6) = 1; }).find("bounds -1:1") != std::string::npos);
    CHECK(message_of([&] { open(1, 1) = 1; }).find("subscript 1 of dimension 2") != std::string::npos);
    CHECK(message_of([&] { cuf::section(a, cuf::slice{1, i}, 0); }).find("subscript 4 of dimension 1") != std::string::npos);
    CHECK(message_of([&] { cuf::section(a, cuf::slice{3, 1, -2}, cuf::all)(2, 9) = 1; }).find("bounds 1:8") != std::string::npos);
    a.name("a");
    CHECK(message_of([&] { const cuf::view<float, 2> v = a; v(1, i + 4) = 1; }).find("dimension 2 of a of rank 2") != std::string::npos);
    CHECK(message_of([&] { a(3, 7) = t(-1) + open(3, i + 5); }) == "");
    return report("bounds");
}
