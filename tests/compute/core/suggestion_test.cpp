#include "compute/core/suggestion.h"

#include <gtest/gtest.h>

#include <array>

namespace threadscape {
namespace {

constexpr std::array<std::string_view, 6> commands{"view", "run", "render", "list", "info", "bench"};

std::string nearest(std::string_view word, std::span<const std::string_view> known = commands) {
  const auto names = near_names(word, known);
  return names.empty() ? "" : std::string(names.front());
}

TEST(Suggestion, LettersMayBeWrongMissingSuperfluousOrExchanged) {
  EXPECT_EQ(nearest("rnu"), "run");
  EXPECT_EQ(nearest("lst"), "list");
  EXPECT_EQ(nearest("benhc"), "bench");
  EXPECT_EQ(nearest("rendder"), "render");
  EXPECT_EQ(nearest("wiev"), "");  // Two exchanges are more than a third of four letters.
  EXPECT_EQ(nearest("INFO"), "info");
}

TEST(Suggestion, PartsOfNamesAreNearAndShortPartsAreNot) {
  constexpr std::array<std::string_view, 3> known{"diamond_square", "median", "seam_carving"};
  EXPECT_EQ(nearest("diamond", known), "diamond_square");
  EXPECT_EQ(nearest("median_filter", known), "median");
  EXPECT_EQ(nearest("se", known), "");
}

TEST(Suggestion, TheNearestComesFirstAndAtMostThreeAreShown) {
  constexpr std::array<std::string_view, 5> known{"mirror_a", "mirrow", "mirror", "mirrors", "mirrored"};
  const auto names = near_names("mirror", known);
  ASSERT_EQ(names.size(), 3u);
  EXPECT_EQ(names.front(), "mirror");
}

TEST(Suggestion, WordsWithoutLikenessGetTheListAlone) {
  EXPECT_EQ(suggestion("xyzzy", commands), "");
  EXPECT_EQ(suggestion("", commands), "");
  EXPECT_EQ(suggestion_and_list("xyzzy", commands), "view | run | render | list | info | bench");
  EXPECT_EQ(suggestion_and_list("rnu", commands, ", "),
            "did you mean run? Accepted are view, run, render, list, info, bench");
}

}  // namespace
}  // namespace threadscape
