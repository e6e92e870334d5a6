#include "compute/warp/shared_vectors.h"

#include <gtest/gtest.h>

#include <string>

namespace threadscape::warp {
namespace {

/// A kernel whose %rd1 is a multiple of 64 within shared memory, and %rd2 one of 4.
std::string kernel(const std::string& body) {
  return R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 k_param_0)
{
  .reg .f32 %f<9>;
  .reg .b32 %r<9>;
  .reg .b64 %rd<9>;
  .reg .pred %p<2>;
  .shared .align 4 .b8 tile[1024];
  mov.u32 %r1, %tid.x;
  mov.u64 %rd3, tile;
  mul.wide.u32 %rd4, %r1, 64;
  add.s64 %rd1, %rd3, %rd4;
  mul.wide.u32 %rd5, %r1, 4;
  add.s64 %rd2, %rd3, %rd5;
)" + body +
         "  ret;\n}\n";
}

/// The names of the operations behind the first six, with how many loads are gone.
std::string joined(const std::string& body) {
  Module module = parse_ptx(kernel(body));
  Function& function = module.functions.front();
  std::string text = std::to_string(join_shared_loads(module, function)) + ":";
  for (std::size_t i = 6; i < function.instructions.size(); ++i)
    text += " " + module.names[function.instructions[i].name];
  return text;
}

constexpr const char* four = "ld.shared.f32 %f1, [%rd1]; ld.shared.f32 %f2, [%rd1+4]; ld.shared.f32 %f3, [%rd1+8]; "
                             "ld.shared.f32 %f4, [%rd1+12];\n";

TEST(WarpSharedVectors, NeighboursAreJoined) {
  EXPECT_EQ(joined(four), "3: ld.shared.v4.f32 ret");
  EXPECT_EQ(joined("ld.shared.f32 %f2, [%rd1+4]; add.f32 %f5, %f2, %f2; ld.shared.f32 %f1, [%rd1];\n"),
            "1: ld.shared.v2.f32 add.f32 ret");
  EXPECT_EQ(joined("ld.shared.u64 %rd6, [%rd1+16]; ld.shared.u64 %rd7, [%rd1+24];\n"), "1: ld.shared.v2.u64 ret");
}

TEST(WarpSharedVectors, OperandsAreThoseOfAllLoads) {
  Module module = parse_ptx(kernel(four));
  Function& function = module.functions.front();
  join_shared_loads(module, function);
  const Instruction& load = function.instructions[6];
  const Operand& list = function.operands[load.operands];
  const Operand& address = function.operands[load.operands + 1];
  ASSERT_EQ(list.kind, Operand::Kind::List);
  ASSERT_EQ(list.count, 4);
  for (std::uint32_t i = 0; i < 4; ++i)
    EXPECT_EQ(function.registers[function.operands[list.index + i].index].name, "%f" + std::to_string(i + 1));
  EXPECT_EQ(address.kind, Operand::Kind::Address);
  EXPECT_EQ(address.value, 0u);
}

TEST(WarpSharedVectors, UnknownAlignmentIsNotJoined) {
  EXPECT_EQ(joined("ld.shared.f32 %f1, [%rd2]; ld.shared.f32 %f2, [%rd2+4];\n"), "0: ld.shared.f32 ld.shared.f32 ret");
  EXPECT_EQ(joined("ld.shared.f32 %f1, [%rd1+4]; ld.shared.f32 %f2, [%rd1+8];\n"), "0: ld.shared.f32 ld.shared.f32 ret");
}

TEST(WarpSharedVectors, WhatMayChangeMemoryOrRegistersSeparates) {
  for (const std::string between :
       {"st.shared.f32 [%rd2], %f5;", "bar.sync 0;", "mov.f32 %f2, %f5;", "add.f32 %f5, %f2, %f2;", "add.s64 %rd1, %rd1, 64;",
        "L: "})
    EXPECT_EQ(joined("ld.shared.f32 %f1, [%rd1]; " + between + " ld.shared.f32 %f2, [%rd1+4];\n").substr(0, 1), "0") << between;
  EXPECT_EQ(joined("ld.shared.f32 %f1, [%rd1]; st.global.f32 [%rd2], %f1; ld.shared.f32 %f2, [%rd1+4];\n").substr(0, 1), "1");
  EXPECT_EQ(joined("@%p1 ld.shared.f32 %f1, [%rd1]; @%p1 ld.shared.f32 %f2, [%rd1+4];\n").substr(0, 1), "0");
}

TEST(WarpSharedVectors, LabelsMoveAlong) {
  Module module = parse_ptx(kernel(std::string(four) + "L: @%p1 bra L;\n"));
  Function& function = module.functions.front();
  ASSERT_EQ(function.labels.size(), 1u);
  join_shared_loads(module, function);
  EXPECT_EQ(module.names[function.instructions[function.labels[0]].name], "bra");
}

}  // namespace
}  // namespace threadscape::warp
