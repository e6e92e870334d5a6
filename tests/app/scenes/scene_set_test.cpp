// Which scene draws a result on the command line, and when the scenes of a window are made.

#include "app/scenes/scene_set.h"

#include <gtest/gtest.h>

#include "compute/core/errors.h"
#include "compute/registry/registry.h"
#include "tests/support/app/app_testing.h"
#include "tests/support/app/tested_window.h"

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

/// Compiling shaders takes long, so that a frame before it says so.
TEST(SceneSet, ASceneIsMadeTwoFramesAfterItIsAskedFor) {
  const auto platform = threadscape::testing::headless_or_skip(64, 64);
  if (!platform) return;
  const gl::ShaderLibrary shaders;
  const AlgorithmInfo &sobel = find_algorithm("sobel"), &sorting = find_algorithm("sorting");
  for (const Pace pace : {Pace::smooth, Pace::quick}) {
    SceneSet scenes(shaders, pace);
    EXPECT_FALSE(scenes.preparing());
    scenes.begin_frame();
    const Scene* const empty = &scenes.scene_for(sobel);
    EXPECT_EQ(&scenes.scene_for(sobel), empty) << "all of a frame gets one scene";
    EXPECT_TRUE(scenes.preparing());
    scenes.end_frame();
    EXPECT_TRUE(scenes.preparing()) << "the window says so";

    scenes.begin_frame();
    EXPECT_EQ(&scenes.scene_for(sobel), empty) << "the bar is certainly seen in this frame";
    EXPECT_TRUE(scenes.preparing());
    scenes.end_frame();

    scenes.begin_frame();
    Scene& made = scenes.scene_for(sobel);
    EXPECT_NE(&made, empty);
    EXPECT_NE(made.settings(), nullptr);
    EXPECT_FALSE(scenes.preparing());
    EXPECT_EQ(&scenes.scene_for(sorting), empty) << "another scene";
    EXPECT_TRUE(scenes.preparing());
    scenes.end_frame();
    EXPECT_NE(&scenes.scene_for(sorting), empty) << "outside of a frame nobody waits for one";
    EXPECT_EQ(&scenes.scene_for(sobel), &made);
  }
  SceneSet scenes(shaders, Pace::complete);
  scenes.begin_frame();
  EXPECT_NE(scenes.scene_for(sobel).settings(), nullptr);
  EXPECT_FALSE(scenes.preparing());
}

/// A scene that needs shaders of the kinds that it is told, and counts how often it is drawn.
class SceneOfKinds final : public Scene {
 public:
  std::string kinds;
  int drawn = 0;
  [[nodiscard]] std::string shader_kinds(const LiveView&, glm::ivec2) override { return kinds; }
  void draw(const LiveView&, const gl::Framebuffer&) override { ++drawn; }
  void show(int) override {}
  [[nodiscard]] int shown() const override { return 0; }
  void toolbar(const Workspace&) override {}
  void interact(const LiveView&, ImVec2, ImVec2, bool) override {}
  [[nodiscard]] std::span<const KeyHelp> help() const override { return {}; }
  void panel(const Workspace&, const LiveView&, const Fonts&) override {}
  [[nodiscard]] bool animating() const override { return false; }
};

/// A software renderer compiles shaders again for textures of another kind, so that a frame before it says so.
class ShadersOfKinds : public ::testing::Test {
 protected:
  void SetUp() override {
    auto platform = threadscape::testing::headless_or_skip(64, 64);
    if (!platform) return;
    tested_ = std::make_unique<TestedWindow>(std::move(platform));
    target_ = gl::Framebuffer(64, 64);
  }
  void TearDown() override {
    target_ = {};
    tested_.reset();
  }
  /// Draws a frame. Returns "d" if the scene was drawn, "b" if the frame had a bar from its beginning, "bd" if both are
  /// true, and "-" if neither is.
  std::string frame(SceneSet& scenes, const std::string& kinds) {
    scenes.begin_frame();
    std::string what = scenes.preparing() ? "b" : "";
    scene_.kinds = kinds;
    const int before = scene_.drawn;
    const bool says_drawn = scenes.draw(scene_, tested_->live_, target_);
    EXPECT_EQ(says_drawn, scene_.drawn == before + 1);
    EXPECT_TRUE(says_drawn || scenes.preparing()) << "the window draws another frame soon";
    scenes.end_frame();
    if (says_drawn) what += "d";
    return what.empty() ? "-" : what;
  }

  std::unique_ptr<TestedWindow> tested_;
  gl::ShaderLibrary shaders_;
  gl::Framebuffer target_;
  SceneOfKinds scene_;
};

TEST_F(ShadersOfKinds, AFrameWithABarComesBeforeThePicture) {
  SceneSet scenes(shaders_, Pace::quick);
  EXPECT_EQ(frame(scenes, "floats"), "-") << "too late for the bar";
  EXPECT_EQ(frame(scenes, "floats"), "b");
  EXPECT_EQ(frame(scenes, "floats"), "d");
  EXPECT_EQ(frame(scenes, "floats"), "d");
  EXPECT_EQ(frame(scenes, "bytes"), "-");
  EXPECT_EQ(frame(scenes, "bytes"), "b");
  EXPECT_EQ(frame(scenes, "bytes"), "d");
  EXPECT_EQ(frame(scenes, "floats"), "d") << "compiled before";
  EXPECT_EQ(frame(scenes, ""), "d") << "nothing takes long";
}

TEST_F(ShadersOfKinds, KindsThatWereNotDrawnAreNew) {
  SceneSet scenes(shaders_, Pace::quick);
  EXPECT_EQ(frame(scenes, "floats"), "-");
  EXPECT_EQ(frame(scenes, "floats"), "b");
  EXPECT_EQ(frame(scenes, "bytes"), "d") << "the bar was for any shaders";
  EXPECT_EQ(frame(scenes, "bytes"), "d");
  EXPECT_EQ(frame(scenes, "floats"), "-");
}

TEST_F(ShadersOfKinds, KindsThatChangeAllTheTimeAreDrawnInEveryThirdFrame) {
  SceneSet scenes(shaders_, Pace::quick);
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(frame(scenes, std::to_string(3 * i)), "-");
    EXPECT_EQ(frame(scenes, std::to_string(3 * i + 1)), "b");
    EXPECT_EQ(frame(scenes, std::to_string(3 * i + 2)), "d");
  }
}

TEST_F(ShadersOfKinds, AViewThatIsHiddenCostsNoFrames) {
  SceneSet scenes(shaders_, Pace::quick);
  EXPECT_EQ(frame(scenes, "floats"), "-");
  for (int i = 0; i < 4; ++i) {
    scenes.begin_frame();  // Nothing is drawn.
    EXPECT_EQ(scenes.preparing(), i == 0) << "frame " << i;
    scenes.end_frame();
  }
}

TEST_F(ShadersOfKinds, WithAGpuAndForFilesEveryFrameIsDrawn) {
  for (const Pace pace : {Pace::smooth, Pace::complete}) {
    SceneSet scenes(shaders_, pace);
    EXPECT_EQ(frame(scenes, "floats"), "d");
  }
}

/// Number of the renderbuffers that exist.
int renderbuffers() {
  int count = 0;
  for (GLuint name = 1; name < 10000; ++name)
    count += glIsRenderbuffer(name) == GL_TRUE ? 1 : 0;
  return count;
}

/// Number of the framebuffers that exist.
int framebuffers() {
  int count = 0;
  for (GLuint name = 1; name < 10000; ++name)
    count += glIsFramebuffer(name) == GL_TRUE ? 1 : 0;
  return count;
}

/// Several samples for each pixel of the view take more memory than many a picture.
TEST(SceneSet, ASceneThatIsNotDisplayedHasNoTargets) {
  auto platform = threadscape::testing::headless_or_skip(640, 480);
  if (!platform) return;
  TestedWindow tested(std::move(platform));
  tested.choose("sobel", {});
  const int before = renderbuffers();
  for (const char* algorithm : {"diamond_square", "phantom"}) {
    tested.choose(algorithm, {});
    EXPECT_EQ(renderbuffers(), before + 2) << algorithm << ": colour and depth";
    tested.choose("sobel", {});
    EXPECT_EQ(renderbuffers(), before) << algorithm;
    tested.choose(algorithm, {});
    EXPECT_EQ(renderbuffers(), before + 2) << algorithm << ", displayed again";
  }
}

/// A picture of the size of the view that a scene draws first and then copies into the window.
TEST(SceneSet, ASceneThatIsNotDisplayedHasNoPictureOfTheView) {
  auto platform = threadscape::testing::headless_or_skip(640, 480);
  if (!platform) return;
  TestedWindow tested(std::move(platform));
  const std::pair<const char*, int> scenes[]{{"seam_carving", 1},
                                             {"phantom", 2}};  // phantom: one more with several samples for each pixel
  tested.workspace.set_source("photo", threadscape::testing::test_photo());
  tested.choose("sobel", {});
  for (const auto& [algorithm, count] : scenes) {
    tested.choose(algorithm, {});
    const int displayed = framebuffers();
    tested.choose("sobel", {});
    EXPECT_EQ(framebuffers(), displayed - count) << algorithm;
    tested.choose(algorithm, {});
    EXPECT_EQ(framebuffers(), displayed) << algorithm << ", displayed again";
  }
}

}  // namespace
}  // namespace threadscape::app
