#pragma once
// The intrinsics of CUDA in plain C++, included by device.h.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <type_traits>

// ---- Loads, stores, bits.
template <class T>
T __ldg(const T* p) {
  return *p;
}
template <class T>
T __ldcs(const T* p) {
  return *p;
}
template <class T>
T __ldcg(const T* p) {
  return *p;
}
template <class T>
T __ldca(const T* p) {
  return *p;
}
template <class T>
void __stcs(T* p, T v) {
  *p = v;
}
template <class T>
void __stcg(T* p, T v) {
  *p = v;
}
inline int __popc(unsigned v) {
  return std::popcount(v);
}
inline int __popcll(unsigned long long v) {
  return std::popcount(v);
}
inline int __clz(int v) {
  return std::countl_zero(static_cast<unsigned>(v));
}
inline int __clzll(long long v) {
  return std::countl_zero(static_cast<unsigned long long>(v));
}
inline int __ffs(int v) {
  return v == 0 ? 0 : std::countr_zero(static_cast<unsigned>(v)) + 1;
}
inline unsigned __brev(unsigned v) {
  unsigned r = 0;
  for (int i = 0; i < 32; ++i)
    r |= (v >> i & 1u) << (31 - i);
  return r;
}
inline unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>((std::uint64_t{a} * b) >> 32);
}
inline int __mulhi(int a, int b) {
  return static_cast<int>((std::int64_t{a} * b) >> 32);
}
inline unsigned __byte_perm(unsigned a, unsigned b, unsigned s) {
  const std::uint64_t both = std::uint64_t{b} << 32 | a;
  unsigned r = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned n = s >> 4 * i & 0xf;
    unsigned byte = static_cast<unsigned>(both >> (n & 7) * 8 & 0xff);
    if (n & 8) byte = byte & 0x80 ? 0xff : 0;
    r |= byte << 8 * i;
  }
  return r;
}
inline unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned s) {
  return static_cast<unsigned>((std::uint64_t{hi} << 32 | lo) >> (s & 31));
}
inline unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned s) {
  return static_cast<unsigned>((std::uint64_t{hi} << 32 | lo) << (s & 31) >> 32);
}
inline unsigned __funnelshift_rc(unsigned lo, unsigned hi, unsigned s) {
  return static_cast<unsigned>((std::uint64_t{hi} << 32 | lo) >> std::min(s, 32u));
}
inline unsigned __funnelshift_lc(unsigned lo, unsigned hi, unsigned s) {
  return static_cast<unsigned>((std::uint64_t{hi} << 32 | lo) << std::min(s, 32u) >> 32);
}
inline unsigned __bfe_u32(unsigned v, unsigned o, unsigned n) {
  return v >> o & ((1u << n) - 1);
}
inline int __dp4a(int a, int b, int c) {
  for (int i = 0; i < 4; ++i)
    c += static_cast<std::int8_t>(a >> 8 * i) * static_cast<std::int8_t>(b >> 8 * i);
  return c;
}
inline unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  for (int i = 0; i < 4; ++i)
    c += (a >> 8 * i & 0xff) * (b >> 8 * i & 0xff);
  return c;
}
inline unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c) {
  return c + (a & 0xffff) * (b & 0xff) + (a >> 16) * (b >> 8 & 0xff);
}
inline unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c) {
  return c + (a & 0xffff) * (b >> 16 & 0xff) + (a >> 16) * (b >> 24);
}
inline unsigned __sad(int a, int b, unsigned c) {
  return c + static_cast<unsigned>(std::abs(a - b));
}
inline unsigned __usad(unsigned a, unsigned b, unsigned c) {
  return c + (a > b ? a - b : b - a);
}
inline unsigned __uhadd(unsigned a, unsigned b) {
  return static_cast<unsigned>((std::uint64_t{a} + b) >> 1);
}

namespace emu {
template <class L, class F>
unsigned lanes(unsigned a, unsigned b, F f) {
  constexpr int w = sizeof(L) * 8;
  unsigned r = 0;
  for (int i = 0; i < 32 / w; ++i) {
    const int x = static_cast<L>(a >> w * i), y = static_cast<L>(b >> w * i);
    r |= static_cast<unsigned>(static_cast<std::make_unsigned_t<L>>(f(x, y))) << w * i;
  }
  return r;
}
}  // namespace emu
#define EMU_V(name, L, expr)                                         \
  inline unsigned name(unsigned a_, unsigned b_) {                   \
    return emu::lanes<L>(a_, b_, [](int a, int b) { return expr; }); \
  }
#define EMU_CLAMP(lo, v, hi) std::clamp(v, lo, hi)
EMU_V(__vminu4, std::uint8_t, a < b ? a : b)
EMU_V(__vmaxu4, std::uint8_t, a > b ? a : b)
EMU_V(__vmins4, std::int8_t, a < b ? a : b)
EMU_V(__vmaxs4, std::int8_t, a > b ? a : b)
EMU_V(__vminu2, std::uint16_t, a < b ? a : b)
EMU_V(__vmaxu2, std::uint16_t, a > b ? a : b)
EMU_V(__vmins2, std::int16_t, a < b ? a : b)
EMU_V(__vmaxs2, std::int16_t, a > b ? a : b)
EMU_V(__vadd4, std::uint8_t, a + b)
EMU_V(__vsub4, std::uint8_t, a - b)
EMU_V(__vadd2, std::uint16_t, a + b)
EMU_V(__vsub2, std::uint16_t, a - b)
EMU_V(__vaddus4, std::uint8_t, EMU_CLAMP(0, a + b, 255))
EMU_V(__vsubus4, std::uint8_t, EMU_CLAMP(0, a - b, 255))
EMU_V(__vaddus2, std::uint16_t, EMU_CLAMP(0, a + b, 65535))
EMU_V(__vsubus2, std::uint16_t, EMU_CLAMP(0, a - b, 65535))
EMU_V(__vaddss2, std::int16_t, EMU_CLAMP(-32768, a + b, 32767))
EMU_V(__vsubss2, std::int16_t, EMU_CLAMP(-32768, a - b, 32767))
EMU_V(__vabsdiffu4, std::uint8_t, a > b ? a - b : b - a)
EMU_V(__vabsdiffu2, std::uint16_t, a > b ? a - b : b - a)
EMU_V(__vabsdiffs2, std::int16_t, a > b ? a - b : b - a)
EMU_V(__vavgu4, std::uint8_t, (a + b + 1) / 2)
EMU_V(__vhaddu4, std::uint8_t, (a + b) / 2)
EMU_V(__vavgu2, std::uint16_t, (a + b + 1) / 2)
EMU_V(__vcmpgtu4, std::uint8_t, a > b ? 255 : 0)
EMU_V(__vcmpgeu4, std::uint8_t, a >= b ? 255 : 0)
EMU_V(__vcmpltu4, std::uint8_t, a < b ? 255 : 0)
EMU_V(__vcmpleu4, std::uint8_t, a <= b ? 255 : 0)
EMU_V(__vcmpeq4, std::uint8_t, a == b ? 255 : 0)
EMU_V(__vcmpne4, std::uint8_t, a != b ? 255 : 0)
EMU_V(__vcmpgtu2, std::uint16_t, a > b ? 65535 : 0)
EMU_V(__vcmpgeu2, std::uint16_t, a >= b ? 65535 : 0)
EMU_V(__vcmpltu2, std::uint16_t, a < b ? 65535 : 0)
EMU_V(__vcmpeq2, std::uint16_t, a == b ? 65535 : 0)
EMU_V(__vsetgtu4, std::uint8_t, a > b)
EMU_V(__vsetgeu4, std::uint8_t, a >= b)
EMU_V(__vsetltu4, std::uint8_t, a < b)
EMU_V(__vseteq4, std::uint8_t, a == b)
EMU_V(__vsetgtu2, std::uint16_t, a > b)
EMU_V(__vsetgeu2, std::uint16_t, a >= b)
EMU_V(__vsetltu2, std::uint16_t, a < b)
EMU_V(__vseteq2, std::uint16_t, a == b)
inline unsigned __vsadu4(unsigned a, unsigned b) {
  unsigned r = 0;
  for (int i = 0; i < 4; ++i)
    r += std::abs(int(a >> 8 * i & 255) - int(b >> 8 * i & 255));
  return r;
}
inline unsigned __vimax3_u16x2(unsigned a, unsigned b, unsigned c) {
  return __vmaxu2(a, __vmaxu2(b, c));
}
inline unsigned __vimin3_u16x2(unsigned a, unsigned b, unsigned c) {
  return __vminu2(a, __vminu2(b, c));
}
inline int __vimax3_s32(int a, int b, int c) {
  return std::max(a, std::max(b, c));
}
inline int __vimin3_s32(int a, int b, int c) {
  return std::min(a, std::min(b, c));
}
inline unsigned __vimax3_u32(unsigned a, unsigned b, unsigned c) {
  return std::max(a, std::max(b, c));
}
inline unsigned __vimin3_u32(unsigned a, unsigned b, unsigned c) {
  return std::min(a, std::min(b, c));
}

// ---- Arithmetic with one rounding.
inline float __fadd_rn(float a, float b) {
  return a + b;
}
/// The sum rounded down. The sum in double is assumed to be exact.
inline float __fadd_rd(float a, float b) {
  const double exact = static_cast<double>(a) + static_cast<double>(b);
  const float rounded = static_cast<float>(exact);
  return static_cast<double>(rounded) > exact ? std::nextafter(rounded, -INFINITY) : rounded;
}
inline float __fsub_rn(float a, float b) {
  return a - b;
}
inline float __fmul_rn(float a, float b) {
  return a * b;
}
inline float __fdiv_rn(float a, float b) {
  return a / b;
}
inline float __frcp_rn(float a) {
  return 1.0f / a;
}
inline float __fsqrt_rn(float a) {
  return std::sqrt(a);
}
inline float __fmaf_rn(float a, float b, float c) {
  return std::fma(a, b, c);
}
inline double __dadd_rn(double a, double b) {
  return a + b;
}
inline double __dmul_rn(double a, double b) {
  return a * b;
}
inline double __fma_rn(double a, double b, double c) {
  return std::fma(a, b, c);
}
inline float __saturatef(float a) {
  return std::isnan(a) ? 0.0f : std::clamp(a, 0.0f, 1.0f);
}
inline float __uint2float_rn(unsigned v) {
  return static_cast<float>(v);
}
inline float __int2float_rn(int v) {
  return static_cast<float>(v);
}
inline int __float2int_rn(float v) {
  return static_cast<int>(std::nearbyint(v));
}
inline unsigned __float2uint_rn(float v) {
  return static_cast<unsigned>(std::nearbyint(v));
}
inline int __float2int_rd(float v) {
  return static_cast<int>(std::floor(v));
}
inline int __float2int_rz(float v) {
  return static_cast<int>(v);
}
inline unsigned __float2uint_rz(float v) {
  return v < 0 ? 0u : static_cast<unsigned>(v);
}
inline unsigned __float_as_uint(float v) {
  return std::bit_cast<unsigned>(v);
}
inline int __float_as_int(float v) {
  return std::bit_cast<int>(v);
}
inline float __uint_as_float(unsigned v) {
  return std::bit_cast<float>(v);
}
inline float __int_as_float(int v) {
  return std::bit_cast<float>(v);
}
