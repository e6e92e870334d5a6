// Tests of lists of steps in the workspace: what each step works on, which results are made again, and that the list
// can be changed in any place.

#include "app/session/step_list.h"

#include <gtest/gtest.h>

#include "app/session/workspace.h"
#include "compute/registry/registry.h"
#include "tests/support/app/app_testing.h"
#include "tests/support/compute/host_arrays.h"

namespace threadscape::app {
namespace {

class StepListTest : public ::testing::Test {
 protected:
  void choose(std::string_view algorithm) { workspace_.choose_algorithm(find_algorithm(algorithm)); }
  void add(std::string_view algorithm) { workspace_.add_step(find_algorithm(algorithm)); }
  void set(std::string_view name, std::string_view value) { workspace_.set_parameter(name, value); }
  [[nodiscard]] std::string parameter(std::string_view name) {
    for (const FieldRef& field : workspace_.work().params.fields())
      if (field.name == name) return to_text(field);
    return "";
  }
  /// The algorithms of the list, with the chosen one in brackets.
  [[nodiscard]] std::string names() const {
    std::string text;
    for (const Step& step : workspace_.steps().steps()) {
      const bool chosen = &step == &workspace_.steps().chosen_step();
      text += (text.empty() ? "" : " ") + std::string(chosen ? "[" : "") + std::string(step.algorithm->name) +
              (chosen ? "]" : "");
    }
    return text;
  }
  /// Makes the input if it is not there. Returns whether it had to be made.
  bool make_input() {
    workspace_.refresh();
    const bool lacked = workspace_.lacks_input();
    workspace_.make_input();
    workspace_.refresh();
    return lacked;
  }
  [[nodiscard]] HostArray result() {
    make_input();
    EXPECT_EQ(workspace_.problem(), "");
    const auto input = workspace_.source();
    return Runner().run(workspace_.wanted().request(), input ? input->picture.pixels.view() : HostIn{}).output;
  }
  /// The result of an algorithm on data of the kind that it takes.
  [[nodiscard]] static HostArray run(std::string_view name, const HostArray& input,
                                     const std::vector<std::pair<std::string, std::string>>& sets) {
    const AlgorithmInfo& algorithm = find_algorithm(name);
    RunRequest request{.algorithm = &algorithm, .params = algorithm.defaults()};
    for (const auto& [field, value] : sets)
      request.params.assign(field, value);
    return Runner().run(request, input.view()).output;
  }

  Workspace workspace_;
};

TEST_F(StepListTest, EachStepWorksOnTheResultOfTheOneBefore) {
  choose("diamond_square");
  set("n", "5");
  add("thermal_erosion");
  set("iterations", "30");
  add("slope");
  EXPECT_EQ(names(), "diamond_square thermal_erosion [slope]");
  const HostArray terrain = run("diamond_square", {}, {{"n", "5"}});
  const HostArray eroded = run("thermal_erosion", terrain, {{"iterations", "30"}});
  EXPECT_TRUE(testing::same_pixels(result(), run("slope", eroded, {})));
  EXPECT_EQ(workspace_.source()->title(), "result of step 2, thermal_erosion");
  workspace_.choose_step(1);
  EXPECT_EQ(parameter("iterations"), "30");
  EXPECT_TRUE(testing::same_pixels(result(), eroded));
  workspace_.choose_step(0);
  EXPECT_TRUE(testing::same_pixels(result(), terrain));
}

TEST_F(StepListTest, AResultIsMadeAgainOnlyIfAStepBeforeHasChanged) {
  workspace_.set_source("photo.png", threadscape::testing::test_photo());
  choose("median");
  add("gaussian");
  add("sobel");
  EXPECT_TRUE(make_input());
  workspace_.choose_step(1);
  EXPECT_TRUE(make_input());
  workspace_.choose_step(2);
  EXPECT_FALSE(make_input()) << "it was made before";
  set("norm", "l2");
  EXPECT_FALSE(make_input()) << "its own parameters do not change its input";
  workspace_.choose_step(0);
  EXPECT_FALSE(make_input());
  set("size", "7");
  workspace_.choose_step(2);
  EXPECT_TRUE(make_input());
  const HostArray photo = threadscape::testing::test_photo().pixels;
  EXPECT_TRUE(testing::same_pixels(
      result(), run("sobel", run("gaussian", run("median", photo, {{"size", "7"}}), {}), {{"norm", "l2"}})));
  workspace_.set_source("other.png", threadscape::testing::test_photo());
  EXPECT_TRUE(make_input()) << "another photo";
}

TEST_F(StepListTest, TheIdentityOfAWorkIsStable) {
  workspace_.set_source("photo.png", threadscape::testing::test_photo());
  choose("median");
  add("sobel");
  make_input();
  const Work first = workspace_.wanted();
  workspace_.refresh();
  EXPECT_EQ(workspace_.wanted(), first);
  workspace_.choose_step(0);
  workspace_.refresh();
  EXPECT_NE(workspace_.wanted(), first);
  EXPECT_EQ(workspace_.wanted().before, nullptr);
  workspace_.choose_step(1);
  workspace_.refresh();
  EXPECT_EQ(workspace_.wanted().source_id, first.source_id);
}

TEST_F(StepListTest, StepsAreMovedAndRemoved) {
  workspace_.set_source("photo.png", threadscape::testing::test_photo());
  choose("median");
  add("gaussian");
  add("sobel");
  workspace_.move_step(2, 0);
  EXPECT_EQ(names(), "[sobel] median gaussian");
  workspace_.move_step(1, 2);
  EXPECT_EQ(names(), "[sobel] gaussian median");
  workspace_.choose_step(1);
  workspace_.move_step(0, 2);
  EXPECT_EQ(names(), "[gaussian] median sobel");
  workspace_.remove_step(2);
  EXPECT_EQ(names(), "[gaussian] median");
  workspace_.remove_step(0);
  EXPECT_TRUE(workspace_.steps().empty());
  EXPECT_EQ(workspace_.algorithm().name, "median");
  workspace_.refresh();
  EXPECT_EQ(workspace_.wanted().before, nullptr);
  EXPECT_EQ(workspace_.source()->title(), "photo.png");
}

TEST_F(StepListTest, TheSameAlgorithmTwiceHasParametersOfItsOwn) {
  workspace_.set_source("photo.png", threadscape::testing::test_photo());
  choose("median");
  set("size", "3");
  add("median");
  set("size", "9");
  workspace_.choose_step(0);
  EXPECT_EQ(parameter("size"), "3");
  workspace_.choose_step(1);
  EXPECT_EQ(parameter("size"), "9");
}

TEST_F(StepListTest, AnotherAlgorithmTakesThePlaceOfTheChosenStep) {
  workspace_.set_source("photo.png", threadscape::testing::test_photo());
  choose("median");
  add("sobel");
  workspace_.choose_step(0);
  choose("gaussian");
  EXPECT_EQ(names(), "[gaussian] sobel");
}

TEST_F(StepListTest, AStepThatDoesNotFitIsNamed) {
  choose("diamond_square");
  add("thermal_erosion");
  add("slope");
  workspace_.choose_step(1);
  choose("sorting");
  workspace_.refresh();
  EXPECT_EQ(workspace_.problem(), "step 2, sorting: it gets a heightfield from diamond_square, and takes a sequence");
  workspace_.choose_step(2);
  workspace_.refresh();
  EXPECT_EQ(workspace_.problem(), "step 2, sorting: it gets a heightfield from diamond_square, and takes a sequence");
  EXPECT_FALSE(make_input() && workspace_.source() != nullptr);
  workspace_.move_step(2, 0);
  workspace_.choose_step(1);
  workspace_.refresh();
  EXPECT_NE(workspace_.problem().find("step 2, diamond_square: it takes no input"), std::string::npos);
}

TEST_F(StepListTest, AStepWithoutDataIsNamed) {
  choose("median");
  add("sobel");
  workspace_.refresh();
  EXPECT_EQ(workspace_.problem(), "step 1, median: no picture is loaded: drop one here or press Ctrl+O");
}

TEST_F(StepListTest, AReconstructionFollowsTheScannerOfItsProjection) {
  choose("phantom");
  set("voxels", "16");
  add("projection");
  for (const auto& [name, value] : {std::pair{"geometry", "parallel"},
                                    {"detector_pixels", "24"},
                                    {"pixel_size", "1"},
                                    {"arc", "180"},
                                    {"step", "10"}})
    set(name, value);
  add("reconstruction");
  make_input();
  EXPECT_EQ(workspace_.problem(), "");
  EXPECT_EQ(parameter("geometry"), "parallel");
  EXPECT_EQ(parameter("voxels"), "16");
  set("filter", "hann");
  workspace_.choose_step(1);
  set("step", "6");
  workspace_.choose_step(2);
  EXPECT_EQ(result().shape(), (Shape{Kind::volume, Element::f32, 1, 16, 16, 16}));
  EXPECT_EQ(parameter("step"), "6");
  EXPECT_EQ(parameter("filter"), "hann");
  // What the user types holds until the scanner changes.
  set("voxels", "20");
  workspace_.refresh();
  EXPECT_EQ(parameter("voxels"), "20");
}

TEST_F(StepListTest, UsingAResultEndsTheListAndGoingBackRestoresIt) {
  choose("diamond_square");
  set("n", "4");
  add("thermal_erosion");
  HostArray eroded = result();
  workspace_.use_result(workspace_.result_to_use(workspace_.wanted(), find_algorithm("slope")), std::move(eroded));
  EXPECT_TRUE(workspace_.steps().empty());
  EXPECT_EQ(workspace_.algorithm().name, "slope");
  workspace_.go_back(Kind::heightfield);
  EXPECT_EQ(names(), "diamond_square [thermal_erosion]");
}

TEST_F(StepListTest, AListIsRestoredWithItsParameters) {
  choose("phantom");
  set("voxels", "16");
  add("projection");
  add("reconstruction");
  workspace_.refresh();
  set("voxels", "12");
  workspace_.refresh();
  const std::string kept = steps_to_json(workspace_.steps().steps());
  workspace_.clear_steps();
  choose("median");
  workspace_.restore_steps(steps_from_json(kept), 2);
  workspace_.refresh();
  EXPECT_EQ(names(), "phantom projection [reconstruction]");
  EXPECT_EQ(parameter("voxels"), "12");
  workspace_.restore_steps({}, 0);
  EXPECT_TRUE(workspace_.steps().empty());
}

TEST_F(StepListTest, MakingAnInputCanBeStopped) {
  choose("diamond_square");
  add("thermal_erosion");
  set("iterations", "1000");
  add("slope");
  workspace_.refresh();
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW((void)workspace_.wanted().make_input(stop.get_token()), Cancelled);
}

}  // namespace
}  // namespace threadscape::app
