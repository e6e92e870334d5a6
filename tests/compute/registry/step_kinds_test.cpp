// Tests of which algorithm can follow which in a list of steps.

#include "compute/registry/step_kinds.h"
#include "compute/core/clip.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "compute/core/kind_conversion.h"
#include "compute/registry/registry.h"

namespace threadscape {
namespace {

std::string why(std::string_view before, std::string_view step) {
  return why_not_after(find_algorithm(before), find_algorithm(step));
}

TEST(StepKinds, ReasonsNameTheKinds) {
  EXPECT_EQ(why("diamond_square", "thermal_erosion"), "");
  EXPECT_EQ(why("thermal_erosion", "slope"), "");
  EXPECT_EQ(why("slope", "sobel"), "");
  EXPECT_EQ(why("diamond_square", "median"), "");
  EXPECT_EQ(why("phantom", "projection"), "");
  EXPECT_EQ(why("sobel", "rasterize"), "");
  EXPECT_EQ(why("sobel", "sorting"), "it gets a picture from sobel, and takes a sequence");
  EXPECT_EQ(why("reduction", "sorting"), "it gets a scalar from reduction, and takes a sequence");
  EXPECT_EQ(why("sobel", "phantom"), "it takes no input, so it can only be the first step");
  EXPECT_EQ(step_name(1, find_algorithm("sobel")), "step 2, sobel");
}

TEST(StepKinds, AlgorithmsThatTakeTheKindItselfComeFirst) {
  for (const Kind kind :
       {Kind::image, Kind::heightfield, Kind::volume, Kind::sequence, Kind::scalar, Kind::mesh, Kind::clip}) {
    const auto found = algorithms_that_take(kind);
    const auto expected = std::ranges::count_if(algorithms(), [kind](const AlgorithmInfo& info) {
      return info.input != Kind::none && is_convertible(kind, info.input);
    });
    EXPECT_EQ(std::ssize(found), expected) << name_of(kind);
    EXPECT_TRUE(std::ranges::is_partitioned(found, [kind](const auto* info) { return info->input == kind; }));
    // Each kind of input is in one piece, so that a menu has one heading for it.
    std::vector<Kind> pieces;
    for (const AlgorithmInfo* info : found)
      if (pieces.empty() || pieces.back() != info->input) pieces.push_back(info->input);
    EXPECT_EQ(std::set<Kind>(pieces.begin(), pieces.end()).size(), pieces.size()) << name_of(kind);
  }
}

}  // namespace
}  // namespace threadscape
