#include "compute/warp/issue.h"

#include <gtest/gtest.h>

namespace threadscape::warp {
namespace {

using Op = MachineOperation;

TEST(WarpIssue, TheSlowestPipeHoldsUpTheOthers) {
  IssueCycles cycles;
  cycles.add(Op::ffma, 10);
  cycles.add(Op::ldg, 2);
  EXPECT_EQ(cycles.most(), 12);  // One instruction is issued in a cycle.
  constexpr Op minimum{0x048}, product{0x024}, root{0x108};
  cycles.add(minimum, 8);
  EXPECT_EQ(cycles.alu, 16);
  EXPECT_EQ(cycles.most(), 20);
  cycles.add(product, 15);
  EXPECT_EQ(cycles.fma, 10 + 30);
  EXPECT_EQ(cycles.most(), 40);
  cycles.add(root, 6);
  EXPECT_EQ(cycles.most(), 48);
  cycles.add(Op::dfma, 30);
  EXPECT_EQ(cycles.most(), 71);  // So many are issued, and doubles take 60.
  cycles.add(Op::dfma, 10);
  EXPECT_EQ(cycles.doubles, 80);
  constexpr Op bytes{0x037};
  cycles.add(Op::hmma, 10);
  cycles.add(bytes, 10);
  EXPECT_DOUBLE_EQ(cycles.most(), 20 * 6.7);
}

}  // namespace
}  // namespace threadscape::warp
