#include <gtest/gtest.h>

#include "tests/compute/warp/warp_testing.h"

namespace threadscape::warp {
namespace {

const std::string file = ".file 1 \"x.cu\"\n";
const std::string words = ".shared .align 4 .b8 words[1024];\n";
/// The address of the thread's word of shared memory in %r5.
const std::string own_word = "mov.u32 %r3, words;\nshl.b32 %r4, %r1, 2;\nadd.u32 %r5, %r3, %r4;\n";

/// The only fault of a kernel, which happens in line 7 of x.cu.
Fault only_fault(Trial& trial, const std::string& body, const std::string& functions = "") {
  const LaunchResult result = trial.run(kernel_text(body, file + functions, words));
  EXPECT_EQ(result.faults.size(), 1U);
  if (result.faults.empty()) return {};
  EXPECT_EQ(trial.module.locations[result.faults[0].location].line, 7) << result.faults[0].text;
  EXPECT_NE(result.faults[0].text.find("x.cu:7, kernel k"), std::string::npos) << result.faults[0].text;
  return result.faults[0];
}

TEST(WarpFaults, OutOfBoundsNamesTheAllocation) {
  Trial trial;
  const Fault fault = only_fault(
      trial, "mul.wide.u32 %rd3, %r1, 4;\nadd.u64 %rd4, %rd2, %rd3;\n.loc 1 7 1\nld.global.u32 %r2, [%rd4+16276];\n");
  EXPECT_EQ(fault.kind, Fault::Kind::OutOfBounds);
  EXPECT_EQ(fault.thread, 27U);
  EXPECT_EQ(fault.times, 5U);
  EXPECT_NE(fault.text.find("byte 16384 of \"in\", which has 16384 bytes"), std::string::npos) << fault.text;
}

TEST(WarpFaults, OutOfBoundsOfSharedMemory) {
  Trial trial;
  EXPECT_EQ(only_fault(trial, own_word + ".loc 1 7 1\nst.shared.u32 [%r5+1000], %r1;\n").kind,
            Fault::Kind::OutOfBounds);
}

TEST(WarpFaults, MisalignedAccesses) {
  Trial trial;
  const Fault fault = only_fault(trial, ".loc 1 7 1\nld.global.u32 %r2, [%rd2+2];\n");
  EXPECT_EQ(fault.kind, Fault::Kind::Misaligned);
  EXPECT_EQ(fault.address, Trial::in_address + 2);
}

TEST(WarpFaults, UninitialisedSharedMemory) {
  Trial trial;
  const std::string read = own_word + ".loc 1 7 1\nld.shared.u32 %r2, [%r5];\n";
  EXPECT_EQ(only_fault(trial, read).kind, Fault::Kind::Uninitialised);
  trial.options.uninitialised = false;
  EXPECT_TRUE(trial.run(kernel_text(read, file, words)).faults.empty());
}

TEST(WarpFaults, RegistersThatNothingHasWritten) {
  Trial trial;
  const std::string some = "setp.lt.u32 %p1, %r1, 5;\n@%p1 mov.u32 %r3, 7;\n";
  const Fault fault = only_fault(trial, some + "mov.u32 %r4, %r3;\nadd.u32 %r2, %r4, 1;\n.loc 1 7 1\n" + store_r2);
  EXPECT_EQ(fault.kind, Fault::Kind::Uninitialised);
  EXPECT_EQ(fault.times, 27U);
  EXPECT_EQ(fault.thread, 5U);
  EXPECT_NE(fault.text.find("the register %r2"), std::string::npos) << fault.text;
  EXPECT_EQ(only_fault(trial, ".loc 1 7 1\n@%p3 bra END;\nEND:\n").kind, Fault::Kind::Uninitialised);
  // Arithmetic is no use, and neither are values that others are chosen from.
  EXPECT_TRUE(trial.run(kernel_text(some + "selp.u32 %r2, %r3, 1, %p1;\n" + store_r2, file, words)).faults.empty());
  EXPECT_TRUE(
      trial.run(kernel_text(some + "mov.u32 %r5, %r3;\n@%p1 add.u32 %r2, %r5, 1;\n", file, words)).faults.empty());
  // Each call of a function has registers of its own.
  const std::string function =
      ".func f()\n{\n.reg .pred %q;\n.reg .b32 %a, %b;\nactivemask.b32 %a;\n"
      "setp.eq.u32 %q, %a, 31;\n@%q mov.u32 %b, 0;\n.loc 1 7 1\nbar.sync %b;\nret;\n}\n";
  EXPECT_EQ(only_fault(trial, "call.uni f, ();\nmov.u32 %r3, 1;\n", function).times, 32U);
}

TEST(WarpFaults, RacesBetweenWarps) {
  Trial trial;
  trial.block = {64, 1, 1};
  const std::string write = own_word + "st.shared.u32 [%r5], 0;\nbar.sync 0;\n.loc 1 6 1\nst.shared.u32 [%r5], %r1;\n";
  const std::string read = "xor.b32 %r6, %r4, 128;\nadd.u32 %r6, %r6, %r3;\n.loc 1 7 1\nld.shared.u32 %r2, [%r6];\n";
  // The first warp reads what the second one writes later, and the second one reads what the first one has written.
  const LaunchResult result = trial.run(kernel_text(write + read, file, words));
  ASSERT_EQ(result.faults.size(), 2U);
  for (const Fault& fault : result.faults) {
    EXPECT_EQ(fault.kind, Fault::Kind::Race);
    EXPECT_EQ(trial.module.locations[fault.location].line + trial.module.locations[fault.other].line, 13);
    EXPECT_EQ(fault.times, 32U);
  }
  EXPECT_TRUE(trial.run(kernel_text(write + "bar.sync 0;\n" + read, file, words)).faults.empty());
}

TEST(WarpFaults, RacesWithinAWarp) {
  Trial trial;
  const std::string write = own_word + "st.shared.u32 [%r5], %r1;\n";
  const std::string read = "xor.b32 %r6, %r4, 4;\nadd.u32 %r6, %r6, %r3;\n.loc 1 7 1\nld.shared.u32 %r2, [%r6];\n";
  EXPECT_EQ(only_fault(trial, write + read).kind, Fault::Kind::Race);
  EXPECT_TRUE(trial.run(kernel_text(write + "bar.warp.sync -1;\n" + read, file, words)).faults.empty());
}

TEST(WarpFaults, TurnsOfALoopAreApart) {
  // Lanes write one word at once, and in the next turn the one behind it: the word of a neighbour's last turn.
  const auto loop = [](const std::string& order) {
    return own_word + "mov.u32 %r6, 0;\nLOOP:\n.loc 1 7 1\nst.shared.u32 [%r5], 1;\n" + order +
           "add.u32 %r5, %r5, 4;\nadd.u32 %r6, %r6, 1;\nsetp.lt.u32 %p1, %r6, 2;\n@%p1 bra LOOP;\n";
  };
  Trial trial;
  const Fault fault = only_fault(trial, loop(""));
  EXPECT_EQ(fault.kind, Fault::Kind::Race);
  EXPECT_EQ(fault.thread, 0U);
  EXPECT_EQ(fault.address, 4U);
  EXPECT_EQ(fault.times, 31U);
  EXPECT_TRUE(trial.run(kernel_text(loop("bar.warp.sync -1;\n"), file, words)).faults.empty());
}

/// Launches with two blocks of 64 threads, which look for races in global memory. %r9 is the block.
struct GlobalRaces {
  Trial trial;
  GlobalRaces() {
    trial.grid = {2, 1, 1};
    trial.block = {64, 1, 1};
    trial.options.global_races = true;
  }
  LaunchResult run(const std::string& body) {
    return trial.run(kernel_text("mov.u32 %r9, %ctaid.x;\n" + body, file, words));
  }
};

TEST(WarpFaults, RacesInGlobalMemoryBetweenBlocks) {
  // Both blocks write the words of their threads.
  GlobalRaces races;
  const LaunchResult result = races.run(".loc 1 7 1\nmov.u32 %r2, %r9;\n" + store_r2);
  ASSERT_EQ(result.faults.size(), 1U);
  const Fault& fault = result.faults[0];
  EXPECT_EQ(fault.kind, Fault::Kind::Race);
  EXPECT_EQ(fault.times, 64U);
  EXPECT_EQ(races.trial.module.locations[fault.other].line, 7);
  EXPECT_NE(fault.text.find("of \"out\" is accessed here and at x.cu:7 by different threads of different blocks"),
            std::string::npos)
      << fault.text;
  races.trial.options.global_races = false;
  EXPECT_TRUE(races.run("mov.u32 %r2, %r9;\n" + store_r2).faults.empty());
}

TEST(WarpFaults, RacesInGlobalMemoryWithinABlock) {
  GlobalRaces races;
  races.trial.grid = {1, 1, 1};
  const std::string write = "mov.u32 %r2, %r1;\n.loc 1 6 1\n" + store_r2;
  const std::string read =
      "xor.b32 %r6, %r1, 32;\nmul.wide.u32 %rd5, %r6, 4;\nadd.u64 %rd6, %rd1, %rd5;\n"
      ".loc 1 7 1\nld.global.u32 %r2, [%rd6];\n";
  const LaunchResult result = races.run(write + read);
  ASSERT_EQ(result.faults.size(), 2U);
  EXPECT_EQ(result.faults[0].times, 32U);
  EXPECT_TRUE(races.run(write + "bar.sync 0;\n" + read).faults.empty());
  // Bytes of one word are apart.
  EXPECT_TRUE(
      races.run("cvt.u64.u32 %rd3, %r1;\nadd.u64 %rd4, %rd1, %rd3;\nst.global.u8 [%rd4], %r1;\n").faults.empty());
  // Atomic operations are no races with each other, but with others.
  const std::string add = "red.global.add.u32 [%rd1], 1;\n";
  EXPECT_TRUE(races.run(add).faults.empty());
  EXPECT_EQ(races.run(add + "ld.global.u32 %r2, [%rd1];\n").faults.size(), 2U);
}

TEST(WarpFaults, LastBlocksReadWhatOthersHaveFenced) {
  // Each block writes its words. The one that comes last, by a ticket, adds those of the other.
  const std::string place =
      "mad.lo.u32 %r3, %r9, 64, %r1;\nmul.wide.u32 %rd5, %r3, 4;\nadd.u64 %rd6, %rd1, %rd5;\n"
      "st.global.u32 [%rd6], %r3;\n";
  const std::string ticket =
      "bar.sync 0;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra JOIN;\n"
      "atom.global.add.u32 %r4, [%rd1+4096], 1;\nst.shared.u32 [words], %r4;\nJOIN:\n"
      "bar.sync 0;\nld.shared.u32 %r5, [words];\nsetp.ne.u32 %p2, %r5, 1;\n@%p2 ret;\n";
  const std::string sum =
      "xor.b32 %r6, %r3, 64;\nmul.wide.u32 %rd7, %r6, 4;\nadd.u64 %rd8, %rd1, %rd7;\n"
      ".loc 1 7 1\nld.global.u32 %r7, [%rd8];\nst.global.u32 [%rd6+8192], %r7;\n";
  for (const bool fenced : {true, false}) {
    GlobalRaces races;
    races.trial.options.threads = 1;
    const LaunchResult result = races.run(place + (fenced ? "membar.gl;\n" : "") + ticket + sum);
    EXPECT_EQ(result.stopped, "");
    ASSERT_EQ(result.faults.size(), fenced ? 0U : 1U);
    for (const Fault& fault : result.faults)
      EXPECT_EQ(races.trial.module.locations[fault.location].line, 7);
    EXPECT_EQ(races.trial.out[2048 + 64 + 5], 5U);
  }
}

TEST(WarpFaults, LanesThatWriteDifferentValuesToOneWord) {
  Trial trial;
  EXPECT_EQ(only_fault(trial, "mov.u32 %r3, words;\n.loc 1 7 1\nst.shared.u32 [%r3], %r1;\n").kind, Fault::Kind::Race);
  EXPECT_TRUE(trial.run(kernel_text("mov.u32 %r3, words;\nst.shared.u32 [%r3], 5;\n", file, words)).faults.empty());
}

TEST(WarpFaults, BytesOfOneWordAreApart) {
  Trial trial;
  const std::string write = "mov.u32 %r3, words;\nadd.u32 %r5, %r3, %r1;\nst.shared.u8 [%r5], %r1;\n";
  EXPECT_TRUE(trial.run(kernel_text(write, file, words)).faults.empty());
  EXPECT_EQ(only_fault(trial, write + "xor.b32 %r6, %r5, 1;\n.loc 1 7 1\nld.shared.u8 %r2, [%r6];\n").kind,
            Fault::Kind::Race);
}

TEST(WarpFaults, CopiesThatNothingHasWaitedFor) {
  Trial trial;
  trial.block = {64, 1, 1};
  const std::string copy = own_word +
                           "cvt.u64.u32 %rd3, %r4;\nadd.u64 %rd4, %rd2, %rd3;\n"
                           "cp.async.ca.shared.global [%r5], [%rd4], 4;\ncp.async.commit_group;\n";
  const std::string second = "cp.async.ca.shared.global [%r5+512], [%rd4], 4;\ncp.async.commit_group;\n";
  const std::string read = ".loc 1 7 1\nld.shared.u32 %r2, [%r5];\n";
  EXPECT_EQ(only_fault(trial, copy + read).kind, Fault::Kind::Race);
  EXPECT_EQ(only_fault(trial, copy + "bar.sync 0;\n" + read).kind, Fault::Kind::Race);
  EXPECT_EQ(only_fault(trial, copy + "cp.async.wait_group 1;\n" + read).kind, Fault::Kind::Race);
  const auto faults = [&](const std::string& body) { return trial.run(kernel_text(body, file, words)).faults.size(); };
  EXPECT_EQ(faults(copy + "cp.async.wait_all;\n" + read), 0U);
  EXPECT_EQ(faults(copy + second + "cp.async.wait_group 1;\n" + read), 0U);
  // Other threads need a barrier behind the wait.
  const std::string swapped = "xor.b32 %r6, %r4, 128;\nadd.u32 %r6, %r6, %r3;\nld.shared.u32 %r2, [%r6];\n";
  EXPECT_EQ(faults(copy + "bar.sync 0;\ncp.async.wait_all;\n" + swapped), 1U);
  EXPECT_EQ(faults(copy + "cp.async.wait_all;\nbar.sync 0;\n" + swapped), 0U);
}

TEST(WarpFaults, BarriersThatSomeLanesMiss) {
  Trial trial;
  const Fault fault = only_fault(trial, "setp.lt.u32 %p1, %r1, 9;\n@%p1 bra SKIP;\n.loc 1 7 1\nbar.sync 0;\nSKIP:\n");
  EXPECT_EQ(fault.kind, Fault::Kind::BarrierDivergence);
  EXPECT_EQ(fault.thread, 0U);
}

TEST(WarpFaults, BarriersThatAWarpMisses) {
  Trial trial;
  trial.block = {64, 1, 1};
  EXPECT_EQ(only_fault(trial, "setp.lt.u32 %p1, %r1, 32;\n@%p1 bra SKIP;\n.loc 1 7 1\nbar.sync 0;\nSKIP:\n").kind,
            Fault::Kind::BarrierDivergence);
  EXPECT_EQ(only_fault(trial, "setp.lt.u32 %p1, %r1, 32;\n@%p1 bra SKIP;\n.loc 1 7 1\nbar.sync 1, 64;\nSKIP:\n").kind,
            Fault::Kind::Deadlock);
}

TEST(WarpFaults, ConstantsAreNotWritten) {
  Trial trial;
  const LaunchResult result = trial.run(
      kernel_text("mov.u64 %rd3, table;\nst.global.u32 [%rd3], 1;\n", ".const .align 4 .u32 table[2] = {1, 2};\n"));
  ASSERT_EQ(result.faults.size(), 1U);
  EXPECT_EQ(result.faults[0].kind, Fault::Kind::ReadOnly);
}

TEST(WarpFaults, TrapsEndTheLaunch) {
  Trial trial;
  EXPECT_EQ(only_fault(trial, ".loc 1 7 1\ntrap;\n").kind, Fault::Kind::Trap);
}

}  // namespace
}  // namespace threadscape::warp
