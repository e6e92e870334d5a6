#include "compute/warp/machine_counts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace threadscape::warp {
namespace {

using Op = MachineOperation;

/// A loop with a division, a choice in it, and a store behind it.
constexpr const char* looped = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p)
{
.reg .pred %p<3>;
.reg .b32 %r<4>;
.reg .b64 %rd<4>;
ld.param.u64 %rd1, [p];
L1:
ld.global.u64 %rd2, [%rd1];
div.u64 %rd3, %rd2, 7;
div.u64 %rd3, %rd3, 5;
setp.lt.u64 %p1, %rd3, %rd2;
@%p1 bra L1;
st.global.u64 [%rd1], %rd3;
ret;
}
)";
struct Lines {
  static constexpr std::uint32_t load = 11, divide = 12, divide_again = 13, compare = 14, back = 15, store = 16,
                                 end = 17;
};

MachineInstruction made_of(Op operation, std::uint32_t line, bool always = true) {
  MachineInstruction instruction;
  instruction.operation = operation;
  instruction.ptx_line = line;
  instruction.always = always;
  return instruction;
}
MachineInstruction going_to(std::uint32_t target, Op operation, std::uint32_t line, bool always = true) {
  MachineInstruction instruction = made_of(operation, line, always);
  instruction.target = target;
  return instruction;
}

class WarpMachineCounts : public testing::Test {
 protected:
  WarpMachineCounts() : module_(parse_ptx(looped)) {
    for (const Instruction& instruction : kernel().instructions) {
      const bool in_loop = instruction.ptx_line >= Lines::load && instruction.ptx_line <= Lines::back;
      Counts& counts = executed_.instructions.emplace_back();
      counts.ptx_instructions = in_loop ? 70 : 10;
      counts.thread_instructions = 32 * counts.ptx_instructions;
      counts.divergent_branches = instruction.ptx_line == Lines::back ? 3 : 0;
    }
  }
  [[nodiscard]] const Function& kernel() const { return *module_.kernel("k"); }
  [[nodiscard]] MachineCounts counts(std::vector<MachineInstruction> instructions,
                                     std::vector<TableBranch> table_branches = {}) const {
    KernelCode code;
    code.instructions = std::move(instructions);
    code.table_branches = std::move(table_branches);
    return machine_counts(code, module_, kernel(), executed_).value();
  }
  Module module_;
  LaunchResult executed_;
};

const MachineInstruction unlined = made_of(Op::nop, 0);

TEST_F(WarpMachineCounts, ALoopIsExecutedAsOftenAsItsLoad) {
  const MachineCounts found = counts({unlined, made_of(Op::ldg, Lines::load), going_to(1, Op::bra, Lines::back, false),
                                      made_of(Op::stg, Lines::store), made_of(Op::exit, Lines::end)});
  EXPECT_EQ(found.total, 10 + 2 * 70 + 2 * 10);
  EXPECT_EQ(found.lanes, 32);
  EXPECT_EQ(found.divergent, 3);
  EXPECT_FALSE(found.certain);
}

TEST_F(WarpMachineCounts, ALoopInPiecesIsExecutedAsItsTurnsNeed) {
  // Seven turns are one of four copies, one of two, and one of a single copy.
  const MachineCounts found =
      counts({unlined, made_of(Op::ldg, Lines::load), made_of(Op::ldg, Lines::load), made_of(Op::ldg, Lines::load),
              made_of(Op::ldg, Lines::load), going_to(1, Op::bra, Lines::back, false), made_of(Op::ldg, Lines::load),
              made_of(Op::ldg, Lines::load), going_to(6, Op::bra, Lines::back, false), made_of(Op::ldg, Lines::load),
              going_to(9, Op::bra, Lines::back, false), made_of(Op::stg, Lines::store), made_of(Op::exit, Lines::end)});
  EXPECT_EQ(found.total, 10 * (1 + 5 + 3 + 2 + 2));
}

TEST_F(WarpMachineCounts, WhatIsMovedOutOfALoopIsExecutedOnceForEachWarp) {
  const MachineCounts found =
      counts({unlined, going_to(4, Op::bra, 0, false), made_of(Op::nop, Lines::divide),
              made_of(Op::nop, Lines::compare), made_of(Op::ldg, Lines::load), going_to(4, Op::bra, Lines::back, false),
              made_of(Op::stg, Lines::store), made_of(Op::exit, Lines::end)});
  EXPECT_EQ(found.total, 10 * (2 + 2) + 2 * 70 + 2 * 10);
}

TEST_F(WarpMachineCounts, InstructionsWithAPredicateAreIssuedAsOftenAsTheirBlock) {
  const MachineCounts found = counts(
      {unlined, made_of(Op::ldg, Lines::load, false), made_of(Op::stg, Lines::store), made_of(Op::exit, Lines::end)});
  EXPECT_EQ(found.total, 4 * 10);
}

TEST_F(WarpMachineCounts, WhatTwoDivisionsCallIsExecutedForBoth) {
  // The calls go to the instruction behind the exit.
  const MachineCounts found =
      counts({unlined, made_of(Op::ldg, Lines::load), going_to(7, Op::call, Lines::divide),
              going_to(7, Op::call, Lines::divide_again), going_to(1, Op::bra, Lines::back, false),
              made_of(Op::stg, Lines::store), made_of(Op::exit, Lines::end), made_of(Op::nop, Lines::divide),
              made_of(Op::ret, Lines::divide)});
  EXPECT_EQ(found.total, 10 + 4 * 70 + 2 * 10 + 2 * 2 * 70);
}

TEST_F(WarpMachineCounts, DetoursForOddOperandsAndForThreadsThatHaveComeApartAreNotExecuted) {
  MachineInstruction apart = going_to(7, Op::bra, Lines::load, false);
  apart.diverged = true;
  const MachineCounts found =
      counts({unlined, made_of(Op::ldg, Lines::load), going_to(4, Op::bra, Lines::divide, false),
              going_to(8, Op::call, Lines::divide), apart, going_to(1, Op::bra, Lines::back, false),
              going_to(10, Op::bra, Lines::back), going_to(5, Op::bra, Lines::load), made_of(Op::nop, Lines::divide),
              made_of(Op::ret, Lines::divide), made_of(Op::stg, Lines::store), made_of(Op::exit, Lines::end)});
  // What is left of the loop are a load and three branches; the branch behind it is executed once for each warp.
  EXPECT_EQ(found.total, 10 + 4 * 70 + 10 + 2 * 10);
}

TEST_F(WarpMachineCounts, BehindABranchByATableDetoursAreNotExecutedEither) {
  const MachineCounts found = counts(
      {made_of(Op::brx, 0), made_of(Op::ldg, Lines::load), going_to(4, Op::bra, Lines::divide, false),
       going_to(7, Op::call, Lines::divide), going_to(1, Op::bra, Lines::back, false), made_of(Op::stg, Lines::store),
       made_of(Op::exit, Lines::end), made_of(Op::nop, Lines::divide), made_of(Op::ret, Lines::divide)},
      {{0, 1}, {0, 5}});
  EXPECT_EQ(found.total, 10 + 3 * 70 + 2 * 10);
}

TEST_F(WarpMachineCounts, CodeWithoutLinesHasNoCounts) {
  KernelCode code;
  code.instructions = {unlined, unlined};
  EXPECT_FALSE(machine_counts(code, module_, kernel(), executed_).has_value());
  code.instructions = {};
  EXPECT_FALSE(machine_counts(code, module_, kernel(), executed_).has_value());
}

TEST(WarpMachineCountsOfSteps, ACounterSaysHowManyTurnsAPieceOfALoopMakesAtOnce) {
  const Module module = parse_ptx(R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p)
{
.reg .pred %p<2>;
.reg .b32 %r<3>;
.reg .b64 %rd<2>;
ld.param.u64 %rd1, [p];
L1:
mad.lo.s32 %r1, %r1, 5, 3;
add.s32 %r2, %r2, 1;
setp.lt.s32 %p1, %r2, %r1;
@%p1 bra L1;
st.global.u32 [%rd1], %r1;
ret;
}
)");
  constexpr std::uint32_t multiply = 11, add = 12, back = 14, store = 15, end = 16;
  const Function& kernel = *module.kernel("k");
  LaunchResult executed;
  for (const Instruction& instruction : kernel.instructions) {
    const bool in_loop = instruction.ptx_line >= multiply && instruction.ptx_line <= back;
    executed.instructions.emplace_back().ptx_instructions = in_loop ? 70 : 10;
  }
  const auto adding = [](std::int32_t step) {
    MachineInstruction instruction = made_of(Op::nop, add);
    instruction.step = step;
    return instruction;
  };
  // Seven turns are one of four at once, and three of one.
  KernelCode code;
  code.instructions = {unlined,
                       adding(4),
                       going_to(1, Op::bra, back, false),
                       adding(1),
                       made_of(Op::nop, multiply),
                       going_to(3, Op::bra, back, false),
                       made_of(Op::stg, store),
                       made_of(Op::exit, end)};
  EXPECT_EQ(machine_counts(code, module, kernel, executed).value().total, 10 * (1 + 2 + 3 * 3 + 2));
}

/// A kernel that calls a function twice.
constexpr const char* calling = R"(.version 8.0
.target sm_90
.address_size 64
.extern .func elsewhere();
.func f(.param .b64 a)
{
.reg .b64 %rd<3>;
ld.param.u64 %rd1, [a];
ld.global.u64 %rd2, [%rd1];
ret;
}
.visible .entry k(.param .u64 p)
{
.reg .b64 %rd<2>;
.param .b64 b;
ld.param.u64 %rd1, [p];
st.param.b64 [b], %rd1;
call.uni f, (b);
call.uni f, (b);
st.global.u64 [%rd1], %rd1;
ret;
}
)";

TEST(WarpMachineCountsOfCalls, AFunctionIsExecutedForAllItsCalls) {
  const Module module = parse_ptx(calling);
  const Function& kernel = *module.kernel("k");
  LaunchResult executed;
  const auto fill = [](const Function& function, std::uint64_t warps) {
    Counts counts;
    counts.ptx_instructions = warps;
    counts.thread_instructions = 32 * warps;
    return std::vector<Counts>(function.instructions.size(), counts);
  };
  executed.instructions = fill(kernel, 10);
  const auto called = std::ranges::find(module.functions, "f", &Function::name);
  ASSERT_NE(called, module.functions.end());
  executed.called.push_back({&*called, fill(*called, 20)});
  constexpr std::uint32_t load = 9, back = 10, first_call = 18, second_call = 19, store = 20, end = 21;
  KernelCode code;
  code.instructions = {
      unlined,
      going_to(5, Op::call, first_call),
      going_to(5, Op::call, second_call),
      made_of(Op::stg, store),
      made_of(Op::exit, end),
      made_of(Op::ldg, load),
      made_of(Op::ret, back),
  };
  const std::optional<MachineCounts> counts = machine_counts(code, module, kernel, executed);
  ASSERT_TRUE(counts.has_value());
  EXPECT_EQ(counts->total, 5 * 10 + 2 * 20);
  // The instructions of the kernel come first, and then those of the function: its parameter, its load and its return.
  const std::size_t first = kernel.instructions.size();
  ASSERT_EQ(counts->issued.size(), first + 3);
  EXPECT_EQ(counts->issued[first + 1], 20);
  EXPECT_EQ(counts->issued[first + 2], 20);
}

TEST(WarpMachineCountsOfCalls, CodeOfOtherFilesIsNotCounted) {
  std::string text = calling;
  text.replace(text.find("call.uni f, (b)"), 15, "call.uni elsewhere");
  const Module module = parse_ptx(text);
  const Function& kernel = *module.kernel("k");
  LaunchResult executed;
  executed.instructions.resize(kernel.instructions.size());
  KernelCode code;
  code.instructions = {made_of(Op::stg, 20), made_of(Op::exit, 21)};
  EXPECT_FALSE(machine_counts(code, module, kernel, executed).has_value());
}

}  // namespace
}  // namespace threadscape::warp
