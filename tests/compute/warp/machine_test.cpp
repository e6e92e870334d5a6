#include "compute/warp/machine.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "compute/core/errors.h"
#include "compute/warp/program.h"
#include "tests/compute/warp/warp_testing.h"

namespace threadscape::warp {
namespace {

TEST(WarpMachine, LanesOfDifferentLengthsMeetAgain) {
  // Thread t goes through the loop t times, and then adds the lanes that are active.
  Trial trial;
  const LaunchResult result = trial.run(kernel_text(R"(
mov.u32 %r2, 0;
mov.u32 %r3, 0;
LOOP:
setp.ge.u32 %p1, %r3, %r1;
@%p1 bra DONE;
add.u32 %r2, %r2, 3;
add.u32 %r3, %r3, 1;
bra LOOP;
DONE:
activemask.b32 %r4;
popc.b32 %r5, %r4;
add.u32 %r2, %r2, %r5;
)" + store_r2));
  EXPECT_EQ(result.stopped, "");
  for (std::uint32_t t = 0; t < 32; ++t)
    EXPECT_EQ(trial.out[t], 3 * t + 32);
  EXPECT_EQ(result.total.divergent_branches, 31U);
}

TEST(WarpMachine, BranchesNest) {
  Trial trial;
  trial.run(kernel_text(R"(
mov.u32 %r2, 0;
and.b32 %r3, %r1, 1;
setp.eq.u32 %p1, %r3, 0;
@%p1 bra EVEN;
add.u32 %r2, %r2, 1;
setp.lt.u32 %p2, %r1, 16;
@%p2 bra LOW;
add.u32 %r2, %r2, 10;
bra JOINED;
LOW:
add.u32 %r2, %r2, 20;
JOINED:
bra END;
EVEN:
add.u32 %r2, %r2, 2;
END:
add.u32 %r2, %r2, 100;
)" + store_r2));
  for (std::uint32_t t = 0; t < 32; ++t)
    EXPECT_EQ(trial.out[t], t % 2 == 0 ? 102U : t < 16 ? 121U : 111U);
}

TEST(WarpMachine, LanesOfATurnMeetBeforeTheNextThoughSomeLeaveTheLoop) {
  // Every second lane passes over a turn. The others leave the loop once the number of the turn is above theirs.
  Trial trial;
  trial.run(kernel_text(R"(
mov.u32 %r3, 0;
TURN:
add.u32 %r4, %r1, %r3;
and.b32 %r4, %r4, 1;
setp.eq.u32 %p1, %r4, 1;
@%p1 bra NEXT;
setp.gt.u32 %p2, %r3, %r1;
@%p2 bra END;
NEXT:
activemask.b32 %r5;
mul.wide.u32 %rd3, %r3, 4;
add.s64 %rd4, %rd1, %rd3;
st.global.u32 [%rd4], %r5;
add.u32 %r3, %r3, 1;
setp.lt.u32 %p3, %r3, 20;
@%p3 bra TURN;
END:
activemask.b32 %r2;
add.u32 %r1, %r1, 32;
)" + store_r2));
  for (std::uint32_t turn = 0; turn < 20; ++turn)
    EXPECT_EQ(trial.out[turn], turn < 2 ? 0xffffffffU : 0xffffffffU << (turn - 1)) << turn;
  for (std::uint32_t t = 0; t < 32; ++t)
    EXPECT_EQ(trial.out[32 + t], 0xffffffffU);
}

TEST(WarpMachine, LanesLeaveTwoLoopsAtOnce) {
  Trial trial;
  trial.run(kernel_text(R"(
mov.u32 %r2, 0;
mov.u32 %r3, 0;
OUTER:
mov.u32 %r4, 0;
INNER:
add.u32 %r5, %r1, %r4;
add.u32 %r5, %r5, %r3;
and.b32 %r5, %r5, 1;
setp.eq.u32 %p1, %r5, 1;
@%p1 bra NEXT;
mad.lo.u32 %r6, %r3, 8, %r4;
setp.gt.u32 %p2, %r6, %r1;
@%p2 bra END;
add.u32 %r2, %r2, 1;
NEXT:
add.u32 %r4, %r4, 1;
setp.lt.u32 %p3, %r4, 5;
@%p3 bra INNER;
activemask.b32 %r7;
add.u32 %r8, %r3, 32;
mul.wide.u32 %rd3, %r8, 4;
add.s64 %rd4, %rd1, %rd3;
st.global.u32 [%rd4], %r7;
add.u32 %r3, %r3, 1;
setp.lt.u32 %p4, %r3, 4;
@%p4 bra OUTER;
END:
activemask.b32 %r9;
shl.b32 %r9, %r9, 8;
add.u32 %r2, %r2, %r9;
)" + store_r2));
  std::uint32_t still[4] = {};
  for (std::uint32_t t = 0; t < 32; ++t) {
    std::uint32_t count = 0;
    bool left = false;
    for (std::uint32_t i = 0; i < 4 && !left; ++i) {
      for (std::uint32_t j = 0; j < 5 && !left; ++j) {
        if ((t + i + j) % 2 == 1) continue;
        left = i * 8 + j > t;
        count += left ? 0 : 1;
      }
      if (!left) still[i] |= 1U << t;
    }
    EXPECT_EQ(trial.out[t], count + 0xffffff00U) << t;
  }
  for (std::uint32_t i = 0; i < 4; ++i)
    EXPECT_EQ(trial.out[32 + i], still[i]) << i;
}

TEST(WarpMachine, LanesThatEndLeaveTheOthers) {
  Trial trial;
  trial.run(kernel_text("mov.u32 %r2, 7;\nsetp.lt.u32 %p1, %r1, 5;\n@%p1 ret;\nactivemask.b32 %r2;\n" + store_r2));
  EXPECT_EQ(trial.out[4], 0U);
  EXPECT_EQ(trial.out[5], 0xffffffe0U);
}

TEST(WarpMachine, IndexedBranchesGoToTheirTargets) {
  Trial trial;
  trial.run(kernel_text(R"(
and.b32 %r3, %r1, 3;
TABLE: .branchtargets A, B, A, C;
brx.idx %r3, TABLE;
A:
mov.u32 %r2, 1;
bra END;
B:
mov.u32 %r2, 2;
bra END;
C:
mov.u32 %r2, 3;
END:
)" + store_r2));
  for (std::uint32_t t = 0; t < 32; ++t)
    EXPECT_EQ(trial.out[t], t % 4 == 3 ? 3U : t % 4 == 1 ? 2U : 1U);
}

/// A recursive function: the sum of 1 .. n.
const std::string sum_function = R"(
.func (.param .b32 sum_result) sum(.param .b32 sum_n)
{
.reg .pred %p<2>;
.reg .b32 %r<6>;
ld.param.u32 %r1, [sum_n];
setp.eq.u32 %p1, %r1, 0;
@%p1 bra ZERO;
sub.u32 %r2, %r1, 1;
{
.param .b32 param0;
.param .b32 retval0;
st.param.b32 [param0], %r2;
call.uni (retval0), sum, (param0);
ld.param.b32 %r3, [retval0];
}
add.u32 %r4, %r3, %r1;
st.param.b32 [sum_result], %r4;
ret;
ZERO:
st.param.b32 [sum_result], 0;
ret;
}
)";

TEST(WarpMachine, FunctionsCallThemselves) {
  Trial trial;
  const LaunchResult result = trial.run(kernel_text(R"(
{
.param .b32 param0;
.param .b32 retval0;
st.param.b32 [param0], %r1;
call.uni (retval0), sum, (param0);
ld.param.b32 %r2, [retval0];
}
)" + store_r2,
                                                    sum_function));
  EXPECT_EQ(result.stopped, "");
  for (std::uint32_t t = 0; t < 32; ++t)
    EXPECT_EQ(trial.out[t], t * (t + 1) / 2);
}

TEST(WarpMachine, KernelsMayEndWithoutReturning) {
  Trial trial;
  std::string text = kernel_text("mov.u32 %r2, 7;\n" + store_r2);
  text.erase(text.rfind("ret;"), 4);
  EXPECT_EQ(trial.run(text).stopped, "");
  EXPECT_EQ(trial.out[31], 7U);
}

TEST(WarpMachine, CallsWithTooSmallParametersEnd) {
  Trial trial;
  const LaunchResult result = trial.run(kernel_text("{\n.param .b32 param0;\ncall.uni f, (param0);\n}\n",
                                                    ".func f(.param .align 8 .b8 big[100000])\n{\nret;\n}\n"));
  EXPECT_NE(result.stopped.find("smaller parameters"), std::string::npos) << result.stopped;
}

TEST(WarpMachine, EndlessRecursionEnds) {
  Trial trial;
  const LaunchResult result =
      trial.run(kernel_text("call.uni forever, ();\n", ".func forever()\n{\ncall.uni forever, ();\nret;\n}\n"));
  EXPECT_NE(result.stopped.find("nest deeper"), std::string::npos);
}

TEST(WarpMachine, LanesExchangeValues) {
  Trial trial;
  trial.run(kernel_text("shfl.sync.bfly.b32 %r2, %r1, 5, 31, -1;\n" + store_r2));
  for (std::uint32_t t = 0; t < 32; ++t)
    EXPECT_EQ(trial.out[t], t ^ 5);
  trial.run(kernel_text("shfl.sync.down.b32 %r2|%p1, %r1, 3, 0x1807, -1;\n@!%p1 mov.u32 %r2, 99;\n" + store_r2));
  for (std::uint32_t t = 0; t < 32; ++t)
    EXPECT_EQ(trial.out[t], t % 8 < 5 ? t + 3 : 99);
  trial.run(kernel_text("shfl.sync.up.b32 %r2, %r1, 1, 0, -1;\n" + store_r2));
  EXPECT_EQ(trial.out[0], 0U);
  EXPECT_EQ(trial.out[31], 30U);
  trial.run(kernel_text("shfl.sync.idx.b32 %r2, %r1, 4, 31, -1;\n" + store_r2));
  EXPECT_EQ(trial.out[17], 4U);
  trial.run(kernel_text("setp.lt.u32 %p1, %r1, 3;\nvote.sync.ballot.b32 %r2, %p1, -1;\n" + store_r2));
  EXPECT_EQ(trial.out[9], 7U);
  trial.run(kernel_text("and.b32 %r3, %r1, 1;\nmatch.any.sync.b32 %r2, %r3, -1;\n" + store_r2));
  EXPECT_EQ(trial.out[2], 0x55555555U);
  trial.run(kernel_text("redux.sync.add.s32 %r2, %r1, -1;\n" + store_r2));
  EXPECT_EQ(trial.out[8], 496U);
}

TEST(WarpMachine, BlocksWaitAtBarriersAndShareMemory) {
  Trial trial;
  trial.block = {256, 1, 1};
  const LaunchResult result = trial.run(kernel_text(R"(
mov.u32 %r3, words;
shl.b32 %r4, %r1, 2;
add.u32 %r5, %r3, %r4;
st.shared.u32 [%r5], %r1;
bar.sync 0;
sub.u32 %r6, 255, %r1;
shl.b32 %r6, %r6, 2;
add.u32 %r6, %r3, %r6;
ld.shared.u32 %r2, [%r6];
setp.lt.u32 %p1, %r1, 100;
bar.red.popc.u32 %r7, 0, %p1;
add.u32 %r2, %r2, %r7;
)" + store_r2,
                                                    "", ".shared .align 4 .b8 words[1024];\n"));
  EXPECT_EQ(result.stopped, "");
  EXPECT_TRUE(result.faults.empty());
  for (std::uint32_t t = 0; t < 256; ++t)
    EXPECT_EQ(trial.out[t], 255 - t + 100);
}

TEST(WarpMachine, LaterLaunchesOfADecodedKernelHaveTheirOwnArgumentsAndVariables) {
  const Module module = parse_ptx(R"(
.version 8.0
.target sm_90
.address_size 64
.const .align 4 .b8 kept[4];
.global .align 4 .b8 own[4] = {7, 0, 0, 0};
.visible .entry k(.param .u64 a, .param .s16 b)
{
.reg .b16 %rs<4>;
.reg .b32 %r<8>;
.reg .b64 %rd<4>;
ld.param.u64 %rd1, [a];
ld.param.s16 %r1, [b];
ld.const.u32 %r2, [kept];
ld.global.u32 %r3, [own];
add.s32 %r4, %r1, %r2;
add.s32 %r5, %r4, %r3;
st.global.u32 [own], %r5;
st.global.u32 [%rd1], %r5;
ret;
}
)");
  Programs programs;
  std::array<std::int32_t, 2> out{};
  std::array<std::int32_t, 2> kept{100, 1000};
  // The variable `kept` moves with the last launch. `own` begins anew in each launch.
  for (const auto& [argument, at, expected] : {std::array{1, 0, 108}, {-2, 0, 105}, {-2, 1, 1005}}) {
    const Allocation memory[] = {
        {.name = "out", .address = 0x1000, .memory = reinterpret_cast<std::byte*>(out.data()), .bytes = 4},
        {.name = "kept",
         .address = 0x2000U + 0x100U * static_cast<unsigned>(at),
         .memory = reinterpret_cast<std::byte*>(&kept[static_cast<std::size_t>(at)]),
         .bytes = 4}};
    LaunchRequest request{.module = &module, .kernel = "k", .arguments = std::vector<std::byte>(10), .memory = memory};
    request.programs = &programs;
    const std::uint64_t address = 0x1000;
    const auto number = static_cast<std::int16_t>(argument);
    std::memcpy(request.arguments.data(), &address, 8);
    std::memcpy(request.arguments.data() + 8, &number, 2);
    const LaunchResult result = launch(request);
    EXPECT_EQ(result.stopped, "");
    EXPECT_TRUE(result.faults.empty());
    EXPECT_EQ(out[0], expected);
  }
}

TEST(WarpMachine, ConversionsTakeTheLowWordOfWiderRegisters) {
  Trial trial;
  const LaunchResult result = trial.run(kernel_text(R"(
mov.u64 %rd3, 0x12345678fffffffe;
cvt.s64.s32 %rd4, %rd3;
cvt.u64.u32 %rd5, %rd3;
shr.u64 %rd4, %rd4, 33;
shr.u64 %rd5, %rd5, 1;
xor.b64 %rd4, %rd4, %rd5;
cvt.u32.u64 %r2, %rd4;
)" + store_r2));
  EXPECT_EQ(result.stopped, "");
  EXPECT_EQ(trial.out[0], 0U);
}

TEST(WarpMachine, AtomicsOfAllBlocksAddUp) {
  Trial trial;
  trial.grid = {50, 1, 1};
  trial.block = {96, 1, 1};
  const LaunchResult result = trial.run(kernel_text(R"(
atom.global.add.u32 %r3, [%rd1], 1;
red.global.max.u32 [%rd1+4], %r1;
atom.global.inc.u32 %r3, [%rd1+8], 9;
mov.f32 %f1, 0f3F000000;
red.global.add.f32 [%rd1+12], %f1;
atom.global.cas.b32 %r3, [%rd1+16], 0, 5;
red.global.add.u64 [%rd1+24], 3;
)"));
  EXPECT_EQ(trial.out[0], 4800U);
  EXPECT_EQ(trial.out[1], 95U);
  EXPECT_EQ(trial.out[2], 0U);
  EXPECT_EQ(trial.out[3], 0x45160000U);  // 2400
  EXPECT_EQ(trial.out[4], 5U);
  EXPECT_EQ(trial.out[6], 14400U);
  EXPECT_EQ(result.total.atomics, 50U * 3 * 6);
  EXPECT_EQ(result.total.atomic_collisions, 50U * 3 * 6 * 31);
}

TEST(WarpMachine, GenericAddressesLeadToTheirMemory) {
  Trial trial;
  trial.run(kernel_text(R"(
mov.u64 %rd3, kept;
cvta.local.u64 %rd4, %rd3;
add.u64 %rd5, %rd4, 4;
st.u32 [%rd5], %r1;
ld.local.u32 %r3, [%rd3+4];
mov.u32 %r6, one;
cvt.u64.u32 %rd6, %r6;
cvta.shared.u64 %rd7, %rd6;
st.u32 [%rd7], 1000;
bar.warp.sync -1;
ld.shared.u32 %r4, [one];
isspacep.shared %p1, %rd7;
selp.u32 %r5, 1, 0, %p1;
ld.const.u32 %r7, [table+4];
add.u32 %r2, %r3, %r4;
add.u32 %r2, %r2, %r5;
add.u32 %r2, %r2, %r7;
)" + store_r2,
                        ".const .align 4 .u32 table[2] = {1, 50000};\n",
                        ".local .align 4 .b8 kept[8];\n.shared .align 4 .u32 one;\n"));
  for (std::uint32_t t = 0; t < 32; ++t)
    EXPECT_EQ(trial.out[t], t + 51001);
}

TEST(WarpMachine, SmallMatricesAreMultiplied) {
  // A is 16 x 32 with the row in each element, B is 32 x 8 of ones: each result is 32 times its row, plus 1.
  Trial trial;
  trial.run(kernel_text(R"(
shr.u32 %r3, %r1, 2;
mul.lo.u32 %r4, %r3, 0x01010101;
add.u32 %r5, %r4, 0x08080808;
mov.u32 %r6, 0x01010101;
mov.u32 %r7, 1;
mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%r8, %r9, %r10, %r2}, {%r4, %r5, %r4, %r5}, {%r6, %r6}, {%r7, %r7, %r7, %r7};
)" + store_r2));
  for (std::uint32_t t = 0; t < 32; ++t)
    EXPECT_EQ(trial.out[t], 32 * (t / 4 + 8) + 1);
}

TEST(WarpMachine, UnknownInstructionsEndTheRunWithTheirName) {
  Trial trial;
  const LaunchResult result = trial.run(kernel_text(".loc 1 5 1\nfrobnicate.b32 %r2, %r1;\n", ".file 1 \"x.cu\"\n"));
  EXPECT_NE(result.stopped.find("the instruction frobnicate.b32 at x.cu:5"), std::string::npos) << result.stopped;
  EXPECT_NE(result.stopped.find("kernel k"), std::string::npos);
}

TEST(WarpMachine, EndlessLoopsEndAtTheLimit) {
  Trial trial;
  trial.options.limits.block_instructions = 100000;
  EXPECT_NE(trial.run(kernel_text("AGAIN:\nbra AGAIN;\n")).stopped.find("100000 instructions"), std::string::npos);
}

TEST(WarpMachine, RefusesWhatDoesNotFit) {
  Trial trial;
  EXPECT_THROW(static_cast<void>(trial.run(kernel_text(""), "other")), UsageError);
  EXPECT_THROW(static_cast<void>(trial.run(kernel_text("", "", ".shared .b8 big[300000];\n"))), UsageError);
  trial.block = {2000, 1, 1};
  EXPECT_THROW(static_cast<void>(trial.run(kernel_text(""))), UsageError);
}

TEST(WarpMachine, CountsDoNotDependOnTheNumberOfThreads) {
  const std::string text = kernel_text("mov.u32 %r9, %ctaid.x;\nadd.u32 %r2, %r1, %r9;\n" + load_r2 + store_r2);
  Trial one, four;
  one.grid = four.grid = {64, 1, 1};
  one.options.threads = 1;
  four.options.threads = 4;
  const LaunchResult a = one.run(text), b = four.run(text);
  EXPECT_EQ(a.total, b.total);
  EXPECT_EQ(a.instructions, b.instructions);
}

TEST(WarpMachine, SamplesHaveTheCorners) {
  EXPECT_TRUE(sample_blocks({4, 4, 1}, 16).empty());
  const std::vector<std::uint64_t> blocks = sample_blocks({100, 50, 1}, 20);
  EXPECT_EQ(blocks.size(), 20U);
  EXPECT_EQ(blocks.front(), 0U);
  EXPECT_EQ(blocks.back(), 4999U);
  EXPECT_EQ(blocks, sample_blocks({100, 50, 1}, 20));
}

}  // namespace
}  // namespace threadscape::warp
