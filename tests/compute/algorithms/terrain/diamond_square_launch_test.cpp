// Tests of the launches of diamond-square: every new cell belongs to one thread, and the coordinates are those that the
// source document computes in its examples (document 000, chapter 3.2.3).

#include "compute/algorithms/terrain/diamond_square/diamond_square_launch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "compute/algorithms/terrain/diamond_square/diamond_square.h"
#include "compute/registry/diagram.h"
#include "compute/registry/registry.h"

namespace threadscape::diamond_square {
namespace {

constexpr std::array forms{Form::branch, Form::branchless, Form::all_cells, Form::new_cells};

TEST(DiamondSquareLaunch, EveryNewCellBelongsToOneThread) {
  for (const Form form : forms)
    for (const Step step : {Step::diamond, Step::square})
      for (int last = 1; last <= 7; ++last)
        for (int level = 1; level <= last; ++level) {
          const Launch launch = launch_of(form, step, level, last);
          EXPECT_LE(launch.block_width * launch.block_height, 1024);
          std::map<std::pair<int, int>, int> threads_of;
          for (int y = 0; y < launch.block_height * launch.blocks_y; ++y)
            for (int x = 0; x < launch.block_width * launch.blocks_x; ++x)
              if (const Cell cell = cell_of(form, step, level, last, x, y); cell.is_work)
                ++threads_of[{cell.x, cell.y}];
          const int cells = cells_of(level);
          std::size_t expected = 0;
          for (int y = 0; y <= cells; ++y)
            for (int x = 0; x <= cells; ++x) {
              const bool is_new = step == Step::diamond ? x % 2 == 1 && y % 2 == 1 : (x + y) % 2 == 1;
              expected += is_new ? 1 : 0;
              if (!is_new) continue;
              EXPECT_EQ((threads_of[{x, y}]), 1) << x << ", " << y << " of level " << level;
            }
          EXPECT_EQ(threads_of.size(), expected);
        }
}

// Equations 4 and 6: a block of 2^(k - 1) x 2^(k - 1) threads. The document has a matrix of 5 x 5.
TEST(DiamondSquareLaunch, DiamondStepsOfTheDocument) {
  for (int level = 1; level <= 4; ++level) {
    const Launch launch = launch_of(Form::new_cells, Step::diamond, level, 4);
    EXPECT_EQ(launch.block_width, 1 << (level - 1));
    EXPECT_EQ(launch.block_height, 1 << (level - 1));
    EXPECT_EQ(launch.blocks_x * launch.blocks_y, 1);
  }
  const auto cell = [](int x, int y) {
    const Cell found = cell_of(Form::new_cells, Step::diamond, 2, 2, x, y);
    return std::pair{found.x, found.y};
  };
  EXPECT_EQ(cell(0, 0), std::pair(1, 1));
  EXPECT_EQ(cell(0, 1), std::pair(1, 3));
  EXPECT_EQ(cell(1, 0), std::pair(3, 1));
  EXPECT_EQ(cell(1, 1), std::pair(3, 3));
}

// Equations 9 and 11: 2 x 2 threads for the first square step, 4 x 3 for the second one, and their cells.
TEST(DiamondSquareLaunch, SquareStepsOfTheDocument) {
  const Launch first = launch_of(Form::new_cells, Step::square, 1, 2);
  EXPECT_EQ(std::pair(first.block_height, first.block_width), std::pair(2, 2));
  const Launch second = launch_of(Form::new_cells, Step::square, 2, 2);
  EXPECT_EQ(std::pair(second.block_height, second.block_width), std::pair(4, 3));
  constexpr std::array<std::array<std::pair<int, int>, 3>, 4> cells{
      {{{{0, 1}, {2, 1}, {4, 1}}}, {{{1, 0}, {1, 2}, {1, 4}}}, {{{0, 3}, {2, 3}, {4, 3}}}, {{{3, 0}, {3, 2}, {3, 4}}}}};
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 3; ++x) {
      const Cell cell = cell_of(Form::new_cells, Step::square, 2, 2, x, y);
      EXPECT_TRUE(cell.is_work);
      EXPECT_EQ(std::pair(cell.x, cell.y), cells[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)]);
    }
}

// Equations 7, 8 and 12: blocks of 16 x 16 and 16 x 9, and as many of the latter as cover all columns.
TEST(DiamondSquareLaunch, LargeStepsAreCutIntoTheBlocksOfTheDocument) {
  const Launch diamond = launch_of(Form::new_cells, Step::diamond, 8, 8);
  EXPECT_EQ(std::pair(diamond.block_width, diamond.block_height), std::pair(16, 16));
  EXPECT_EQ(std::pair(diamond.blocks_x, diamond.blocks_y), std::pair(128 / 16, 128 / 16));
  const Launch square = launch_of(Form::new_cells, Step::square, 8, 8);
  EXPECT_EQ(std::pair(square.block_height, square.block_width), std::pair(16, 9));
  EXPECT_EQ(square.blocks_y, 256 / 16);
  EXPECT_EQ(square.blocks_x, ((128 + 1) + 9 - 1) / 9);
}

// Figures 11 and 12: the steps of a matrix of 5 x 5.
TEST(DiamondSquareLaunch, DiagramsAreThoseOfTheFigures) {
  const auto launch = diagrams_of(find_algorithm("diamond_square")).launch;
  ASSERT_NE(launch, nullptr);
  const auto drawn = [&](int level, DiamondSquare::LastStep step, int variant) {
    return launch(ParamBox::of(DiamondSquare::Params{.n = 2, .levels = level, .last_step = step}), variant);
  };
  const int new_cells = static_cast<int>(Form::new_cells), all_cells = static_cast<int>(Form::all_cells);
  const std::array<std::size_t, 2> diamonds{1, 4}, squares{4, 12}, known_before{4, 9};
  for (int level = 1; level <= 2; ++level) {
    const auto i = static_cast<std::size_t>(level) - 1;
    for (const int variant : {new_cells, all_cells}) {
      const auto diamond = drawn(level, DiamondSquare::LastStep::diamond, variant);
      const auto square = drawn(level, DiamondSquare::LastStep::square, variant);
      ASSERT_TRUE(diamond && square);
      EXPECT_EQ(diamond->side, 5);
      EXPECT_EQ(diamond->working.size(), diamonds[i]);
      EXPECT_EQ(square->working.size(), squares[i]);
      EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(diamond->known, true)), known_before[i]);
      EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(square->known, true)), known_before[i] + diamonds[i]);
    }
  }
  const auto first = drawn(1, DiamondSquare::LastStep::diamond, new_cells);
  EXPECT_EQ(std::pair(first->working[0].x, first->working[0].y), std::pair(2, 2));
  EXPECT_FALSE(drawn(1, DiamondSquare::LastStep::diamond, 0)) << "fused computes several levels in a launch";
  EXPECT_EQ(launch(ParamBox::of(DiamondSquare::Params{.n = 12}), new_cells)->side, 17);
}

}  // namespace
}  // namespace threadscape::diamond_square
