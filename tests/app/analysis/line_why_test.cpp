// Each rule of the sentences that cite lines applies at its threshold, and not before it, and cites the worst line.

#include "app/analysis/line_why.h"

#include <gtest/gtest.h>

namespace threadscape::app {
namespace {

/// Two kernels with one line that does much and one that does little.
struct LineWhy : ::testing::Test {
  std::vector<KernelCounts> kernels{{.file = "a.cu", .lines = {{3, {}}}},
                                    {.file = "b.cu", .lines = {{7, {}}, {9, {}}}}};
  warp::Counts& few = kernels[0].lines[3];
  warp::Counts& many = kernels[1].lines[9];

  void SetUp() override {
    few.warp_instructions = few.ptx_instructions = 100;
    many.warp_instructions = many.ptx_instructions = 300;
    few.thread_instructions = 3200;
    many.thread_instructions = 9600;
  }
  /// The sentence that has these words; an empty one if there is none.
  [[nodiscard]] LineSentence said(std::string_view words) const {
    for (LineSentence& sentence : line_why(kernels))
      if (sentence.text.find(words) != std::string::npos) return sentence;
    return {};
  }
};

TEST_F(LineWhy, NothingIsSaidWithoutCounts) {
  EXPECT_TRUE(line_why({}).empty());
  EXPECT_TRUE(line_why({{.file = "a.cu", .lines = {{1, {}}}}}).empty());
}

TEST_F(LineWhy, TheLineWithTheMostInstructionsIsAlwaysNamed) {
  const std::vector<LineSentence> all = line_why(kernels);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].text, "b.cu:9 executes 300 of 400 warp instructions (modelled).");
  EXPECT_EQ(all[0].kernel, 1u);
  EXPECT_EQ(all[0].line, 9);
}

TEST_F(LineWhy, ConflictsAreNamedFromATenthOfTheWavefrontsOn) {
  few.shared_store_wavefronts = 721;
  many.shared_load_wavefronts = 80;
  many.shared_load_conflicts = 79;
  EXPECT_EQ(said("conflicts").line, 0);
  few.shared_store_wavefronts = 6;
  few.shared_store_conflicts = 1;
  EXPECT_EQ(said("conflicts").text,
            "b.cu:9 makes 79 of 80 bank conflicts: 80 times the wavefronts that it needs (counted).");
}

TEST_F(LineWhy, SectorsAreNamedWhereTheBytesWouldFillFewer) {
  few.global_load_sectors = 1000;
  few.global_load_bytes = 32000;
  many.global_load_sectors = 1490;
  many.global_load_bytes = 21152;
  EXPECT_EQ(said("loads").line, 0) << "2490 sectors where 1661 would do are just below the limit";
  many.global_load_sectors = 12500;
  EXPECT_EQ(said("loads").text,
            "b.cu:9 loads 12,500 of 13,500 sectors of 32 bytes, where its bytes would fill 661 (counted).");
  EXPECT_EQ(said("stores").line, 0);
  few.global_store_sectors = 32;
  few.global_store_bytes = 128;
  EXPECT_EQ(said("stores").text, "a.cu:3 stores all 32 sectors of 32 bytes, where its bytes would fill 4 (counted).");
}

TEST_F(LineWhy, IdleLanesAreNamedBelowTheLimit) {
  many.thread_instructions = 8000;
  EXPECT_EQ(said("lanes").line, 0) << "11,200 lanes of 400 instructions are 28";
  many.thread_instructions = 2400;
  few.thread_instructions = 2400;
  EXPECT_EQ(said("lanes").text, "b.cu:9 runs with 8 of 32 lanes: 90 % of the idle lanes (counted).");
}

TEST_F(LineWhy, CollisionsAreNamedFromOneOfAnAtomicOperationOn) {
  many.atomics = 10;
  many.atomic_collisions = 9;
  EXPECT_EQ(said("collisions").line, 0);
  many.atomic_collisions = 310;
  EXPECT_EQ(said("collisions").text, "b.cu:9 makes all 310 collisions of atomic operations, 31 each (counted).");
}

}  // namespace
}  // namespace threadscape::app
