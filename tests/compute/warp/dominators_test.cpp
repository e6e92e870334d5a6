#include "compute/warp/dominators.h"

#include <gtest/gtest.h>

#include "compute/warp/code.h"

namespace threadscape::warp {
namespace {

Edges turned(const Edges& next) {
  Edges before(next.size());
  for (std::uint32_t from = 0; from < next.size(); ++from)
    for (const std::uint32_t to : next[from])
      before[to].push_back(from);
  return before;
}

// A choice between 1 and 2 meets at 3; nothing leads to 4.
const Edges choice{{1, 2}, {3}, {3}, {}, {3}};

TEST(WarpDominators, AreTheLastBlocksThatAllWaysGoThrough) {
  EXPECT_EQ(immediate_dominators(choice, turned(choice), 0), (std::vector<std::uint32_t>{0, 0, 0, 0, none}));
  EXPECT_EQ(immediate_dominators(turned(choice), choice, 3), (std::vector<std::uint32_t>{3, 3, 3, 3, 3}));
}

TEST(WarpDominators, ALoopWithinALoopIsTheSmallerOne) {
  // 0 -> 1 -> 2 -> 2, 2 -> 3 -> 1, 3 -> 4
  const Edges nested{{1}, {2}, {2, 3}, {1, 4}, {}};
  const std::vector<Loop> loops = natural_loops(nested, turned(nested), 0);
  ASSERT_EQ(loops.size(), 2u);
  EXPECT_EQ(loops[0].head, 1u);
  EXPECT_EQ(loops[0].holds, (std::vector<bool>{false, true, true, true, false}));
  EXPECT_EQ(loops[1].head, 2u);
  EXPECT_EQ(loops[1].size, 1u);
}

TEST(WarpDominators, AJumpToABlockThatStandsBeforeIsNoLoop) {
  // The code of a choice stands in another order than it is executed: 0 -> 3, 3 -> 1 or 2, 1 -> 2.
  const Edges order{{3}, {2}, {}, {1, 2}};
  EXPECT_TRUE(natural_loops(order, turned(order), 0).empty());
}

}  // namespace
}  // namespace threadscape::warp
