// PRINT: the text of many values against gfortran, where there is one.
#include "device/print.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "check.hpp"

static uint64_t state = 88172645463325252u;
static uint64_t random_bits()
{
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static std::string read_all(const char* path)
{
    std::string text;
    if (FILE* f = std::fopen(path, "rb")) {
        char block[4096];
        for (size_t n; (n = std::fread(block, 1, sizeof block, f)) > 0;) text.append(block, n);
        std::fclose(f);
    }
    return text;
}

int main()
{
    char folder[] = "/tmp/cuf_print_XXXXXX";
    if (!mkdtemp(folder)) return 1;
    const std::string base = folder;
    const std::string ours = base + "/ours", theirs = base + "/theirs", values = base + "/values";

    std::vector<uint64_t> bits;
    for (int k = 0; k < 6000; ++k) bits.push_back(random_bits());
    // Ordinary magnitudes, powers of ten and their neighbours, zeros, subnormals, infinities, NaN.
    for (int k = 0; k < 6000; ++k) {
        const double x = (double(random_bits() % 2000001) - 1e6) / std::pow(10.0, double(random_bits() % 14));
        bits.push_back(cuf::detail::bit_cast<uint64_t>(x));
    }
    for (int e = -320; e <= 308; ++e) {
        const double x = std::strtod(("1e" + std::to_string(e)).c_str(), nullptr);
        for (double y : {x, std::nextafter(x, 0.0), std::nextafter(x, 2 * x), -x * 0.99999999999999995, 5 * x})
            bits.push_back(cuf::detail::bit_cast<uint64_t>(y));
    }
    for (double x : {0.0, -0.0, 1.0 / 0.0, -1.0 / 0.0, 5e-324, 0.1, 0.5, 1.0, 123456789.0, 99999999999999999.0, std::nan("")})
        bits.push_back(cuf::detail::bit_cast<uint64_t>(x));

    FILE* f = std::fopen(values.c_str(), "wb");
    std::fwrite(bits.data(), 8, bits.size(), f);
    std::fclose(f);
    std::fflush(stdout);
    FILE* saved = stdout;
    stdout = std::fopen(ours.c_str(), "wb");
    for (uint64_t b : bits) {
        const double x = cuf::detail::bit_cast<double>(b);
        const float s = float(x);
        const int64_t i = int64_t(b);
        cuf::print(x, s);
        cuf::print(cuf::complex<double>(x, 1.5), cuf::complex<float>(-2.0f, s), i, int(i), int16_t(i), int8_t(i), (i & 1) != 0);
    }
    const int matrix[] = {1, 2, 3, 4, 5, 6};
    cuf::array<const int, 2> m(matrix, 2, 3);
    cuf::character<12> c("Even Thread:");
    cuf::print();
    cuf::print(c, c(6, 11), 7);
    cuf::print("a", 1, "b", "c", true, "d", cuf::complex<float>(1, 2), cuf::logical<4>(false), "");
    cuf::print(m, cuf::section(m, 2, cuf::slice{3, 1, -1}), 'x', "don't \"do\" %d that");
    std::fclose(stdout);
    stdout = saved;

    f = std::fopen((base + "/p.f90").c_str(), "wb");
    std::fprintf(f, R"(program p
  integer(8) :: i
  real(8) :: x
  real(4) :: s
  integer :: u, stat, m(2, 3) = reshape([1, 2, 3, 4, 5, 6], [2, 3])
  character(12) :: c = 'Even Thread:'
  open (newunit=u, file='%s', access='stream', form='unformatted')
  do
    read (u, iostat=stat) i
    if (stat /= 0) exit
    x = transfer(i, x)
    s = real(x, 4)
    print *, x, s
    print *, cmplx(x, 1.5d0, 8), cmplx(-2.0, s), i, int(ibits(i, 0, 31), 4) + merge(-huge(1)-1, 0, btest(i, 31)), &
      int(ibits(i, 0, 15), 2) + merge(-huge(1_2)-1_2, 0_2, btest(i, 15)), &
      int(ibits(i, 0, 7), 1) + merge(-huge(1_1)-1_1, 0_1, btest(i, 7)), btest(i, 0)
  end do
  print *
  print *, c, c(6:11), 7
  print *, 'a', 1, 'b', 'c', .true., 'd', (1.0, 2.0), .false., ''
  print *, m, m(2, 3:1:-1), 'x', 'don''t "do" %%d that'
end program
)", values.c_str());
    std::fclose(f);
    if (std::system("gfortran --version > /dev/null 2>&1") != 0) {
        std::printf("SKIP print: no gfortran\n");
        return 0;
    }
    const std::string build = "cd " + base + " && gfortran -fno-range-check -w p.f90 -o p && ./p > theirs";
    CHECK(std::system(build.c_str()) == 0);
    const std::string a = read_all(ours.c_str()), b = read_all(theirs.c_str());
    CHECK(a.size() > 1000000 && a == b);
    if (a != b) std::printf("%s\n", ("diff: " + ours + " " + theirs).c_str());
    else std::system(("rm -r " + base).c_str());
    return report("print");
}
