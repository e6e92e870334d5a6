// The pace of blocks whose cycles follow from their instructions by hand.

#include "compute/warp/pace.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/compute/warp/warp_testing.h"

namespace threadscape::warp {
namespace {

std::string repeated(int count, const std::string& line) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += line + "\n";
  return text;
}

/// The pace of one block of so many threads.
Cycles pace_of_body(const std::string& body, std::uint32_t threads = 32, const std::string& declared = "") {
  Trial trial;
  trial.block = {threads, 1, 1};
  trial.options.paced_blocks = 1;
  const LaunchResult result = trial.run(kernel_text(body, "", declared));
  EXPECT_TRUE(result.stopped.empty()) << result.stopped;
  EXPECT_EQ(result.pace.blocks, 1u);
  return result.pace.cycles;
}

/// What the body that is longer takes in addition, where loads come from memory.
std::uint64_t more(const std::string& longer, const std::string& shorter) {
  return pace_of_body(longer).back() - pace_of_body(shorter).back();
}

constexpr std::uint64_t l2_for_l1 = load_cycles[1] - load_cycles[0], memory_for_l2 = load_cycles[2] - load_cycles[1];

TEST(WarpPace, InstructionsThatNeedEachOtherWaitAndOthersDoNot) {
  const std::string chain = "add.s32 %r2, %r2, %r1;", apart = "add.s32 %r2, %r1, %r1;",
                    roots = "sqrt.approx.f32 %f1, %f1;";
  EXPECT_EQ(more(repeated(200, chain), repeated(100, chain)), 400u);
  EXPECT_EQ(more(repeated(200, apart), repeated(100, apart)), 100u);
  EXPECT_EQ(more(repeated(20, "add.f64 %fd1, %fd1, %fd1;"), repeated(10, "add.f64 %fd1, %fd1, %fd1;")), 80u);
  EXPECT_GE(more(repeated(20, roots), repeated(10, roots)), 180u);
}

TEST(WarpPace, LoadsOverlapUnlessOneNeedsTheOther) {
  const std::string use = "add.s32 %r2, %r2, %r3;\n";
  const std::string one = "ld.global.u32 %r2, [%rd2];\n", two = one + "ld.global.u32 %r3, [%rd2+128];\n";
  const std::string chased = one +
                             "and.b32 %r2, %r2, 0;\ncvt.u64.u32 %rd3, %r2;\nadd.s64 %rd4, %rd2, %rd3;\n"
                             "ld.global.u32 %r3, [%rd4];\n";
  for (const auto& [body, loads] : {std::pair{one + use, 1u}, std::pair{two + use, 1u}, std::pair{chased + use, 2u}}) {
    const Cycles cycles = pace_of_body(body);
    EXPECT_EQ(cycles[1] - cycles[0], loads * l2_for_l1) << body;
    EXPECT_EQ(cycles[2] - cycles[1], loads * memory_for_l2) << body;
  }
}

TEST(WarpPace, LoadsAreAskedForBeforeWhatStandsBeforeThem) {
  const std::string chain = repeated(100, "add.s32 %r2, %r2, %r1;"), load = "ld.global.u32 %r3, [%rd2];\n",
                    use = "add.s32 %r4, %r3, %r3;\n", label = "bra next;\nnext:\n";
  // The chain waits for 400 cycles, of which the load waits for the 100 in which the chain is issued.
  EXPECT_EQ(pace_of_body(chain + load + use).back(), pace_of_body(load + chain + use).back() + 100);
  // No load moves up over a branch.
  EXPECT_GT(pace_of_body(chain + label + load + use).back(), pace_of_body(load + label + chain + use).back() + 300);
}

TEST(WarpPace, WarpsWaitForTheLastOneAtABarrier) {
  const std::string declared = ".shared .align 4 .b8 words[256];\n";
  const auto chain_of = [](const char* warp) {
    return "setp.eq.u32 %p1, %r5, " + std::string(warp) + ";\n@!%p1 bra after" + warp + ";\n" +
           repeated(100, "add.s32 %r2, %r2, %r1;") + "after" + warp + ":\n";
  };
  const std::string warp_number = "shr.u32 %r5, %r1, 5;\n", barrier = "bar.sync 0;\n";
  const std::uint64_t together = pace_of_body(warp_number + chain_of("0") + chain_of("1"), 64, declared).back();
  const std::uint64_t apart = pace_of_body(warp_number + chain_of("0") + barrier + chain_of("1"), 64, declared).back();
  EXPECT_GT(apart, together + 380);
  EXPECT_LT(apart, together + 440);
}

TEST(WarpPace, SharedMemoryIsReadBehindTheBarrierThatItsStoresReach) {
  const std::string declared = ".shared .align 4 .b8 words[4096];\n";
  const std::string place = "mul.lo.s32 %r6, %r1, 4;\nmov.u32 %r7, words;\nadd.s32 %r7, %r7, %r6;\n";
  const std::string pass = "st.shared.u32 [%r7], %r2;\nbar.sync 0;\nld.shared.u32 %r2, [%r7];\n";
  const std::uint64_t once = pace_of_body(place + pass + pass, 64, declared).back();
  const std::uint64_t twice = pace_of_body(place + pass + pass + pass + pass, 64, declared).back();
  // A pass is a store of 29 cycles, a barrier of 20 and a load of 29, and few cycles of issue.
  EXPECT_GE(twice - once, 2u * 78);
  EXPECT_LE(twice - once, 2u * 90);
}

TEST(WarpPace, ACopyIsWaitedForWhereItsGroupIs) {
  const std::string declared = ".shared .align 16 .b8 words[1024];\n";
  const std::string copy =
      "mov.u32 %r7, words;\ncp.async.ca.shared.global [%r7], [%rd2], 16;\ncp.async.commit_group;\n";
  const Cycles waited = pace_of_body(copy + "cp.async.wait_group 0;\nadd.s32 %r2, %r1, %r1;\n", 1, declared);
  EXPECT_EQ(waited[2] - waited[0], load_cycles[2] - load_cycles[0]);
  const Cycles left = pace_of_body(copy + "add.s32 %r2, %r1, %r1;\n", 1, declared);
  EXPECT_EQ(left[2], left[0]);
}

TEST(WarpPace, ACallWaitsForItsOwnRegisters) {
  const std::string function =
      ".func (.param .b32 result) f(.param .b32 x)\n{\n.reg .b32 %r<3>;\nld.param.u32 %r1, [x];\n" +
      repeated(50, "add.s32 %r1, %r1, %r1;") + "st.param.b32 [result], %r1;\nret;\n}\n";
  const std::string call =
      "{\n.param .b32 a;\nst.param.b32 [a], %r1;\n.param .b32 b;\ncall.uni (b), f, (a);\nld.param.b32 %r2, [b];\n}\n";
  Trial trial;
  trial.options.paced_blocks = 1;
  const LaunchResult result = trial.run(kernel_text(call + store_r2, function));
  EXPECT_GE(result.pace.cycles[0], 200u);
  EXPECT_LE(result.pace.cycles[0], 300u);
}

TEST(WarpPace, ItIsFoundForSomeBlocksAndOnlyIfItIsAskedFor) {
  Trial trial;
  trial.grid = {100, 1, 1};
  EXPECT_EQ(trial.run(kernel_text(load_r2)).pace.blocks, 0u);
  trial.options.paced_blocks = 10;
  EXPECT_EQ(trial.run(kernel_text(load_r2)).pace.blocks, 10u);
  trial.options.blocks = {3, 97};
  const Pace two = trial.run(kernel_text(load_r2)).pace;
  EXPECT_EQ(two.blocks, 2u);
  EXPECT_EQ(two.cycles[2] - two.cycles[1], 0u) << "nothing needs what was loaded";
}

}  // namespace
}  // namespace threadscape::warp
