// Which scene draws a result on the command line.

#include "app/scenes/scene_set.h"

#include <gtest/gtest.h>

#include "compute/core/errors.h"
#include "compute/registry/registry.h"

namespace threadscape::app {
namespace {

using Names = std::vector<std::pair<std::string, std::string>>;

TEST(SceneChoice, WhatIsToBeShownChoosesTheScene) {
  const AlgorithmInfo& rasterize = find_algorithm("rasterize");
  EXPECT_EQ(find_scene("", rasterize).name, "image") << "the default";
  EXPECT_EQ(find_scene("", rasterize, "result").name, "image");
  EXPECT_EQ(find_scene("", rasterize, "world").name, "pipeline");
  EXPECT_EQ(find_scene("image", rasterize, "world").name, "image") << "a stated scene is taken";
}

TEST(SceneChoice, SettingsOfTheViewChooseTheScene) {
  const AlgorithmInfo& rasterize = find_algorithm("rasterize");
  EXPECT_EQ(find_scene("", rasterize, "", Names{{"panel", "cost"}}).name, "pipeline");
  EXPECT_EQ(find_scene("", rasterize, "", Names{{"exposure", "1"}}).name, "image");
  EXPECT_EQ(find_scene("", rasterize, "world", Names{{"exposure", "1"}}).name, "pipeline")
      << "the scene that can show it reports the setting that it lacks";
}

TEST(SceneChoice, ANameThatNoSceneKnowsIsRefusedWithTheNamesOfAll) {
  try {
    (void)find_scene("", find_algorithm("rasterize"), "wrld");
    FAIL() << "no error";
  } catch (const UsageError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("did you mean world"), std::string::npos) << text;
    EXPECT_NE(text.find("overdraw"), std::string::npos) << text;
    EXPECT_NE(text.find("split"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace threadscape::app
