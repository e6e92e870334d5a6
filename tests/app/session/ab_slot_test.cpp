// Tests of the slot for a second setting: what differs, the exchange, and which run makes its picture.

#include "app/session/ab_slot.h"

#include <gtest/gtest.h>

#include "app/session/workspace.h"
#include "compute/registry/registry.h"
#include "tests/support/app/app_testing.h"

namespace threadscape::app {
namespace {

class AbSlotTest : public ::testing::Test {
 protected:
  void SetUp() override {
    workspace_.choose_algorithm(find_algorithm("median"));
    workspace_.choose_backend(Backend::openmp);
    workspace_.set_source("photo.png", threadscape::testing::test_photo());
    workspace_.slot.keep(workspace_.setting(), {12.0});
  }
  /// The titles of what differs between the present setting and B.
  [[nodiscard]] std::vector<std::string> titles() const {
    std::vector<std::string> all;
    for (const SettingDifference& difference : differences(workspace_.setting(), workspace_.slot.b()))
      all.push_back(difference.title);
    return all;
  }

  Workspace workspace_;
};

TEST_F(AbSlotTest, OnlyWhatWasChangedDiffers) {
  EXPECT_TRUE(titles().empty());
  workspace_.set_parameter("size", "7");
  workspace_.choose_threads(workspace_.work().threads + 1);
  EXPECT_EQ(titles(), (std::vector<std::string>{"Threads", "Size"}));
  const auto all = differences(workspace_.setting(), workspace_.slot.b());
  EXPECT_EQ(all.back().a, "7");
  EXPECT_EQ(all.back().b, "3");
  workspace_.set_source("other.png", threadscape::testing::test_photo());
  EXPECT_EQ(titles().back(), "Input");
  workspace_.choose_algorithm(find_algorithm("sobel"));
  EXPECT_EQ(titles().front(), "Algorithm");
}

TEST_F(AbSlotTest, TheSettingsAreExchanged) {
  workspace_.history.observe(workspace_.setting(), false);
  workspace_.set_parameter("size", "7");
  const Setting a = workspace_.setting(), b = workspace_.slot.b();
  workspace_.swap_with_slot({5.0});
  EXPECT_TRUE(same_setting(workspace_.setting(), b));
  EXPECT_TRUE(same_setting(workspace_.slot.b(), a));
  EXPECT_EQ(workspace_.slot.b_times(), std::vector<double>{5.0});
  workspace_.history.observe(workspace_.setting(), false);
  workspace_.undo();
  EXPECT_TRUE(same_setting(workspace_.setting(), a));
  workspace_.slot.clear();
  workspace_.swap_with_slot({});
  EXPECT_TRUE(same_setting(workspace_.setting(), a));
}

TEST_F(AbSlotTest, ThePictureOfBComesFromItsOwnInputOnTheCpu) {
  const auto photo = workspace_.picture();
  workspace_.set_source("other.png", threadscape::testing::test_photo());
  std::optional<Work> work = workspace_.slot.work();
  ASSERT_TRUE(work);
  EXPECT_EQ(work->source_id, photo->id);
  EXPECT_EQ(workspace_.slot.source(), photo);
  Setting cuda = workspace_.slot.b();
  cuda.work.backend = Backend::cuda;
  workspace_.slot.keep(cuda, {});
  EXPECT_EQ(workspace_.slot.work()->backend, Backend::openmp);
  workspace_.slot.compares_pictures = false;
  EXPECT_FALSE(workspace_.slot.work());
}

TEST_F(AbSlotTest, AnIntermediateStepIsThePictureOfB) {
  workspace_.choose_algorithm(find_algorithm("morphology"));
  workspace_.set_parameter("operation", "open");
  workspace_.show_intermediate(0);
  const Work shown = workspace_.wanted();
  workspace_.slot.keep(workspace_.setting(), {});
  workspace_.show_intermediate(1);
  EXPECT_EQ(workspace_.slot.work()->params, shown.params);
}

TEST_F(AbSlotTest, AnInputThatTheAlgorithmMakesHasNoPicture) {
  workspace_.choose_algorithm(find_algorithm("sorting"));
  workspace_.slot.keep(workspace_.setting(), {});
  EXPECT_FALSE(workspace_.slot.work());
}

}  // namespace
}  // namespace threadscape::app
