// real(2), characters, transfer.
#include "device/character.hpp"
#include "device/half.hpp"
#include "device/logical.hpp"

#include "check.hpp"

using cuf::character;
using cuf::half;

static float value(int bits) { return cuf::detail::half_value(uint16_t(bits)); }

static void halves()
{
    // Every number survives; every midpoint goes to the even neighbour and its own neighbours to the nearer one.
    for (int b = 0; b < 0x7c00; ++b) {
        const float x = value(b);
        CHECK(half(x).bits == b && half(-x).bits == (b | 0x8000));
        const double next = b == 0x7bff ? 65536.0 : value(b + 1);
        const double middle = (double(x) + next) / 2;
        const int even = (b & 1) == 0 ? b : b + 1;
        CHECK(half(middle).bits == even && half(std::nextafter(middle, 0)).bits == b && half(std::nextafter(middle, 1e9)).bits == b + 1);
    }
    CHECK(half(1e300).bits == 0x7c00 && half(-1e9).bits == 0xfc00 && half(0.0).bits == 0 && half(-0.0).bits == 0x8000);
    CHECK(std::isnan(float(half(NAN))) && std::isinf(float(half(INFINITY))) && half(70000).bits == 0x7c00 && half(-3).bits == 0xc200);
    const half a = 1.0f, b = 2048.0f;
    CHECK(float(a + b) == 2048 && float(b + half(3)) == 2052 && float(half(1) / half(3)) == value(0x3555) && float(-a) == -1 && a < b && a != b);
    CHECK(float(cuf::sqrt(half(2))) == value(0x3da8) && float(cuf::max(a, b)) == 2048 && cuf::nint(half(2.5f)) == 3 && float(cuf::pow(half(3), 4)) == 81);
    CHECK(std::is_trivial_v<half> && int(half(-2.75f)) == -2 && double(half(0.5f)) == 0.5);
}

static void characters()
{
    character<5> a("abc"), b = "abcdefg";
    static_assert(std::is_trivial_v<character<5>> && sizeof(a) == 5);
    CHECK(std::memcmp(a.text, "abc  ", 5) == 0 && std::memcmp(b.text, "abcde", 5) == 0);
    CHECK(a == "abc" && "abc   " == a && a != b && a < b && b > "abcd" && a >= "abc" && character<2>("a") < "b" && !(a == "ab"));
    a = b;
    CHECK(a == b && a(2, 3) == "bc" && a(4, 3).len() == 0 && a(4, 3) == "");
    a(2, 5) = a(1, 4);
    CHECK(a == "aabcd");
    a(1, 4) = a(2, 5);
    CHECK(a == "abcdd");
    a(2, 3) = "x";
    CHECK(a == "ax dd");
    character<3> c = a(3, 5);
    character<8> d = c;
    CHECK(c == " dd" && d == " dd     " && cuf::len_trim(d) == 3 && cuf::trim(d).len() == 3);
    CHECK(cuf::concat(c, b) == " ddabcde" && decltype(cuf::concat(c, "xy"))::len() == 5 && cuf::concat("xy", c) == "xy dd");
    CHECK(cuf::adjustl(c) == "dd" && std::memcmp(cuf::adjustr(character<4>("ab")).text, "  ab", 4) == 0);
    CHECK(cuf::index("banana", "an") == 2 && cuf::index("banana", "an", true) == 4 && cuf::index("a", "ab") == 0 && cuf::index("abc", "") == 1
          && cuf::index("abc", "", true) == 4);
    CHECK(cuf::scan("fortran", "tr") == 3 && cuf::scan("fortran", "tr", true) == 5 && cuf::verify("aab", "a") == 3 && cuf::verify("aa", "a") == 0);
    CHECK(cuf::ichar(cuf::char_(200)) == 200 && cuf::achar(65) == "A" && cuf::iachar("z") == 122 && cuf::ichar('0') == 48);
    const character<1> blank(' ');
    CHECK(blank == "" && cuf::len_trim(blank) == 0);
}

int main()
{
    halves();
    characters();
    CHECK(cuf::transfer<int>(1.0f) == 0x3f800000 && cuf::transfer<double>(int64_t(0x3ff0000000000000)) == 1.0);
    CHECK(cuf::transfer<int64_t>(1.0f) == 0x3f800000 && cuf::transfer<int8_t>(0x1234) == 0x34);
    CHECK(cuf::transfer<character<4>>(0x64636261) == "abcd" && cuf::transfer<int>(cuf::logical<4>(true)) == 1);
    return report("values");
}
