// Tests of results that become inputs: what the workspace works on afterwards, the way back, and what is said about it.

#include <gtest/gtest.h>

#include "app/session/workspace.h"
#include "compute/registry/registry.h"
#include "tests/support/app/app_testing.h"

namespace threadscape::app {
namespace {

class ResultInputTest : public ::testing::Test {
 protected:
  void choose(std::string_view algorithm) { workspace_.choose_algorithm(find_algorithm(algorithm)); }
  /// Runs what is chosen, and uses its result as the input of `target`.
  void use_result(std::string_view target) {
    workspace_.refresh();
    workspace_.make_input();
    const Work work = workspace_.wanted();
    const auto input = workspace_.source();
    HostArray values = Runner().run(work.request(), input ? input->picture.pixels.view() : HostIn{}).output;
    workspace_.use_result(workspace_.result_to_use(work, find_algorithm(target)), std::move(values));
    workspace_.refresh();
  }
  [[nodiscard]] LogBook::Entry last_message() const { return workspace_.log.entries().back(); }

  Workspace workspace_;
};

TEST_F(ResultInputTest, TheInputIsTheResultUntilGoingBack) {
  workspace_.set_source("photo.png", threadscape::testing::test_photo());
  choose("sobel");
  const auto photo = workspace_.source();
  use_result("sobel");
  ASSERT_NE(workspace_.source(), nullptr);
  EXPECT_EQ(workspace_.source()->title(), "result of sobel");
  EXPECT_NE(workspace_.source()->id, photo->id);
  EXPECT_TRUE(workspace_.source()->path.empty());
  EXPECT_EQ(last_message().text, "Input: result of sobel, " + to_string(photo->picture.pixels.shape()));
  ASSERT_EQ(last_message().offers.size(), 1u);
  EXPECT_EQ(last_message().offers[0].label, "Back to photo.png");
  EXPECT_EQ(last_message().offers[0].action, Offer::Action::earlier_input);
  EXPECT_EQ(last_message().offers[0].kind, Kind::image);

  use_result("median");
  EXPECT_EQ(workspace_.algorithm().name, "median");
  EXPECT_TRUE(workspace_.can_go_back());
  workspace_.go_back(Kind::image);
  EXPECT_EQ(workspace_.source()->title(), "result of sobel");
  workspace_.go_back(Kind::image);
  EXPECT_EQ(workspace_.source(), photo);
  EXPECT_FALSE(workspace_.can_go_back());
  workspace_.go_back(Kind::image);
  EXPECT_EQ(workspace_.source(), photo);
}

TEST_F(ResultInputTest, ErosionWorksOnTheTerrainThatWasJustMade) {
  choose("diamond_square");
  workspace_.set_parameter("n", "5");
  use_result("thermal_erosion");
  EXPECT_EQ(workspace_.algorithm().name, "thermal_erosion");
  EXPECT_EQ(workspace_.input_shape(), (Shape{Kind::heightfield, Element::f32, 1, 33, 33, 1}));
  EXPECT_FALSE(workspace_.lacks_input());
  workspace_.go_back(Kind::heightfield);
  EXPECT_EQ(workspace_.input_shape().width, 513) << "the algorithm's own terrain";
  EXPECT_TRUE(workspace_.lacks_input());
}

TEST_F(ResultInputTest, AScannerIsHandedOver) {
  choose("projection");
  for (const auto& [name, value] : {std::pair{"pixels", "50"}, {"arc", "360"}, {"step", "10"}})
    workspace_.set_parameter(name, value);
  use_result("reconstruction");
  EXPECT_EQ(workspace_.problem(), "");
  // What the result has changed in the panel is said where it is seen, and not in the log alone.
  EXPECT_EQ(last_message().level, LogBook::Level::info);
  EXPECT_NE(last_message().text.find("It sets the parameters "), std::string::npos) << last_message().text;
  EXPECT_NE(last_message().text.find("detector_pixels = 50"), std::string::npos) << last_message().text;
  for (const FieldRef& field : workspace_.work().params.fields()) {
    if (field.name == "geometry") {
      EXPECT_EQ(to_text(field), "cone");
    } else if (field.name == "detector_pixels") {
      EXPECT_EQ(to_text(field), "50");
    }
  }
}

TEST_F(ResultInputTest, OpeningAFileEndsTheWayBack) {
  workspace_.set_source("photo.png", threadscape::testing::test_photo());
  choose("sobel");
  use_result("sobel");
  workspace_.set_source("other.png", threadscape::testing::test_photo());
  EXPECT_FALSE(workspace_.can_go_back());
  EXPECT_EQ(workspace_.source()->title(), "other.png");
}

TEST_F(ResultInputTest, OnlyTheLatestInputsAreKept) {
  workspace_.set_source("photo.png", threadscape::testing::test_photo());
  choose("mean");
  for (int i = 0; i < 6; ++i)
    use_result("mean");
  int steps = 0;
  for (; workspace_.can_go_back(); ++steps)
    workspace_.go_back(Kind::image);
  EXPECT_EQ(steps, 4);
  EXPECT_EQ(workspace_.source()->title(), "result of mean");
}

}  // namespace
}  // namespace threadscape::app
