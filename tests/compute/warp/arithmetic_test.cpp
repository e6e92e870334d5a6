#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "tests/compute/warp/warp_testing.h"

namespace threadscape::warp {
namespace {

std::uint32_t bits(float value) {
  return std::bit_cast<std::uint32_t>(value);
}
std::uint64_t bits(double value) {
  return std::bit_cast<std::uint64_t>(value);
}

/// The result of an instruction of 32-bit registers %r11, %r12, %r13 and %r14 with these values; it is in %r2.
std::uint32_t word(const std::string& instruction, std::uint32_t a = 0, std::uint32_t b = 0, std::uint32_t c = 0,
                   std::uint32_t d = 0) {
  Trial trial;
  trial.in = {a, b, c, d};
  const LaunchResult result =
      trial.run(kernel_text("ld.global.v4.u32 {%r11, %r12, %r13, %r14}, [%rd2];\n" + instruction + "\n" + store_r2));
  EXPECT_EQ(result.stopped, "") << instruction;
  EXPECT_TRUE(result.faults.empty()) << instruction;
  EXPECT_EQ(trial.out[0], trial.out[31]) << instruction;
  return trial.out[0];
}
/// The result in %rd4 of an instruction of %rd11, %rd12 and %rd13.
std::uint64_t longword(const std::string& instruction, std::uint64_t a = 0, std::uint64_t b = 0, std::uint64_t c = 0) {
  Trial trial;
  const std::uint64_t values[] = {a, b, c};
  std::memcpy(trial.in.data(), values, sizeof values);
  const LaunchResult result =
      trial.run(kernel_text("ld.global.v2.u64 {%rd11, %rd12}, [%rd2];\nld.global.u64 %rd13, [%rd2+16];\n" +
                            instruction + "\nst.global.u64 [%rd1], %rd4;\n"));
  EXPECT_EQ(result.stopped, "") << instruction;
  std::uint64_t made = 0;
  std::memcpy(&made, trial.out.data(), 8);
  return made;
}
std::uint32_t floats(const std::string& instruction, float a = 0, float b = 0, float c = 0) {
  return word("mov.b32 %f11, %r11;\nmov.b32 %f12, %r12;\nmov.b32 %f13, %r13;\n" + instruction + "\nmov.b32 %r2, %f2;",
              bits(a), bits(b), bits(c));
}

TEST(WarpArithmetic, Integers) {
  EXPECT_EQ(word("add.s32 %r2, %r11, %r12;", 0xffffffff, 3), 2U);
  EXPECT_EQ(word("add.sat.s32 %r2, %r11, %r12;", 0x7fffffff, 3), 0x7fffffffU);
  EXPECT_EQ(word("mul.hi.s32 %r2, %r11, %r12;", 0x80000000, 2), 0xffffffffU);
  EXPECT_EQ(word("mul.hi.u32 %r2, %r11, %r12;", 0x80000000, 2), 1U);
  EXPECT_EQ(word("mad.lo.s32 %r2, %r11, %r12, -5;", 7, 3), 16U);
  EXPECT_EQ(word("div.s32 %r2, %r11, %r12;", static_cast<std::uint32_t>(-7), 2), static_cast<std::uint32_t>(-3));
  EXPECT_EQ(word("rem.s32 %r2, %r11, %r12;", static_cast<std::uint32_t>(-7), 2), static_cast<std::uint32_t>(-1));
  EXPECT_EQ(word("div.u32 %r2, %r11, %r12;", 9, 0), 0xffffffffU);
  EXPECT_EQ(word("sad.s32 %r2, %r11, %r12, %r13;", static_cast<std::uint32_t>(-4), 3, 10), 17U);
  EXPECT_EQ(word("min.s32 %r2, %r11, %r12;", static_cast<std::uint32_t>(-4), 3), static_cast<std::uint32_t>(-4));
  EXPECT_EQ(word("max.u16x2 %r2, %r11, %r12;", 0x00019000, 0x00028000), 0x00029000U);
  EXPECT_EQ(word("dp4a.u32.s32 %r2, %r11, %r12, %r13;", 0x01020304, 0xff010101, 100), 100U + 4 + 3 + 2 - 1);
  EXPECT_EQ(word("dp2a.lo.u32.u32 %r2, %r11, %r12, %r13;", 0x00020003, 0x00000504, 1), 1U + 3 * 4 + 2 * 5);
  EXPECT_EQ(longword("mul.lo.s64 %rd4, %rd11, %rd12;", 1ULL << 40, 1ULL << 23), 1ULL << 63);
  EXPECT_EQ(longword("mul.hi.u64 %rd4, %rd11, %rd12;", 1ULL << 40, 1ULL << 40), 1ULL << 16);
}

TEST(WarpArithmetic, CarriesGoFromWordToWord) {
  EXPECT_EQ(word("add.cc.u32 %r5, %r11, %r12;\naddc.u32 %r2, %r13, %r14;", 0xffffffff, 1, 5, 6), 12U);
  EXPECT_EQ(word("sub.cc.u32 %r5, %r11, %r12;\nsubc.u32 %r2, %r13, %r14;", 0, 1, 5, 2), 2U);
  EXPECT_EQ(word("mad.lo.cc.u32 %r5, %r11, %r12, %r13;\nmadc.hi.u32 %r2, %r11, %r12, %r14;", 0x80000000, 2, 0, 7), 8U);
  EXPECT_EQ(word("mad.lo.cc.u32 %r5, %r11, %r12, %r13;\naddc.u32 %r2, %r14, 0;", 1, 2, 0xffffffff, 7), 8U);
}

TEST(WarpArithmetic, Bits) {
  EXPECT_EQ(word("shl.b32 %r2, %r11, %r12;", 1, 32), 0U);
  EXPECT_EQ(word("shr.s32 %r2, %r11, %r12;", 0x80000000, 99), 0xffffffffU);
  EXPECT_EQ(word("shf.l.wrap.b32 %r2, %r11, %r12, 8;", 0xaabbccdd, 0x11223344), 0x223344aaU);
  EXPECT_EQ(word("shf.r.clamp.b32 %r2, %r11, %r12, 40;", 0xaabbccdd, 0x11223344), 0x11223344U);
  EXPECT_EQ(word("lop3.b32 %r2, %r11, %r12, %r13, 0xe8;", 0b0011, 0b0101, 0b1001),
            0b0001U | (0b0011 & 0b0101) | (0b0011 & 0b1001) | (0b0101 & 0b1001));
  EXPECT_EQ(word("prmt.b32 %r2, %r11, %r12, 0x7140;", 0x33221100, 0x77665544), 0x77114400U);
  EXPECT_EQ(word("prmt.b32 %r2, %r11, %r12, 0xb;", 0x80000000, 0), 0xffU);
  EXPECT_EQ(word("bfe.u32 %r2, %r11, 4, 8;", 0xabcdef), 0xdeU);
  EXPECT_EQ(word("bfe.s32 %r2, %r11, 4, 8;", 0xabcdef), 0xffffffdeU);
  EXPECT_EQ(word("bfi.b32 %r2, %r11, %r12, 8, 4;", 0xf5, 0), 0x500U);
  EXPECT_EQ(word("popc.b32 %r2, %r11;", 0xf0f), 8U);
  EXPECT_EQ(word("clz.b32 %r2, %r11;", 1), 31U);
  EXPECT_EQ(word("bfind.u32 %r2, %r11;", 0x10), 4U);
  EXPECT_EQ(word("bfind.shiftamt.u32 %r2, %r11;", 0x10), 27U);
  EXPECT_EQ(word("brev.b32 %r2, %r11;", 1), 0x80000000U);
  EXPECT_EQ(word("fns.b32 %r2, %r11, 1, 2;", 0b11010), 3U);
  EXPECT_EQ(word("bmsk.clamp.b32 %r2, %r11, %r12;", 4, 3), 0x70U);
}

TEST(WarpArithmetic, FloatsRoundOnceInEachDirection) {
  EXPECT_EQ(floats("fma.rn.f32 %f2, %f11, %f12, %f13;", 1.1F, 1.3F, -1.43F), bits(std::fma(1.1F, 1.3F, -1.43F)));
  EXPECT_EQ(floats("add.rz.f32 %f2, %f11, %f12;", 1.0F, -0x1p-30F), bits(std::nextafter(1.0F, 0.0F)));
  EXPECT_EQ(floats("add.rm.f32 %f2, %f11, %f12;", 1.0F, -0x1p-30F), bits(std::nextafter(1.0F, 0.0F)));
  EXPECT_EQ(floats("add.rp.f32 %f2, %f11, %f12;", 1.0F, 0x1p-30F), bits(std::nextafter(1.0F, 2.0F)));
  EXPECT_EQ(floats("add.rn.f32 %f2, %f11, %f12;", 1.0F, 0x1p-30F), bits(1.0F));
  EXPECT_EQ(floats("div.rn.f32 %f2, %f11, %f12;", 1.0F, 3.0F), bits(1.0F / 3.0F));
  EXPECT_EQ(floats("rcp.rn.f32 %f2, %f11;", 3.0F), bits(1.0F / 3.0F));
  EXPECT_EQ(floats("sqrt.rn.f32 %f2, %f11;", 2.0F), bits(std::sqrt(2.0F)));
  EXPECT_EQ(floats("mul.sat.f32 %f2, %f11, %f12;", 3.0F, 2.0F), bits(1.0F));
  EXPECT_EQ(floats("mul.ftz.f32 %f2, %f11, %f12;", 1e-30F, -1e-10F), bits(-0.0F));
  EXPECT_EQ(floats("div.rn.f32 %f2, %f11, %f12;", 0.0F, 0.0F), 0x7fffffffU);
  EXPECT_EQ(floats("min.f32 %f2, %f11, %f12;", NAN, 2.0F), bits(2.0F));
  EXPECT_EQ(floats("min.f32 %f2, %f11, %f12;", 0.0F, -0.0F), bits(-0.0F));
  EXPECT_EQ(floats("max.NaN.f32 %f2, %f11, %f12;", NAN, 2.0F), 0x7fffffffU);
  EXPECT_EQ(floats("ex2.approx.f32 %f2, %f11;", 3.0F), bits(8.0F));
  EXPECT_EQ(floats("copysign.f32 %f2, %f11, %f12;", -1.0F, 2.0F), bits(-2.0F));
  EXPECT_EQ(longword("mov.b64 %fd1, %rd11;\nmov.b64 %fd2, %rd12;\ndiv.rn.f64 %fd3, %fd1, %fd2;\nmov.b64 %rd4, %fd3;",
                     bits(1.0), bits(3.0)),
            bits(1.0 / 3.0));
}

TEST(WarpArithmetic, Conversions) {
  EXPECT_EQ(word("cvt.s32.s8 %r2, %r11;", 0x1ff), 0xffffffffU);
  EXPECT_EQ(word("cvt.u32.u16 %r2, %r11;", 0x12345678), 0x5678U);
  EXPECT_EQ(word("cvt.sat.u8.s32 %r2, %r11;", 300), 255U);
  EXPECT_EQ(word("cvt.sat.s8.s32 %r2, %r11;", static_cast<std::uint32_t>(-300)), static_cast<std::uint32_t>(-128));
  EXPECT_EQ(longword("cvt.u32.u64 %r5, %rd11;\ncvt.s64.s32 %rd4, %r5;", 0xffffffff), ~0ULL);
  EXPECT_EQ(word("cvt.rn.f32.u32 %f2, %r11;\nmov.b32 %r2, %f2;", 0xffffffff), bits(4294967296.0F));
  EXPECT_EQ(word("cvt.rz.f32.u32 %f2, %r11;\nmov.b32 %r2, %f2;", 0xffffffff), bits(4294967040.0F));
  EXPECT_EQ(word("mov.b32 %f1, %r11;\ncvt.rzi.s32.f32 %r2, %f1;", bits(-2.7F)), static_cast<std::uint32_t>(-2));
  EXPECT_EQ(word("mov.b32 %f1, %r11;\ncvt.rni.s32.f32 %r2, %f1;", bits(2.5F)), 2U);
  EXPECT_EQ(word("mov.b32 %f1, %r11;\ncvt.rmi.s32.f32 %r2, %f1;", bits(-2.1F)), static_cast<std::uint32_t>(-3));
  EXPECT_EQ(word("mov.b32 %f1, %r11;\ncvt.rzi.u32.f32 %r2, %f1;", bits(-3.0F)), 0U);
  EXPECT_EQ(word("mov.b32 %f1, %r11;\ncvt.rzi.s32.f32 %r2, %f1;", bits(3e9F)), 0x7fffffffU);
  EXPECT_EQ(word("mov.b32 %f1, %r11;\ncvt.rzi.s32.f32 %r2, %f1;", bits(NAN)), 0U);
  EXPECT_EQ(word("mov.b32 %f1, %r11;\ncvt.rzi.u8.f32 %r2, %f1;", bits(300.0F)), 255U);
  EXPECT_EQ(floats("cvt.rmi.f32.f32 %f2, %f11;", -1.5F), bits(-2.0F));
  EXPECT_EQ(floats("cvt.sat.f32.f32 %f2, %f11;", 1.5F), bits(1.0F));
  EXPECT_EQ(word("mov.b32 %f1, %r11;\nmov.b32 %f2, %r12;\ncvt.rn.f16x2.f32 %r2, %f1, %f2;", bits(1.0F), bits(2049.0F)),
            0x3c006800U);
  EXPECT_EQ(word("cvt.f32.f16 %f2, %r11;\nmov.b32 %r2, %f2;", 0x0001), bits(0x1p-24F));
  EXPECT_EQ(word("cvt.pack.sat.u8.s32.b32 %r2, %r11, %r12, %r13;", 300, static_cast<std::uint32_t>(-1), 0xabcd),
            0xabcdff00U);
}

TEST(WarpArithmetic, HalvesRoundExactly) {
  // 1 + 2^-11 lies between two numbers of fp16, and goes to the even one.
  EXPECT_EQ(word("add.f16x2 %r2, %r11, %r12;", 0x3c003c00, 0x10001400), 0x3c003c01U);
  EXPECT_EQ(word("fma.rn.f16 %r2, %r11, %r12, %r13;", 0x4000, 0x4200, 0x3c00) & 0xffff, 0x4700U);
  EXPECT_EQ(word("mul.bf16 %r2, %r11, %r12;", 0x4000, 0x4040) & 0xffff, 0x40c0U);
}

TEST(WarpArithmetic, Comparisons) {
  EXPECT_EQ(word("setp.lt.s32 %p1, %r11, %r12;\nselp.u32 %r2, 1, 0, %p1;", static_cast<std::uint32_t>(-1), 0), 1U);
  EXPECT_EQ(word("setp.lt.u32 %p1|%p2, %r11, %r12;\nselp.u32 %r2, 1, 0, %p2;", 0xffffffff, 0), 1U);
  EXPECT_EQ(word("mov.b32 %f1, %r11;\nsetp.neu.f32 %p1, %f1, %f1;\nselp.u32 %r2, 1, 0, %p1;", bits(NAN)), 1U);
  EXPECT_EQ(word("mov.b32 %f1, %r11;\nsetp.ne.f32 %p1, %f1, %f1;\nselp.u32 %r2, 1, 0, %p1;", bits(NAN)), 0U);
  EXPECT_EQ(word("setp.eq.u32 %p1, %r11, 7;\nsetp.eq.and.u32 %p2, %r12, 8, !%p1;\nselp.u32 %r2, 1, 0, %p2;", 6, 8), 1U);
  EXPECT_EQ(word("set.gt.u32.s32 %r2, %r11, %r12;", 2, 1), 0xffffffffU);
  EXPECT_EQ(word("slct.u32.s32 %r2, %r11, %r12, %r13;", 5, 6, 0x80000000), 6U);
}

TEST(WarpArithmetic, MovesPackAndUnpack) {
  EXPECT_EQ(longword("mov.b64 {%r5, %r6}, %rd11;\nmov.b64 %rd4, {%r6, %r5};", 0x1122334455667788), 0x5566778811223344U);
  EXPECT_EQ(word("mov.b32 {%rs1, %rs2}, %r11;\nmov.b32 %r2, {%rs2, %rs1};", 0xaaaabbbb), 0xbbbbaaaaU);
}

}  // namespace
}  // namespace threadscape::warp
