// Device functions of CUDA on the cpu: hand-computed values and properties.
#include "device/cache_hints.hpp"
#include "cpu/intrinsics.hpp"

#include "../check.hpp"

int main()
{
    volatile float third = 3.0f;
    CHECK(__fdiv_ru(1.0f, third) > __fdiv_rd(1.0f, third));
    CHECK(__fdiv_rz(-1.0f, third) > __fdiv_rd(-1.0f, third) && __fdiv_rz(-1.0f, third) == __fdiv_ru(-1.0f, third));
    CHECK(__fdiv_rn(1.0f, third) == 1.0f / third && __frcp_rn(third) == 1.0f / third);
    CHECK(__fadd_rd(1.0f, -1e-20f) == 0.99999994f && __fadd_ru(1.0f, 1e-20f) == 1.0000001f && __fadd_rn(1.0f, 1e-20f) == 1.0f);
    CHECK(__dadd_ru(1.0, 1e-30) == 1.0000000000000002 && __dmul_rz(0.1, 3.0) < __dmul_ru(0.1, 3.0));
    CHECK(__fsqrt_ru(2.0f) > __fsqrt_rd(2.0f) && __dsqrt_rd(2.0) * __dsqrt_rd(2.0) < 2.0000000000000004);
    CHECK(__fmaf_rn(1.0f + 0x1p-23f, 1.0f + 0x1p-23f, -1.0f) == 0x1p-22f + 0x1p-46f);
    CHECK(__fma_ru(1.0, 1.0, 1e-30) == 1.0000000000000002);
    CHECK(std::fegetround() == FE_TONEAREST);

    CHECK(__float2int_rn(2.5f) == 2 && __float2int_ru(2.1f) == 3 && __float2int_rd(-2.1f) == -3 && __float2int_rz(-2.9f) == -2);
    CHECK(__float2int_rn(3e9f) == INT_MAX && __float2int_rn(-3e9f) == INT_MIN && __float2int_rz(NAN) == 0);
    CHECK(__float2uint_rz(-1.0f) == 0 && __float2uint_rz(4e9f) == 4000000000u && __float2uint_rz(5e9f) == UINT_MAX);
    CHECK(__double2ll_rn(1e19) == LLONG_MAX && __double2ull_rz(1e19) == 10000000000000000000ull && __double2ull_rz(2e19) == ULLONG_MAX);
    CHECK(__double2int_rn(-3.5) == -4 && __double2uint_ru(3.2) == 4);
    CHECK(__int2float_rd(16777217) == 16777216.0f && __int2float_ru(16777217) == 16777218.0f);
    CHECK(__uint2float_rz(UINT_MAX) == 4294967040.0f && __ull2double_ru(ULLONG_MAX) == 0x1p64 && __ull2double_rd(ULLONG_MAX) < 0x1p64);
    CHECK(__ll2float_ru(-16777217) == -16777216.0f && __ll2double_rd((1ll << 53) + 1) == 0x1p53);
    CHECK(__double2float_ru(0.1) > __double2float_rd(0.1));
    CHECK(__float_as_int(1.0f) == 0x3f800000 && __int_as_float(0x40000000) == 2.0f);
    CHECK(__double2hiint(1.0) == 0x3ff00000 && __double2loint(1.0) == 0 && __hiloint2double(0x3ff00000, -1) > 1.0);
    CHECK(__half2float(__float2half_rn(2049.0f)) == 2048.0f);

    CHECK(__clz(0) == 32 && __clz(1) == 31 && __clzll(-1) == 0 && __ffs(0) == 0 && __ffs(8) == 4 && __ffsll(1ll << 40) == 41);
    CHECK(__popc(~0u) == 32 && __popcll(5) == 2 && __brev(1) == 0x80000000u && __brev(0x12345678u) == 0x1e6a2c48u && __brevll(2) == 1ull << 62);
    CHECK(__mul24(0x01000003, -2) == -6 && __umul24(0xff000002u, 3) == 6 && __mul24(0x7fffff, 0x7fffff) == int(0x7fffffll * 0x7fffff));
    CHECK(__mulhi(INT_MIN, 2) == -1 && __umulhi(~0u, ~0u) == 0xfffffffeu && __mul64hi(-1, 1) == -1 && __umul64hi(~0ull, 2) == 1);
    CHECK(__sad(INT_MIN, INT_MAX, 1u) == 0u && __sad(-3, 4, 5u) == 12 && __usad(1, 3, 0) == 2);
    CHECK(__hadd(-3, 2) == -1 && __rhadd(1, 2) == 2 && __uhadd(~0u, ~0u) == ~0u);
    CHECK(__byte_perm(0x03020100, 0x07060504, 0x7410) == 0x07040100 && __byte_perm(0x80, 0, 0x8888) == ~0u);
    CHECK(__funnelshift_l(0x80000000u, 1, 1) == 3 && __funnelshift_r(2, 1, 1) == 0x80000001u);
    CHECK(__saturatef(-1) == 0 && __saturatef(2) == 1 && __saturatef(NAN) == 0 && __saturatef(0.25f) == 0.25f);
    CHECK(__fdividef(1, 4) == 0.25f && fdivide(1, 4) == 0.25 && __powf(2, 3) == 8 && __exp10f(2) == 100 && rsqrtf(4) == 0.5f);
    CHECK(sinpi(1.0) == 0 && sinpi(0.5) == 1 && cospi(0.5) == 0 && cospi(1.0) == -1 && cospif(1.25f) == -0.70710678f && sinpi(-1.5) == 1);
    CHECK(sinpi(1e15 + 0.5) == 1.0 && std::signbit(sinpi(-2.0)) && !std::signbit(cospi(1.5)) && ulps(sinpi(0.1), std::sin(M_PI * 0.1)) <= 2);

    int64_t k = 5;
    cuf::stcg(k, cuf::ldcg(k) + 1);
    CHECK(cuf::ldcv(k) == 6);
    return report("cpu_intrinsics");
}
