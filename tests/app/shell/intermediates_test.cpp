// Tests of the intermediate results of an algorithm: which of them the workspace wants, and the player that walks
// through all of them.

#include <gtest/gtest.h>

#include "app/shell/intermediate_player.h"
#include "compute/registry/registry.h"
#include "tests/support/app/app_testing.h"

namespace threadscape::app {
namespace {

class IntermediatesTest : public ::testing::Test {
 protected:
  IntermediatesTest() {
    workspace_.set_source("photo", threadscape::testing::test_photo());
    workspace_.choose_algorithm(find_algorithm("morphology"));
    set("operation", "open");
  }
  void set(std::string_view name, std::string_view value) { workspace_.set_parameter(name, value); }
  [[nodiscard]] std::string wanted(std::string_view name) const {
    const Work work = workspace_.wanted();
    for (const FieldRef& field : work.params.fields())
      if (field.name == name) return to_text(field);
    return "";
  }

  /// The work whose result is the final picture for the current parameters and source.
  [[nodiscard]] Work asked() {
    Work work = workspace_.work();
    work.source_id = workspace_.source()->id;
    return work;
  }

  Workspace workspace_;
};

TEST_F(IntermediatesTest, TheResultIsWantedAtFirst) {
  EXPECT_EQ(workspace_.intermediates().size(), 2u);
  EXPECT_EQ(workspace_.shown_intermediate(), 1);
  EXPECT_EQ(workspace_.wanted(), asked());
}

TEST_F(IntermediatesTest, OneIsTheSameWorkWithOtherParameters) {
  workspace_.show_intermediate(0);
  EXPECT_EQ(workspace_.shown_intermediate(), 0);
  EXPECT_EQ(wanted("operation"), "erode");
  Work work = workspace_.wanted();
  EXPECT_NE(work, asked());
  work.params = workspace_.work().params;
  EXPECT_EQ(work, asked());
  workspace_.choose_backend(Backend::serial);
  EXPECT_EQ(workspace_.wanted().backend, Backend::serial);
  workspace_.show_intermediate(1);
  EXPECT_EQ(workspace_.wanted(), asked());
}

TEST_F(IntermediatesTest, ParametersMayChangeWhileOneIsShown) {
  workspace_.show_intermediate(0);
  set("operation", "close");
  EXPECT_EQ(wanted("operation"), "dilate");
  set("operation", "gradient");
  workspace_.show_intermediate(1);
  EXPECT_EQ(wanted("operation"), "erode");
  set("operation", "open");  // `open` has one before the result, so 1 is the result itself.
  EXPECT_EQ(workspace_.wanted(), asked());
  set("operation", "erode");
  EXPECT_LT(workspace_.intermediates().size(), 2u);
  EXPECT_EQ(workspace_.wanted(), asked());
}

TEST_F(IntermediatesTest, TheResultStaysTheResultWhenThereAreMore) {
  workspace_.show_intermediate(1);
  set("operation", "tophat");
  EXPECT_EQ(workspace_.shown_intermediate(), 2);
  EXPECT_EQ(workspace_.wanted(), asked());
}

TEST_F(IntermediatesTest, AnotherAlgorithmShowsItsResult) {
  workspace_.show_intermediate(0);
  workspace_.choose_algorithm(find_algorithm("sobel"));
  EXPECT_TRUE(workspace_.intermediates().empty());
  EXPECT_EQ(workspace_.wanted(), asked());
  workspace_.choose_algorithm(find_algorithm("morphology"));
  EXPECT_EQ(workspace_.wanted(), asked());
}

TEST_F(IntermediatesTest, ThoseThatDoNotExistShowTheResult) {
  for (const int index : {-1, 2, 1000}) {
    workspace_.show_intermediate(index);
    EXPECT_EQ(workspace_.wanted(), asked());
  }
}

TEST_F(IntermediatesTest, ThePlayerStartsAgainAfterTheLastOne) {
  set("operation", "tophat");
  IntermediatePlayer player;
  player.update(workspace_, 0.0, true);
  EXPECT_EQ(workspace_.shown_intermediate(), 2);
  player.play(workspace_, 10.0);
  EXPECT_EQ(workspace_.shown_intermediate(), 0);
  double now = 10.0;
  for (const int next : {1, 2, 0, 1}) {
    const int before = workspace_.shown_intermediate();
    player.update(workspace_, now + 0.9, true);
    EXPECT_EQ(workspace_.shown_intermediate(), before);
    player.update(workspace_, now += 1.0, true);
    EXPECT_EQ(workspace_.shown_intermediate(), next);
  }
  player.stop();
  player.update(workspace_, now + 10.0, true);
  EXPECT_EQ(workspace_.shown_intermediate(), 1);
}

TEST_F(IntermediatesTest, ThePlayerWaitsForSlowPictures) {
  IntermediatePlayer player;
  player.play(workspace_, 0.0);
  for (int half_seconds = 0; half_seconds < 10; ++half_seconds)
    player.update(workspace_, 0.5 * half_seconds, false);
  EXPECT_EQ(workspace_.shown_intermediate(), 0);
  // The time of a result begins at the last update before its picture is complete: here at 4.5 s, and it lasts 1 s.
  player.update(workspace_, 5.0, true);
  EXPECT_EQ(workspace_.shown_intermediate(), 0);
  player.update(workspace_, 5.6, true);
  EXPECT_EQ(workspace_.shown_intermediate(), 1);
}

TEST_F(IntermediatesTest, ThePlayerKeepsThePaceThatWasChosen) {
  IntermediatePlayer player;
  EXPECT_EQ(player.pace(workspace_), 1.0f);
  player.set_pace(10.0f);
  player.play(workspace_, 0.0);
  player.update(workspace_, 0.09, true);
  EXPECT_EQ(workspace_.shown_intermediate(), 0);
  player.update(workspace_, 0.101, true);
  EXPECT_EQ(workspace_.shown_intermediate(), 1);
  player.set_pace(1e6f);
  EXPECT_EQ(player.pace(workspace_), IntermediatePlayer::max_pace);
}

TEST_F(IntermediatesTest, ThePlayerStopsIfThereAreNone) {
  IntermediatePlayer player;
  player.play(workspace_, 0.0);
  set("operation", "erode");
  player.update(workspace_, 9.0, true);
  EXPECT_FALSE(player.playing());
}

}  // namespace
}  // namespace threadscape::app
